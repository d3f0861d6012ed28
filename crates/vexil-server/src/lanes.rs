//! Which threads do which work. Each kind has its own, so none waits for another: what SDKs wait for is
//! rendered while people edit, read, and ask dear questions.

use crate::operations::{Error, RETRY_BUSY};
use crate::pool::{NotDone, Pool, PoolSettings};

/// Threads for each kind of work. Cloning shares them.
#[derive(Clone)]
pub(crate) struct Lanes {
    /// What SDKs wait for.
    pub(crate) rendering: Pool,
    /// Reading from the database.
    pub(crate) reading: Pool,
    /// Edits, one after another.
    pub(crate) editing: Pool,
    /// Questions that take computing: playground, comparisons, what stands against change requests.
    pub(crate) questions: Pool,
}

impl Default for Lanes {
    fn default() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let lane = |name, threads, waiting| PoolSettings {
            name,
            threads,
            waiting,
            suspended: 0,
        };
        Self {
            rendering: Pool::new(lane("rendering", processors, 1024)),
            reading: Pool::new(lane("reading", 4.max(processors), 512)),
            editing: Pool::new(lane("editing", 1, 128)),
            questions: Pool::new(PoolSettings {
                suspended: 64,
                ..lane("questions", processors, 32)
            }),
        }
    }
}

/// The answer where a lane did not do what was asked of it.
pub(crate) fn refused(error: NotDone, doing: &'static str) -> Error {
    match error {
        NotDone::Broken => Error::internal(format!("work beside {doing} broke off")),
        NotDone::Full | NotDone::NotBegun | NotDone::NotEnded => Error::Busy {
            doing,
            retry_after: RETRY_BUSY,
        },
    }
}
