//! Tells threads to end.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Tells threads to end.
#[derive(Default)]
pub(crate) struct Stop {
    told: Mutex<bool>,
    changed: Condvar,
}

impl Stop {
    /// Tells them.
    pub(super) fn tell(&self) {
        *self.told.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.changed.notify_all();
    }

    /// Waits, and says whether to go on.
    pub(crate) fn wait(&self, period: Duration) -> bool {
        let told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let (told, _) = self
            .changed
            .wait_timeout_while(told, period, |told| !*told)
            .unwrap_or_else(PoisonError::into_inner);
        !*told
    }
}
