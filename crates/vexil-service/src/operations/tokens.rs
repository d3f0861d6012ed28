//! API tokens: created, given an end, removed.

use std::sync::Arc;

use time::OffsetDateTime;
use vexil_access::Permission;
use vexil_admin_api::token::{NewToken, Purpose};
use vexil_domain::{EnvironmentName, ProjectId, Snapshot};
use vexil_store::{ApiToken, ApiTokenId, TokenKind};

use crate::app::App;
use crate::operations::Error;
use crate::permission::Place;
use crate::principal::{Principal, hash_secret};
use crate::sealing::Sealer;
use crate::serving_state::ServingState;
use crate::tokens::generate;
use crate::transaction::Transaction;

/// A token that is to be created, checked, with its secret.
#[derive(Debug, Clone)]
pub struct Prepared {
    new: NewToken,
    kind: TokenKind,
    environment: Option<EnvironmentName>,
    /// The whole secret, which is told once and never kept.
    pub secret: String,
}

/// Checks what is wanted, and draws a secret.
pub fn prepare(snapshot: &Snapshot, new: NewToken) -> Result<Prepared, Error> {
    let kind = match new.purpose {
        Purpose::Admin => TokenKind::Admin,
        Purpose::Client => TokenKind::Client,
        Purpose::Frontend => TokenKind::Frontend,
    };
    let environment = match kind {
        TokenKind::Admin => admin_environment(&new)?,
        TokenKind::Client | TokenKind::Frontend => Some(sdk_environment(snapshot, &new)?),
    };
    for project in &new.projects {
        if !snapshot.projects.contains_key(project) {
            return Err(Error::invalid(format!("Project={project} does not exist")));
        }
    }
    let secret = generate(&new.projects, environment.as_ref());
    Ok(Prepared {
        new,
        kind,
        environment,
        secret,
    })
}

fn admin_environment(new: &NewToken) -> Result<Option<EnvironmentName>, Error> {
    let everywhere = new.environment.as_deref().is_none_or(|name| name == "*");
    if everywhere && new.projects.is_empty() {
        return Ok(None);
    }
    Err(Error::invalid(
        "An admin token is for all projects and all environments; it cannot be scoped.",
    ))
}

/// The environment of an SDK's token; the first one when none is said.
fn sdk_environment(snapshot: &Snapshot, new: &NewToken) -> Result<EnvironmentName, Error> {
    let Some(name) = new.environment.as_deref() else {
        let first = snapshot
            .environments
            .values()
            .min_by_key(|environment| environment.sort_order);
        let none = || Error::invalid("There is no environment that the token could be for.");
        return first.map(|environment| environment.name.clone()).ok_or_else(none);
    };
    if name == "*" {
        return Err(Error::invalid(
            "Client token cannot be scoped to all environments",
        ));
    }
    match snapshot.environments.get(name) {
        Some(environment) => Ok(environment.name.clone()),
        None => Err(Error::invalid(format!("Environment={name} does not exist"))),
    }
}

/// Creates a token.
pub fn create(
    tx: &mut Transaction<'_>,
    prepared: &Prepared,
    sealer: Option<&Sealer>,
) -> Result<ApiToken, Error> {
    let id = ApiTokenId(tx.counters.token);
    tx.counters.token += 1;
    let token = ApiToken {
        id,
        name: prepared.new.name.clone(),
        secret_hash: hash_secret(&prepared.secret),
        sealed_secret: sealer
            .map(|sealer| sealer.seal(&purpose(id), &prepared.secret))
            .transpose()?,
        kind: prepared.kind,
        is_called_backend: prepared.new.is_called_backend,
        environment: prepared.environment.clone(),
        projects: prepared.new.projects.clone(),
        created_at: tx.now,
        expires_at: prepared.new.expires_at,
        seen_at: None,
    };
    tx.put_token(token.clone());
    Ok(token)
}

/// For what the secret of a token is sealed.
#[must_use]
pub fn purpose(id: ApiTokenId) -> String {
    format!("api-token:{}", id.0)
}

/// What is done with a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// It is looked at.
    Read,
    /// It is made.
    Create,
    /// It is changed.
    Update,
    /// It is deleted.
    Delete,
}

/// Who may do something with tokens of a kind.
pub(crate) fn needed(action: Action, kind: TokenKind) -> Permission {
    match (kind, action) {
        (TokenKind::Admin, _) => Permission::Admin,
        (TokenKind::Client, Action::Read) => Permission::ReadClientApiToken,
        (TokenKind::Client, Action::Create) => Permission::CreateClientApiToken,
        (TokenKind::Client, Action::Update) => Permission::UpdateClientApiToken,
        (TokenKind::Client, Action::Delete) => Permission::DeleteClientApiToken,
        (TokenKind::Frontend, Action::Read) => Permission::ReadFrontendApiToken,
        (TokenKind::Frontend, Action::Create) => Permission::CreateFrontendApiToken,
        (TokenKind::Frontend, Action::Update) => Permission::UpdateFrontendApiToken,
        (TokenKind::Frontend, Action::Delete) => Permission::DeleteFrontendApiToken,
    }
}

/// Refuses who may not do something with tokens of a kind.
pub fn demand(who: &Principal, action: Action, kind: TokenKind) -> Result<(), Error> {
    who.demand(&[needed(action, kind)], &Place::default())
}

impl Prepared {
    /// What the token will be for.
    #[must_use]
    pub fn kind(&self) -> TokenKind {
        self.kind
    }
}

/// All tokens, by id, with when they were last used.
pub async fn with_last_use(app: &App) -> Result<Vec<ApiToken>, Error> {
    let seen = app.tokens_seen().await?;
    let with_use = |token: &Arc<ApiToken>| ApiToken {
        seen_at: seen.get(&token.id).copied(),
        ..ApiToken::clone(token)
    };
    let mut tokens: Vec<_> = app.serving().tokens.values().map(with_use).collect();
    tokens.sort_by_key(|token| token.id);
    Ok(tokens)
}

/// The token of this secret, or of this id.
fn find(serving: &ServingState, secret_or_id: &str) -> Option<Arc<ApiToken>> {
    let by_id = || {
        let id = ApiTokenId(secret_or_id.parse::<i64>().ok()?);
        serving.tokens.values().find(|token| token.id == id)
    };
    serving
        .tokens
        .get(&hash_secret(secret_or_id))
        .or_else(by_id)
        .cloned()
}

/// Sets from when on a token is no longer accepted.
pub fn expire(
    tx: &mut Transaction<'_>,
    who: &Principal,
    secret_or_id: &str,
    expires_at: OffsetDateTime,
) -> Result<(), Error> {
    let missing = || Error::NotFound("There is no such API token.".to_owned());
    let token = find(tx.serving(), secret_or_id).ok_or_else(missing)?;
    demand(who, Action::Update, token.kind)?;
    let later = ApiToken {
        expires_at: Some(expires_at),
        ..ApiToken::clone(&token)
    };
    tx.put_token(later);
    Ok(())
}

/// Removes a token. One that is not there stays away.
pub fn remove(tx: &mut Transaction<'_>, who: &Principal, secret_or_id: &str) -> Result<(), Error> {
    let Some(token) = find(tx.serving(), secret_or_id) else {
        return Ok(());
    };
    demand(who, Action::Delete, token.kind)?;
    tx.remove_token(token.id);
    Ok(())
}

/// Removes a token of a project: one that is for it alone. Others are for the whole instance to remove.
pub fn remove_of_project(
    tx: &mut Transaction<'_>,
    project: &ProjectId,
    secret_or_id: &str,
) -> Result<(), Error> {
    let found = find(tx.serving(), secret_or_id).filter(|token| is_of_project(token, project));
    let missing = || {
        Error::NotFound(format!(
            "There is no such API token for the project \"{project}\" alone."
        ))
    };
    tx.remove_token(found.ok_or_else(missing)?.id);
    Ok(())
}

/// Whether a token is for a project alone.
#[must_use]
pub fn is_of_project(token: &ApiToken, project: &ProjectId) -> bool {
    token.kind != TokenKind::Admin && token.projects.as_slice() == std::slice::from_ref(project)
}
