//! Sessions begun and ended.

use serde_json::json;
use time::OffsetDateTime;
use vexil_access::UserId;
use vexil_domain::Actor;
use vexil_store::{
    ApiToken, LinkPurpose, LinkWrite, SecretHash, Session, SessionHolder, SessionWrite, TokenKind, User,
};

use super::Error;
use crate::app::{ById, Credentials};
use crate::clock::is_recent;
use crate::principal::{hash_secret, token_actor, user_actor};
use crate::sign_in::{Secret, SignInOptions};
use crate::transaction::Transaction;

/// How many sessions a user may have; with more, the oldest end.
pub const MOST_SESSIONS: usize = 50;

/// How many letters of what a browser calls itself are kept.
const USER_AGENT_LETTERS: usize = 200;

/// How somebody proved who they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    /// With a password.
    Password,
    /// With a token.
    Token,
    /// With the secret of a link.
    Link,
    /// At a provider of single sign-on.
    Provider,
}

impl Proof {
    /// The word for it in the audit log.
    fn word(self) -> &'static str {
        match self {
            Self::Password => "password",
            Self::Token => "token",
            Self::Link => "link",
            Self::Provider => "oidc",
        }
    }
}

/// A browser that is about to be signed in.
#[derive(Debug, Clone)]
pub struct Browser {
    /// The secret that its cookie will carry.
    pub secret: Secret,
    /// Its network address.
    pub address: Option<String>,
    /// What it calls itself.
    pub user_agent: Option<String>,
    /// The session of the cookie that it has until now.
    pub earlier: Option<SecretHash>,
}

/// What came of signing in.
#[derive(Debug, Clone)]
pub struct SignedIn {
    /// As whom.
    pub actor: Actor,
    /// The user, where it is one.
    pub user: Option<UserId>,
    /// How many earlier sessions have ended for it.
    pub ended: usize,
    /// How many sessions there are now.
    pub sessions: usize,
}

/// As whom somebody with a token may sign in.
#[must_use]
pub fn holder_of(known: &Credentials, token: &str, now: OffsetDateTime) -> Option<SessionHolder> {
    let hash = hash_secret(token.trim());
    if let Some(token) = known.token(&hash, now) {
        return (token.kind == TokenKind::Admin).then_some(SessionHolder::ApiToken(token.id));
    }
    let (user, token) = known.user(&hash, now)?;
    Some(SessionHolder::PersonalToken(user.id, token.id))
}

/// Who a session acts as, as long as the holder is there.
pub enum Holder<'a> {
    /// A user.
    User(&'a std::sync::Arc<User>),
    /// An API token.
    Token(&'a std::sync::Arc<ApiToken>),
}

opaque!(Holder<'_>);

/// Who a session acts as; `None` when the user or token is gone or has expired.
pub fn find_holder(known: &impl ById, holder: SessionHolder, now: OffsetDateTime) -> Option<Holder<'_>> {
    match holder {
        SessionHolder::User(user) => known.user_by_id(user).map(Holder::User),
        SessionHolder::PersonalToken(user, token) => {
            let user = known.user_by_id(user)?;
            let mut tokens = user.tokens.iter();
            let counts = tokens.any(|known| known.id == token && now < known.expires_at);
            counts.then_some(Holder::User(user))
        }
        SessionHolder::ApiToken(token) => {
            let token = known
                .token_by_id(token)
                .filter(|token| token.kind == TokenKind::Admin)?;
            let counts = token.expires_at.is_none_or(|end| now < end);
            counts.then_some(Holder::Token(token))
        }
    }
}

/// Begins a session. `None` when the holder is gone, or the password was changed meanwhile.
pub fn begin(
    tx: &mut Transaction<'_>,
    holder: SessionHolder,
    proof: Proof,
    browser: &Browser,
    options: &SignInOptions,
) -> Result<Option<SignedIn>, Error> {
    let (actor, user) = match find_holder(tx.serving(), holder, tx.now) {
        None => return Ok(None),
        Some(Holder::User(user)) => (user_actor(user), Some(user.id)),
        Some(Holder::Token(token)) => (token_actor(token), None),
    };
    begin_as(tx, (holder, actor, user), proof, browser, options).map(Some)
}

/// The same for a user whom this very edit may have created.
pub(crate) fn begin_for(
    tx: &mut Transaction<'_>,
    holder: SessionHolder,
    user: &User,
    proof: Proof,
    browser: &Browser,
    options: &SignInOptions,
) -> Result<SignedIn, Error> {
    begin_as(
        tx,
        (holder, user_actor(user), Some(user.id)),
        proof,
        browser,
        options,
    )
}

fn begin_as(
    tx: &mut Transaction<'_>,
    (holder, actor, user): (SessionHolder, Actor, Option<UserId>),
    proof: Proof,
    browser: &Browser,
    options: &SignInOptions,
) -> Result<SignedIn, Error> {
    let session = Session {
        secret_hash: browser.secret.hash(),
        holder,
        created_at: tx.now,
        seen_at: tx.now,
        expires_at: tx.now.saturating_add(options.longest),
        address: browser.address.clone(),
        user_agent: browser.user_agent.as_deref().map(shortened),
    };
    let (mut ended, mut sessions) = (0, 1);
    // its cookie is replaced: nobody could end that session any more by signing out
    if let Some(earlier) = browser.earlier {
        tx.write_session(SessionWrite::End(earlier));
        ended += 1;
    }
    if let Some(user) = user {
        let earlier = tx.sessions_of(user)?;
        let alive = |session: &&Session| {
            Some(session.secret_hash) != browser.earlier && is_alive(session, options, tx.now)
        };
        let alive: Vec<SecretHash> = earlier.iter().filter(alive).map(|it| it.secret_hash).collect();
        let oldest = alive.iter().skip(MOST_SESSIONS - 1);
        sessions += alive.len() - oldest.len();
        ended += oldest.len();
        for oldest in oldest {
            tx.write_session(SessionWrite::End(*oldest));
        }
    }
    let mut event = tx.new_event("user-signed-in");
    event.actor = actor.clone();
    event.data = Some(
        json!({ "userId": user.map(|user| user.0), "by": proof.word(), "address": session.address })
            .to_string(),
    );
    tx.event(event);
    tx.write_session(SessionWrite::Begin(session));
    Ok(SignedIn {
        actor,
        user,
        ended,
        sessions,
    })
}

/// What a browser calls itself, cut off where it goes on and on.
fn shortened(text: &str) -> String {
    text.chars()
        .filter(|letter| !letter.is_control())
        .take(USER_AGENT_LETTERS)
        .collect()
}

/// Whether a session still counts.
#[must_use]
pub fn is_alive(session: &Session, options: &SignInOptions, now: OffsetDateTime) -> bool {
    now < session.expires_at && is_recent(session.seen_at, now, options.idle)
}

/// Begins the session of whoever has the link, and uses the link up. `None` when the link does not work.
pub fn begin_by_link(
    tx: &mut Transaction<'_>,
    secret: &Secret,
    browser: &Browser,
    options: &SignInOptions,
) -> Result<Option<SignedIn>, Error> {
    let link = tx.link(secret.hash())?;
    let works = |link: &vexil_store::Link| link.purpose == LinkPurpose::SignIn && tx.now < link.expires_at;
    let Some(link) = link.filter(works) else {
        return Ok(None);
    };
    tx.write_link(LinkWrite::RemoveAll(link.user));
    begin(tx, SessionHolder::User(link.user), Proof::Link, browser, options)
}

/// Ends a session because its browser signs out.
pub fn sign_out(tx: &mut Transaction<'_>, session: &Session) {
    let mut event = tx.new_event("user-signed-out");
    event.data = Some(json!({ "userId": session.holder.user().map(|user| user.0) }).to_string());
    tx.event(event);
    tx.write_session(SessionWrite::End(session.secret_hash));
}

/// Ends every session of a user but one, and says so in the audit log where there was any.
pub fn end_all(
    tx: &mut Transaction<'_>,
    user: UserId,
    except: Option<SecretHash>,
    because: &str,
) -> Result<(), Error> {
    let others = tx.sessions_of(user)?;
    let ended = others
        .iter()
        .filter(|session| Some(session.secret_hash) != except)
        .count();
    tx.write_session(SessionWrite::EndAll { user, except });
    if ended > 0 {
        record_end(tx, user, ended, because);
    }
    Ok(())
}

/// Ends one session of a user, by the name that lists give it. `false` when there is none of that name.
pub fn end_one(tx: &mut Transaction<'_>, user: UserId, name: &str) -> Result<bool, Error> {
    let sessions = tx.sessions_of(user)?;
    let named = sessions
        .iter()
        .find(|session| name_of(session.secret_hash) == name);
    let Some(session) = named else {
        return Ok(false);
    };
    tx.write_session(SessionWrite::End(session.secret_hash));
    record_end(tx, user, 1, "ended by hand");
    Ok(true)
}

fn record_end(tx: &mut Transaction<'_>, user: UserId, ended: usize, because: &str) {
    let mut event = tx.new_event("user-sessions-ended");
    event.data = Some(json!({ "userId": user.0, "sessions": ended, "because": because }).to_string());
    tx.event(event);
}

/// The name of a session in lists: a part of its hash, from which nobody gets at its secret.
#[must_use]
pub fn name_of(secret: SecretHash) -> String {
    secret
        .0
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[cfg(test)]
mod tests;
