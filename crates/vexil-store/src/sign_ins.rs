//! Sessions of browsers, and links that work once: to set a password, or to sign in.

use time::OffsetDateTime;

use crate::{ApiTokenId, PersonalTokenId, StoreError};
use vexil_access::UserId;

/// SHA-256 of a secret that a browser or a link carries. The secret itself is kept nowhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SecretHash(pub [u8; 32]);

/// As whom a session acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SessionHolder {
    /// A user who signed in with a password, a link or single sign-on.
    User(UserId),
    /// A user who signed in with a personal access token. The session counts for as long as the token does.
    PersonalToken(UserId, PersonalTokenId),
    /// An API token that was used to sign in. The session counts for as long as the token does.
    ApiToken(ApiTokenId),
}

impl SessionHolder {
    /// The user, where it is one.
    #[must_use]
    pub fn user(self) -> Option<UserId> {
        match self {
            Self::User(user) | Self::PersonalToken(user, _) => Some(user),
            Self::ApiToken(_) => None,
        }
    }
}

/// A browser that signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// The hash of the secret in the browser's cookie.
    pub secret_hash: SecretHash,
    /// As whom it acts.
    pub holder: SessionHolder,
    /// When it began.
    pub created_at: OffsetDateTime,
    /// When it was last used, about; see [`SignInStore::mark_sessions_seen`].
    pub seen_at: OffsetDateTime,
    /// From when on it no longer counts, however much it is used.
    pub expires_at: OffsetDateTime,
    /// The network address that signed in.
    pub address: Option<String>,
    /// What the browser called itself.
    pub user_agent: Option<String>,
}

/// What a commit does to sessions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionWrite {
    /// A browser signed in.
    Begin(Session),
    /// One session ends. One that is not there stays away.
    End(SecretHash),
    /// The sessions of a user end, but for one that may be spared.
    EndAll {
        /// Whose.
        user: UserId,
        /// The session that goes on.
        except: Option<SecretHash>,
    },
}

/// What a link is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LinkPurpose {
    /// To set the first password of a new user.
    Invitation,
    /// To set another password.
    Reset,
    /// To sign in without a password.
    SignIn,
}

impl LinkPurpose {
    /// Every purpose.
    pub const ALL: [Self; 3] = [Self::Invitation, Self::Reset, Self::SignIn];

    /// The name under which it is stored.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Invitation => "invitation",
            Self::Reset => "reset",
            Self::SignIn => "sign-in",
        }
    }

    /// The purpose of this name, if there is one.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|purpose| purpose.name() == name)
    }
}

/// A link that works once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The hash of the secret in the link.
    pub secret_hash: SecretHash,
    /// For whom it is.
    pub user: UserId,
    /// What it is for.
    pub purpose: LinkPurpose,
    /// When it was made.
    pub created_at: OffsetDateTime,
    /// From when on it no longer works.
    pub expires_at: OffsetDateTime,
}

/// What a commit does to links.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkWrite {
    /// A link is made; earlier ones of the same user stop working.
    Make(Link),
    /// The links of a user stop working, because one was used or none may be used any more.
    RemoveAll(UserId),
}

/// Keeps sessions and links. They are put and taken away by [`crate::ConfigurationStore::commit`], in the
/// order in which the commit lists them.
pub trait SignInStore {
    /// The session of a secret, expired or not.
    ///
    /// # Errors
    ///
    /// When the database fails.
    fn session(&self, secret: SecretHash) -> Result<Option<Session>, StoreError>;

    /// The sessions of a user, the latest first.
    ///
    /// # Errors
    ///
    /// When the database fails.
    fn sessions_of(&self, user: UserId) -> Result<Vec<Session>, StoreError>;

    /// Notes when sessions were used, without making a revision. An earlier instant than the one known,
    /// and sessions that are gone, are passed over.
    ///
    /// # Errors
    ///
    /// When the database fails; then none is noted.
    fn mark_sessions_seen(&self, seen: &[(SecretHash, OffsetDateTime)]) -> Result<(), StoreError>;

    /// The link of a secret, expired or not.
    ///
    /// # Errors
    ///
    /// When the database fails.
    fn link(&self, secret: SecretHash) -> Result<Option<Link>, StoreError>;

    /// Forgets links and sessions that have expired at `now`, and sessions not used since `idle_since`.
    /// Returns how many there were.
    ///
    /// # Errors
    ///
    /// When the database fails; then nothing is forgotten.
    fn purge_sign_ins(&self, now: OffsetDateTime, idle_since: OffsetDateTime) -> Result<u64, StoreError>;
}
