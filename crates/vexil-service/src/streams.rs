//! Those who listen to what happens: each holds a connection for as long as it likes, so there are not too many, and
//! all are woken by one bell.
//!
//! Nobody has a queue. A stream knows which state it has told, and is asked for more only when its reader has taken
//! that; then it tells what leads from there to now. So a slow reader is told less often, and costs no more than others.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

/// Places for those who listen, and the bell. Cloning shares them.
#[derive(Clone)]
pub struct Streams {
    places: Arc<Semaphore>,
    most: usize,
    /// Rings when there is something to tell.
    pub bell: Bell,
}

opaque!(Streams);

impl Streams {
    /// So many may listen at a time.
    pub(crate) fn new(most: usize) -> Self {
        let most = most.min(Semaphore::MAX_PERMITS);
        Self {
            places: Arc::new(Semaphore::new(most)),
            most,
            bell: Bell::default(),
        }
    }

    /// A place, if one is free; it is given back when this is dropped.
    #[must_use]
    pub fn enter(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.places).try_acquire_owned().ok()
    }

    /// How many listen.
    #[must_use]
    pub fn open(&self) -> usize {
        self.most.saturating_sub(self.places.available_permits())
    }
}

/// Wakes those who listen. Cloning shares it.
#[derive(Clone)]
pub struct Bell(Arc<watch::Sender<u64>>);

opaque!(Bell);

impl Default for Bell {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(0)))
    }
}

impl Bell {
    /// Something may have changed.
    pub(crate) fn ring(&self) {
        self.0.send_modify(|_| ());
    }

    /// Time has passed.
    pub(crate) fn beat(&self) {
        self.0.send_modify(|beats| *beats += 1);
    }

    /// Hears it from now on; what is heard is how often time has passed.
    pub fn listen(&self) -> watch::Receiver<u64> {
        self.0.subscribe()
    }
}
