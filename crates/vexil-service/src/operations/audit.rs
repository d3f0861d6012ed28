//! The audit log: what an edit did, told by comparing the configuration before and after it.

mod access;
mod applications;
mod entry;
mod favorites;
mod flags;
mod people;
mod tags;
mod upkeep;
mod words;

pub use entry::Entry;
pub use people::shown_grants;
pub use words::{label, summary};

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::json;
use vexil_admin_api::environment::EnvironmentDocument;
use vexil_admin_api::project_document::ProjectCreated;
use vexil_admin_api::segment::SegmentDocument;
use vexil_admin_api::strategy_type::StrategyTypeDocument;
use vexil_change_request::EventKind;
use vexil_domain::{
    ChangeRequestRule, Environment, EnvironmentName, Project, ProjectEnvironment, ProjectId, Segment,
    Snapshot, StrategyType, Write,
};
use vexil_store::{AccessTables, ApiToken, User};

use crate::operations::Error;
use entry::Entries;

/// What an edit did, as entries of the audit log: everything in which the configuration, the API tokens, the
/// users, roles, groups and settings differ afterwards. So an edit is in the log whatever it is and whoever wrote it.
pub(crate) fn entries(edit: &Difference<'_>) -> Result<Vec<Entry>, Error> {
    let mut entries = differences(edit.before, edit.after)?;
    entries.extend(people::tokens(edit.tokens)?);
    entries.extend(people::users(edit.users, edit.after));
    entries.extend(access::entries(edit.access.0, edit.access.1));
    Ok(entries)
}

/// Something as it was and as it will be, where it is there.
pub(crate) type BeforeAfter<T> = (Option<Arc<T>>, Option<Arc<T>>);

/// What is different after an edit.
pub(crate) struct Difference<'a> {
    /// The configuration before it.
    pub(crate) before: &'a Snapshot,
    /// The configuration after it.
    pub(crate) after: &'a Snapshot,
    /// The tokens that it writes, as they were and as they will be.
    pub(crate) tokens: &'a [BeforeAfter<ApiToken>],
    /// The users that it writes, as they were and as they will be.
    pub(crate) users: &'a [BeforeAfter<User>],
    /// Roles, groups and settings, as they were and as they will be.
    pub(crate) access: (&'a AccessTables, &'a AccessTables),
}

fn differences(earlier: &Snapshot, later: &Snapshot) -> Entries {
    let delta = later.since(earlier);
    let mut entries = Vec::new();
    for put in &delta.environments {
        entries.extend(environment(
            lookup(&earlier.environments, put, |it| &it.name),
            put,
        )?);
    }
    for put in &delta.projects {
        entries.extend(project(lookup(&earlier.projects, put, |it| &it.id), put)?);
    }
    for put in &delta.strategy_types {
        entries.push(strategy_type(
            lookup(&earlier.strategy_types, put, |it| &it.name),
            put,
        )?);
    }
    for put in &delta.tag_types {
        entries.extend(tags::tag_type(
            lookup(&earlier.tag_types, put, |it| &it.name),
            put,
        )?);
    }
    for put in &delta.segments {
        entries.push(segment(lookup(&earlier.segments, put, |it| &it.id), put)?);
    }
    for put in &delta.flags {
        entries.extend(flags::flag(lookup(&earlier.flags, put, |it| &it.name), put)?);
    }
    Ok(entries)
}

/// What stood where something was put or taken away.
fn lookup<'a, K: Ord, V>(
    earlier: &'a BTreeMap<K, Arc<V>>,
    put: &'a Write<K, V>,
    key_of: impl Fn(&'a V) -> &'a K,
) -> Option<&'a V> {
    let key = match put {
        Write::Upsert(value) => key_of(value),
        Write::Delete(key) => key,
    };
    earlier.get(key).map(AsRef::as_ref)
}

fn environment(earlier: Option<&Environment>, put: &Write<EnvironmentName, Environment>) -> Entries {
    let mut entries = Vec::new();
    match (earlier, put) {
        (None, Write::Upsert(now)) => entries.push(
            Entry::new("environment-created")
                .in_environment(&now.name)
                .with(&EnvironmentDocument::of(now))?,
        ),
        (Some(was), Write::Upsert(now)) => entries.push(
            Entry::new("environment-updated")
                .in_environment(&now.name)
                .with(&EnvironmentDocument::of(now))?
                .with_earlier(&EnvironmentDocument::of(was))?,
        ),
        (Some(was), Write::Delete(name)) => entries.push(
            Entry::new("environment-deleted")
                .in_environment(name)
                .with_earlier(&EnvironmentDocument::of(was))?,
        ),
        (None, Write::Delete(_)) => {}
    }
    Ok(entries)
}

fn project(earlier: Option<&Project>, put: &Write<ProjectId, Project>) -> Entries {
    let (was, now) = match (earlier, put) {
        (None, Write::Upsert(now)) => {
            let entry = Entry::new("project-created").in_project(Some(&now.id));
            return Ok(vec![entry.with(&ProjectCreated::of(now))?]);
        }
        (Some(was), Write::Delete(id)) => {
            let entry = Entry::new("project-deleted").in_project(Some(id));
            return Ok(vec![entry.with_earlier(&ProjectCreated::of(was))?]);
        }
        (Some(was), Write::Upsert(now)) => (was, now),
        (None, Write::Delete(_)) => return Ok(Vec::new()),
    };
    let mut entries = Vec::new();
    let told = |project: &Project| {
        (
            project.name.clone(),
            project.description.clone(),
            project.default_stickiness.clone(),
        )
    };
    if told(was) != told(now) {
        let entry = Entry::new("project-updated").in_project(Some(&now.id));
        entries.push(
            entry
                .with(&ProjectCreated::of(now))?
                .with_earlier(&ProjectCreated::of(was))?,
        );
    }
    entries.extend(rules(was, now));
    for (name, rules) in &now.environments {
        let kind = match was.environments.get(name) {
            None => "project-environment-added",
            Some(old) if old.default_strategy != rules.default_strategy => "default-strategy-updated",
            Some(_) => continue,
        };
        entries.push(project_environment(kind, now, name, rules)?);
    }
    for name in was
        .environments
        .keys()
        .filter(|name| !now.environments.contains_key(*name))
    {
        entries.push(
            Entry::new("project-environment-removed")
                .in_project(Some(&now.id))
                .in_environment(name),
        );
    }
    if entries.is_empty() && *was != **now {
        // nothing that has a word of its own
        let entry = Entry::new("project-updated").in_project(Some(&now.id));
        let entry = entry.with(&ProjectCreated::of(now))?;
        entries.push(entry.with_earlier(&ProjectCreated::of(was))?);
    }
    Ok(entries)
}

/// Where changes go through change requests, and how many approvals they need.
fn rules(was: &Project, now: &Project) -> Vec<Entry> {
    let all = now.environments.keys().chain(now.left_environments.keys());
    let all = all
        .chain(was.environments.keys())
        .chain(was.left_environments.keys());
    let all: BTreeSet<&EnvironmentName> = all.collect();
    let changed = all.into_iter().filter(|name| was.rule(name) != now.rule(name));
    let document = |rule: Option<ChangeRequestRule>| {
        json!({
            "changeRequestsEnabled": rule.is_some(),
            "requiredApprovals": rule.map(|rule| rule.required_approvals),
            "changedEffect": rule.map(|rule| rule.changed_effect.name()),
        })
        .to_string()
    };
    let entry = |name: &EnvironmentName| Entry {
        data: Some(document(now.rule(name))),
        pre_data: Some(document(was.rule(name))),
        ..Entry::new(EventKind::ConfigurationUpdated.name())
            .in_project(Some(&now.id))
            .in_environment(name)
    };
    changed.map(entry).collect()
}

fn project_environment(
    kind: &'static str,
    project: &Project,
    environment: &EnvironmentName,
    rules: &ProjectEnvironment,
) -> Result<Entry, Error> {
    let entry = Entry::new(kind)
        .in_project(Some(&project.id))
        .in_environment(environment);
    match &rules.default_strategy {
        Some(strategy) => entry.with(strategy),
        None => Ok(entry),
    }
}

fn strategy_type(earlier: Option<&StrategyType>, put: &Write<String, StrategyType>) -> Result<Entry, Error> {
    match (earlier, put) {
        (None, Write::Upsert(now)) => Entry::new("strategy-created").with(&StrategyTypeDocument::of(now)),
        (Some(was), Write::Upsert(now)) if was.deprecated != now.deprecated => {
            let kind = if now.deprecated {
                "strategy-deprecated"
            } else {
                "strategy-reactivated"
            };
            Entry::new(kind).with(&json!({ "name": now.name }))
        }
        (Some(was), Write::Upsert(now)) => Entry::new("strategy-updated")
            .with(&StrategyTypeDocument::of(now))?
            .with_earlier(&StrategyTypeDocument::of(was)),
        (_, Write::Delete(name)) => Entry::new("strategy-deleted").with(&json!({ "name": name })),
    }
}

fn segment(earlier: Option<&Segment>, put: &Write<vexil_domain::SegmentId, Segment>) -> Result<Entry, Error> {
    match (earlier, put) {
        (None, Write::Upsert(now)) => Entry::new("segment-created")
            .in_project(now.project.as_ref())
            .with(&SegmentDocument::of(now)),
        (Some(was), Write::Upsert(now)) => Entry::new("segment-updated")
            .in_project(now.project.as_ref())
            .with(&SegmentDocument::of(now))?
            .with_earlier(&SegmentDocument::of(was)),
        (Some(was), Write::Delete(_)) => Entry::new("segment-deleted")
            .in_project(was.project.as_ref())
            .with_earlier(&SegmentDocument::of(was)),
        (None, Write::Delete(id)) => Entry::new("segment-deleted").with_earlier(&json!({ "id": id })),
    }
}

#[cfg(test)]
mod tests;
