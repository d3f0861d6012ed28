//! Tokens that proxies get by themselves: made once for the same environment and projects, and told again.

use std::collections::BTreeMap;

use time::OffsetDateTime;
use vexil_client_api::edge::TokenRequest;
use vexil_domain::{Actor, EnvironmentName, ProjectId};
use vexil_store::{ApiToken, ApiTokenId, TokenKind};

use crate::edge_clients::Signer;
use crate::operations::Error;
use crate::operations::tokens::purpose;
use crate::principal::hash_secret;
use crate::sealing::Sealer;
use crate::system::system;
use crate::tokens::text;
use crate::transaction::Transaction;

/// How many tokens a proxy gets.
const MOST: usize = 1_000;

/// Who acts when a proxy gets a token.
#[must_use]
pub fn actor(client: &str) -> Actor {
    Actor {
        name: token_name(client),
        ..system()
    }
}

fn token_name(client: &str) -> String {
    format!("edge-client:{client}")
}

/// The secrets of the tokens that are asked for, in order. What is missing is made.
///
/// A secret is kept nowhere: it follows from the client's key, the number of the token, which no later token gets, and when
/// it was made. So the same client is told the same secret by every server on one database, one that was removed never
/// comes back, and another instance that shares the client's secret makes others.
pub fn get_or_create(
    tx: &mut Transaction<'_>,
    signer: &Signer,
    asked: &[TokenRequest],
    sealer: Option<&Sealer>,
) -> Result<Vec<String>, Error> {
    check(tx, asked)?;
    let name = token_name(&signer.id);
    let (now, serving) = (tx.now, tx.serving());
    let own = || serving.tokens.values().filter(|token| token.name == name);
    let mut count = own().count();
    let mut known: BTreeMap<(EnvironmentName, Vec<ProjectId>), String> = BTreeMap::new();
    for token in own().filter(|token| token.expires_at.is_none_or(|end| end > now)) {
        let Some(environment) = &token.environment else {
            continue;
        };
        let secret = secret(signer, token.id, token.created_at, &token.projects, environment);
        // not with another key, nor where somebody else has given a token this name
        if hash_secret(&secret) == token.secret_hash {
            known.insert((environment.clone(), token.projects.clone()), secret);
        }
    }
    let mut secrets = Vec::with_capacity(asked.len());
    for TokenRequest {
        environment,
        projects,
    } in asked
    {
        let key = (environment.clone(), projects.clone());
        if let Some(secret) = known.get(&key) {
            secrets.push(secret.clone());
            continue;
        }
        count += 1;
        if count > MOST {
            return Err(Error::InvalidOperation(format!(
                "The Edge client \"{}\" has {MOST} tokens, which is as many as it gets; remove some at /api/admin/api-tokens.",
                signer.id
            )));
        }
        let id = ApiTokenId(tx.counters.token);
        tx.counters.token += 1;
        let secret = secret(signer, id, now, projects, environment);
        tx.put_token(ApiToken {
            id,
            name: name.clone(),
            secret_hash: hash_secret(&secret),
            sealed_secret: sealer
                .map(|sealer| sealer.seal(&purpose(id), &secret))
                .transpose()?,
            kind: TokenKind::Client,
            is_called_backend: false,
            environment: Some(environment.clone()),
            projects: projects.clone(),
            created_at: now,
            expires_at: None,
            seen_at: None,
        });
        known.insert(key, secret.clone());
        secrets.push(secret);
    }
    Ok(secrets)
}

/// Refuses what names an environment or a project that is not there.
fn check(tx: &Transaction<'_>, asked: &[TokenRequest]) -> Result<(), Error> {
    for request in asked {
        let environment = request.environment.as_str();
        if environment == "*" {
            return Err(Error::invalid(
                "A token of an SDK is for one environment; name it instead of `*`.",
            ));
        }
        if !tx.snapshot.environments.contains_key(environment) {
            return Err(Error::invalid(format!(
                "Environment={environment} does not exist"
            )));
        }
        for project in &request.projects {
            if !tx.snapshot.projects.contains_key(project) {
                return Err(Error::invalid(format!("Project={project} does not exist")));
            }
        }
    }
    Ok(())
}

fn secret(
    signer: &Signer,
    id: ApiTokenId,
    created_at: OffsetDateTime,
    projects: &[ProjectId],
    environment: &EnvironmentName,
) -> String {
    // to the microsecond, as stores keep it
    let micros = created_at.unix_timestamp_nanos().div_euclid(1_000);
    let derived = signer.derive(&format!("vexil edge token {} {micros}", id.0));
    text(projects, Some(environment), &derived)
}
