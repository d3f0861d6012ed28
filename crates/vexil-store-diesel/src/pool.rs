//! A small pool of connections. One that failed is replaced; nobody else notices.
//!
//! Diesel's own pool (r2d2) is not used, for two reasons that were measured: while the database is
//! away it lets every caller wait for its whole patience, where this pool tells the cause at once;
//! and it either asks the database before each use whether a connection is still good, or hands out
//! lost ones, where this pool learns it from the `begin` that is sent anyway.

use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::{Duration, Instant};

use diesel::connection::{Connection, TransactionManager};

use crate::connection::{AnyConnection, begin, connect};
use crate::error::{DbError, is_locked};
use crate::file::DatabaseFile;
use crate::location::Location;
use crate::transaction_access::Access;

type Manager = <AnyConnection as Connection>::TransactionManager;

/// How long to wait for a connection while all are in use.
const PATIENCE: Duration = Duration::from_secs(5);
/// For how long to try again where others have just made room.
const MOMENT: Duration = Duration::from_millis(500);
/// How long to wait between such tries.
const PAUSE: Duration = Duration::from_millis(5);

/// Connections to one database, at most `capacity` at a time.
pub(crate) struct Pool {
    location: Location,
    access: Access,
    /// The file, where it is one, once the store is open.
    file: OnceLock<Arc<DatabaseFile>>,
    /// The other pools of the store.
    others: OnceLock<Vec<Weak<Pool>>>,
    capacity: usize,
    state: Mutex<State>,
    returned: Condvar,
}

#[derive(Default)]
struct State {
    idle: Vec<AnyConnection>,
    in_use: usize,
}

#[derive(Debug, thiserror::Error)]
#[error("all {capacity} connections were in use for {} seconds", PATIENCE.as_secs())]
struct Busy {
    capacity: usize,
}

impl Pool {
    pub(crate) fn new(location: Location, access: Access, capacity: usize) -> Self {
        Self {
            location,
            access,
            file: OnceLock::new(),
            others: OnceLock::new(),
            capacity,
            state: Mutex::default(),
            returned: Condvar::new(),
        }
    }

    /// Watches a file from now on: see [`DatabaseFile`].
    pub(crate) fn watch(&self, file: Arc<DatabaseFile>) {
        // a pool is told once
        let _ = self.file.set(file);
    }

    /// Lets pools know of each other.
    pub(crate) fn introduce(pools: &[Arc<Self>]) {
        for pool in pools {
            let others = pools.iter().filter(|other| !Arc::ptr_eq(other, pool));
            // a pool is told once
            let _ = pool.others.set(others.map(Arc::downgrade).collect());
        }
    }

    /// Runs `work` in a transaction of its own. One that writes succeeds only where its file is still
    /// there afterwards.
    ///
    /// When both the work and its rollback fail, as they do on a full disk, the failure of the work
    /// is the one to tell.
    pub(crate) fn transaction<T>(
        &self,
        access: Access,
        work: impl FnOnce(&mut AnyConnection) -> Result<T, DbError>,
    ) -> Result<T, DbError> {
        let mut turn = self.wait_for_turn()?;
        let mut connection = turn.begin(access)?;
        let outcome = self.check_file(access).and_then(|()| work(&mut connection));
        let ended = match &outcome {
            Ok(_) => Manager::commit_transaction(&mut connection),
            Err(_) => Manager::rollback_transaction(&mut connection),
        };
        match outcome {
            Ok(value) => match ended {
                Ok(()) => {
                    turn.give_back(connection);
                    self.check_file(access)?;
                    Ok(value)
                }
                Err(error) => {
                    turn.give_back_if_irreplaceable(connection);
                    Err(DbError::of_commit(error, access))
                }
            },
            Err(failure) => {
                if ended.is_ok() && failure.leaves_connection_sound() {
                    turn.give_back(connection);
                } else {
                    turn.give_back_if_irreplaceable(connection);
                }
                Err(failure)
            }
        }
    }

    /// Runs `work` on a new connection, outside of any transaction, and keeps the connection.
    pub(crate) fn with_new_connection<T>(
        &self,
        work: impl FnOnce(&mut AnyConnection) -> T,
    ) -> Result<T, DbError> {
        let mut connection = self.connect()?;
        let outcome = work(&mut connection);
        self.state().idle.push(connection);
        Ok(outcome)
    }

    /// Runs `work` outside of any transaction.
    pub(crate) fn outside_transaction<T>(
        &self,
        work: impl FnOnce(&mut AnyConnection) -> Result<T, DbError>,
    ) -> Result<T, DbError> {
        let mut turn = self.wait_for_turn()?;
        let mut connection = match turn.idle.take() {
            Some(connection) => connection,
            None => self.connect()?,
        };
        let outcome = work(&mut connection);
        turn.give_back(connection);
        outcome
    }

    /// Checks that the file, where it is one, is still there.
    pub(crate) fn check(&self) -> Result<(), DbError> {
        self.check_file(Access::Write)
    }

    fn connect(&self) -> Result<AnyConnection, DbError> {
        let file = self.file.get();
        let connect = || connect(&self.location, self.access, file.is_none());
        let connection = match connect() {
            Ok(connection) => connection,
            Err(_) if self.let_others_go() => soon(connect)?,
            // what is not there is to be told, and not that it cannot be opened
            Err(error) => {
                return Err(file
                    .map_or(Ok(()), |file| file.check_file())
                    .err()
                    .unwrap_or(error));
            }
        };
        if let Some(file) = file {
            if self.access == Access::Write {
                file.writer_opened();
            }
            file.check()?;
        }
        Ok(connection)
    }

    /// Closes what nobody uses of the connections that other pools hold, and says whether there was any. Where a server takes
    /// fewer connections than all pools may have, those who came first would keep the others out for ever.
    fn let_others_go(&self) -> bool {
        #[cfg(feature = "postgres")]
        if matches!(self.location, Location::Postgres(_)) {
            let others = self.others.get().into_iter().flatten();
            let idle = others.filter_map(|other| Some(std::mem::take(&mut other.upgrade()?.state().idle)));
            return idle.map(|idle| idle.len()).sum::<usize>() > 0;
        }
        false
    }

    fn check_file(&self, access: Access) -> Result<(), DbError> {
        match self.file.get() {
            Some(file) if access == Access::Write => file.check(),
            _ => Ok(()),
        }
    }

    fn wait_for_turn(&self) -> Result<Turn<'_>, DbError> {
        let full = |state: &mut State| state.in_use >= self.capacity;
        let (mut state, _) = self
            .returned
            .wait_timeout_while(self.state(), PATIENCE, full)
            .unwrap_or_else(PoisonError::into_inner);
        if full(&mut state) {
            let capacity = self.capacity;
            return Err(DbError::Connect(Box::new(Busy { capacity })));
        }
        state.in_use += 1;
        let idle = state.idle.pop();
        Ok(Turn { pool: self, idle })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a new connection leads to the same data.
    fn can_connect_again(&self) -> bool {
        #[cfg(feature = "sqlite")]
        if self.location == Location::SqliteMemory {
            return false;
        }
        true
    }
}

/// The right to use one connection, given back when dropped.
struct Turn<'a> {
    pool: &'a Pool,
    idle: Option<AnyConnection>,
}

impl Turn<'_> {
    /// A connection on which a transaction has begun.
    ///
    /// A connection may have been lost while it was idle. That shows when the transaction begins:
    /// then nothing was done yet, and it begins anew on a new connection.
    fn begin(&mut self, access: Access) -> Result<AnyConnection, DbError> {
        if let Some(mut connection) = self.idle.take() {
            match begin(&mut connection, access) {
                Ok(()) => return Ok(connection),
                // others kept it waiting: on a new connection it would wait as long once more
                Err(error) if is_locked(&error) || !self.pool.can_connect_again() => {
                    self.give_back(connection);
                    return Err(error.into());
                }
                // what was lost with it are the others that are idle, too
                Err(_) => self.pool.state().idle.clear(),
            }
        }
        let mut connection = self.pool.connect()?;
        begin(&mut connection, access)?;
        Ok(connection)
    }

    fn give_back(&self, connection: AnyConnection) {
        self.pool.state().idle.push(connection);
    }

    fn give_back_if_irreplaceable(&self, connection: AnyConnection) {
        if !self.pool.can_connect_again() {
            self.give_back(connection);
        }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.pool.state().in_use -= 1;
        self.pool.returned.notify_one();
    }
}

/// Tries again for a moment: a server takes some milliseconds to notice that connections were closed.
fn soon<T>(connect: impl Fn() -> Result<T, DbError>) -> Result<T, DbError> {
    let begun = Instant::now();
    loop {
        std::thread::sleep(PAUSE);
        match connect() {
            Err(_) if begun.elapsed() < MOMENT => {}
            outcome => return outcome,
        }
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool")
            .field("capacity", &self.capacity)
            .finish_non_exhaustive()
    }
}
