//! Links with which people set their own password: made by an admin or asked for by e-mail, used once.

use serde_json::json;
use time::{Duration, OffsetDateTime};
use vexil_access::UserId;
use vexil_store::{Link, LinkPurpose, LinkWrite, SecretHash, User};

use super::{Error, users};
use crate::sign_in::Secret;
use crate::transaction::Transaction;

/// For how long a link works.
pub(crate) const WORKS: Duration = Duration::DAY;

/// Makes a link for a user; earlier ones of the same user stop working.
pub fn make(
    tx: &mut Transaction<'_>,
    user: UserId,
    purpose: LinkPurpose,
    secret: SecretHash,
) -> Result<(), Error> {
    users::find(tx.serving(), user)?;
    make_unchecked(tx, user, purpose, secret);
    Ok(())
}

/// The same for a user whom this very edit creates.
pub fn make_unchecked(tx: &mut Transaction<'_>, user: UserId, purpose: LinkPurpose, secret: SecretHash) {
    let expires_at = tx.now.saturating_add(WORKS);
    tx.write_link(LinkWrite::Make(Link {
        secret_hash: secret,
        user,
        purpose,
        created_at: tx.now,
        expires_at,
    }));
    let mut event = tx.new_event("user-link-created");
    event.data = Some(json!({ "userId": user.0, "for": purpose.name() }).to_string());
    tx.event(event);
}

/// Whether a link sets a password, now.
#[must_use]
pub fn sets_password(link: &Link, now: OffsetDateTime) -> bool {
    let is_for_that = matches!(link.purpose, LinkPurpose::Invitation | LinkPurpose::Reset);
    is_for_that && now < link.expires_at
}

/// Sets the password of whoever has the link, and uses the link up. `None` when it does not work.
pub fn set_password(tx: &mut Transaction<'_>, secret: &Secret, hash: &str) -> Result<Option<UserId>, Error> {
    let link = tx.link(secret.hash())?;
    let Some(link) = link.filter(|link| sets_password(link, tx.now)) else {
        return Ok(None);
    };
    let Some(user) = tx.serving().users.get(link.user).map(|user| User::clone(user)) else {
        return Ok(None);
    };
    tx.actor = crate::principal::user_actor(&user);
    users::set_password(tx, link.user, hash, None)?;
    Ok(Some(link.user))
}
