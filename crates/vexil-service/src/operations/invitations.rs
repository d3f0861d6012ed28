//! Links with which anybody who has one makes an account: made, changed, used.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::{Value, json};
use time::Duration;
use vexil_access::{Directory, RoleId};
use vexil_admin_api::account::{NewSignUpLink, SignUpLinkChange};
use vexil_admin_api::timestamp::Timestamp;
use vexil_admin_api::user::UserForm;
use vexil_domain::Write;
use vexil_store::{SecretHash, SignUpLink, SignUpLinkId, User};

use super::Error;
use super::users::{self, find_root_role};
use crate::served_access::ServedAccess;
use crate::serving_state::ServingState;
use crate::sign_in::Secret;
use crate::transaction::Transaction;

/// For how long a link works at most.
const LONGEST: Duration = Duration::days(30);

/// How many people may sign up with one link.
const MOST_USERS: usize = 1000;

/// A link by its secret or its id, which must be there.
pub fn find<'a>(access: &'a ServedAccess, secret_or_id: &str) -> Result<&'a Arc<SignUpLink>, Error> {
    let links = &access.tables.sign_up_links;
    let by_secret = Secret::read(secret_or_id).and_then(|secret| with_secret(links, secret.hash()));
    let by_id = || links.get(&SignUpLinkId(secret_or_id.parse::<i64>().ok()?));
    let missing = || Error::NotFound("Could not find public signup token.".to_owned());
    by_secret.or_else(by_id).ok_or_else(missing)
}

fn with_secret(
    links: &BTreeMap<SignUpLinkId, Arc<SignUpLink>>,
    hash: SecretHash,
) -> Option<&Arc<SignUpLink>> {
    links.values().find(|link| link.secret_hash == hash)
}

/// The link of a secret, if people may sign up with it now.
pub fn working<'a>(
    access: &'a ServedAccess,
    secret: &str,
    now: time::OffsetDateTime,
) -> Result<&'a Arc<SignUpLink>, Error> {
    let link =
        Secret::read(secret).and_then(|secret| with_secret(&access.tables.sign_up_links, secret.hash()));
    let works =
        |link: &&Arc<SignUpLink>| link.enabled && now < link.expires_at && link.users.len() < MOST_USERS;
    link.filter(works).ok_or_else(|| {
        Error::invalid(
            "The link to sign up does not work: it has expired or was switched off. Ask an admin of this server for a new one.",
        )
    })
}

/// Makes a link with this secret. It works for 30 days at most, whatever is asked.
pub fn create(
    tx: &mut Transaction<'_>,
    form: &NewSignUpLink,
    secret: SecretHash,
) -> Result<SignUpLink, Error> {
    let directory = tx.access().directory;
    let role = match &form.root_role {
        Some(role) => find_root_role(&directory, role)?,
        None => RoleId::VIEWER,
    };
    if role == RoleId::ADMIN {
        return Err(Error::invalid(
            "Nobody becomes Admin by a link that anybody may have.",
        ));
    }
    let id = SignUpLinkId(tx.counters.sign_up_link);
    tx.counters.sign_up_link += 1;
    let link = SignUpLink {
        id,
        secret_hash: secret,
        sealed_secret: None,
        name: form.name.clone(),
        enabled: true,
        role,
        created_by: tx.actor.name.clone(),
        created_at: tx.now,
        expires_at: form.expires_at.min(tx.now.saturating_add(LONGEST)),
        users: BTreeSet::new(),
    };
    put(tx, link.clone());
    Ok(link)
}

/// Changes a link: whether it works, and until when.
pub fn edit(
    tx: &mut Transaction<'_>,
    secret_or_id: &str,
    form: &SignUpLinkChange,
) -> Result<SignUpLink, Error> {
    let access = tx.access();
    let mut link = SignUpLink::clone(find(&access, secret_or_id)?);
    link.enabled = form.enabled.unwrap_or(link.enabled);
    if let Some(end) = form.expires_at {
        link.expires_at = end.min(tx.now.saturating_add(LONGEST));
    }
    put(tx, link.clone());
    Ok(link)
}

/// Makes the account of somebody who has the link.
pub fn sign_up(
    tx: &mut Transaction<'_>,
    secret: &str,
    form: &UserForm,
    password_hash: &str,
) -> Result<User, Error> {
    let access = tx.access();
    let mut link = SignUpLink::clone(working(&access, secret, tx.now)?);
    let form = UserForm {
        root_role: Some(vexil_admin_api::user::RoleReference::Id(link.role.0)),
        ..form.clone()
    };
    let user = users::create(tx, &form, Some(password_hash))?;
    link.users.insert(user.id);
    put(tx, link);
    Ok(user)
}

fn put(tx: &mut Transaction<'_>, link: SignUpLink) {
    tx.access_writes()
        .sign_up_links
        .push(Write::Upsert(Arc::new(link)));
}

/// Shows a link: with its secret where it is told, else with its id, by which it can be changed.
pub fn document(serving: &ServingState, link: &SignUpLink, told: Option<(&Secret, &str)>) -> Value {
    let directory: &Directory = &serving.access.directory;
    let users = link.users.iter().filter_map(|id| serving.users.get(*id));
    let (secret, url) = match told {
        Some((secret, own)) => (
            secret.text().to_owned(),
            format!("{own}/new-user?invite={}", secret.text()),
        ),
        None => (link.id.0.to_string(), String::new()),
    };
    let role = directory.role(link.role);
    let role = role.map(|role| json!({ "id": role.id.0, "name": role.name, "type": role.kind.name() }));
    json!({
        "secret": secret,
        "name": link.name,
        "url": url,
        "expiresAt": Timestamp::from(link.expires_at),
        "enabled": link.enabled,
        "createdAt": Timestamp::from(link.created_at),
        "createdBy": link.created_by,
        "role": role,
        "users": users.map(|user| users::named(user)).collect::<Vec<_>>(),
    })
}
