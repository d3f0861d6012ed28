//! API tokens.

use std::collections::BTreeMap;

use diesel::prelude::*;
use diesel::result::{DatabaseErrorKind, Error};
use time::OffsetDateTime;
use vexil_domain::Write;
use vexil_store::{ApiToken, ApiTokenId, CommitError, TokenKind};

use crate::commit::{KEYS_AT_ONCE, delete_keys, last_write_wins};
use crate::connection::{AnyConnection, insert_all};
use crate::error::Failure;
use crate::schema::api_tokens;
use crate::{instant, json};

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = api_tokens, treat_none_as_default_value = false)]
struct TokenRow {
    id: i64,
    name: String,
    secret_hash: Vec<u8>,
    kind: String,
    environment: Option<String>,
    projects: String,
    created_at: i64,
    expires_at: Option<i64>,
    seen_at: Option<i64>,
}

impl TokenRow {
    fn new(token: &ApiToken) -> Result<Self, Failure> {
        let projects: Vec<&str> = token.projects.iter().map(|it| it.as_str()).collect();
        Ok(Self {
            id: token.id.0,
            name: token.name.clone(),
            secret_hash: token.secret_hash.to_vec(),
            kind: token.kind.name().to_owned(),
            environment: token.environment.as_ref().map(ToString::to_string),
            projects: json::to_text(&projects, "a list of projects")?,
            created_at: instant::to_stored(token.created_at),
            expires_at: token.expires_at.map(instant::to_stored),
            seen_at: token.seen_at.map(instant::to_stored),
        })
    }

    fn into_token(self) -> Result<ApiToken, Failure> {
        let secret_hash = <[u8; 32]>::try_from(self.secret_hash)
            .map_err(|found| json::corrupt("the hash of a secret", format!("{} bytes long", found.len())))?;
        let kind = TokenKind::from_name(&self.kind)
            .ok_or_else(|| json::corrupt("a kind of token", format!("`{}`", self.kind)))?;
        Ok(ApiToken {
            id: ApiTokenId(self.id),
            name: self.name,
            secret_hash,
            kind,
            environment: self.environment.map(Into::into),
            projects: json::from_text(&self.projects, "a list of projects")?,
            created_at: instant::from_stored(self.created_at)?,
            expires_at: instant::from_optional(self.expires_at)?,
            seen_at: instant::from_optional(self.seen_at)?,
        })
    }
}

/// Reads all tokens, by id.
pub(crate) fn all(connection: &mut AnyConnection) -> Result<Vec<ApiToken>, Failure> {
    let rows: Vec<TokenRow> = api_tokens::table
        .select(TokenRow::as_select())
        .order(api_tokens::id)
        .load(connection)?;
    rows.into_iter().map(TokenRow::into_token).collect()
}

/// Puts tokens and takes them away.
pub(crate) fn put(
    connection: &mut AnyConnection,
    puts: &[Write<ApiTokenId, ApiToken>],
) -> Result<(), Failure> {
    let (keys, tokens) = last_write_wins(puts, |id| id.0, |token| token.id.0);
    let seen = seen(connection, &keys)?;
    delete_keys!(connection, api_tokens::id, keys)?;
    for token in tokens {
        let mut row = TokenRow::new(token)?;
        row.seen_at = row.seen_at.max(seen.get(&row.id).copied());
        insert_all!(connection, api_tokens, [row]).map_err(|error| match error {
            Error::DatabaseError(DatabaseErrorKind::UniqueViolation, _) => {
                Failure::Refused(CommitError::SecretTaken { token: token.id })
            }
            other => other.into(),
        })?;
    }
    Ok(())
}

/// When tokens were last used. What is put may be older than that.
fn seen(connection: &mut AnyConnection, keys: &[i64]) -> Result<BTreeMap<i64, i64>, Failure> {
    let mut seen = BTreeMap::new();
    for keys in keys.chunks(KEYS_AT_ONCE) {
        let rows: Vec<(i64, i64)> = api_tokens::table
            .filter(api_tokens::id.eq_any(keys))
            .filter(api_tokens::seen_at.is_not_null())
            .select((api_tokens::id, api_tokens::seen_at.assume_not_null()))
            .load(connection)?;
        seen.extend(rows);
    }
    Ok(seen)
}

/// Notes when tokens were used.
pub(crate) fn mark_seen(
    connection: &mut AnyConnection,
    seen: &[(ApiTokenId, OffsetDateTime)],
) -> Result<(), Failure> {
    let mut seen = seen.to_vec();
    seen.sort_unstable();
    for (id, at) in seen {
        let at = instant::to_stored(at);
        let earlier = api_tokens::seen_at.is_null().or(api_tokens::seen_at.lt(at));
        diesel::update(api_tokens::table.filter(api_tokens::id.eq(id.0)).filter(earlier))
            .set(api_tokens::seen_at.eq(at))
            .execute(connection)?;
    }
    Ok(())
}
