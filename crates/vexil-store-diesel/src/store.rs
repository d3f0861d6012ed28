//! The store: which transaction runs on which connections.

mod reports;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use time::OffsetDateTime;
use vexil_access::UserId;
use vexil_change_request::{ChangeRequest, ChangeRequestId};
use vexil_store::{
    ApiTokenId, ChangeRequestFilter, ChangeRequestStore, Changes, Commit, CommitError, ConfigurationStore,
    CredentialChanges, Event, EventFilter, EventStore, Link, Loaded, Page, PersonalTokenId, Revision,
    SecretHash, Session, SignInStore, StoreError, TokenStore, UserStore, UsersSeen,
};

use crate::connection::{AnyConnection, checkpoint, connect_to_look};
use crate::error::DbError;
use crate::file::DatabaseFile;
use crate::location::Location;
use crate::pool::Pool;
use crate::transaction_access::Access;
use crate::usage::{InboxCache, Plan};
use crate::{
    OpenError, change_requests, commit, configuration, events, foreign, instant, migrate, sign_ins, tokens,
    users,
};

/// How many connections read at the same time.
const READERS: usize = 8;

/// How many connections follow other servers, apart from those that read: nothing that people ask
/// for keeps a server from learning who was turned away.
const FOLLOWERS: usize = 2;

/// A store in a database of SQLite or PostgreSQL. See [`open`].
#[derive(Debug)]
pub struct DieselStore {
    readers: Arc<Pool>,
    followers: Arc<Pool>,
    editors: Arc<Pool>,
    counters: Arc<Pool>,
    /// Held while somebody commits to a database in memory, which has no second connection on which
    /// an edit in turn could read.
    turn: Option<Mutex<()>>,
    /// Whether what was last written was refused in a way that lasts: no room, or read only.
    refused: AtomicBool,
    /// What was read of the inbox of usage.
    inbox: InboxCache,
    /// What this store is about to fold.
    plan: Mutex<Option<Plan>>,
}

/// Opens the store that `url` names, and makes or updates its tables.
///
/// # Errors
///
/// When the URL is not understood, the database cannot be opened, or its tables not be updated.
pub fn open(url: &str) -> Result<DieselStore, OpenError> {
    let location = Location::parse(url)?;
    check_folder(&location)?;
    open_at(&location).map_err(|error| error.with_way_out(location.file()))
}

fn open_at(location: &Location) -> Result<DieselStore, OpenError> {
    // what cannot be read now, such as while another process makes the tables, is looked at again before they are made
    let found = connect_to_look(location).and_then(|mut it| foreign::refusal(&mut it).ok().flatten());
    if let Some(refusal) = found {
        return Err(refusal);
    }
    let store = DieselStore::new(location);
    let connect = |error| match error {
        DbError::Connect(source) => OpenError::Connect { source },
        DbError::Database(error) => OpenError::Connect { source: error.into() },
        other => OpenError::Connect {
            source: other.into_store_error("opening the database").into(),
        },
    };
    store
        .editors
        .with_new_connection(migrate::migrate)
        .map_err(connect)??;
    store.watch(location).map_err(connect)?;
    Ok(store)
}

/// Whether the database is a file that is not there, so that [`open`] would make it.
///
/// # Errors
///
/// When the URL is none of a database that can be used.
pub fn is_missing(url: &str) -> Result<bool, OpenError> {
    match Location::parse(url)? {
        #[cfg(feature = "sqlite")]
        Location::SqliteFile(path) => Ok(!path.exists()),
        #[cfg(any(feature = "postgres", feature = "sqlite"))]
        _ => Ok(false),
    }
}

/// SQLite says only that it cannot open the file.
fn check_folder(location: &Location) -> Result<(), OpenError> {
    match location {
        #[cfg(feature = "sqlite")]
        Location::SqliteFile(path) => match path.parent() {
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
    fn new(location: &Location) -> Self {
        let pool = |access, capacity| Arc::new(Pool::new(location.clone(), access, capacity));
        match location {
            #[cfg(feature = "sqlite")]
            Location::SqliteMemory => {
                let one = pool(Access::Write, 1);
                let turn = Some(Mutex::default());
                Self::of([Arc::clone(&one), Arc::clone(&one), Arc::clone(&one), one], turn)
            }
            #[cfg(feature = "sqlite")]
            Location::SqliteFile(_) => {
                let writer = pool(Access::Write, 1);
                let readers = pool(Access::Read, READERS);
                let followers = pool(Access::Read, FOLLOWERS);
                Self::of([readers, followers, Arc::clone(&writer), writer], None)
            }
            #[cfg(feature = "postgres")]
            Location::Postgres(_) => Self::of(
                [
                    pool(Access::Read, READERS),
                    pool(Access::Read, FOLLOWERS),
                    pool(Access::Write, 2),
                    pool(Access::Write, 2),
                ],
                None,
            ),
        }
    }

    fn of(pools: [Arc<Pool>; 4], turn: Option<Mutex<()>>) -> Self {
        Pool::introduce(&pools);
        let [readers, followers, editors, counters] = pools;
        Self {
            readers,
            followers,
            editors,
            counters,
            turn,
            refused: AtomicBool::new(false),
            inbox: InboxCache::default(),
            plan: Mutex::default(),
        }
    }

    /// Watches the file, where it is one.
    fn watch(&self, location: &Location) -> Result<(), DbError> {
        let Some(path) = location.file() else {
            return Ok(());
        };
        let moved = || DbError::Refused(StoreError::Moved.into());
        let file = Arc::new(DatabaseFile::new(path).ok_or_else(moved)?);
        for pool in [&self.readers, &self.followers, &self.editors] {
            pool.watch(Arc::clone(&file));
        }
        Ok(())
    }

    fn read<T>(
        &self,
        doing: &'static str,
        work: impl FnOnce(&mut AnyConnection) -> Result<T, DbError>,
    ) -> Result<T, StoreError> {
        read(&self.readers, doing, work)
    }

    fn follow<T>(
        &self,
        doing: &'static str,
        work: impl FnOnce(&mut AnyConnection) -> Result<T, DbError>,
    ) -> Result<T, StoreError> {
        read(&self.followers, doing, work)
    }

    /// Writes what is no edit.
    fn write<T>(
        &self,
        doing: &'static str,
        work: impl FnOnce(&mut AnyConnection) -> Result<T, DbError>,
    ) -> Result<T, StoreError> {
        let outcome = self.counters.transaction(Access::Write, work);
        self.note_refusal(outcome.map_err(|error| error.into_store_error(doing)))
    }

    /// Writes an edit.
    fn edit<T>(&self, work: impl FnOnce(&mut AnyConnection) -> Result<T, DbError>) -> Result<T, CommitError> {
        match self.editors.transaction(Access::Write, work) {
            Err(DbError::Refused(refusal)) => Err(refusal),
            outcome => {
                let outcome = outcome.map_err(|error| error.into_store_error("storing an edit"));
                self.note_refusal(outcome).map_err(CommitError::Store)
            }
        }
    }

    fn note_refusal<T>(&self, outcome: Result<T, StoreError>) -> Result<T, StoreError> {
        match &outcome {
            Ok(_) => self.refused.store(false, Ordering::Relaxed),
            Err(StoreError::Full { .. } | StoreError::ReadOnly { .. }) => {
                self.refused.store(true, Ordering::Relaxed);
            }
            Err(_) => {}
        }
        outcome
    }

    fn turn(&self) -> Option<MutexGuard<'_, ()>> {
        let turn = self.turn.as_ref()?;
        Some(turn.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn read<T>(
    pool: &Pool,
    doing: &'static str,
    work: impl FnOnce(&mut AnyConnection) -> Result<T, DbError>,
) -> Result<T, StoreError> {
    pool.transaction(Access::Read, work)
        .map_err(|error| error.into_store_error(doing))
}

impl ConfigurationStore for DieselStore {
    fn load(&self) -> Result<Loaded, StoreError> {
        // whoever reads everything may have found a database that was put back to an earlier state
        self.inbox.forget();
        self.follow("reading the configuration", configuration::load)
    }

    fn revision(&self) -> Result<Revision, StoreError> {
        self.follow("reading the revision", configuration::revision)
    }

    fn changes_since(&self, sequence: u64) -> Result<Option<Changes>, StoreError> {
        self.follow("reading what changed", |connection| {
            configuration::changes_since(connection, sequence)
        })
    }

    fn credentials_since(&self, sequence: u64) -> Result<Option<CredentialChanges>, StoreError> {
        self.follow("reading whose access changed", |connection| {
            configuration::credentials_since(connection, sequence)
        })
    }

    fn check(&self) -> Result<(), StoreError> {
        if self.refused.load(Ordering::Relaxed) {
            return self.write("trying whether it can be written again", commit::lock_state);
        }
        self.follow("looking after the database", migrate::check)?;
        self.editors
            .check()
            .map_err(|error| error.into_store_error("looking after the database"))
    }

    fn clock(&self) -> Result<Option<OffsetDateTime>, StoreError> {
        self.follow("asking for the time", instant::clock)
    }

    fn checkpoint(&self) -> Result<(), StoreError> {
        self.editors
            .outside_transaction(checkpoint)
            .map_err(|error| error.into_store_error("bringing everything into the file of the database"))
    }

    fn commit(&self, edit: &Commit) -> Result<Revision, CommitError> {
        edit.check_storable()?;
        let _turn = self.turn();
        self.edit(|connection| commit::commit(connection, edit))
    }

    fn commit_in_turn(
        &self,
        edit: &mut dyn FnMut() -> Option<Commit>,
    ) -> Result<Option<Revision>, CommitError> {
        if let Some(_turn) = self.turn() {
            let Some(edit) = edit() else {
                return Ok(None);
            };
            edit.check_storable()?;
            return self
                .edit(|connection| commit::commit(connection, &edit))
                .map(Some);
        }
        self.edit(|connection| {
            commit::lock_state(connection)?;
            let Some(edit) = edit() else {
                return Ok(None);
            };
            edit.check_storable()
                .map_err(|problem| DbError::Refused(problem.into()))?;
            commit::commit(connection, &edit).map(Some)
        })
    }

    fn was_committed(&self, edit: &Commit) -> Result<bool, StoreError> {
        self.write("looking what became of an edit", |connection| {
            commit::lock_state(connection)?;
            commit::was_carried_out(connection, edit)
        })
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
    fn tokens_seen(&self) -> Result<BTreeMap<ApiTokenId, OffsetDateTime>, StoreError> {
        self.read("reading the use of API tokens", tokens::seen)
    }

    fn mark_tokens_seen(&self, seen: &[(ApiTokenId, OffsetDateTime)]) -> Result<(), StoreError> {
        self.write("noting the use of API tokens", |connection| {
            tokens::mark_seen(connection, seen)
        })
    }
}

impl UserStore for DieselStore {
    fn users_seen(&self) -> Result<UsersSeen, StoreError> {
        self.read("reading who was seen", users::seen)
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

#[cfg(all(test, feature = "sqlite"))]
mod tests;
