//! API tokens.

use std::collections::BTreeMap;
use std::sync::Arc;

use diesel::prelude::*;
use diesel::result::{DatabaseErrorKind, Error};
use time::OffsetDateTime;
use vexil_domain::Write;
use vexil_store::{ApiToken, ApiTokenId, CommitError, TokenKind};

use crate::batches::{delete_keys, last_write_wins};
use crate::connection::{AnyConnection, insert_all};
use crate::error::DbError;
use crate::loading::load_rows;
use crate::schema::api_tokens;
use crate::{instant, json};

/// What a token for the client API is stored as that people call `backend`.
const BACKEND: &str = "backend";

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = api_tokens, treat_none_as_default_value = false)]
struct TokenRow {
    id: i64,
    name: String,
    secret_hash: Vec<u8>,
    sealed_secret: Option<Vec<u8>>,
    kind: String,
    environment: Option<String>,
    projects: String,
    created_at: i64,
    expires_at: Option<i64>,
    seen_at: Option<i64>,
}

impl TokenRow {
    fn new(token: &ApiToken) -> Result<Self, DbError> {
        let projects: Vec<&str> = token.projects.iter().map(|it| it.as_str()).collect();
        Ok(Self {
            id: token.id.0,
            name: token.name.clone(),
            secret_hash: token.secret_hash.to_vec(),
            sealed_secret: token.sealed_secret.clone(),
            kind: if token.is_called_backend {
                BACKEND
            } else {
                token.kind.name()
            }
            .to_owned(),
            environment: token.environment.as_ref().map(ToString::to_string),
            projects: json::to_text(&projects, "a list of projects")?,
            created_at: instant::to_stored(token.created_at),
            expires_at: token.expires_at.map(instant::to_stored),
            seen_at: token.seen_at.map(instant::to_stored),
        })
    }

    fn into_token(self) -> Result<ApiToken, DbError> {
        let secret_hash = <[u8; 32]>::try_from(self.secret_hash)
            .map_err(|found| json::corrupt("the hash of a secret", format!("{} bytes long", found.len())))?;
        let is_called_backend = self.kind == BACKEND;
        let kind = is_called_backend
            .then_some(TokenKind::Client)
            .or_else(|| TokenKind::from_name(&self.kind))
            .ok_or_else(|| json::corrupt("a kind of token", format!("`{}`", self.kind)))?;
        Ok(ApiToken {
            id: ApiTokenId(self.id),
            name: self.name,
            secret_hash,
            sealed_secret: self.sealed_secret,
            kind,
            is_called_backend,
            environment: self.environment.map(Into::into),
            projects: json::from_text(&self.projects, "a list of projects")?,
            created_at: instant::from_stored(self.created_at)?,
            expires_at: instant::from_optional(self.expires_at)?,
            seen_at: instant::from_optional(self.seen_at)?,
        })
    }
}

/// Reads the tokens with these ids, or all.
pub(crate) fn load(
    connection: &mut AnyConnection,
    ids: Option<&[i64]>,
) -> Result<BTreeMap<ApiTokenId, Arc<ApiToken>>, DbError> {
    let rows = load_rows!(connection, api_tokens::id, TokenRow, ids)?;
    let tokens = rows.into_iter().map(TokenRow::into_token);
    tokens
        .map(|token| token.map(|token| (token.id, Arc::new(token))))
        .collect()
}

/// Puts tokens and takes them away. What is known of their use stays known.
pub(crate) fn put(
    connection: &mut AnyConnection,
    puts: &[Write<ApiTokenId, ApiToken>],
) -> Result<(), DbError> {
    let (keys, tokens) = last_write_wins(puts, |id| id.0, |token| token.id.0);
    let seen = if keys.is_empty() {
        BTreeMap::new()
    } else {
        seen(connection)?
    };
    delete_keys!(connection, api_tokens::id, keys)?;
    for token in tokens {
        let mut row = TokenRow::new(token)?;
        row.seen_at = row
            .seen_at
            .max(seen.get(&token.id).copied().map(instant::to_stored));
        insert_all!(connection, api_tokens, [row]).map_err(|error| match error {
            Error::DatabaseError(DatabaseErrorKind::UniqueViolation, _) => {
                DbError::Refused(CommitError::SecretTaken { token: token.id })
            }
            other => other.into(),
        })?;
    }
    Ok(())
}

/// When tokens were last used.
pub(crate) fn seen(connection: &mut AnyConnection) -> Result<BTreeMap<ApiTokenId, OffsetDateTime>, DbError> {
    let rows: Vec<(i64, Option<i64>)> = api_tokens::table
        .filter(api_tokens::seen_at.is_not_null())
        .select((api_tokens::id, api_tokens::seen_at))
        .load(connection)?;
    rows.into_iter()
        .filter_map(|(id, at)| Some((id, at?)))
        .map(|(id, at)| Ok((ApiTokenId(id), instant::from_stored(at)?)))
        .collect()
}

/// Notes when tokens were used.
pub(crate) fn mark_seen(
    connection: &mut AnyConnection,
    seen: &[(ApiTokenId, OffsetDateTime)],
) -> Result<(), DbError> {
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
