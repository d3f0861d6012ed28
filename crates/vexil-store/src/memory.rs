//! The reference store: plain maps behind a lock, gone when dropped.

mod commit;
mod filters;
mod history;
mod sign_ins;
mod state;
mod usage;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use time::OffsetDateTime;
use vexil_access::UserId;
use vexil_change_request::{ChangeRequest, ChangeRequestId};
use vexil_domain::FlagName;
use vexil_metrics::{Retention, Rows};

use crate::{
    ApiTokenId, Appended, ApplicationStore, ChangeRequestFilter, ChangeRequestStore, Changes, Commit,
    CommitError, ConfigurationStore, CredentialChanges, Event, EventFilter, EventStore, Folding, Instance,
    LastSeen, Link, Loaded, Page, PersonalTokenId, Registration, Reported, ReportedBy, Revision, SecretHash,
    Session, SignInStore, StoreError, TokenStore, UsageBatch, UsageQuery, UsageStore, UserStore, UsersSeen,
    check_usage_storable,
};

use state::State;

/// A store in memory: for tests, and for servers that need not remember.
#[derive(Debug, Default)]
pub struct MemoryStore {
    /// Held while somebody commits, before the state is.
    turn: Mutex<()>,
    state: Mutex<State>,
}

impl MemoryStore {
    /// An empty store.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn turn(&self) -> MutexGuard<'_, ()> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ConfigurationStore for MemoryStore {
    fn load(&self) -> Result<Loaded, StoreError> {
        Ok(self.state().loaded.clone())
    }

    fn revision(&self) -> Result<Revision, StoreError> {
        Ok(self.state().loaded.revision)
    }

    fn check(&self) -> Result<(), StoreError> {
        Ok(())
    }

    fn changes_since(&self, sequence: u64) -> Result<Option<Changes>, StoreError> {
        Ok(self.state().changes_since(sequence))
    }

    fn credentials_since(&self, sequence: u64) -> Result<Option<CredentialChanges>, StoreError> {
        let changes = self.state().changes_since(sequence);
        Ok(changes.map(|changes| changes.credentials))
    }

    fn commit(&self, commit: &Commit) -> Result<Revision, CommitError> {
        commit.check_storable()?;
        let _turn = self.turn();
        self.state().commit(commit)
    }

    fn commit_in_turn(
        &self,
        edit: &mut dyn FnMut() -> Option<Commit>,
    ) -> Result<Option<Revision>, CommitError> {
        let _turn = self.turn();
        let Some(commit) = edit() else {
            return Ok(None);
        };
        commit.check_storable()?;
        self.state().commit(&commit).map(Some)
    }

    fn was_committed(&self, commit: &Commit) -> Result<bool, StoreError> {
        let _turn = self.turn();
        Ok(self.state().was_committed(commit))
    }
}

impl ChangeRequestStore for MemoryStore {
    fn change_request(&self, id: ChangeRequestId) -> Result<Option<ChangeRequest>, StoreError> {
        Ok(self
            .state()
            .change_requests
            .get(&id)
            .map(|it| ChangeRequest::clone(it)))
    }

    fn change_requests(&self, filter: &ChangeRequestFilter) -> Result<Page<ChangeRequest>, StoreError> {
        let state = self.state();
        let newest_first = state.change_requests.values().rev().map(|it| &**it);
        let matching = newest_first.filter(|it| filters::admits_change_request(filter, it));
        Ok(filters::page(matching, filter.offset, filter.limit))
    }
}

impl TokenStore for MemoryStore {
    fn tokens_seen(&self) -> Result<BTreeMap<ApiTokenId, OffsetDateTime>, StoreError> {
        let state = self.state();
        let tokens = state.loaded.tokens.values();
        Ok(tokens
            .filter_map(|token| Some((token.id, token.seen_at?)))
            .collect())
    }

    fn mark_tokens_seen(&self, seen: &[(ApiTokenId, OffsetDateTime)]) -> Result<(), StoreError> {
        let mut state = self.state();
        for (id, at) in seen {
            if let Some(token) = state.loaded.tokens.get_mut(id) {
                let token = Arc::make_mut(token);
                token.seen_at = token.seen_at.max(Some(*at));
            }
        }
        Ok(())
    }
}

impl UserStore for MemoryStore {
    fn users_seen(&self) -> Result<UsersSeen, StoreError> {
        let state = self.state();
        let users = state.loaded.users.values();
        let tokens = users.clone().flat_map(|user| &user.tokens);
        Ok(UsersSeen {
            users: users.filter_map(|user| Some((user.id, user.seen_at?))).collect(),
            tokens: tokens
                .filter_map(|token| Some((token.id, token.seen_at?)))
                .collect(),
        })
    }

    fn mark_users_seen(&self, seen: &[(UserId, PersonalTokenId, OffsetDateTime)]) -> Result<(), StoreError> {
        let mut state = self.state();
        for (id, token, at) in seen {
            if let Some(user) = state.loaded.users.get_mut(id) {
                let user = Arc::make_mut(user);
                user.seen_at = user.seen_at.max(Some(*at));
                for token in user.tokens.iter_mut().filter(|it| it.id == *token) {
                    token.seen_at = token.seen_at.max(Some(*at));
                }
            }
        }
        Ok(())
    }
}

impl EventStore for MemoryStore {
    fn events(&self, filter: &EventFilter) -> Result<Page<Event>, StoreError> {
        let state = self.state();
        let newest_first = state.events.iter().rev();
        let matching = newest_first.filter(|it| filters::admits_event(filter, it));
        Ok(filters::page(matching, filter.offset, filter.limit))
    }
}

impl UsageStore for MemoryStore {
    fn append_usage(&self, batch: &UsageBatch) -> Result<Appended, StoreError> {
        check_usage_storable(&batch.counts)?;
        self.state().usage.append(batch)
    }

    fn fold_usage(&self) -> Result<Folding, StoreError> {
        Ok(Folding::Idle)
    }

    fn tidy_usage(&self, now: OffsetDateTime, retention: &Retention) -> Result<bool, StoreError> {
        self.state().usage.tidy(now, retention);
        Ok(false)
    }

    fn usage(&self, wanted: &UsageQuery) -> Result<Rows, StoreError> {
        Ok(self.state().usage.read(wanted))
    }

    fn usage_and_applications(&self, wanted: &UsageQuery) -> Result<(Rows, BTreeSet<String>), StoreError> {
        let usage = &self.state().usage;
        let reported = usage.reported_by(|flag, _| wanted.flags.contains(flag));
        let applications = reported.into_iter().map(|by| by.application);
        Ok((usage.read(wanted), applications.collect()))
    }

    fn reported_by(&self, whose: &Reported) -> Result<Vec<ReportedBy>, StoreError> {
        let state = self.state();
        let known = |flag: &FlagName| state.loaded.snapshot.flags.contains_key(flag);
        Ok(state.usage.reported_by(|flag, application| match whose {
            Reported::Unknown => !known(flag),
            Reported::Flags(wanted) => wanted.contains(flag),
            Reported::Applications(wanted) => wanted.iter().any(|it| it == application),
        }))
    }

    fn last_seen(&self, flags: Option<&[FlagName]>) -> Result<LastSeen, StoreError> {
        Ok(self.state().usage.last_seen(flags))
    }

    fn reporting_applications(&self) -> Result<BTreeSet<String>, StoreError> {
        Ok(self.state().usage.applications())
    }
}

impl ApplicationStore for MemoryStore {
    fn register(&self, registrations: &[Registration]) -> Result<(), StoreError> {
        registrations.iter().try_for_each(Registration::check_storable)?;
        let mut state = self.state();
        for new in registrations {
            let first = Instance {
                registration: new.clone(),
                first_seen: new.seen_at,
            };
            let instance = state.instances.entry(new.key.clone()).or_insert(first);
            instance.registration.update(new);
        }
        Ok(())
    }

    fn instances(&self, applications: &[String]) -> Result<Vec<Instance>, StoreError> {
        let state = self.state();
        let wanted = |it: &&Instance| applications.contains(&it.registration.key.application);
        Ok(state.instances.values().filter(wanted).cloned().collect())
    }

    fn registered_applications(&self) -> Result<BTreeSet<String>, StoreError> {
        let state = self.state();
        Ok(state
            .instances
            .keys()
            .map(|key| key.application.clone())
            .collect())
    }

    fn purge_instances(&self, before: OffsetDateTime) -> Result<u64, StoreError> {
        let mut state = self.state();
        let earlier = state.instances.len();
        state
            .instances
            .retain(|_, instance| instance.registration.seen_at >= before);
        Ok(u64::try_from(earlier - state.instances.len()).unwrap_or(u64::MAX))
    }
}

impl SignInStore for MemoryStore {
    fn session(&self, secret: SecretHash) -> Result<Option<Session>, StoreError> {
        Ok(self.state().sign_ins.sessions.get(&secret).cloned())
    }

    fn sessions_of(&self, user: UserId) -> Result<Vec<Session>, StoreError> {
        let state = self.state();
        let all = state.sign_ins.sessions.values();
        let mut own: Vec<Session> = all
            .filter(|session| session.holder.user() == Some(user))
            .cloned()
            .collect();
        own.sort_by_key(|session| (std::cmp::Reverse(session.created_at), session.secret_hash));
        Ok(own)
    }

    fn mark_sessions_seen(&self, seen: &[(SecretHash, OffsetDateTime)]) -> Result<(), StoreError> {
        let mut state = self.state();
        for (secret, at) in seen {
            if let Some(session) = state.sign_ins.sessions.get_mut(secret) {
                session.seen_at = session.seen_at.max(*at);
            }
        }
        Ok(())
    }

    fn link(&self, secret: SecretHash) -> Result<Option<Link>, StoreError> {
        Ok(self.state().sign_ins.links.get(&secret).cloned())
    }

    fn purge_sign_ins(&self, now: OffsetDateTime, idle_since: OffsetDateTime) -> Result<u64, StoreError> {
        let mut state = self.state();
        let sign_ins::SignIns { sessions, links } = &mut state.sign_ins;
        let earlier = sessions.len() + links.len();
        sessions.retain(|_, session| now < session.expires_at && idle_since <= session.seen_at);
        links.retain(|_, link| now < link.expires_at);
        Ok(u64::try_from(earlier - sessions.len() - links.len()).unwrap_or(u64::MAX))
    }
}
