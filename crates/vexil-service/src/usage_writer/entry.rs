//! A report that is to be stored.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::oneshot;
use vexil_metrics::Packed;
use vexil_store::ReportKey;

use crate::memory::Held;
use crate::operations::Error;

/// A report that is to be stored.
pub(super) struct Entry {
    pub(super) counts: Packed,
    /// What its sender calls it.
    pub(super) key: Option<ReportKey>,
    /// Whether storing it has begun.
    pub(super) begun: Arc<AtomicBool>,
    pub(super) stored: oneshot::Sender<Result<(), Error>>,
    pub(super) _room: Held,
}

impl Entry {
    /// Begins to store it, unless its sender has gone.
    pub(super) fn begin(self) -> Option<Self> {
        self.begun.store(true, Ordering::SeqCst);
        (!self.stored.is_closed()).then_some(self)
    }

    pub(super) fn answer(self, outcome: Result<(), Error>) {
        // whoever sent it may have hung up
        drop(self.stored.send(outcome));
    }
}
