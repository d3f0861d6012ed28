//! API tokens.

use std::collections::BTreeMap;

use time::OffsetDateTime;
use vexil_domain::{EnvironmentName, ProjectId};

use crate::ApiTokenId;
use crate::StoreError;

/// What a token may be used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TokenKind {
    /// The administration API.
    Admin,
    /// The client API, for SDKs on servers.
    Client,
    /// The frontend API, for SDKs in browsers and apps.
    Frontend,
}

impl TokenKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Admin, Self::Client, Self::Frontend];

    /// The name under which it is stored and sent.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Admin => "admin",
            Self::Client => "client",
            Self::Frontend => "frontend",
        }
    }

    /// The kind of this name, if there is one.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// An API token without its secret, of which only the hash is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiToken {
    /// Identifies the token.
    pub id: ApiTokenId,
    /// The name shown to people, and recorded with what the token does.
    pub name: String,
    /// SHA-256 of the whole secret. Unique among all tokens.
    pub secret_hash: [u8; 32],
    /// The whole secret, sealed by the server, where it keeps secrets to show them again.
    pub sealed_secret: Option<Vec<u8>>,
    /// What it may be used for.
    pub kind: TokenKind,
    /// Whether it is called `backend` where people see it; only a token for the client API is.
    pub is_called_backend: bool,
    /// The environment it is for; `None` for all.
    pub environment: Option<EnvironmentName>,
    /// The projects it is for, in order; empty for all.
    pub projects: Vec<ProjectId>,
    /// When it was created.
    pub created_at: OffsetDateTime,
    /// From when on it is no longer accepted; `None` for never.
    pub expires_at: Option<OffsetDateTime>,
    /// When it was last used, at the latest when the token was read; see [`TokenStore::tokens_seen`].
    pub seen_at: Option<OffsetDateTime>,
}

/// Keeps API tokens. They are read by [`crate::ConfigurationStore::load`], put and taken away by
/// [`crate::ConfigurationStore::commit`].
pub trait TokenStore {
    /// When tokens were last used, as far as that was noted.
    ///
    /// # Errors
    ///
    /// When the database fails.
    fn tokens_seen(&self) -> Result<BTreeMap<ApiTokenId, OffsetDateTime>, StoreError>;

    /// Notes when tokens were used, without making a revision. An earlier instant than the one
    /// known, and a token that is gone, are passed over.
    ///
    /// # Errors
    ///
    /// When the database fails; then none is noted.
    fn mark_tokens_seen(&self, seen: &[(ApiTokenId, OffsetDateTime)]) -> Result<(), StoreError>;
}
