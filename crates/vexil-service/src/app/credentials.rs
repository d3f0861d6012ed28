//! Who may come in: as the serving state says, corrected by what is known to have changed since.
//!
//! A server follows others as fast as it can, but what they committed may be much. Whose access changed is
//! little, and is read apart, so that whoever is turned away on one server is turned away on all of them
//! within a second, whatever else they do.

use std::collections::BTreeMap;
use std::sync::Arc;

use arc_swap::ArcSwap;
use time::OffsetDateTime;
use vexil_access::UserId;
use vexil_domain::Write;
use vexil_store::{ApiToken, ApiTokenId, CredentialChanges, PersonalToken, User};

use crate::served_access::ServedAccess;
use crate::serving_state::ServingState;

/// What changed of those who may come in, ahead of the serving state.
#[derive(Default)]
pub(crate) struct NewerCredentials(ArcSwap<Newer>);

/// Tokens and users as of a later revision than the serving state's; `None` for those that are gone.
#[derive(Debug, Clone, Default)]
struct Newer {
    sequence: u64,
    tokens: BTreeMap<ApiTokenId, Option<Arc<ApiToken>>>,
    users: BTreeMap<UserId, Option<Arc<User>>>,
    access: Option<Arc<ServedAccess>>,
}

/// Who may come in, at one moment.
pub struct Credentials {
    serving: Arc<ServingState>,
    /// Where something is newer than the serving state.
    newer: Option<Arc<Newer>>,
}

opaque!(Credentials);

impl NewerCredentials {
    /// Up to which commit they are known.
    pub(crate) fn sequence(&self) -> u64 {
        self.0.load().sequence
    }

    /// Adds changes. What the serving state has as well is forgotten.
    pub(crate) fn add(&self, serving: &ServingState, changes: CredentialChanges) {
        let known = self.0.load();
        let mut next = if known.sequence > serving.revision.sequence {
            Newer::clone(&known)
        } else {
            Newer::default()
        };
        next.sequence = changes.sequence;
        for write in changes.tokens {
            match write {
                Write::Upsert(token) => next.tokens.insert(token.id, Some(token)),
                Write::Delete(id) => next.tokens.insert(id, None),
            };
        }
        for write in changes.users {
            match write {
                Write::Upsert(user) => next.users.insert(user.id, Some(user)),
                Write::Delete(id) => next.users.insert(id, None),
            };
        }
        if let Some(tables) = changes.access {
            next.access = Some(Arc::new(tables.into()));
        }
        self.0.store(Arc::new(next));
    }

    /// Forgets what is of a later commit than the last one there is.
    pub(crate) fn forget_after(&self, sequence: u64) {
        if self.sequence() > sequence {
            self.0.store(Arc::default());
        }
    }

    /// Who may come in, by a serving state and by what is newer.
    pub(crate) fn with(&self, serving: Arc<ServingState>) -> Credentials {
        let newer = self.0.load();
        let matters = newer.sequence > serving.revision.sequence
            && !(newer.tokens.is_empty() && newer.users.is_empty() && newer.access.is_none());
        Credentials {
            newer: matters.then(|| Arc::clone(&newer)),
            serving,
        }
    }
}

/// Users and tokens by id.
pub trait ById {
    /// The user with this id.
    fn user_by_id(&self, id: UserId) -> Option<&Arc<User>>;
    /// The API token with this id, expired or not.
    fn token_by_id(&self, id: ApiTokenId) -> Option<&Arc<ApiToken>>;
}

impl ById for ServingState {
    fn user_by_id(&self, id: UserId) -> Option<&Arc<User>> {
        self.users.get(id)
    }

    fn token_by_id(&self, id: ApiTokenId) -> Option<&Arc<ApiToken>> {
        self.tokens.values().find(|token| token.id == id)
    }
}

impl ById for Credentials {
    fn user_by_id(&self, id: UserId) -> Option<&Arc<User>> {
        match self.newer.as_ref().and_then(|newer| newer.users.get(&id)) {
            Some(newer) => newer.as_ref(),
            None => self.serving.user_by_id(id),
        }
    }

    fn token_by_id(&self, id: ApiTokenId) -> Option<&Arc<ApiToken>> {
        match self.newer.as_ref().and_then(|newer| newer.tokens.get(&id)) {
            Some(newer) => newer.as_ref(),
            None => self.serving.token_by_id(id),
        }
    }
}

impl Credentials {
    /// Roles, groups and settings.
    #[must_use]
    pub fn access(&self) -> &Arc<ServedAccess> {
        let newer = self.newer.as_ref().and_then(|newer| newer.access.as_ref());
        newer.unwrap_or(&self.serving.access)
    }

    /// The API token with the secret of this hash, if it has not expired.
    #[must_use]
    pub fn token(&self, hash: &[u8; 32], now: OffsetDateTime) -> Option<&Arc<ApiToken>> {
        let served = self.serving.tokens.get(hash);
        let token = match &self.newer {
            None => served,
            Some(newer) => newer.token(hash, served),
        };
        token.filter(|token| token.expires_at.is_none_or(|end| now < end))
    }

    /// When the token of this hash has ended, whoever's it is, if it is known and has.
    #[must_use]
    pub fn ended(&self, hash: &[u8; 32], now: OffsetDateTime) -> Option<OffsetDateTime> {
        let api = self
            .token(hash, OffsetDateTime::UNIX_EPOCH)
            .and_then(|token| token.expires_at);
        let personal = || Some(self.user(hash, OffsetDateTime::UNIX_EPOCH)?.1.expires_at);
        api.or_else(personal).filter(|end| *end <= now)
    }

    /// The user with a personal access token of this hash, and the token, if it has not expired.
    #[must_use]
    pub fn user(&self, hash: &[u8; 32], now: OffsetDateTime) -> Option<(&Arc<User>, &PersonalToken)> {
        let served = self.serving.users.with_secret(hash);
        let user = match &self.newer {
            None => served,
            Some(newer) => newer.user(hash, served),
        };
        let user = user?;
        let mut tokens = user.tokens.iter();
        let token = tokens.find(|token| token.secret_hash == *hash && now < token.expires_at)?;
        Some((user, token))
    }
}

impl Newer {
    fn token<'a>(&'a self, hash: &[u8; 32], served: Option<&'a Arc<ApiToken>>) -> Option<&'a Arc<ApiToken>> {
        let unchanged = served.filter(|token| !self.tokens.contains_key(&token.id));
        unchanged.or_else(|| {
            let mut changed = self.tokens.values().flatten();
            changed.find(|token| token.secret_hash == *hash)
        })
    }

    fn user<'a>(&'a self, hash: &[u8; 32], served: Option<&'a Arc<User>>) -> Option<&'a Arc<User>> {
        let unchanged = served.filter(|user| !self.users.contains_key(&user.id));
        unchanged.or_else(|| {
            let mut changed = self.users.values().flatten();
            changed.find(|user| user.tokens.iter().any(|token| token.secret_hash == *hash))
        })
    }
}
