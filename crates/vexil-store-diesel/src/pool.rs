//! A small pool of connections. One that failed is replaced; nobody else notices.

use std::fmt;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use diesel::Connection;
use diesel::result::Error;

use crate::connection::{AnyConnection, connect};
use crate::error::Failure;
use crate::location::Location;

/// How long to wait for a connection while all are in use.
const PATIENCE: Duration = Duration::from_secs(30);

/// Connections to one database, at most `capacity` at a time.
pub(crate) struct Pool {
    location: Location,
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
    pub(crate) fn new(location: Location, capacity: usize) -> Self {
        Self {
            location,
            capacity,
            state: Mutex::default(),
            returned: Condvar::new(),
        }
    }

    /// Runs `work` in a transaction of its own.
    ///
    /// A connection may have been lost while it was idle. That shows when the transaction begins:
    /// then nothing was done yet, and it begins anew on a new connection.
    pub(crate) fn transaction<T>(
        &self,
        work: impl Fn(&mut AnyConnection) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let idle = self.wait_for_turn()?;
        let turn = Turn { pool: self };
        if let Some(mut connection) = idle {
            let attempt = Attempt::make(&mut connection, &work);
            if attempt.begun {
                return turn.end(connection, attempt);
            }
            self.state().idle.clear();
        }
        let mut connection = connect(&self.location)?;
        let attempt = Attempt::make(&mut connection, &work);
        turn.end(connection, attempt)
    }

    /// Runs `work` on a new connection, outside of any transaction, and keeps the connection.
    pub(crate) fn with_new_connection<T>(
        &self,
        work: impl FnOnce(&mut AnyConnection) -> T,
    ) -> Result<T, Failure> {
        let mut connection = connect(&self.location)?;
        let outcome = work(&mut connection);
        self.state().idle.push(connection);
        Ok(outcome)
    }

    fn wait_for_turn(&self) -> Result<Option<AnyConnection>, Failure> {
        let full = |state: &mut State| state.in_use >= self.capacity;
        let (mut state, _) = self
            .returned
            .wait_timeout_while(self.state(), PATIENCE, full)
            .unwrap_or_else(PoisonError::into_inner);
        if full(&mut state) {
            let capacity = self.capacity;
            return Err(Failure::Connect(Box::new(Busy { capacity })));
        }
        state.in_use += 1;
        Ok(state.idle.pop())
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

/// What came of a transaction.
struct Attempt<T> {
    /// Whether the transaction began.
    begun: bool,
    /// Whether the connection is as good as before.
    sound: bool,
    outcome: Result<T, Failure>,
}

impl<T> Attempt<T> {
    /// Runs `work` in a transaction. When both the work and its rollback fail, as they do on a full
    /// disk, the failure of the work is the one to tell.
    fn make(connection: &mut AnyConnection, work: impl Fn(&mut AnyConnection) -> Result<T, Failure>) -> Self {
        let mut begun = false;
        let mut cause = None;
        let outcome = connection.transaction(|connection| {
            begun = true;
            work(connection).map_err(|failure| {
                cause = Some(failure);
                Error::RollbackTransaction
            })
        });
        let rolled_back = matches!(outcome, Err(Error::RollbackTransaction));
        let sound = match &cause {
            Some(failure) => rolled_back && failure.leaves_connection_sound(),
            None => outcome.is_ok(),
        };
        Self {
            begun,
            sound,
            outcome: outcome.map_err(|error| cause.unwrap_or(Failure::Database(error))),
        }
    }
}

/// The right to use one connection, given back when dropped.
struct Turn<'a> {
    pool: &'a Pool,
}

impl Turn<'_> {
    fn end<T>(self, connection: AnyConnection, attempt: Attempt<T>) -> Result<T, Failure> {
        if attempt.sound || !self.pool.can_connect_again() {
            self.pool.state().idle.push(connection);
        }
        attempt.outcome
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.pool.state().in_use -= 1;
        self.pool.returned.notify_one();
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool")
            .field("capacity", &self.capacity)
            .finish_non_exhaustive()
    }
}
