//! What every store refuses, before anything is written.

use time::{Duration, OffsetDateTime, UtcOffset};
use vexil_change_request::ChangeRequest;
use vexil_domain::{Actor, Environment, FeatureFlag, Project, Segment, StrategyType, TagType, Write};
use vexil_metrics::{Name, Packed};

use vexil_access::{Group, Role};

use crate::unstorable::{MAX_KEY_BYTES, TextError, Unstorable};
use crate::{
    AccessWrites, ApiToken, Commit, NewEvent, ProjectSettings, Registration, Session, SessionWrite, Setting,
    SignUpLink, StoreError, User,
};

/// The instant as stores keep it: in UTC, cut off to the microsecond.
#[must_use]
pub fn to_the_microsecond(instant: OffsetDateTime) -> OffsetDateTime {
    let utc = instant.checked_to_offset(UtcOffset::UTC).unwrap_or(instant);
    let finer = i64::from(utc.nanosecond() % 1000);
    utc.saturating_sub(Duration::nanoseconds(finer))
}

impl Commit {
    /// Whether all of it can be stored. Stores check this first.
    ///
    /// # Errors
    ///
    /// The first text that cannot be stored.
    pub fn check_storable(&self) -> Result<(), Unstorable> {
        let delta = &self.delta;
        each(
            &delta.projects,
            |id| key(id.as_str(), "the id of a project"),
            project,
        )?;
        each(
            &delta.environments,
            |name| key(name.as_str(), "the name of an environment"),
            environment,
        )?;
        each(
            &delta.flags,
            |name| key(name.as_str(), "the name of a flag"),
            flag,
        )?;
        each(&delta.segments, |_| Ok(()), segment)?;
        each(
            &delta.strategy_types,
            |name| key(name, "the name of a strategy type"),
            strategy_type,
        )?;
        each(
            &delta.tag_types,
            |name| key(name, "the name of a tag type"),
            tag_type,
        )?;
        for name in &self.environments {
            key(name.as_str(), "the name of an environment")?;
        }
        each(&self.change_requests, |_| Ok(()), change_request)?;
        each(&self.tokens, |_| Ok(()), token)?;
        each(&self.users, |_| Ok(()), user)?;
        access(&self.access)?;
        self.sessions.iter().try_for_each(|write| match write {
            SessionWrite::Begin(begun) => session(begun),
            SessionWrite::End(_) | SessionWrite::EndAll { .. } => Ok(()),
        })?;
        self.events.iter().try_for_each(event)
    }
}

/// Whether all names in usage counts can be stored. Stores check this first.
///
/// # Errors
///
/// The first name that cannot be stored; or that the counts cannot be read.
pub fn check_usage_storable(counts: &Packed) -> Result<(), StoreError> {
    counts.try_for_each_name(|name| {
        match name {
            Name::Flag(name) => key(name, "the name of a reported flag"),
            Name::Application(name) => key(name, "the name of a reporting application"),
            Name::Environment(name) => key(name, "the name of a reporting environment"),
            Name::Variant(name) => key(name, "the name of a reported variant"),
        }
        .map_err(StoreError::from)
    })
}

impl Registration {
    /// Whether all of it can be stored. Stores check this first.
    ///
    /// # Errors
    ///
    /// The first text that cannot be stored.
    pub fn check_storable(&self) -> Result<(), Unstorable> {
        key(&self.key.application, "the name of an application")?;
        key(self.key.environment.as_str(), "the environment of an application")?;
        key(&self.key.instance, "the name of an instance")?;
        optional(self.sdk_version.as_deref(), "the SDK version of an application")
    }
}

fn each<K, V>(
    puts: &[Write<K, V>],
    check_key: impl Fn(&K) -> Result<(), Unstorable>,
    check: impl Fn(&V) -> Result<(), Unstorable>,
) -> Result<(), Unstorable> {
    puts.iter().try_for_each(|put| match put {
        Write::Upsert(value) => check(value),
        Write::Delete(gone) => check_key(gone),
    })
}

fn project(it: &Project) -> Result<(), Unstorable> {
    key(it.id.as_str(), "the id of a project")?;
    plain(&it.name, "the name of a project")?;
    optional(it.description.as_deref(), "the description of a project")?;
    plain(
        it.default_stickiness.name(),
        "the default stickiness of a project",
    )?;
    let used = it.environments.keys();
    used.chain(it.left_environments.keys())
        .try_for_each(|name| key(name.as_str(), "the name of an environment of a project"))
}

fn environment(it: &Environment) -> Result<(), Unstorable> {
    key(it.name.as_str(), "the name of an environment")?;
    plain(&it.kind, "the type of an environment")
}

fn flag(it: &FeatureFlag) -> Result<(), Unstorable> {
    key(it.name.as_str(), "the name of a flag")?;
    key(it.project.as_str(), "the project of a flag")?;
    plain(&it.kind, "the type of a flag")?;
    optional(it.description.as_deref(), "the description of a flag")?;
    it.created_by.as_ref().map_or(Ok(()), actor)?;
    for dependency in &it.dependencies {
        key(dependency.parent.as_str(), "the parent of a flag")?;
    }
    // tags, links and completion are JSON text, and so are the values of a type
    for (environment, settings) in &it.environments {
        key(environment.as_str(), "the name of an environment of a flag")?;
        for strategy in &settings.strategies {
            key(strategy.id.as_str(), "the id of a strategy")?;
            plain(&strategy.name, "the type of a strategy")?;
            optional(strategy.title.as_deref(), "the title of a strategy")?;
        }
    }
    Ok(())
}

fn segment(it: &Segment) -> Result<(), Unstorable> {
    plain(&it.name, "the name of a segment")?;
    optional(it.description.as_deref(), "the description of a segment")?;
    optional(it.created_by.as_deref(), "the creator of a segment")?;
    it.project.as_ref().map_or(Ok(()), |project| {
        key(project.as_str(), "the project of a segment")
    })
}

fn strategy_type(it: &StrategyType) -> Result<(), Unstorable> {
    key(&it.name, "the name of a strategy type")?;
    optional(it.display_name.as_deref(), "the display name of a strategy type")?;
    optional(it.title.as_deref(), "the title of a strategy type")?;
    plain(&it.description, "the description of a strategy type")
}

fn tag_type(it: &TagType) -> Result<(), Unstorable> {
    key(&it.name, "the name of a tag type")?;
    optional(it.description.as_deref(), "the description of a tag type")?;
    optional(it.icon.as_deref(), "the icon of a tag type")?;
    optional(it.color.as_deref(), "the colour of a tag type")
}

fn change_request(it: &ChangeRequest) -> Result<(), Unstorable> {
    key(it.project.as_str(), "the project of a change request")?;
    key(it.environment.as_str(), "the environment of a change request")?;
    optional(it.title.as_deref(), "the title of a change request")?;
    actor(&it.created_by)?;
    for change in &it.changes {
        let flag = change.flag.as_ref().map_or("", |flag| flag.as_str());
        key(flag, "the flag of a change")?;
        actor(&change.created_by)?;
    }
    for approval in it.approvals.iter().chain(&it.rejections) {
        actor(&approval.created_by)?;
        let words = approval.effect.as_ref().map(|signed| signed.words.as_str());
        optional(words, "the effect of an approval in words")?;
    }
    for comment in &it.comments {
        plain(&comment.text, "the text of a comment")?;
        actor(&comment.created_by)?;
    }
    let Some(schedule) = &it.schedule else {
        return Ok(());
    };
    actor(&schedule.scheduled_by)?;
    optional(schedule.status.reason(), "the reason of a schedule's status")
}

fn token(it: &ApiToken) -> Result<(), Unstorable> {
    plain(&it.name, "the name of an API token")?;
    let environment = it.environment.as_ref().map_or("", |name| name.as_str());
    key(environment, "the environment of an API token")?;
    it.projects
        .iter()
        .try_for_each(|project| key(project.as_str(), "a project of an API token"))
}

fn user(it: &User) -> Result<(), Unstorable> {
    optional(it.username.as_deref(), "the username of a user")?;
    optional(it.email.as_deref(), "the email address of a user")?;
    optional(it.name.as_deref(), "the name of a user")?;
    optional(it.password_hash.as_deref(), "the password hash of a user")?;
    for token in &it.tokens {
        plain(&token.description, "the description of a personal access token")?;
    }
    if let Some(external) = &it.external {
        plain(&external.issuer, "the provider of a user")?;
        plain(&external.subject, "what a provider calls a user")?;
    }
    let mut texts = it.closed_notices.iter().chain(it.feedback.keys());
    texts.try_for_each(|text| plain(text, "a notice of the pages"))?;
    let mut roles = it.project_roles.iter();
    roles.try_for_each(|(project, _)| key(project.as_str(), "a project of a user"))?;
    let mut projects = it.favorites.projects.iter();
    projects.try_for_each(|project| key(project.as_str(), "a favourite project of a user"))?;
    let mut flags = it.favorites.flags.iter();
    flags.try_for_each(|flag| key(flag.as_str(), "a favourite flag of a user"))?;
    it.grants.iter().try_for_each(|grant| {
        key(grant.project.as_str(), "the project of a grant")?;
        let environment = grant.environment.as_ref().map_or("", |name| name.as_str());
        key(environment, "the environment of a grant")
    })
}

fn access(writes: &AccessWrites) -> Result<(), Unstorable> {
    each(&writes.roles, |_| Ok(()), role)?;
    each(&writes.groups, |_| Ok(()), group)?;
    each(
        &writes.projects,
        |id| key(id.as_str(), "the id of a project"),
        project_settings,
    )?;
    each(&writes.sign_up_links, |_| Ok(()), sign_up_link)?;
    each(
        &writes.settings,
        |name| key(name, "the name of a setting"),
        setting,
    )
}

fn role(it: &Role) -> Result<(), Unstorable> {
    plain(&it.name, "the name of a role")?;
    plain(&it.description, "the description of a role")?;
    it.environments()
        .try_for_each(|name| key(name.as_str(), "an environment of a role"))
}

fn group(it: &Group) -> Result<(), Unstorable> {
    plain(&it.name, "the name of a group")?;
    plain(&it.description, "the description of a group")?;
    let mut names = it.external_names.iter();
    names.try_for_each(|name| plain(name, "the external name of a group"))?;
    let mut roles = it.project_roles.iter();
    roles.try_for_each(|(project, _)| key(project.as_str(), "a project of a group"))
}

fn project_settings(it: &ProjectSettings) -> Result<(), Unstorable> {
    key(it.project.as_str(), "the id of a project")?;
    if let Some(naming) = &it.naming {
        plain(&naming.pattern, "the pattern of names")?;
        optional(naming.example.as_deref(), "the example of names")?;
        optional(naming.description.as_deref(), "the description of names")?;
    }
    it.link_templates.iter().try_for_each(|template| {
        optional(template.title.as_deref(), "the title of a link")?;
        plain(&template.url, "the address of a link")
    })
}

fn sign_up_link(it: &SignUpLink) -> Result<(), Unstorable> {
    plain(&it.name, "the name of a link")?;
    plain(&it.created_by, "the maker of a link")
}

fn setting(it: &Setting) -> Result<(), Unstorable> {
    key(&it.name, "the name of a setting")?;
    plain(&it.value, "the value of a setting")
}

fn session(it: &Session) -> Result<(), Unstorable> {
    optional(it.address.as_deref(), "the address of a session")?;
    optional(it.user_agent.as_deref(), "the browser of a session")
}

fn event(it: &NewEvent) -> Result<(), Unstorable> {
    key(&it.kind, "the type of an event")?;
    actor(&it.actor)?;
    let names = [
        it.project.as_ref().map(|name| name.as_str()),
        it.environment.as_ref().map(|name| name.as_str()),
        it.flag.as_ref().map(|name| name.as_str()),
    ];
    for name in names.into_iter().flatten() {
        key(name, "what an event is about")?;
    }
    optional(it.data.as_deref(), "the data of an event")?;
    optional(it.pre_data.as_deref(), "the earlier data of an event")
}

fn actor(it: &Actor) -> Result<(), Unstorable> {
    plain(&it.name, "the name of an actor")
}

fn key(text: &str, what: &str) -> Result<(), Unstorable> {
    if text.len() > MAX_KEY_BYTES {
        return Err(unstorable(text, what, TextError::TooLong));
    }
    plain(text, what)
}

fn optional(text: Option<&str>, what: &str) -> Result<(), Unstorable> {
    text.map_or(Ok(()), |text| plain(text, what))
}

fn plain(text: &str, what: &str) -> Result<(), Unstorable> {
    if text.contains('\0') {
        return Err(unstorable(text, what, TextError::Nul));
    }
    Ok(())
}

fn unstorable(text: &str, what: &str, problem: TextError) -> Unstorable {
    let shown: String = text
        .chars()
        .take(40)
        .map(|c| if c == '\0' { '␀' } else { c })
        .collect();
    let more = if text.chars().nth(40).is_some() { "…" } else { "" };
    Unstorable {
        place: format!("{what} (`{shown}{more}`)"),
        problem,
    }
}
