//! Which threads do which work. Each kind has its own, so none waits for another: what SDKs wait for is
//! rendered while people edit, read, and ask dear questions.

use std::time::Duration;

use crate::operations::{Error, RETRY_BUSY, TOO_LONG};
use crate::pool::{NotDone, Pool, PoolSettings};

/// Threads for each kind of work. Cloning shares them.
#[derive(Clone)]
pub(crate) struct Lanes {
    /// What SDKs wait for.
    pub(crate) rendering: Pool,
    /// The same, where clients choose what is rendered.
    pub(crate) narrowing: Pool,
    /// Reading large documents.
    pub(crate) parsing: Pool,
    /// Reading from the database.
    pub(crate) reading: Pool,
    /// Finding out whether the database answers: whoever asks for that waits for nothing else.
    pub(crate) checking: Pool,
    /// Edits, one after another.
    pub(crate) editing: Pool,
    /// What providers of single sign-on are asked.
    pub(crate) outside: Pool,
    /// Handlers that edit, most of which wait for that.
    pub(crate) writing: Pool,
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
            narrowing: Pool::new(lane("narrowing", 1, 256)),
            parsing: Pool::new(lane("parsing", processors, 256)),
            reading: Pool::new(lane("reading", 4.max(processors), 512)),
            checking: Pool::new(lane("checking", 1, 64)),
            editing: Pool::new(lane("editing", 1, 64)),
            outside: Pool::new(lane("outside", 4, 64)),
            writing: Pool::new(lane("writing", 16, 64)),
            questions: Pool::new(PoolSettings {
                suspended: 64,
                ..lane("questions", processors, 32)
            }),
        }
    }
}

/// The threads that make what SDKs wait for.
#[derive(Clone, Copy)]
pub struct Rendering<'a> {
    lanes: &'a Lanes,
    deadline: Duration,
}

opaque!(Rendering<'_>);

impl Lanes {
    /// The threads that make what SDKs wait for, and for how long they wait.
    pub(crate) fn rendering_within(&self, deadline: Duration) -> Rendering<'_> {
        Rendering {
            lanes: self,
            deadline,
        }
    }
}

impl Rendering<'_> {
    /// Makes what an SDK waits for, off the threads that answer requests. What clients narrowed down has
    /// threads of its own, since there is no end to what they can choose.
    ///
    /// # Errors
    ///
    /// When too many wait already, or it takes too long.
    pub(crate) async fn run<T: Send + 'static>(
        self,
        is_narrowed: bool,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        let lane = if is_narrowed {
            &self.lanes.narrowing
        } else {
            &self.lanes.rendering
        };
        let done = lane.run(self.deadline, move |_| work());
        done.await.map_err(|error| refused(error, "other answers"))
    }
}

/// On whose threads a handler runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    /// Those that read.
    Reading,
    /// Those that change something, and wait for their turn.
    Writing,
    /// Those that compute.
    Questions,
}

/// The answer where a lane did not do what was asked of it.
pub(crate) fn refused(error: NotDone, doing: &'static str) -> Error {
    match error {
        NotDone::Broken => Error::internal(format!("work beside {doing} broke off")),
        NotDone::Full | NotDone::NotBegun => Error::Busy {
            doing,
            retry_after: RETRY_BUSY,
        },
        NotDone::NotEnded => Error::Busy {
            doing: TOO_LONG,
            retry_after: RETRY_BUSY,
        },
    }
}
