//! A store in memory that can be made to refuse edits of the configuration.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use time::OffsetDateTime;
use vexil_access::UserId;
use vexil_change_request::{ChangeRequest, ChangeRequestId};
use vexil_domain::FlagName;
use vexil_metrics::{Retention, Rows};
use vexil_store::{
    ApiTokenId, Appended, ApplicationStore, ChangeRequestFilter, ChangeRequestStore, Changes, Commit,
    CommitError, ConfigurationStore, CredentialChanges, Event, EventFilter, EventStore, Folding, Instance,
    LastSeen, Link, Loaded, MemoryStore, Page, PersonalTokenId, Registration, Reported, ReportedBy, Revision,
    SecretHash, Session, SignInStore, StoreError, TokenStore, UsageBatch, UsageQuery, UsageStore, UserStore,
    UsersSeen,
};

/// How edits of the configuration fail.
#[derive(Clone, Copy)]
pub enum Outage {
    /// The database does not answer.
    Away,
    /// The database holds nonsense.
    Corrupt,
    /// There is no room left.
    Full,
    /// Nothing may be written.
    ReadOnly,
    /// The file was deleted or replaced.
    Moved,
    /// A later version has changed the tables.
    Newer,
    /// Instances of applications cannot be stored, and everything else can.
    Registrations,
    /// The database carries it out, and its answer is lost.
    AnswerLost,
    /// The question is lost, and it looks the same.
    QuestionLost,
    /// The answer is lost, and the database with it.
    Gone,
}

#[derive(Default)]
pub struct FailingStore {
    inner: MemoryStore,
    failure: Mutex<Option<Outage>>,
    clock: Mutex<Option<OffsetDateTime>>,
}

impl FailingStore {
    pub fn fail(&self, failure: Option<Outage>) {
        *self.failure.lock().unwrap() = failure;
    }

    /// Sets the clock of the database.
    pub fn tell_time(&self, clock: Option<OffsetDateTime>) {
        *self.clock.lock().unwrap() = clock;
    }
}

impl FailingStore {
    /// Why nothing can be written, whatever it is.
    fn unusable(&self) -> Option<StoreError> {
        match (*self.failure.lock().unwrap())? {
            Outage::Full => Some(StoreError::Full {
                doing: "committing",
                source: "no room".into(),
            }),
            Outage::ReadOnly => Some(StoreError::ReadOnly {
                doing: "committing",
                source: "read only".into(),
            }),
            Outage::Moved => Some(StoreError::Moved),
            Outage::Newer => Some(StoreError::Newer {
                migration: "99991231000000".to_owned(),
            }),
            _ => None,
        }
    }
}

impl ConfigurationStore for FailingStore {
    fn load(&self) -> Result<Loaded, StoreError> {
        self.inner.load()
    }

    fn revision(&self) -> Result<Revision, StoreError> {
        self.inner.revision()
    }

    fn clock(&self) -> Result<Option<OffsetDateTime>, StoreError> {
        self.unusable()
            .map_or_else(|| Ok(*self.clock.lock().unwrap()), Err)
    }

    fn check(&self) -> Result<(), StoreError> {
        self.unusable().map_or_else(|| self.inner.check(), Err)
    }

    fn changes_since(&self, sequence: u64) -> Result<Option<Changes>, StoreError> {
        self.inner.changes_since(sequence)
    }

    fn credentials_since(&self, sequence: u64) -> Result<Option<CredentialChanges>, StoreError> {
        self.inner.credentials_since(sequence)
    }

    fn commit_in_turn(
        &self,
        edit: &mut dyn FnMut() -> Option<Commit>,
    ) -> Result<Option<Revision>, CommitError> {
        self.inner.commit_in_turn(edit)
    }

    fn was_committed(&self, commit: &Commit) -> Result<bool, StoreError> {
        match *self.failure.lock().unwrap() {
            Some(Outage::Gone) => Err(away()),
            _ => self.inner.was_committed(commit),
        }
    }

    fn commit(&self, commit: &Commit) -> Result<Revision, CommitError> {
        if let Some(error) = self.unusable() {
            return Err(CommitError::Store(error));
        }
        let failure = *self.failure.lock().unwrap();
        let Some(failure) = failure.filter(|_| !commit.delta.is_empty()) else {
            return self.inner.commit(commit);
        };
        if matches!(failure, Outage::AnswerLost | Outage::Gone) {
            self.inner.commit(commit)?;
        }
        Err(CommitError::Store(match failure {
            Outage::Away => away(),
            Outage::Corrupt => StoreError::Corrupt {
                what: "a flag",
                source: "nonsense".into(),
            },
            // Full, ReadOnly, Moved and Newer are refused above
            _ => StoreError::UnknownOutcome {
                doing: "committing",
                source: "no answer".into(),
            },
        }))
    }
}

fn away() -> StoreError {
    StoreError::Backend {
        doing: "committing",
        source: "no answer".into(),
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
    fn tokens_seen(&self) -> Result<BTreeMap<ApiTokenId, OffsetDateTime>, StoreError> {
        self.inner.tokens_seen()
    }

    fn mark_tokens_seen(&self, seen: &[(ApiTokenId, OffsetDateTime)]) -> Result<(), StoreError> {
        self.inner.mark_tokens_seen(seen)
    }
}

impl UserStore for FailingStore {
    fn users_seen(&self) -> Result<UsersSeen, StoreError> {
        self.inner.users_seen()
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
    fn append_usage(&self, batch: &UsageBatch) -> Result<Appended, StoreError> {
        self.unusable()
            .map_or_else(|| self.inner.append_usage(batch), Err)
    }

    fn fold_usage(&self) -> Result<Folding, StoreError> {
        self.inner.fold_usage()
    }

    fn tidy_usage(&self, now: OffsetDateTime, retention: &Retention) -> Result<bool, StoreError> {
        self.inner.tidy_usage(now, retention)
    }

    fn usage(&self, wanted: &UsageQuery) -> Result<Rows, StoreError> {
        self.inner.usage(wanted)
    }

    fn usage_and_applications(&self, wanted: &UsageQuery) -> Result<(Rows, BTreeSet<String>), StoreError> {
        self.inner.usage_and_applications(wanted)
    }

    fn reported_by(&self, whose: &Reported) -> Result<Vec<ReportedBy>, StoreError> {
        self.inner.reported_by(whose)
    }

    fn last_seen(&self, flags: Option<&[FlagName]>) -> Result<LastSeen, StoreError> {
        self.inner.last_seen(flags)
    }

    fn reporting_applications(&self) -> Result<BTreeSet<String>, StoreError> {
        self.inner.reporting_applications()
    }
}

impl ApplicationStore for FailingStore {
    fn register(&self, registrations: &[Registration]) -> Result<(), StoreError> {
        if matches!(*self.failure.lock().unwrap(), Some(Outage::Registrations)) {
            return Err(StoreError::Moved);
        }
        self.unusable()
            .map_or_else(|| self.inner.register(registrations), Err)
    }

    fn instances(&self, applications: &[String]) -> Result<Vec<Instance>, StoreError> {
        self.inner.instances(applications)
    }

    fn registered_applications(&self) -> Result<BTreeSet<String>, StoreError> {
        self.inner.registered_applications()
    }

    fn purge_instances(&self, before: OffsetDateTime) -> Result<u64, StoreError> {
        self.inner.purge_instances(before)
    }
}
