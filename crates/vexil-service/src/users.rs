//! The users as requests find them: by id, and by the secret they show.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use vexil_access::UserId;
use vexil_domain::Write;
use vexil_store::User;

/// All users, of one revision. Cloning shares them.
#[derive(Debug, Clone, Default)]
pub struct Users(Arc<Index>);

#[derive(Debug, Default)]
struct Index {
    by_id: BTreeMap<UserId, Arc<User>>,
    owners: HashMap<[u8; 32], UserId>,
    /// By username and by email address, in lower case.
    logins: HashMap<String, UserId>,
}

impl Users {
    /// These users.
    #[must_use]
    pub fn new(by_id: BTreeMap<UserId, Arc<User>>) -> Self {
        let owners = by_id
            .values()
            .flat_map(|user| user.tokens.iter().map(|token| (token.secret_hash, user.id)))
            .collect();
        let logins = by_id
            .values()
            .flat_map(|user| {
                [&user.username, &user.email]
                    .into_iter()
                    .flatten()
                    .map(|name| (name.to_lowercase(), user.id))
            })
            .collect();
        Self(Arc::new(Index {
            by_id,
            owners,
            logins,
        }))
    }

    /// A user by id.
    #[must_use]
    pub fn get(&self, id: UserId) -> Option<&Arc<User>> {
        self.0.by_id.get(&id)
    }

    /// A user by username or email address, in any case of letters.
    #[must_use]
    pub fn with_login(&self, login: &str) -> Option<&Arc<User>> {
        self.get(*self.0.logins.get(&login.trim().to_lowercase())?)
    }

    /// All users, by id.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<User>> {
        self.0.by_id.values()
    }

    /// Whose secret this is, expired or not.
    #[must_use]
    pub fn with_secret(&self, hash: &[u8; 32]) -> Option<&Arc<User>> {
        self.get(*self.0.owners.get(hash)?)
    }

    /// The users after a commit.
    #[must_use]
    pub fn after(&self, puts: &[Write<UserId, User>]) -> Self {
        if puts.is_empty() {
            return self.clone();
        }
        let mut by_id = self.0.by_id.clone();
        for put in puts {
            match put {
                Write::Upsert(user) => drop(by_id.insert(user.id, Arc::clone(user))),
                Write::Delete(id) => drop(by_id.remove(id)),
            }
        }
        Self::new(by_id)
    }
}
