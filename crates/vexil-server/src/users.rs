//! The users as requests find them: by id, and by the secret they show.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use time::OffsetDateTime;
use vexil_domain::Write;
use vexil_store::{PersonalToken, User, UserId};

/// All users, of one revision.
#[derive(Debug, Clone, Default)]
pub struct Users {
    by_id: BTreeMap<UserId, Arc<User>>,
    owners: HashMap<[u8; 32], UserId>,
    /// By username and by email address, in lower case.
    logins: HashMap<String, UserId>,
}

impl Users {
    /// These users.
    #[must_use]
    pub fn new(users: Vec<User>) -> Self {
        let by_id = users.into_iter().map(|user| (user.id, Arc::new(user)));
        Self::of(by_id.collect())
    }

    fn of(by_id: BTreeMap<UserId, Arc<User>>) -> Self {
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
        Self {
            by_id,
            owners,
            logins,
        }
    }

    /// A user by id.
    #[must_use]
    pub fn get(&self, id: UserId) -> Option<&Arc<User>> {
        self.by_id.get(&id)
    }

    /// A user by username or email address, in any case of letters.
    #[must_use]
    pub fn with_login(&self, login: &str) -> Option<&Arc<User>> {
        self.get(*self.logins.get(&login.trim().to_lowercase())?)
    }

    /// All users, by id.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<User>> {
        self.by_id.values()
    }

    /// Whose secret this is, if it has not expired.
    #[must_use]
    pub fn with_secret(&self, hash: &[u8; 32], now: OffsetDateTime) -> Option<(&Arc<User>, &PersonalToken)> {
        let user = self.get(*self.owners.get(hash)?)?;
        let token = user.tokens.iter().find(|token| token.secret_hash == *hash)?;
        (now < token.expires_at).then_some((user, token))
    }

    /// The users after a commit.
    #[must_use]
    pub fn after(&self, puts: &[Write<UserId, User>]) -> Self {
        if puts.is_empty() {
            return self.clone();
        }
        let mut by_id = self.by_id.clone();
        for put in puts {
            match put {
                Write::Upsert(user) => drop(by_id.insert(user.id, Arc::clone(user))),
                Write::Delete(id) => drop(by_id.remove(id)),
            }
        }
        Self::of(by_id)
    }
}
