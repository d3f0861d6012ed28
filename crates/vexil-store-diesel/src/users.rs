//! Users, their personal access tokens and grants.

use std::collections::{BTreeMap, BTreeSet};

use diesel::prelude::*;
use time::OffsetDateTime;
use vexil_domain::Write;
use vexil_store::{Grant, Permission, PersonalToken, PersonalTokenId, RootRole, User, UserId};

use crate::commit::{KEYS_AT_ONCE, delete_keys, last_write_wins};
use crate::configuration::rows::position;
use crate::connection::{AnyConnection, insert_all};
use crate::error::Failure;
use crate::schema::{personal_tokens, user_grants, users};
use crate::{instant, json};

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = users, treat_none_as_default_value = false)]
struct UserRow {
    id: i64,
    username: Option<String>,
    email: Option<String>,
    name: Option<String>,
    root_role: String,
    password_hash: Option<String>,
    created_at: i64,
    seen_at: Option<i64>,
}

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = personal_tokens, treat_none_as_default_value = false)]
struct TokenRow {
    id: i64,
    owner: i64,
    description: String,
    secret_hash: Vec<u8>,
    created_at: i64,
    expires_at: i64,
    seen_at: Option<i64>,
}

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = user_grants, treat_none_as_default_value = false)]
struct GrantRow {
    owner: i64,
    position: i64,
    project: String,
    environment: Option<String>,
    permission: String,
}

impl UserRow {
    fn new(user: &User) -> Self {
        Self {
            id: user.id.0,
            username: user.username.clone(),
            email: user.email.clone(),
            name: user.name.clone(),
            root_role: user.root_role.name().to_owned(),
            password_hash: user.password_hash.clone(),
            created_at: instant::to_stored(user.created_at),
            seen_at: user.seen_at.map(instant::to_stored),
        }
    }

    fn into_user(self, tokens: Vec<PersonalToken>, grants: BTreeSet<Grant>) -> Result<User, Failure> {
        let root_role = RootRole::from_name(&self.root_role)
            .ok_or_else(|| json::corrupt("a root role", format!("`{}`", self.root_role)))?;
        Ok(User {
            id: UserId(self.id),
            username: self.username,
            email: self.email,
            name: self.name,
            root_role,
            password_hash: self.password_hash,
            created_at: instant::from_stored(self.created_at)?,
            seen_at: instant::from_optional(self.seen_at)?,
            tokens,
            grants,
        })
    }
}

impl TokenRow {
    fn new(owner: UserId, token: &PersonalToken) -> Self {
        Self {
            id: token.id.0,
            owner: owner.0,
            description: token.description.clone(),
            secret_hash: token.secret_hash.to_vec(),
            created_at: instant::to_stored(token.created_at),
            expires_at: instant::to_stored(token.expires_at),
            seen_at: token.seen_at.map(instant::to_stored),
        }
    }

    fn into_token(self) -> Result<PersonalToken, Failure> {
        let secret_hash = <[u8; 32]>::try_from(self.secret_hash)
            .map_err(|found| json::corrupt("the hash of a secret", format!("{} bytes long", found.len())))?;
        Ok(PersonalToken {
            id: PersonalTokenId(self.id),
            description: self.description,
            secret_hash,
            created_at: instant::from_stored(self.created_at)?,
            expires_at: instant::from_stored(self.expires_at)?,
            seen_at: instant::from_optional(self.seen_at)?,
        })
    }
}

impl GrantRow {
    fn all(user: &User) -> Vec<Self> {
        let row = |(place, grant): (usize, &Grant)| Self {
            owner: user.id.0,
            position: position(place),
            project: grant.project.to_string(),
            environment: grant.environment.as_ref().map(ToString::to_string),
            permission: grant.permission.name().to_owned(),
        };
        user.grants.iter().enumerate().map(row).collect()
    }

    fn into_grant(self) -> Result<Grant, Failure> {
        let permission = Permission::from_name(&self.permission)
            .ok_or_else(|| json::corrupt("a permission", format!("`{}`", self.permission)))?;
        Ok(Grant {
            project: self.project.into(),
            environment: self.environment.map(Into::into),
            permission,
        })
    }
}

/// Reads all users, by id.
pub(crate) fn all(connection: &mut AnyConnection) -> Result<Vec<User>, Failure> {
    let rows: Vec<TokenRow> = personal_tokens::table
        .select(TokenRow::as_select())
        .order(personal_tokens::id)
        .load(connection)?;
    let mut tokens: BTreeMap<i64, Vec<PersonalToken>> = BTreeMap::new();
    for row in rows {
        tokens.entry(row.owner).or_default().push(row.into_token()?);
    }
    let rows: Vec<GrantRow> = user_grants::table
        .select(GrantRow::as_select())
        .load(connection)?;
    let mut grants: BTreeMap<i64, BTreeSet<Grant>> = BTreeMap::new();
    for row in rows {
        grants.entry(row.owner).or_default().insert(row.into_grant()?);
    }
    let rows: Vec<UserRow> = users::table
        .select(UserRow::as_select())
        .order(users::id)
        .load(connection)?;
    rows.into_iter()
        .map(|row| {
            let tokens = tokens.remove(&row.id).unwrap_or_default();
            let grants = grants.remove(&row.id).unwrap_or_default();
            row.into_user(tokens, grants)
        })
        .collect()
}

/// Puts users and takes them away.
pub(crate) fn put(connection: &mut AnyConnection, puts: &[Write<UserId, User>]) -> Result<(), Failure> {
    let (keys, values) = last_write_wins(puts, |id| id.0, |user| user.id.0);
    let (users_seen, tokens_seen) = seen(connection, &keys)?;
    delete_keys!(connection, users::id, keys)?;
    let mut rows: Vec<_> = values.iter().map(|user| UserRow::new(user)).collect();
    for row in &mut rows {
        row.seen_at = row.seen_at.max(users_seen.get(&row.id).copied());
    }
    insert_all!(connection, users, rows)?;
    let mut rows: Vec<_> = values
        .iter()
        .flat_map(|user| user.tokens.iter().map(|token| TokenRow::new(user.id, token)))
        .collect();
    for row in &mut rows {
        row.seen_at = row.seen_at.max(tokens_seen.get(&row.id).copied());
    }
    insert_all!(connection, personal_tokens, rows)?;
    let rows: Vec<_> = values.iter().flat_map(|user| GrantRow::all(user)).collect();
    Ok(insert_all!(connection, user_grants, rows)?)
}

/// Instants by id.
type Seen = BTreeMap<i64, i64>;

/// When users and their tokens were last seen. What is put may be older than that.
fn seen(connection: &mut AnyConnection, keys: &[i64]) -> Result<(Seen, Seen), Failure> {
    let (mut of_users, mut of_tokens) = (Seen::new(), Seen::new());
    for keys in keys.chunks(KEYS_AT_ONCE) {
        let rows: Vec<(i64, i64)> = users::table
            .filter(users::id.eq_any(keys))
            .filter(users::seen_at.is_not_null())
            .select((users::id, users::seen_at.assume_not_null()))
            .load(connection)?;
        of_users.extend(rows);
        let rows: Vec<(i64, i64)> = personal_tokens::table
            .filter(personal_tokens::owner.eq_any(keys))
            .filter(personal_tokens::seen_at.is_not_null())
            .select((personal_tokens::id, personal_tokens::seen_at.assume_not_null()))
            .load(connection)?;
        of_tokens.extend(rows);
    }
    Ok((of_users, of_tokens))
}

/// Notes when users and their tokens were seen.
pub(crate) fn mark_seen(
    connection: &mut AnyConnection,
    seen: &[(UserId, PersonalTokenId, OffsetDateTime)],
) -> Result<(), Failure> {
    let mut seen = seen.to_vec();
    seen.sort_unstable();
    for (user, token, at) in seen {
        let at = instant::to_stored(at);
        let earlier = users::seen_at.is_null().or(users::seen_at.lt(at));
        diesel::update(users::table.filter(users::id.eq(user.0)).filter(earlier))
            .set(users::seen_at.eq(at))
            .execute(connection)?;
        let earlier = personal_tokens::seen_at
            .is_null()
            .or(personal_tokens::seen_at.lt(at));
        let own = personal_tokens::table
            .filter(personal_tokens::id.eq(token.0))
            .filter(personal_tokens::owner.eq(user.0))
            .filter(earlier);
        diesel::update(own)
            .set(personal_tokens::seen_at.eq(at))
            .execute(connection)?;
    }
    Ok(())
}
