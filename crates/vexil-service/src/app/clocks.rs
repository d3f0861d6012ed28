//! What cannot be undone is not done on the word of one wrong clock: servers that share a database have its clock in
//! common, and one that is ahead of it applies nothing that is scheduled and deletes nothing that is old.

use time::Duration;
use vexil_store::StoreError;

use crate::app::App;

/// So much may a server be ahead.
const AHEAD: Duration = Duration::minutes(1);

/// Why a server does not act by its clock.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClockError {
    /// It is ahead.
    #[error(
        "the clock of this server is more than a minute ahead of the database's; set it right, until then what is due is left to other servers"
    )]
    Ahead,
    /// The database did not tell its time.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl App {
    /// Checks that what is due by the clock of this server may be done: that the database's is not far behind it.
    ///
    /// # Errors
    ///
    /// When it is, or does not answer.
    pub fn check_clock(&self) -> Result<(), ClockError> {
        let shared = self.shared.store.clock()?;
        match shared {
            Some(shared) if self.now() > shared.saturating_add(AHEAD) => Err(ClockError::Ahead),
            _ => Ok(()),
        }
    }
}
