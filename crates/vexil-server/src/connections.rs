//! Connections of one worker: which of their peers is waited for, since when, and who has to go.
//!
//! Every byte to and from a peer goes through a [`Socket`]. It notes what happens; a sweep several times a
//! second compares that with the [`Deadlines`] and closes the connections of those who take too long. Where
//! there are too many connections, those go that have been waited for longest: whoever sends a whole request
//! at once never is among them.

mod answer;
mod bare_error;
mod socket;
mod wire;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::task::{Context, Waker};
use std::time::{Duration, Instant};

use tokio::net::TcpStream;

pub(crate) use self::answer::Answer;
pub(crate) use self::socket::Socket;
pub(crate) use self::wire::Wire;
use vexil_service::deadlines::Deadlines;

/// How often connections are looked at.
const SWEEP: Duration = Duration::from_millis(250);
/// How long a peer may be waited for without being among those that make room for others.
const GRACE: Duration = Duration::from_secs(1);

/// All connections of one worker. Cloning shares them.
#[derive(Clone)]
pub(crate) struct Connections(Rc<Table>);

struct Table {
    deadlines: Deadlines,
    /// How many there may be.
    most: usize,
    open: RefCell<BTreeMap<u64, Rc<Connection>>>,
    next: Cell<u64>,
    /// The time, as of the last sweep, without times at which the worker stood still.
    now: Cell<Instant>,
    /// When the server was told to stop.
    stopped: Cell<Option<Instant>>,
}

/// What becomes of a connection that is taken over.
type Taker = Box<dyn FnOnce(TcpStream, Listed)>;

/// A connection for as long as it is in the table.
pub(crate) struct Listed(Rc<Connection>);

/// What is going on between the server and one peer.
pub(crate) struct Connection {
    table: Rc<Table>,
    number: u64,
    stage: Cell<Stage>,
    since: Cell<Instant>,
    /// Since when the peer takes no more bytes, and how many it had taken by then.
    blocked: Cell<Option<(Instant, u64)>>,
    written: Cell<u64>,
    end: Cell<Option<End>>,
    /// Whether nothing is read, since there is no room for it.
    paused: Cell<bool>,
    /// Whether the answer goes on for as long as the peer likes.
    listens: Cell<bool>,
    /// Who takes the connection over once the head of the answer is sent.
    taker: RefCell<Option<Taker>>,
    /// Whether somebody has.
    is_taken: Cell<bool>,
    waker: RefCell<Option<Waker>>,
}

impl Drop for Listed {
    fn drop(&mut self) {
        self.0.table.open.borrow_mut().remove(&self.0.number);
    }
}

/// What a connection is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Nothing has arrived of the next request.
    Idle,
    /// A part of a request has arrived.
    Head,
    /// A request is being worked on.
    Handler,
    /// The body of a request is being read.
    Body,
    /// An answer is being sent.
    Answer,
}

/// How a connection is brought to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// The peer is told that its request came too slowly.
    TooSlow,
    /// Without a word.
    Silent,
}

impl Connections {
    /// No connections yet, `most` at a time. Must be called on the worker's own thread.
    pub(crate) fn new(most: usize, deadlines: Deadlines) -> Self {
        Self(Rc::new(Table {
            deadlines,
            most,
            open: RefCell::default(),
            next: Cell::new(0),
            now: Cell::new(Instant::now()),
            stopped: Cell::new(None),
        }))
    }

    /// Looks at all connections again and again. Ends when all connections are gone after `stopping` has.
    pub(crate) async fn watch(self, stopping: impl Fn() -> bool) {
        let mut turns = tokio::time::interval(SWEEP);
        turns.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut looked = Instant::now();
        loop {
            turns.tick().await;
            // while this thread stood still nobody was waited for
            let passed = looked.elapsed().min(2 * SWEEP);
            looked = Instant::now();
            let now = self.0.now.get() + passed;
            if stopping() && self.0.stopped.get().is_none() {
                self.0.stopped.set(Some(now));
            }
            self.sweep(now);
        }
    }

    /// A new connection; `None` when there are too many, all of them busy.
    pub(crate) fn open(&self) -> Option<Rc<Connection>> {
        let table = &self.0;
        if table.open.borrow().len() >= table.most && !table.make_room() {
            return None;
        }
        let number = table.next.replace(table.next.get() + 1);
        let connection = Rc::new(Connection {
            table: Rc::clone(table),
            number,
            stage: Cell::new(Stage::Idle),
            since: Cell::new(table.now.get()),
            blocked: Cell::new(None),
            written: Cell::new(0),
            end: Cell::new(None),
            paused: Cell::new(false),
            listens: Cell::new(false),
            taker: RefCell::new(None),
            is_taken: Cell::new(false),
            waker: RefCell::new(None),
        });
        table.open.borrow_mut().insert(number, Rc::clone(&connection));
        Some(connection)
    }

    /// Closes the connections of those who were waited for too long.
    fn sweep(&self, now: Instant) {
        let table = &self.0;
        table.now.set(now);
        for connection in table.open.borrow().values() {
            if let Some(end) = connection.verdict(now) {
                connection.close(end);
            }
        }
    }
}

impl Table {
    /// Closes some of the connections that have been waited for longest, and says whether there were any.
    fn make_room(&self) -> bool {
        let now = self.now.get();
        let open = self.open.borrow();
        let mut waited_for: Vec<_> = open
            .values()
            .filter_map(|connection| connection.waited_for(now).map(|since| (since, connection)))
            .collect();
        waited_for.sort_by_key(|(since, _)| *since);
        // not one at a time: to look for them takes as long as there are connections
        let some = self.most / 16 + 1;
        let gone = waited_for.iter().take(some);
        gone.clone()
            .for_each(|(_, connection)| connection.close(End::Silent));
        gone.len() > 0
    }
}

impl Connection {
    /// A request is handed to its handler.
    pub(crate) fn begin(&self) {
        self.enter(Stage::Handler);
    }

    /// Its answer begins.
    pub(crate) fn answer(&self) {
        self.enter(Stage::Answer);
    }

    /// The answer goes on for as long as the peer likes and takes what it is sent.
    pub(crate) fn listen(&self) {
        self.listens.set(true);
    }

    /// Leaves the connection to somebody else, once what was written so far is sent. A connection that is answered by the
    /// HTTP library takes several times as much memory.
    pub(crate) fn leave_to(&self, taker: impl FnOnce(TcpStream, Listed) + 'static) {
        *self.taker.borrow_mut() = Some(Box::new(taker));
    }

    fn taker(&self) -> Option<Taker> {
        let taker = self.taker.borrow_mut().take();
        self.is_taken.set(self.is_taken.get() || taker.is_some());
        taker
    }

    /// All of the answer was handed over.
    pub(crate) fn finish(&self) {
        if self.is_taken.get() {
            return;
        }
        self.listens.set(false);
        self.enter(Stage::Idle);
    }

    /// The body is being waited for, or no longer.
    pub(crate) fn read_body(&self, waits: bool) {
        self.enter(if waits { Stage::Body } else { Stage::Handler });
    }

    /// Reads nothing more, or goes on.
    pub(crate) fn pause(&self, paused: bool) {
        self.paused.set(paused);
        if !paused {
            self.wake();
        }
    }

    fn is_paused(&self) -> bool {
        self.paused.get()
    }

    /// Closes the connections of those who have been sending a body for longest, and says whether there were any.
    pub(crate) fn make_room_for_bodies(&self) -> bool {
        let now = self.table.now.get();
        let open = self.table.open.borrow();
        let slow = open.values().filter(|other| {
            other.stage.get() == Stage::Body && now.duration_since(other.since.get()) > GRACE
        });
        let oldest = slow.min_by_key(|other| other.since.get());
        oldest.inspect(|oldest| oldest.close(End::Silent)).is_some()
    }

    fn enter(&self, stage: Stage) {
        self.stage.set(stage);
        self.since.set(self.table.now.get());
    }

    /// Bytes have arrived.
    fn has_read(&self) {
        if self.stage.get() == Stage::Idle {
            self.enter(Stage::Head);
        }
    }

    /// The peer has taken some bytes.
    fn has_written(&self, bytes: usize) {
        self.written.set(self.written.get() + bytes as u64);
        self.blocked.set(None);
        if matches!(self.stage.get(), Stage::Idle | Stage::Head) {
            self.since.set(self.table.now.get());
        }
    }

    /// The peer takes no more bytes.
    fn is_blocked(&self) {
        if self.blocked.get().is_none() {
            self.blocked.set(Some((self.table.now.get(), self.written.get())));
        }
    }

    /// Whether, and how, the connection is to end.
    fn verdict(&self, now: Instant) -> Option<End> {
        let deadlines = &self.table.deadlines;
        let waited = now.duration_since(self.since.get());
        let stage = self.stage.get();
        if let Some(stopped) = self.table.stopped.get() {
            let over = now.duration_since(stopped) > deadlines.shutdown;
            if over
                || matches!(stage, Stage::Idle | Stage::Head | Stage::Body)
                || self.listens.get()
                || self.blocked.get().is_some()
            {
                return Some(End::Silent);
            }
        }
        if self.takes_too_little(now) {
            return Some(End::Silent);
        }
        match stage {
            Stage::Idle => (waited > deadlines.idle).then_some(End::Silent),
            Stage::Head => (waited > deadlines.head).then_some(End::TooSlow),
            Stage::Answer if self.listens.get() => None,
            Stage::Answer => (waited > deadlines.answer).then_some(End::Silent),
            Stage::Handler | Stage::Body => None,
        }
    }

    /// Whether the peer has taken too few bytes in the last window.
    fn takes_too_little(&self, now: Instant) -> bool {
        let deadlines = &self.table.deadlines;
        match self.blocked.get() {
            Some((since, taken)) if now.duration_since(since) > deadlines.window => {
                self.blocked.set(Some((now, self.written.get())));
                self.written.get() - taken < deadlines.answer_bytes
            }
            _ => false,
        }
    }

    /// Since when the peer is waited for, where that is long enough to make room for others.
    fn waited_for(&self, now: Instant) -> Option<Instant> {
        let since = match (self.blocked.get(), self.stage.get()) {
            (Some((since, _)), _) => since,
            (None, Stage::Idle | Stage::Head | Stage::Body) => self.since.get(),
            (None, Stage::Handler | Stage::Answer) => return None,
        };
        (now.duration_since(since) > GRACE).then_some(since)
    }

    fn close(&self, end: End) {
        if self.end.get().is_none() {
            self.end.set(Some(end));
            self.wake();
        }
    }

    fn wake(&self) {
        if let Some(waker) = self.waker.borrow_mut().take() {
            waker.wake();
        }
    }

    /// Remembers whom to wake when the connection is closed.
    fn wakes(&self, context: &Context<'_>) {
        let mut known = self.waker.borrow_mut();
        if !known
            .as_ref()
            .is_some_and(|known| known.will_wake(context.waker()))
        {
            *known = Some(context.waker().clone());
        }
    }
}
