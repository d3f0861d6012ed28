//! Threads for work of one kind, with a bounded queue. Kinds of work that must not wait for each other have
//! pools of their own.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::task::{Context, Poll, Wake, Waker};
use std::thread;
use std::time::Duration;

use tokio::sync::oneshot;
use vexil_budget::{Reason, Stop};

use crate::deadlines::within;
use crate::operations::chain;

/// How often work that waits looks whether it is to stop.
const GLANCE: Duration = Duration::from_millis(50);

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

/// Work that is told when it is to stop.
type Stoppable = Box<dyn FnOnce(&Stop) + Send>;

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
        let outcome = Arc::new(Mutex::new(None));
        let place = Arc::clone(&outcome);
        self.see_done(
            deadline,
            Box::new(move |stop| {
                let done = work(stop);
                *lock(&place) = Some(done);
            }),
        )
        .await?;
        lock(&outcome).take().ok_or(NotDone::Broken)
    }

    /// The part of [`Pool::run`] that is the same for every type of outcome, and so is compiled once.
    async fn see_done(&self, deadline: Duration, work: Stoppable) -> Result<(), NotDone> {
        if current_stop().is_some() {
            return self.see_done_blocking(deadline, work);
        }
        let (send, receive) = oneshot::channel();
        let waiting = self.hand_over(work, move || _ = send.send(()))?;
        match within(deadline, receive).await {
            Some(Ok(())) => Ok(()),
            Some(Err(_broken)) => Err(NotDone::Broken),
            None => Err(waiting.give_up()),
        }
    }

    /// The same for whoever waits on a thread of another pool.
    #[expect(clippy::disallowed_methods, reason = "it waits for as long as it is told to")]
    fn see_done_blocking(&self, deadline: Duration, work: Stoppable) -> Result<(), NotDone> {
        let (send, receive) = mpsc::sync_channel(1);
        let waiting = self.hand_over(work, move || _ = send.send(()))?;
        match receive.recv_timeout(deadline) {
            Ok(()) => Ok(()),
            Err(mpsc::RecvTimeoutError::Disconnected) => Err(NotDone::Broken),
            Err(mpsc::RecvTimeoutError::Timeout) => Err(waiting.give_up()),
        }
    }

    /// Queues work; its end is told by `tell`.
    fn hand_over(&self, work: Stoppable, tell: impl FnOnce() + Send + 'static) -> Result<Waiting, NotDone> {
        let stop = Stop::default();
        let told = stop.clone();
        let slot = self.enqueue(Box::new(move || {
            let _working = Working::begin(&told);
            work(&told);
            // whoever asked may be gone
            tell();
        }))?;
        Ok(Waiting { slot, stop })
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

thread_local! {
    /// What stops the work that this thread does.
    static STOP: RefCell<Option<Stop>> = const { RefCell::new(None) };
}

/// What stops the work of this thread, if it does work of a pool.
pub(crate) fn current_stop() -> Option<Stop> {
    STOP.with_borrow(Clone::clone)
}

/// Marks a thread as one that does work, until this is dropped.
struct Working;

impl Working {
    fn begin(stop: &Stop) -> Self {
        STOP.set(Some(stop.clone()));
        Self
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        STOP.set(None);
    }
}

/// Sees a future to its end on a thread of a pool; `None` when the work of the thread is to stop before.
#[expect(
    clippy::disallowed_methods,
    reason = "it looks up often enough to see that it is to stop"
)]
pub fn wait_for<T>(stop: &Stop, future: impl Future<Output = T>) -> Option<T> {
    struct Unpark(thread::Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(done) => return Some(done),
            Poll::Pending if stop.reason().is_some() => return None,
            Poll::Pending => thread::park_timeout(GLANCE),
        }
    }
}

/// Gives work up when nobody waits for it any more.
struct Waiting {
    slot: Slot,
    stop: Stop,
}

impl Waiting {
    /// Tells work that it is late, and whether it was begun.
    fn give_up(&self) -> NotDone {
        self.stop.set(Reason::Late);
        match take(&self.slot) {
            Some(_never_begun) => NotDone::NotBegun,
            None => NotDone::NotEnded,
        }
    }
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

fn lock<T>(slot: &Mutex<T>) -> MutexGuard<'_, T> {
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
            #[expect(
                clippy::disallowed_methods,
                reason = "a thread of the pool has nothing else to do"
            )]
            let woken = self.changed.wait(state);
            state = woken.unwrap_or_else(PoisonError::into_inner);
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
