//! A store in memory that can be made to refuse edits of the configuration.

use std::sync::Mutex;

use time::OffsetDateTime;
use vexil_change_request::{ChangeRequest, ChangeRequestId};
use vexil_metrics::{Batch, Retention};
use vexil_store::{
    ApiToken, ApiTokenId, ApplicationStore, ChangeRequestFilter, ChangeRequestStore, Commit, CommitError,
    ConfigurationStore, Event, EventFilter, EventStore, FlagUsage, Instance, Link, Loaded, MemoryStore, Page,
    PersonalTokenId, Registration, Reported, ReportedBy, Revision, SecretHash, Session, SignInStore,
    StoreError, TokenStore, UsageStore, User, UserId, UserStore,
};

/// How edits of the configuration fail.
#[derive(Clone, Copy)]
pub enum Failure {
    /// The database does not answer.
    Away,
    /// The database holds nonsense.
    Corrupt,
}

#[derive(Default)]
pub struct FailingStore {
    inner: MemoryStore,
    failure: Mutex<Option<Failure>>,
}

impl FailingStore {
    pub fn fail(&self, failure: Option<Failure>) {
        *self.failure.lock().unwrap() = failure;
    }
}

impl ConfigurationStore for FailingStore {
    fn load(&self) -> Result<Loaded, StoreError> {
        self.inner.load()
    }

    fn revision(&self) -> Result<Revision, StoreError> {
        self.inner.revision()
    }

    fn commit(&self, commit: &Commit) -> Result<Revision, CommitError> {
        let failure = *self.failure.lock().unwrap();
        match failure {
            Some(failure) if !commit.delta.is_empty() => Err(CommitError::Store(match failure {
                Failure::Away => StoreError::Backend {
                    doing: "committing",
                    source: "no answer".into(),
                },
                Failure::Corrupt => StoreError::Corrupt {
                    what: "a flag",
                    source: "nonsense".into(),
                },
            })),
            _ => self.inner.commit(commit),
        }
    }
}

impl ChangeRequestStore for FailingStore {
    fn change_request(&self, id: ChangeRequestId) -> Result<Option<ChangeRequest>, StoreError> {
        self.inner.change_request(id)
    }

    fn change_requests(&self, filter: &ChangeRequestFilter) -> Result<Page<ChangeRequest>, StoreError> {
        self.inner.change_requests(filter)
    }
}

impl TokenStore for FailingStore {
    fn tokens(&self) -> Result<Vec<ApiToken>, StoreError> {
        self.inner.tokens()
    }

    fn mark_tokens_seen(&self, seen: &[(ApiTokenId, OffsetDateTime)]) -> Result<(), StoreError> {
        self.inner.mark_tokens_seen(seen)
    }
}

impl UserStore for FailingStore {
    fn users(&self) -> Result<Vec<User>, StoreError> {
        self.inner.users()
    }

    fn mark_users_seen(&self, seen: &[(UserId, PersonalTokenId, OffsetDateTime)]) -> Result<(), StoreError> {
        self.inner.mark_users_seen(seen)
    }
}

impl SignInStore for FailingStore {
    fn session(&self, secret: SecretHash) -> Result<Option<Session>, StoreError> {
        self.inner.session(secret)
    }

    fn sessions_of(&self, user: UserId) -> Result<Vec<Session>, StoreError> {
        self.inner.sessions_of(user)
    }

    fn mark_sessions_seen(&self, seen: &[(SecretHash, OffsetDateTime)]) -> Result<(), StoreError> {
        self.inner.mark_sessions_seen(seen)
    }

    fn link(&self, secret: SecretHash) -> Result<Option<Link>, StoreError> {
        self.inner.link(secret)
    }

    fn purge_sign_ins(&self, now: OffsetDateTime, idle_since: OffsetDateTime) -> Result<u64, StoreError> {
        self.inner.purge_sign_ins(now, idle_since)
    }
}

impl EventStore for FailingStore {
    fn events(&self, filter: &EventFilter) -> Result<Page<Event>, StoreError> {
        self.inner.events(filter)
    }
}

impl UsageStore for FailingStore {
    fn add_usage(&self, batch: &Batch) -> Result<(), StoreError> {
        self.inner.add_usage(batch)
    }

    fn usage(&self, wanted: &FlagUsage) -> Result<Batch, StoreError> {
        self.inner.usage(wanted)
    }

    fn reported_by(&self, whose: &Reported) -> Result<Vec<ReportedBy>, StoreError> {
        self.inner.reported_by(whose)
    }

    fn purge_usage(&self, now: OffsetDateTime, retention: &Retention) -> Result<u64, StoreError> {
        self.inner.purge_usage(now, retention)
    }
}

impl ApplicationStore for FailingStore {
    fn register(&self, registrations: &[Registration]) -> Result<(), StoreError> {
        self.inner.register(registrations)
    }

    fn instances(&self, application: Option<&str>) -> Result<Vec<Instance>, StoreError> {
        self.inner.instances(application)
    }

    fn purge_instances(&self, before: OffsetDateTime) -> Result<u64, StoreError> {
        self.inner.purge_instances(before)
    }
}
