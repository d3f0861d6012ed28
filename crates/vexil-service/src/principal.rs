//! Who asks, and as whom they act.

use std::sync::Arc;

use sha2::{Digest, Sha256};
use vexil_access::{Directory, Rights};
use vexil_domain::{Actor, ActorId, FlagName, ProjectId};
use vexil_store::{ApiToken, User};

/// Somebody who may use the administration API.
#[derive(Debug, Clone)]
pub struct Principal {
    /// As whom they act.
    pub actor: Actor,
    /// The user; `None` for an admin token.
    pub user: Option<Arc<User>>,
    /// What they may do where.
    pub rights: Arc<Rights>,
}

/// Ids of tokens as actors are negative, so that they never meet those of users.
const FIRST_TOKEN_ACTOR: i64 = -1000;

impl Principal {
    /// A user with the rights that roles and groups give.
    #[must_use]
    pub fn of_user(user: &Arc<User>, directory: &Directory) -> Self {
        Self {
            actor: user_actor(user),
            user: Some(Arc::clone(user)),
            rights: Arc::new(directory.rights(user.holder())),
        }
    }

    /// An admin token.
    #[must_use]
    pub fn of_token(token: &ApiToken, directory: &Directory) -> Self {
        Self {
            actor: token_actor(token),
            user: None,
            rights: Arc::new(directory.admin()),
        }
    }

    /// Whether they have marked a flag as a favourite; `None` for an admin token, which marks nothing.
    #[must_use]
    pub fn favors_flag(&self, name: &FlagName) -> Option<bool> {
        let user = self.user.as_ref()?;
        Some(user.favorites.flags.contains(name))
    }

    /// The same of a project.
    #[must_use]
    pub fn favors_project(&self, id: &ProjectId) -> Option<bool> {
        let user = self.user.as_ref()?;
        Some(user.favorites.projects.contains(id))
    }

    /// Whether every rule about who may do what is waived.
    #[must_use]
    pub fn is_admin(&self) -> bool {
        self.rights.is_admin()
    }
}

/// The token as somebody who acts.
#[must_use]
pub fn token_actor(token: &ApiToken) -> Actor {
    Actor {
        id: ActorId(FIRST_TOKEN_ACTOR - token.id.0),
        name: token.name.clone(),
    }
}

/// The user as somebody who acts.
#[must_use]
pub fn user_actor(user: &User) -> Actor {
    let name = user.email.as_ref().or(user.username.as_ref());
    Actor {
        id: ActorId(user.id.0),
        name: name.cloned().unwrap_or_default(),
    }
}

/// The form in which secrets are kept. They have enough entropy of their own for a fast hash.
#[must_use]
pub fn hash_secret(secret: &str) -> [u8; 32] {
    Sha256::digest(secret.as_bytes()).into()
}
