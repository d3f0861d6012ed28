//! Who asks, and as whom they act.

use std::sync::Arc;

use sha2::{Digest, Sha256};
use vexil_domain::{Actor, ActorId};
use vexil_store::{ApiToken, RootRole, User};

/// Somebody who may use the administration API.
#[derive(Debug, Clone)]
pub struct Principal {
    /// As whom they act.
    pub actor: Actor,
    /// What they may do everywhere.
    pub role: RootRole,
    /// The user; `None` for an admin token.
    pub user: Option<Arc<User>>,
}

/// Ids of tokens as actors are negative, so that they never meet those of users.
const FIRST_TOKEN_ACTOR: i64 = -1000;

impl Principal {
    /// Whether every rule about who may do what is waived.
    #[must_use]
    pub fn is_admin(&self) -> bool {
        self.role == RootRole::Admin
    }
}

impl From<&ApiToken> for Principal {
    fn from(token: &ApiToken) -> Self {
        Self {
            actor: token_actor(token),
            role: RootRole::Admin,
            user: None,
        }
    }
}

impl From<&Arc<User>> for Principal {
    fn from(user: &Arc<User>) -> Self {
        Self {
            actor: user_actor(user),
            role: user.root_role,
            user: Some(Arc::clone(user)),
        }
    }
}

/// The token as somebody who acts.
pub(crate) fn token_actor(token: &ApiToken) -> Actor {
    Actor {
        id: ActorId(FIRST_TOKEN_ACTOR - token.id.0),
        name: token.name.clone(),
    }
}

/// The user as somebody who acts.
pub(crate) fn user_actor(user: &User) -> Actor {
    let name = user.email.as_ref().or(user.username.as_ref());
    Actor {
        id: ActorId(user.id.0),
        name: name.cloned().unwrap_or_default(),
    }
}

/// The form in which secrets are kept. They have enough entropy of their own for a fast hash.
pub(crate) fn hash_secret(secret: &str) -> [u8; 32] {
    Sha256::digest(secret.as_bytes()).into()
}
