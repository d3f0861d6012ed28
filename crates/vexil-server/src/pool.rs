//! Threads for work of one kind, with a bounded queue. Kinds of work that must not wait for each other have
//! pools of their own.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use tokio::sync::oneshot;
use vexil_budget::{Reason, Stop};

use crate::deadlines::within;
use crate::operations::chain;

/// Threads for work of one kind. Cloning shares them; they end when the last clone is gone.
#[derive(Clone)]
pub(crate) struct Pool(Arc<Owner>);

/// How a pool is made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PoolSettings {
    /// What its threads are called.
    pub(crate) name: &'static str,
    /// How many threads work at a time.
    pub(crate) threads: usize,
    /// How much work may wait for a thread.
    pub(crate) waiting: usize,
    /// How many threads more may exist while others wait in [`Pool::while_waiting`].
    pub(crate) suspended: usize,
}

/// Why work was not done, or not seen to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotDone {
    /// Too much waits already: it was not begun.
    Full,
    /// Its turn did not come in time: it was not begun.
    NotBegun,
    /// It was begun and did not end in time. It may still end, and its outcome is not known.
    NotEnded,
    /// It broke off.
    Broken,
}

struct Owner(Arc<Shared>);

struct Shared {
    settings: PoolSettings,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Slot>,
    /// Threads that exist.
    threads: usize,
    /// Threads that wait for work.
    idle: usize,
    /// Threads in [`Pool::while_waiting`].
    suspended: usize,
    closed: bool,
}

type Work = Box<dyn FnOnce() + Send>;

/// Work that waits for its turn; it is gone when its turn came, or when it was given up.
type Slot = Arc<Mutex<Option<Work>>>;

impl Pool {
    pub(crate) fn new(settings: PoolSettings) -> Self {
        Self(Arc::new(Owner(Arc::new(Shared {
            settings,
            state: Mutex::default(),
            changed: Condvar::new(),
        }))))
    }

    /// Does work on a thread of the pool. Dropping the future gives up work that was not begun, and tells
    /// work that was to stop.
    ///
    /// # Errors
    ///
    /// When it is not done within `deadline`, its turn included.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        deadline: Duration,
        work: impl FnOnce(&Stop) -> T + Send + 'static,
    ) -> Result<T, NotDone> {
        let stop = Stop::default();
        let told = stop.clone();
        let (send, receive) = oneshot::channel();
        let slot = self.enqueue(Box::new(move || {
            // whoever asked may be gone
            drop(send.send(work(&told)));
        }))?;
        let waiting = Waiting { slot, stop };
        match within(deadline, receive).await {
            Some(Ok(done)) => Ok(done),
            Some(Err(_broken)) => Err(NotDone::Broken),
            None => {
                waiting.stop.set(Reason::Late);
                match take(&waiting.slot) {
                    Some(_never_begun) => Err(NotDone::NotBegun),
                    None => Err(NotDone::NotEnded),
                }
            }
        }
    }

    /// Begins work that nobody waits for.
    ///
    /// # Errors
    ///
    /// When too much waits already.
    pub(crate) fn start(&self, work: impl FnOnce() + Send + 'static) -> Result<(), NotDone> {
        self.enqueue(Box::new(work)).map(drop)
    }

    /// Waits on a thread of this pool, while another thread may take its place.
    pub(crate) fn while_waiting<T>(&self, wait: impl FnOnce() -> T) -> T {
        self.0.0.suspend();
        let waited = wait();
        self.0.0.resume();
        waited
    }

    fn enqueue(&self, work: Work) -> Result<Slot, NotDone> {
        let shared = &self.0.0;
        let slot = Arc::new(Mutex::new(Some(work)));
        let mut state = shared.state();
        let free = state.idle + shared.most(&state).saturating_sub(state.threads);
        let room = shared.settings.waiting + free;
        if state.queue.len() >= room {
            // what was given up takes no place
            state.queue.retain(|slot| lock(slot).is_some());
            if state.queue.len() >= room {
                return Err(NotDone::Full);
            }
        }
        state.queue.push_back(Arc::clone(&slot));
        shared.wake_or_spawn(&mut state)?;
        Ok(slot)
    }
}

/// Gives work up when nobody waits for it any more.
struct Waiting {
    slot: Slot,
    stop: Stop,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        drop(take(&self.slot));
        self.stop.set(Reason::Cancelled);
    }
}

fn take(slot: &Slot) -> Option<Work> {
    lock(slot).take()
}

fn lock(slot: &Slot) -> MutexGuard<'_, Option<Work>> {
    slot.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many threads there may be now.
    fn most(&self, state: &State) -> usize {
        self.settings.threads + state.suspended.min(self.settings.suspended)
    }

    /// Sees to it that a thread looks at the queue.
    fn wake_or_spawn(self: &Arc<Self>, state: &mut State) -> Result<(), NotDone> {
        if state.idle > 0 {
            self.changed.notify_one();
            return Ok(());
        }
        if state.threads >= self.most(state) {
            return Ok(());
        }
        let shared = Arc::clone(self);
        let named = thread::Builder::new().name(self.settings.name.to_owned());
        match named.spawn(move || shared.work()) {
            Ok(_detached) => state.threads += 1,
            Err(error) if state.threads == 0 => {
                tracing::error!(cause = chain(&error), "no thread for {}", self.settings.name);
                state.queue.clear();
                return Err(NotDone::Full);
            }
            // those that exist will come to it
            Err(_) => {}
        }
        Ok(())
    }

    fn suspend(self: &Arc<Self>) {
        let mut state = self.state();
        state.suspended += 1;
        if !state.queue.is_empty() {
            // without another thread those that exist come to it later
            let _ = self.wake_or_spawn(&mut state);
        }
    }

    fn resume(&self) {
        self.state().suspended -= 1;
    }

    fn work(self: &Arc<Self>) {
        while let Some(slot) = self.next() {
            let Some(work) = take(&slot) else { continue };
            drop(slot);
            if catch_unwind(AssertUnwindSafe(work)).is_err() {
                tracing::error!("work in {} broke off", self.settings.name);
            }
        }
    }

    /// The next work; `None` when this thread is one too many, or nobody can send any more.
    fn next(self: &Arc<Self>) -> Option<Slot> {
        let mut state = self.state();
        loop {
            let working = state.threads - state.suspended;
            if working > self.settings.threads || (state.closed && state.queue.is_empty()) {
                state.threads -= 1;
                return None;
            }
            if let Some(slot) = state.queue.pop_front() {
                if !state.queue.is_empty() {
                    // one wake-up may have stood for several
                    let _ = self.wake_or_spawn(&mut state);
                }
                return Some(slot);
            }
            state.idle += 1;
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.idle -= 1;
        }
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        self.0.state().closed = true;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests;
