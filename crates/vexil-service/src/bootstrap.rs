//! What a new instance holds from the start, and the tokens that the operator asks for.

use std::collections::BTreeMap;
use std::sync::Arc;

use uuid::Uuid;
use vexil_access::RoleId;
use vexil_admin_api::user::{RoleReference, UserForm};
use vexil_domain::{
    Environment, Project, ProjectEnvironment, Stickiness, StrategyParameter, StrategyType, TagType, Write,
};
use vexil_store::{ApiToken, ApiTokenId, Setting, TokenKind};

use crate::app::App;
use crate::instance::INSTANCE_ID;
use crate::operations::sign_on::put_setting;
use crate::operations::tokens::purpose;
use crate::operations::{Error, users};
use crate::passwords;
use crate::principal::hash_secret;
use crate::sealing::Sealer;
use crate::system::system;
use crate::tokens::{INITIAL_TOKEN, generate, read_scope};
use crate::transaction::Transaction;

/// The tokens that exist from the start, as text with their kind.
#[derive(Debug, Clone, Default)]
pub struct InitialTokens(pub Vec<(TokenKind, String)>);

/// Fills a new instance, and adds the initial tokens that never were there. Answers the text of an admin token
/// that was made because the instance is new and has none.
///
/// # Errors
///
/// When a token is malformed, or the store fails; then nothing has changed.
pub fn bootstrap(app: &App, tokens: &InitialTokens) -> Result<Option<String>, Error> {
    let made = generate(&[], None);
    let sealer = app.sealer().filter(|_| app.lists_secrets());
    app.edit_blocking(&system(), |tx| {
        if tx.snapshot.environments.is_empty() && tx.snapshot.projects.is_empty() {
            fill(tx);
            tx.snapshot
                .tag_types
                .insert(SIMPLE.to_owned(), Arc::new(simple_tags()));
        }
        for kind in strategy_types() {
            tx.snapshot
                .strategy_types
                .entry(kind.name.clone())
                .or_insert_with(|| Arc::new(kind));
        }
        if !tx.settings().contains_key(INSTANCE_ID) {
            put_setting(tx, INSTANCE_ID, Some(Uuid::new_v4().to_string()));
        }
        let is_new = tx.counters.token <= 1;
        for (kind, text) in &tokens.0 {
            add_token(tx, *kind, text, sealer)?;
        }
        if !is_new || tokens.0.iter().any(|(kind, _)| *kind == TokenKind::Admin) {
            return Ok(None);
        }
        add_token(tx, TokenKind::Admin, &made, sealer)?;
        Ok(Some(made.clone()))
    })
}

/// What is said of initial tokens that let nobody in: there is no environment, or no project, that they name.
#[must_use]
pub fn tokens_without_place(app: &App, tokens: &InitialTokens) -> Vec<String> {
    let serving = app.serving();
    let told = tokens.0.iter().flat_map(|(kind, text)| {
        let scope = read_scope(text, *kind).ok();
        let serving = &serving;
        scope.into_iter().flat_map(move |scope| {
            // what stands before the dot is no secret
            let shown = text.split_once('.').map_or("…", |(before, _)| before);
            let place = |what: &str, name: &str| {
                format!("the initial {} token `{shown}.…` names the {what} `{name}`, which is not there: it gets no flags until somebody creates it", kind.name())
            };
            let snapshot = &serving.snapshot;
            let environment = scope.environment.filter(|it| !snapshot.environments.contains_key(it));
            let projects = scope.projects.into_iter().filter(|it| !snapshot.projects.contains_key(it));
            let environment = environment.map(|it| place("environment", it.as_str()));
            let projects: Vec<String> = projects.map(|it| place("project", it.as_str())).collect();
            environment.into_iter().chain(projects)
        })
    });
    told.collect()
}

/// Makes the first admin of an instance that never had users; `None` where there were some. Answers the
/// password where it was drawn here.
///
/// # Errors
///
/// When the store fails; then nothing has changed.
pub fn first_admin(app: &App, name: &str, password: Option<&str>) -> Result<Option<String>, Error> {
    if app.serving().counters.user > 1 {
        return Ok(None);
    }
    let drawn = match password {
        Some(_) => None,
        None => Some(passwords::draw()?),
    };
    let password = password.or(drawn.as_deref()).unwrap_or_default();
    let mut salt = [0_u8; 16];
    getrandom::fill(&mut salt).map_err(Error::internal)?;
    let hash = passwords::hash(password, &salt)?;
    let made = app.edit_blocking(&system(), |tx| {
        if tx.counters.user > 1 {
            return Ok(false);
        }
        let form = UserForm {
            username: Some(name.to_owned()),
            root_role: Some(RoleReference::Id(RoleId::ADMIN.0)),
            ..UserForm::default()
        };
        users::create(tx, &form, Some(&hash))?;
        Ok(true)
    })?;
    Ok(drawn.filter(|_| made))
}

fn add_token(
    tx: &mut Transaction<'_>,
    kind: TokenKind,
    text: &str,
    sealer: Option<&Sealer>,
) -> Result<(), Error> {
    let scope = read_scope(text, kind).map_err(|problem| {
        // what stands before the dot is no secret
        let shown = text
            .split_once('.')
            .map_or_else(|| "…".to_owned(), |(before, _)| format!("{before}.…"));
        Error::invalid(format!("The {} token `{shown}` {problem}.", kind.name()))
    })?;
    let secret_hash = hash_secret(text);
    let seal = |id| sealer.map(|sealer| sealer.seal(&purpose(id), text)).transpose();
    let known = tx.serving().tokens.get(&secret_hash).cloned();
    // one that was there before its secret was to be kept
    if let Some(known) = &known
        && known.sealed_secret.is_none()
        && sealer.is_some()
    {
        let mut token = ApiToken::clone(known);
        token.sealed_secret = seal(token.id)?;
        tx.put_token(token);
    }
    let hash: String = secret_hash.iter().map(|byte| format!("{byte:02x}")).collect();
    let name = format!("{INITIAL_TOKEN}{hash}");
    if tx.serving().access.tables.settings.contains_key(&name) {
        return Ok(());
    }
    let setting = Setting {
        name,
        value: String::new(),
    };
    tx.access_writes().settings.push(Write::Upsert(Arc::new(setting)));
    // of an earlier version, which kept no such settings
    if known.is_some() {
        return Ok(());
    }
    let id = tx.counters.token;
    tx.counters.token += 1;
    tx.put_token(ApiToken {
        id: ApiTokenId(id),
        name: format!("{}-{id}", kind.name()),
        secret_hash,
        sealed_secret: seal(ApiTokenId(id))?,
        kind,
        is_called_backend: false,
        environment: scope.environment,
        projects: scope.projects,
        created_at: tx.now,
        expires_at: None,
        seen_at: None,
    });
    Ok(())
}

fn fill(tx: &mut Transaction<'_>) {
    let environments = [("development", "development", 2), ("production", "production", 3)];
    let mut in_project = BTreeMap::new();
    for (name, kind, sort_order) in environments {
        let environment = Environment {
            name: name.into(),
            kind: kind.to_owned(),
            sort_order,
            enabled: true,
            protected: false,
            required_approvals: None,
        };
        tx.snapshot
            .environments
            .insert(name.into(), Arc::new(environment));
        in_project.insert(name.into(), ProjectEnvironment::default());
    }
    let project = Project {
        id: "default".into(),
        name: "Default".to_owned(),
        description: Some("Default project".to_owned()),
        created_at: tx.now,
        default_stickiness: Stickiness::Default,
        environments: in_project,
        left_environments: BTreeMap::new(),
    };
    tx.snapshot.projects.insert(project.id.clone(), Arc::new(project));
}

/// The tag type that every instance begins with.
const SIMPLE: &str = "simple";

fn simple_tags() -> TagType {
    TagType {
        description: Some("Used to simplify filtering of features".to_owned()),
        icon: Some("#".to_owned()),
        color: Some("#FFFFFF".to_owned()),
        ..TagType::new(SIMPLE)
    }
}

/// The strategy types that every instance has.
fn strategy_types() -> Vec<StrategyType> {
    let built_in =
        |name: &str, display: &str, description: &str, parameters: Vec<StrategyParameter>| StrategyType {
            name: name.to_owned(),
            display_name: Some(display.to_owned()),
            title: None,
            description: description.to_owned(),
            built_in: true,
            deprecated: false,
            parameters,
        };
    vec![
        built_in(
            "default",
            "Standard",
            "On for everybody who meets the constraints.",
            Vec::new(),
        ),
        built_in(
            "flexibleRollout",
            "Gradual rollout",
            "On for a share of everybody who meets the constraints; the same user always gets the same answer.",
            vec![
                parameter("rollout", "percentage", "How many percent get the flag.", false),
                parameter(
                    "stickiness",
                    "string",
                    "The context field that decides: default, userId, sessionId, random or any other.",
                    true,
                ),
                parameter(
                    "groupId",
                    "string",
                    "Flags of the same group let the same users in.",
                    true,
                ),
            ],
        ),
        built_in(
            "remoteAddress",
            "IPs",
            "On for a list of IP addresses and networks.",
            vec![parameter(
                "IPs",
                "list",
                "Addresses and networks, such as 10.0.0.0/8.",
                true,
            )],
        ),
        built_in(
            "applicationHostname",
            "Hosts",
            "On for applications that run on certain hosts.",
            vec![parameter("hostNames", "list", "The names of the hosts.", false)],
        ),
    ]
}

fn parameter(name: &str, kind: &str, description: &str, required: bool) -> StrategyParameter {
    StrategyParameter {
        name: name.to_owned(),
        kind: kind.to_owned(),
        description: description.to_owned(),
        required,
    }
}
