//! A flag that tells work to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// Tells work to stop, from another thread. Cloning shares the flag; it is never taken back.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicU8>);

/// Why work is to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// It took too long.
    Late,
    /// Nobody waits for the answer any more.
    Cancelled,
}

const GO_ON: u8 = 0;
const LATE: u8 = 1;
const CANCELLED: u8 = 2;

impl Stop {
    /// Tells the work to stop. Of several reasons the first is kept.
    pub fn set(&self, reason: Reason) {
        let value = match reason {
            Reason::Late => LATE,
            Reason::Cancelled => CANCELLED,
        };
        // a flag that is set already keeps its reason
        let _ = self
            .0
            .compare_exchange(GO_ON, value, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Why the work is to stop, if it is.
    #[must_use]
    pub fn reason(&self) -> Option<Reason> {
        match self.0.load(Ordering::Relaxed) {
            GO_ON => None,
            LATE => Some(Reason::Late),
            _ => Some(Reason::Cancelled),
        }
    }
}
