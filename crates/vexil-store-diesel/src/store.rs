//! The store: which transaction runs on which connections.

use std::sync::Arc;

use time::OffsetDateTime;
use vexil_change_request::{ChangeRequest, ChangeRequestId};
use vexil_metrics::{Batch, Retention};
use vexil_store::{
    ApiToken, ApiTokenId, ApplicationStore, ChangeRequestFilter, ChangeRequestStore, Commit, CommitError,
    ConfigurationStore, Event, EventFilter, EventStore, FlagUsage, Instance, Link, Loaded, Page,
    PersonalTokenId, Registration, Reported, ReportedBy, Revision, SecretHash, Session, SignInStore,
    StoreError, TokenStore, UsageStore, User, UserId, UserStore, check_usage_storable,
};

use crate::connection::{AnyConnection, set_repeatable_read};
use crate::error::Failure;
use crate::location::Location;
use crate::pool::Pool;
use crate::{
    OpenError, applications, change_requests, commit, configuration, events, migrate, sign_ins, tokens,
    usage, users,
};

/// How many connections read at the same time.
const READERS: usize = 8;

/// A store in a database of SQLite or PostgreSQL. See [`open`].
#[derive(Debug)]
pub struct DieselStore {
    readers: Arc<Pool>,
    writers: Arc<Pool>,
}

/// Opens the store that `url` names, and makes or updates its tables.
///
/// # Errors
///
/// When the URL is not understood, the database cannot be opened, or its tables not be updated.
pub fn open(url: &str) -> Result<DieselStore, OpenError> {
    let location = Location::parse(url)?;
    check_folder(&location)?;
    let store = DieselStore::new(location);
    let migrated = store.writers.with_new_connection(migrate::migrate);
    migrated.map_err(|failure| match failure {
        Failure::Connect(source) => OpenError::Connect { source },
        other => OpenError::Connect {
            source: other.into_store_error("opening the database").into(),
        },
    })??;
    Ok(store)
}

/// SQLite says only that it cannot open the file.
fn check_folder(location: &Location) -> Result<(), OpenError> {
    match location {
        #[cfg(feature = "sqlite")]
        Location::SqliteFile { path, .. } => match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => Err(OpenError::NoFolder {
                folder: folder.to_owned(),
            }),
            _ => Ok(()),
        },
        #[cfg(any(feature = "postgres", feature = "sqlite"))]
        _ => Ok(()),
    }
}

impl DieselStore {
    fn new(location: Location) -> Self {
        let shared = |location, capacity| {
            let pool = Arc::new(Pool::new(location, capacity));
            Self {
                readers: Arc::clone(&pool),
                writers: pool,
            }
        };
        match location {
            #[cfg(feature = "sqlite")]
            Location::SqliteMemory => shared(location, 1),
            #[cfg(feature = "postgres")]
            Location::Postgres(_) => shared(location, READERS),
            #[cfg(feature = "sqlite")]
            Location::SqliteFile { path, .. } => {
                let pool = |writing, capacity| {
                    let path = path.clone();
                    Arc::new(Pool::new(Location::SqliteFile { path, writing }, capacity))
                };
                Self {
                    readers: pool(false, READERS),
                    writers: pool(true, 1),
                }
            }
        }
    }

    fn read<T>(
        &self,
        doing: &'static str,
        work: impl Fn(&mut AnyConnection) -> Result<T, Failure>,
    ) -> Result<T, StoreError> {
        let outcome = self.readers.transaction(|connection| {
            set_repeatable_read(connection)?;
            work(connection)
        });
        outcome.map_err(|failure| failure.into_store_error(doing))
    }

    fn write<T>(
        &self,
        doing: &'static str,
        work: impl Fn(&mut AnyConnection) -> Result<T, Failure>,
    ) -> Result<T, StoreError> {
        self.writers
            .transaction(work)
            .map_err(|failure| failure.into_store_error(doing))
    }
}

impl ConfigurationStore for DieselStore {
    fn load(&self) -> Result<Loaded, StoreError> {
        self.read("reading the configuration", configuration::load)
    }

    fn revision(&self) -> Result<Revision, StoreError> {
        self.read("reading the revision", configuration::revision)
    }

    fn commit(&self, edit: &Commit) -> Result<Revision, CommitError> {
        edit.check_storable()?;
        let outcome = self
            .writers
            .transaction(|connection| commit::commit(connection, edit));
        outcome.map_err(Failure::into_commit_error)
    }
}

impl ChangeRequestStore for DieselStore {
    fn change_request(&self, id: ChangeRequestId) -> Result<Option<ChangeRequest>, StoreError> {
        self.read("reading a change request", |connection| {
            change_requests::find(connection, id)
        })
    }

    fn change_requests(&self, filter: &ChangeRequestFilter) -> Result<Page<ChangeRequest>, StoreError> {
        self.read("reading change requests", |connection| {
            change_requests::select(connection, filter)
        })
    }
}

impl TokenStore for DieselStore {
    fn tokens(&self) -> Result<Vec<ApiToken>, StoreError> {
        self.read("reading API tokens", tokens::all)
    }

    fn mark_tokens_seen(&self, seen: &[(ApiTokenId, OffsetDateTime)]) -> Result<(), StoreError> {
        self.write("noting the use of API tokens", |connection| {
            tokens::mark_seen(connection, seen)
        })
    }
}

impl UserStore for DieselStore {
    fn users(&self) -> Result<Vec<User>, StoreError> {
        self.read("reading users", users::all)
    }

    fn mark_users_seen(&self, seen: &[(UserId, PersonalTokenId, OffsetDateTime)]) -> Result<(), StoreError> {
        self.write("noting who was seen", |connection| {
            users::mark_seen(connection, seen)
        })
    }
}

impl SignInStore for DieselStore {
    fn session(&self, secret: SecretHash) -> Result<Option<Session>, StoreError> {
        self.read("reading a session", |connection| {
            sign_ins::session(connection, secret)
        })
    }

    fn sessions_of(&self, user: UserId) -> Result<Vec<Session>, StoreError> {
        self.read("reading sessions", |connection| {
            sign_ins::sessions_of(connection, user)
        })
    }

    fn mark_sessions_seen(&self, seen: &[(SecretHash, OffsetDateTime)]) -> Result<(), StoreError> {
        self.write("noting the use of sessions", |connection| {
            sign_ins::mark_seen(connection, seen)
        })
    }

    fn link(&self, secret: SecretHash) -> Result<Option<Link>, StoreError> {
        self.read("reading a link", |connection| sign_ins::link(connection, secret))
    }

    fn purge_sign_ins(&self, now: OffsetDateTime, idle_since: OffsetDateTime) -> Result<u64, StoreError> {
        self.write("forgetting old sessions", |connection| {
            sign_ins::purge(connection, now, idle_since)
        })
    }
}

impl EventStore for DieselStore {
    fn events(&self, filter: &EventFilter) -> Result<Page<Event>, StoreError> {
        self.read("reading events", |connection| events::select(connection, filter))
    }
}

impl UsageStore for DieselStore {
    fn add_usage(&self, batch: &Batch) -> Result<(), StoreError> {
        check_usage_storable(batch)?;
        self.write("storing usage", |connection| usage::add(connection, batch))
    }

    fn usage(&self, wanted: &FlagUsage) -> Result<Batch, StoreError> {
        self.read("reading usage", |connection| usage::select(connection, wanted))
    }

    fn reported_by(&self, whose: &Reported) -> Result<Vec<ReportedBy>, StoreError> {
        self.read("reading who reported", |connection| {
            usage::reported_by(connection, whose)
        })
    }

    fn purge_usage(&self, now: OffsetDateTime, retention: &Retention) -> Result<u64, StoreError> {
        self.write("deleting old usage", |connection| {
            usage::purge(connection, now, retention)
        })
    }
}

impl ApplicationStore for DieselStore {
    fn register(&self, registrations: &[Registration]) -> Result<(), StoreError> {
        registrations.iter().try_for_each(Registration::check_storable)?;
        let doing = "storing registrations";
        self.write(doing, |connection| {
            applications::register(connection, registrations)
        })
    }

    fn instances(&self, application: Option<&str>) -> Result<Vec<Instance>, StoreError> {
        self.read("reading instances", |connection| {
            applications::instances(connection, application)
        })
    }

    fn purge_instances(&self, before: OffsetDateTime) -> Result<u64, StoreError> {
        self.write("forgetting instances", |connection| {
            applications::purge(connection, before)
        })
    }
}

#[cfg(all(test, feature = "sqlite"))]
mod tests;
