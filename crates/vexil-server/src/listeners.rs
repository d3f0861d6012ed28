//! Places for those who listen to what happens: each holds a connection for minutes, so there are not too many.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How many may listen at a time.
const MOST: usize = 1024;

/// The places. Cloning shares them.
#[derive(Clone)]
pub(crate) struct Listeners(Arc<Semaphore>);

impl Default for Listeners {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(MOST)))
    }
}

impl Listeners {
    /// A place, if one is free; it is given back when this is dropped.
    pub(crate) fn enter(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.0).try_acquire_owned().ok()
    }
}
