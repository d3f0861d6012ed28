//! Users: who they are, how they prove it, and what they were granted.

use std::collections::{BTreeMap, BTreeSet};

use time::OffsetDateTime;
use vexil_access::{Grant, Holder, RoleId, UserId};
use vexil_domain::{FlagName, ProjectId};

use crate::PersonalTokenId;
use crate::StoreError;

/// Who somebody is at a provider of single sign-on.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExternalIdentity {
    /// The provider.
    pub issuer: String,
    /// What it calls them, for ever.
    pub subject: String,
}

/// What a user answered when the pages asked for an opinion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Feedback {
    /// When it was given, if it was.
    pub given_at: Option<OffsetDateTime>,
    /// Whether the user does not want to be asked again.
    pub never_show: bool,
}

/// What a user has marked, to find it first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Favorites {
    /// Projects.
    pub projects: BTreeSet<ProjectId>,
    /// Flags.
    pub flags: BTreeSet<FlagName>,
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
    pub root_role: RoleId,
    /// The hash of the password as a PHC string, where there is a password.
    pub password_hash: Option<String>,
    /// When the user was created.
    pub created_at: OffsetDateTime,
    /// When the user last asked for something; see [`UserStore::users_seen`].
    pub seen_at: Option<OffsetDateTime>,
    /// The user's personal access tokens, by id.
    pub tokens: Vec<PersonalToken>,
    /// The user's roles in projects.
    pub project_roles: BTreeSet<(ProjectId, RoleId)>,
    /// Single permissions that the user was granted.
    pub grants: BTreeSet<Grant>,
    /// Who the user is at a provider of single sign-on, where one has signed the user in.
    pub external: Option<ExternalIdentity>,
    /// The notices of the pages that the user has closed.
    pub closed_notices: BTreeSet<String>,
    /// What the user answered when the pages asked for an opinion, by question.
    pub feedback: BTreeMap<String, Feedback>,
    /// What the user has marked, to find it first.
    pub favorites: Favorites,
}

impl User {
    /// Somebody who has signed in nowhere yet and may do what the root role allows.
    #[must_use]
    pub fn new(id: UserId, root_role: RoleId, created_at: OffsetDateTime) -> Self {
        Self {
            id,
            username: None,
            email: None,
            name: None,
            root_role,
            password_hash: None,
            created_at,
            seen_at: None,
            tokens: Vec::new(),
            project_roles: BTreeSet::new(),
            grants: BTreeSet::new(),
            external: None,
            closed_notices: BTreeSet::new(),
            feedback: BTreeMap::new(),
            favorites: Favorites::default(),
        }
    }

    /// What was given to the user directly.
    #[must_use]
    pub fn holder(&self) -> Holder<'_> {
        Holder {
            user: self.id,
            root_role: self.root_role,
            project_roles: &self.project_roles,
            grants: &self.grants,
        }
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
