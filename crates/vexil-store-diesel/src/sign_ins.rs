//! Sessions and links.

use diesel::prelude::*;
use time::OffsetDateTime;
use vexil_access::UserId;
use vexil_store::{
    ApiTokenId, Link, LinkPurpose, LinkWrite, PersonalTokenId, SecretHash, Session, SessionHolder,
    SessionWrite,
};

use crate::connection::{AnyConnection, insert_all};
use crate::error::DbError;
use crate::schema::{links, sessions};
use crate::{instant, json};

const USER: &str = "user";
const PERSONAL_TOKEN: &str = "personal-token";
const API_TOKEN: &str = "api-token";

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = sessions, treat_none_as_default_value = false)]
struct SessionRow {
    secret_hash: Vec<u8>,
    holder: String,
    owner: Option<i64>,
    token: Option<i64>,
    created_at: i64,
    seen_at: i64,
    expires_at: i64,
    address: Option<String>,
    user_agent: Option<String>,
}

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = links, treat_none_as_default_value = false)]
struct LinkRow {
    secret_hash: Vec<u8>,
    owner: i64,
    purpose: String,
    created_at: i64,
    expires_at: i64,
}

fn hash(bytes: Vec<u8>) -> Result<SecretHash, DbError> {
    <[u8; 32]>::try_from(bytes)
        .map(SecretHash)
        .map_err(|found| json::corrupt("the hash of a secret", format!("{} bytes long", found.len())))
}

impl SessionRow {
    fn new(session: &Session) -> Self {
        let (holder, owner, token) = match session.holder {
            SessionHolder::User(user) => (USER, Some(user.0), None),
            SessionHolder::PersonalToken(user, token) => (PERSONAL_TOKEN, Some(user.0), Some(token.0)),
            SessionHolder::ApiToken(token) => (API_TOKEN, None, Some(token.0)),
        };
        Self {
            secret_hash: session.secret_hash.0.to_vec(),
            holder: holder.to_owned(),
            owner,
            token,
            created_at: instant::to_stored(session.created_at),
            seen_at: instant::to_stored(session.seen_at),
            expires_at: instant::to_stored(session.expires_at),
            address: session.address.clone(),
            user_agent: session.user_agent.clone(),
        }
    }

    fn into_session(self) -> Result<Session, DbError> {
        let holder = match (self.holder.as_str(), self.owner, self.token) {
            (USER, Some(user), None) => SessionHolder::User(UserId(user)),
            (PERSONAL_TOKEN, Some(user), Some(token)) => {
                SessionHolder::PersonalToken(UserId(user), PersonalTokenId(token))
            }
            (API_TOKEN, None, Some(token)) => SessionHolder::ApiToken(ApiTokenId(token)),
            _ => {
                return Err(json::corrupt(
                    "the holder of a session",
                    format!("`{}`", self.holder),
                ));
            }
        };
        Ok(Session {
            secret_hash: hash(self.secret_hash)?,
            holder,
            created_at: instant::from_stored(self.created_at)?,
            seen_at: instant::from_stored(self.seen_at)?,
            expires_at: instant::from_stored(self.expires_at)?,
            address: self.address,
            user_agent: self.user_agent,
        })
    }
}

impl LinkRow {
    fn new(link: &Link) -> Self {
        Self {
            secret_hash: link.secret_hash.0.to_vec(),
            owner: link.user.0,
            purpose: link.purpose.name().to_owned(),
            created_at: instant::to_stored(link.created_at),
            expires_at: instant::to_stored(link.expires_at),
        }
    }

    fn into_link(self) -> Result<Link, DbError> {
        let purpose = LinkPurpose::from_name(&self.purpose)
            .ok_or_else(|| json::corrupt("the purpose of a link", format!("`{}`", self.purpose)))?;
        Ok(Link {
            secret_hash: hash(self.secret_hash)?,
            user: UserId(self.owner),
            purpose,
            created_at: instant::from_stored(self.created_at)?,
            expires_at: instant::from_stored(self.expires_at)?,
        })
    }
}

/// The session of a secret.
pub(crate) fn session(
    connection: &mut AnyConnection,
    secret: SecretHash,
) -> Result<Option<Session>, DbError> {
    let row: Option<SessionRow> = sessions::table
        .select(SessionRow::as_select())
        .filter(sessions::secret_hash.eq(secret.0.to_vec()))
        .get_result(connection)
        .optional()?;
    row.map(SessionRow::into_session).transpose()
}

/// The sessions of a user, the latest first.
pub(crate) fn sessions_of(connection: &mut AnyConnection, user: UserId) -> Result<Vec<Session>, DbError> {
    let rows: Vec<SessionRow> = sessions::table
        .select(SessionRow::as_select())
        .filter(sessions::owner.eq(user.0))
        .order((sessions::created_at.desc(), sessions::secret_hash))
        .load(connection)?;
    rows.into_iter().map(SessionRow::into_session).collect()
}

/// The link of a secret.
pub(crate) fn link(connection: &mut AnyConnection, secret: SecretHash) -> Result<Option<Link>, DbError> {
    let row: Option<LinkRow> = links::table
        .select(LinkRow::as_select())
        .filter(links::secret_hash.eq(secret.0.to_vec()))
        .get_result(connection)
        .optional()?;
    row.map(LinkRow::into_link).transpose()
}

/// Begins and ends sessions, in order.
pub(crate) fn put_sessions(connection: &mut AnyConnection, writes: &[SessionWrite]) -> Result<(), DbError> {
    for write in writes {
        match write {
            SessionWrite::Begin(session) => {
                delete_session(connection, session.secret_hash)?;
                insert_all!(connection, sessions, [SessionRow::new(session)])?;
            }
            SessionWrite::End(secret) => delete_session(connection, *secret)?,
            SessionWrite::EndAll { user, except } => {
                let own = sessions::table.filter(sessions::owner.eq(user.0));
                match except {
                    None => diesel::delete(own).execute(connection)?,
                    Some(spared) => diesel::delete(own.filter(sessions::secret_hash.ne(spared.0.to_vec())))
                        .execute(connection)?,
                };
            }
        }
    }
    Ok(())
}

fn delete_session(connection: &mut AnyConnection, secret: SecretHash) -> Result<(), DbError> {
    let one = sessions::table.filter(sessions::secret_hash.eq(secret.0.to_vec()));
    diesel::delete(one).execute(connection)?;
    Ok(())
}

/// Makes links and uses them up, in order.
pub(crate) fn put_links(connection: &mut AnyConnection, writes: &[LinkWrite]) -> Result<(), DbError> {
    for write in writes {
        let user = match write {
            LinkWrite::Make(link) => link.user,
            LinkWrite::RemoveAll(user) => *user,
        };
        diesel::delete(links::table.filter(links::owner.eq(user.0))).execute(connection)?;
        if let LinkWrite::Make(link) = write {
            insert_all!(connection, links, [LinkRow::new(link)])?;
        }
    }
    Ok(())
}

/// Notes when sessions were used.
pub(crate) fn mark_seen(
    connection: &mut AnyConnection,
    seen: &[(SecretHash, OffsetDateTime)],
) -> Result<(), DbError> {
    let mut seen = seen.to_vec();
    seen.sort_unstable();
    for (secret, at) in seen {
        let at = instant::to_stored(at);
        let one = sessions::table
            .filter(sessions::secret_hash.eq(secret.0.to_vec()))
            .filter(sessions::seen_at.lt(at));
        diesel::update(one)
            .set(sessions::seen_at.eq(at))
            .execute(connection)?;
    }
    Ok(())
}

/// Forgets what has expired, and sessions that nobody uses.
pub(crate) fn purge(
    connection: &mut AnyConnection,
    now: OffsetDateTime,
    idle_since: OffsetDateTime,
) -> Result<u64, DbError> {
    let (now, idle_since) = (instant::to_stored(now), instant::to_stored(idle_since));
    let old = sessions::expires_at.le(now).or(sessions::seen_at.lt(idle_since));
    let ended = diesel::delete(sessions::table.filter(old)).execute(connection)?;
    let expired = diesel::delete(links::table.filter(links::expires_at.le(now))).execute(connection)?;
    Ok(u64::try_from(ended + expired).unwrap_or(u64::MAX))
}
