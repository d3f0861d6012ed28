//! Users, their personal access tokens and grants.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use diesel::prelude::*;
use time::OffsetDateTime;
use vexil_access::{Grant, Permission, RoleId, UserId};
use vexil_domain::{FlagName, ProjectId, Write};
use vexil_store::{ExternalIdentity, Favorites, Feedback, PersonalToken, PersonalTokenId, User, UsersSeen};

use crate::access::{project_roles_from_text, project_roles_to_text};
use crate::batches::{delete_keys, last_write_wins};
use crate::configuration::rows::position;
use crate::connection::{AnyConnection, insert_all};
use crate::error::DbError;
use crate::loading::load_rows;
use crate::schema::{personal_tokens, user_grants, users};
use crate::{instant, json};

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = users, treat_none_as_default_value = false)]
struct UserRow {
    id: i64,
    username: Option<String>,
    email: Option<String>,
    name: Option<String>,
    role: i64,
    password_hash: Option<String>,
    created_at: i64,
    seen_at: Option<i64>,
    project_roles: String,
    external_issuer: Option<String>,
    external_subject: Option<String>,
    closed_notices: String,
    feedback: String,
    favorites: String,
}

/// A question, when it was answered, and whether it is not to be asked again.
type StoredFeedback = (String, Option<i64>, bool);

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
    fn new(user: &User) -> Result<Self, DbError> {
        let feedback: Vec<StoredFeedback> = user
            .feedback
            .iter()
            .map(|(question, given)| {
                let at = given.given_at.map(instant::to_stored);
                (question.clone(), at, given.never_show)
            })
            .collect();
        let external = user.external.as_ref();
        Ok(Self {
            id: user.id.0,
            username: user.username.clone(),
            email: user.email.clone(),
            name: user.name.clone(),
            role: user.root_role.0,
            password_hash: user.password_hash.clone(),
            created_at: instant::to_stored(user.created_at),
            seen_at: user.seen_at.map(instant::to_stored),
            project_roles: project_roles_to_text(&user.project_roles)?,
            external_issuer: external.map(|it| it.issuer.clone()),
            external_subject: external.map(|it| it.subject.clone()),
            closed_notices: json::to_text(&user.closed_notices, "closed notices")?,
            feedback: json::to_text(&feedback, "feedback")?,
            favorites: favorites_to_text(&user.favorites)?,
        })
    }

    fn into_user(self, tokens: Vec<PersonalToken>, grants: BTreeSet<Grant>) -> Result<User, DbError> {
        let stored: Vec<StoredFeedback> = json::from_text(&self.feedback, "feedback")?;
        let mut feedback = BTreeMap::new();
        for (question, at, never_show) in stored {
            let given_at = instant::from_optional(at)?;
            feedback.insert(question, Feedback { given_at, never_show });
        }
        let external = self.external_issuer.zip(self.external_subject);
        Ok(User {
            id: UserId(self.id),
            username: self.username,
            email: self.email,
            name: self.name,
            root_role: RoleId(self.role),
            password_hash: self.password_hash,
            created_at: instant::from_stored(self.created_at)?,
            seen_at: instant::from_optional(self.seen_at)?,
            tokens,
            project_roles: project_roles_from_text(&self.project_roles)?,
            grants,
            external: external.map(|(issuer, subject)| ExternalIdentity { issuer, subject }),
            closed_notices: json::from_text(&self.closed_notices, "closed notices")?,
            feedback,
            favorites: favorites_from_text(&self.favorites)?,
        })
    }
}

/// Projects and flags.
fn favorites_to_text(favorites: &Favorites) -> Result<String, DbError> {
    let projects: Vec<&str> = favorites.projects.iter().map(ProjectId::as_str).collect();
    let flags: Vec<&str> = favorites.flags.iter().map(FlagName::as_str).collect();
    json::to_text(&(projects, flags), "favourites")
}

fn favorites_from_text(text: &str) -> Result<Favorites, DbError> {
    let (projects, flags): (Vec<String>, Vec<String>) = json::from_text(text, "favourites")?;
    Ok(Favorites {
        projects: projects.into_iter().map(Into::into).collect(),
        flags: flags.into_iter().map(Into::into).collect(),
    })
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

    fn into_token(self) -> Result<PersonalToken, DbError> {
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

    fn into_grant(self) -> Result<Grant, DbError> {
        let permission = Permission::from_name(&self.permission)
            .ok_or_else(|| json::corrupt("a permission", format!("`{}`", self.permission)))?;
        Ok(Grant {
            project: self.project.into(),
            environment: self.environment.map(Into::into),
            permission,
        })
    }
}

/// Reads the users with these ids, or all.
pub(crate) fn load(
    connection: &mut AnyConnection,
    ids: Option<&[i64]>,
) -> Result<BTreeMap<UserId, Arc<User>>, DbError> {
    let mut rows = load_rows!(connection, personal_tokens::owner, TokenRow, ids)?;
    rows.sort_unstable_by_key(|row| row.id);
    let mut tokens: BTreeMap<i64, Vec<PersonalToken>> = BTreeMap::new();
    for row in rows {
        tokens.entry(row.owner).or_default().push(row.into_token()?);
    }
    let mut grants: BTreeMap<i64, BTreeSet<Grant>> = BTreeMap::new();
    for row in load_rows!(connection, user_grants::owner, GrantRow, ids)? {
        grants.entry(row.owner).or_default().insert(row.into_grant()?);
    }
    let rows = load_rows!(connection, users::id, UserRow, ids)?;
    rows.into_iter()
        .map(|row| {
            let tokens = tokens.remove(&row.id).unwrap_or_default();
            let grants = grants.remove(&row.id).unwrap_or_default();
            let user = row.into_user(tokens, grants)?;
            Ok((user.id, Arc::new(user)))
        })
        .collect()
}

/// Puts users and takes them away. What is known of when they were seen stays known.
pub(crate) fn put(connection: &mut AnyConnection, puts: &[Write<UserId, User>]) -> Result<(), DbError> {
    let (keys, values) = last_write_wins(puts, |id| id.0, |user| user.id.0);
    let seen = if keys.is_empty() {
        UsersSeen::default()
    } else {
        seen(connection)?
    };
    delete_keys!(connection, users::id, keys)?;
    let rows: Result<Vec<_>, _> = values.iter().map(|user| UserRow::new(user)).collect();
    let mut rows = rows?;
    for row in &mut rows {
        let stored = seen.users.get(&UserId(row.id)).copied();
        row.seen_at = row.seen_at.max(stored.map(instant::to_stored));
    }
    insert_all!(connection, users, rows)?;
    let mut rows: Vec<_> = values
        .iter()
        .flat_map(|user| user.tokens.iter().map(|token| TokenRow::new(user.id, token)))
        .collect();
    for row in &mut rows {
        let stored = seen.tokens.get(&PersonalTokenId(row.id)).copied();
        row.seen_at = row.seen_at.max(stored.map(instant::to_stored));
    }
    insert_all!(connection, personal_tokens, rows)?;
    let rows: Vec<_> = values.iter().flat_map(|user| GrantRow::all(user)).collect();
    Ok(insert_all!(connection, user_grants, rows)?)
}

/// When users and their tokens were last seen.
pub(crate) fn seen(connection: &mut AnyConnection) -> Result<UsersSeen, DbError> {
    let users: Vec<(i64, Option<i64>)> = users::table
        .filter(users::seen_at.is_not_null())
        .select((users::id, users::seen_at))
        .load(connection)?;
    let tokens: Vec<(i64, Option<i64>)> = personal_tokens::table
        .filter(personal_tokens::seen_at.is_not_null())
        .select((personal_tokens::id, personal_tokens::seen_at))
        .load(connection)?;
    let mut seen = UsersSeen::default();
    for (id, at) in users {
        let at = instant::from_optional(at)?;
        seen.users.extend(at.map(|at| (UserId(id), at)));
    }
    for (id, at) in tokens {
        let at = instant::from_optional(at)?;
        seen.tokens.extend(at.map(|at| (PersonalTokenId(id), at)));
    }
    Ok(seen)
}

/// Notes when users and their tokens were seen.
pub(crate) fn mark_seen(
    connection: &mut AnyConnection,
    seen: &[(UserId, PersonalTokenId, OffsetDateTime)],
) -> Result<(), DbError> {
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
