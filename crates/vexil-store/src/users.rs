//! Users: who they are, how they prove it, and what they were granted.

use std::collections::{BTreeMap, BTreeSet};

use time::OffsetDateTime;
use vexil_domain::{EnvironmentName, ProjectId};

use crate::{Permission, StoreError};

/// Identifies a user. Ids are never used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UserId(pub i64);

/// Identifies a personal access token. Ids are never used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PersonalTokenId(pub i64);

/// What a user may do everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RootRole {
    /// Everything.
    Admin,
    /// Edit flags and what belongs to them, but not the instance and its users.
    Editor,
    /// Read, and propose changes.
    Viewer,
}

impl RootRole {
    /// Every role.
    pub const ALL: [Self; 3] = [Self::Admin, Self::Editor, Self::Viewer];

    /// The name under which it is stored and sent.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Admin => "Admin",
            Self::Editor => "Editor",
            Self::Viewer => "Viewer",
        }
    }

    /// The role of this name, if there is one.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }
}

/// A permission in a project.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Grant {
    /// The project it holds in.
    pub project: ProjectId,
    /// The environment it holds in; `None` for all, and for what concerns all at once.
    pub environment: Option<EnvironmentName>,
    /// What is allowed.
    pub permission: Permission,
}

/// A personal access token without its secret, of which only the hash is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonalToken {
    /// Identifies the token.
    pub id: PersonalTokenId,
    /// What it is for, in the words of its owner.
    pub description: String,
    /// SHA-256 of the whole secret.
    pub secret_hash: [u8; 32],
    /// When it was created.
    pub created_at: OffsetDateTime,
    /// From when on it is no longer accepted.
    pub expires_at: OffsetDateTime,
    /// When it was last used; see [`UserStore::users_seen`].
    pub seen_at: Option<OffsetDateTime>,
}

/// A user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// Identifies the user.
    pub id: UserId,
    /// The name to sign in with.
    pub username: Option<String>,
    /// The email address.
    pub email: Option<String>,
    /// The name shown to people.
    pub name: Option<String>,
    /// What the user may do everywhere.
    pub root_role: RootRole,
    /// The hash of the password as a PHC string, where there is a password.
    pub password_hash: Option<String>,
    /// When the user was created.
    pub created_at: OffsetDateTime,
    /// When the user last asked for something; see [`UserStore::users_seen`].
    pub seen_at: Option<OffsetDateTime>,
    /// The user's personal access tokens, by id.
    pub tokens: Vec<PersonalToken>,
    /// What the user was granted.
    pub grants: BTreeSet<Grant>,
}

impl User {
    /// Whether the user was granted a permission in an environment of a project. Without an
    /// environment only a grant for all of them counts.
    #[must_use]
    pub fn is_granted(
        &self,
        permission: Permission,
        project: &ProjectId,
        environment: Option<&EnvironmentName>,
    ) -> bool {
        self.grants.iter().any(|grant| {
            grant.permission == permission
                && grant.project == *project
                && (grant.environment.is_none() || grant.environment.as_ref() == environment)
        })
    }
}

/// When users and their personal access tokens were last seen.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UsersSeen {
    /// When a user last asked for something.
    pub users: BTreeMap<UserId, OffsetDateTime>,
    /// When a personal access token was last used.
    pub tokens: BTreeMap<PersonalTokenId, OffsetDateTime>,
}

/// Keeps users. They are read by [`crate::ConfigurationStore::load`], put and taken away, whole, by
/// [`crate::ConfigurationStore::commit`]; that names, email addresses and secrets are unique is for
/// those who commit to see to.
pub trait UserStore {
    /// When users and their tokens were last seen, as far as that was noted.
    ///
    /// # Errors
    ///
    /// When the database fails or holds what cannot be understood.
    fn users_seen(&self) -> Result<UsersSeen, StoreError>;

    /// Notes when users asked for something with a personal access token, without making a
    /// revision. An earlier instant than the one known, and who or what is gone, are passed over.
    ///
    /// # Errors
    ///
    /// When the database fails; then nothing is noted.
    fn mark_users_seen(&self, seen: &[(UserId, PersonalTokenId, OffsetDateTime)]) -> Result<(), StoreError>;
}
