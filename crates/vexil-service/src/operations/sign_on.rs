//! Who somebody is here whom a provider of single sign-on has signed in.

use std::sync::Arc;

use vexil_access::UserId;
use vexil_domain::Write;
use vexil_store::{ExternalIdentity, SessionHolder, Setting, User};

use super::sign_in::{self, Browser, Proof};
use super::{Error, groups};
use crate::app::{NO_PASSWORDS, SIGN_ON};
use crate::sealing::Sealer;
use crate::sign_in::SignInOptions;
use crate::single_sign_on::{Identity, OidcSettings};
use crate::transaction::Transaction;

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Somebody is signed in.
    SignedIn,
    /// Email addresses of this domain are not let in, or there is none that the provider vouches for.
    OutsideDomains,
    /// Nobody is known here by this identity, and accounts are not made.
    Unknown,
}

/// Signs in whoever a provider says it is: by the identity it had before; else by the email address that the
/// provider vouches for; else with a new account, where they are made.
pub fn sign_in(
    tx: &mut Transaction<'_>,
    identity: &Identity,
    settings: &OidcSettings,
    browser: &Browser,
    options: &SignInOptions,
) -> Result<Outcome, Error> {
    let email = identity.verified_email.as_deref();
    if !settings.lets_in(email.unwrap_or_default()) {
        return Ok(Outcome::OutsideDomains);
    }
    let external = ExternalIdentity {
        issuer: identity.issuer.clone(),
        subject: identity.subject.clone(),
    };
    let known = tx.users().find(|user| user.external.as_ref() == Some(&external));
    let by_email = || {
        let found = tx.serving().users.with_login(email?)?;
        let is_theirs = found
            .email
            .as_deref()
            .is_some_and(|own| own.eq_ignore_ascii_case(email.unwrap_or_default()));
        // one that belongs to another identity of the provider stays with it
        (is_theirs && found.external.is_none()).then(|| Arc::clone(found))
    };
    let user = match known.or_else(by_email) {
        Some(user) => user,
        None if settings.creates_accounts => Arc::new(new_user(tx, identity, settings)),
        None => return Ok(Outcome::Unknown),
    };
    if user.external.is_none() {
        let mut user = User::clone(&user);
        user.external = Some(external);
        tx.put_user(user);
    }
    if let Some(claimed) = &identity.groups {
        groups::follow_claims(tx, user.id, claimed);
    }
    sign_in::begin_for(
        tx,
        SessionHolder::User(user.id),
        &user,
        Proof::Provider,
        browser,
        options,
    )?;
    Ok(Outcome::SignedIn)
}

/// An account for somebody who comes for the first time. A name that is taken is left out.
fn new_user(tx: &mut Transaction<'_>, identity: &Identity, settings: &OidcSettings) -> User {
    let id = UserId(tx.counters.user);
    tx.counters.user += 1;
    let is_free = |name: &&String| tx.serving().users.with_login(name).is_none();
    let email = identity.verified_email.as_ref().filter(is_free).cloned();
    let username = identity.username.as_ref().filter(is_free).cloned();
    let fallback = || format!("oidc-{}", id.0);
    User {
        username: username.or_else(|| email.is_none().then(fallback)),
        email,
        name: identity.name.clone(),
        ..User::new(id, settings.default_role, tx.now)
    }
}

/// Keeps how people sign in at a provider.
pub fn keep(tx: &mut Transaction<'_>, settings: &OidcSettings, sealer: Option<&Sealer>) -> Result<(), Error> {
    let known = tx
        .access()
        .directory
        .role(settings.default_role)
        .is_some_and(|role| role.kind.is_root());
    if !known {
        return Err(Error::invalid("The role of new accounts must be a root role."));
    }
    let value = settings.stored(sealer)?;
    put_setting(tx, SIGN_ON, Some(value));
    if !settings.enabled {
        // somebody must be able to come in
        put_setting(tx, NO_PASSWORDS, None);
    }
    Ok(())
}

/// Switches signing in with a password off, or on again.
pub fn switch_passwords(tx: &mut Transaction<'_>, off: bool) {
    put_setting(tx, NO_PASSWORDS, off.then(|| "off".to_owned()));
}

/// Puts a setting of the instance, or takes it away.
pub fn put_setting(tx: &mut Transaction<'_>, name: &str, value: Option<String>) {
    let write = match value {
        Some(value) => Write::Upsert(Arc::new(Setting {
            name: name.to_owned(),
            value,
        })),
        None if tx.access().tables.settings.contains_key(name) => Write::Delete(name.to_owned()),
        None => return,
    };
    tx.access_writes().settings.push(write);
}
