//! When tokens and users were last seen: noted in memory with each request, and stored now and then.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Reader;
use time::OffsetDateTime;
use vexil_access::UserId;
use vexil_store::{ApiTokenId, PersonalTokenId, Store, StoreError, UsersSeen};

/// Who was seen since that was last stored. There is one entry a token and user at most.
#[derive(Debug, Default)]
pub(crate) struct Seen(Mutex<Pending>);

#[derive(Debug, Clone, Default)]
struct Pending {
    tokens: BTreeMap<ApiTokenId, OffsetDateTime>,
    users: BTreeMap<(UserId, PersonalTokenId), OffsetDateTime>,
}

impl Seen {
    /// Notes the use of an API token.
    pub(crate) fn token(&self, id: ApiTokenId, now: OffsetDateTime) {
        self.pending().tokens.insert(id, now);
    }

    /// Notes that a user asked for something with a personal access token.
    pub(crate) fn user(&self, id: UserId, token: PersonalTokenId, now: OffsetDateTime) {
        self.pending().users.insert((id, token), now);
    }

    /// Stores what was noted; when that fails, the next turn tries again.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub(crate) fn flush(&self, store: &dyn Store) -> Result<(), StoreError> {
        let noted = std::mem::take(&mut *self.pending());
        let stored = noted.store(store);
        if stored.is_err() {
            let mut pending = self.pending();
            for (id, at) in noted.tokens {
                pending.tokens.entry(id).or_insert(at);
            }
            for (id, at) in noted.users {
                pending.users.entry(id).or_insert(at);
            }
        }
        stored
    }

    /// When tokens were last used, as stored and since.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub(crate) fn tokens(
        &self,
        store: Reader<'_>,
    ) -> Result<BTreeMap<ApiTokenId, OffsetDateTime>, StoreError> {
        let pending = self.pending().tokens.clone();
        let mut seen = store.tokens_seen()?;
        seen.extend(pending);
        Ok(seen)
    }

    /// When users and their tokens were last seen, as stored and since.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub(crate) fn users(&self, store: Reader<'_>) -> Result<UsersSeen, StoreError> {
        let pending = self.pending().users.clone();
        let mut seen = store.users_seen()?;
        for ((user, token), at) in pending {
            let latest = seen.users.entry(user).or_insert(at);
            *latest = at.max(*latest);
            seen.tokens.insert(token, at);
        }
        Ok(seen)
    }

    fn pending(&self) -> MutexGuard<'_, Pending> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Pending {
    fn store(&self, store: &dyn Store) -> Result<(), StoreError> {
        if !self.tokens.is_empty() {
            let tokens: Vec<_> = self.tokens.iter().map(|(&id, &at)| (id, at)).collect();
            store.mark_tokens_seen(&tokens)?;
        }
        if !self.users.is_empty() {
            let users: Vec<_> = self
                .users
                .iter()
                .map(|(&(id, token), &at)| (id, token, at))
                .collect();
            store.mark_users_seen(&users)?;
        }
        Ok(())
    }
}
