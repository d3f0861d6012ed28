//! Takes in usage reports: gathers those that arrive together into one row of the inbox, and answers each of
//! them once that row is stored.

mod appending;
mod entry;
mod numbers;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot, watch};
use uuid::Uuid;
use vexil_metrics::Packed;
use vexil_store::{ReportKey, UsageStore, WriterId};

use self::appending::Appending;
use self::entry::Entry;
pub use self::numbers::UsageNumbers;
use crate::clock::Clock;
use crate::deadlines::{Deadlines, within};
use crate::memory::{Held, Space};
use crate::operations::{Error, RETRY_BUSY, chain};

/// How many bytes of reports may wait; with more, senders wait a little, and are then told to come back.
const WAITING: usize = 16 << 20;

/// How many packed bytes are stored together.
const GROUP: usize = 1 << 20;

/// Takes in usage reports. Cloning shares it.
///
/// One thread writes. While it does, further reports gather, and become its next row: the busier the server, the
/// more reports share one.
#[derive(Clone)]
pub struct UsageWriter {
    messages: mpsc::UnboundedSender<Message>,
    numbers: Arc<UsageNumbers>,
    room: Space,
    /// For how long a sender waits for its answer.
    deadline: Duration,
}

opaque!(UsageWriter);

/// What the thread that writes is told.
enum Message {
    Report(Entry),
    Finish(oneshot::Sender<()>),
}

impl UsageWriter {
    /// Starts a writer on `store`.
    #[must_use]
    pub fn start(store: Arc<dyn UsageStore + Send + Sync>, clock: Clock) -> Self {
        let (messages, received) = mpsc::unbounded_channel();
        let numbers = Arc::new(UsageNumbers::default());
        let counting = Arc::clone(&numbers);
        let writer = WriterId((Uuid::new_v4().as_u64_pair().0 >> 1).cast_signed());
        let started = thread::Builder::new()
            .name("usage-writer".to_owned())
            .spawn(move || write_groups(Appending::new(&*store, writer, clock, counting), received));
        if let Err(error) = started {
            tracing::error!(cause = chain(&error), "usage reports cannot be taken in");
        }
        Self {
            messages,
            numbers,
            room: Space::new(WAITING),
            deadline: Deadlines::default().store,
        }
    }

    /// How many groups of reports this server has appended.
    #[must_use]
    pub fn appended(&self) -> u64 {
        *self.numbers.groups.borrow()
    }

    /// Room for a report of so many bytes. A report should have it before it is read.
    ///
    /// # Errors
    ///
    /// When others fill the room, and go on to for a while.
    pub(crate) async fn room(&self, bytes: usize) -> Result<Held, Error> {
        if let Some(room) = self.room.try_take(bytes) {
            return Ok(room);
        }
        self.room.take(bytes).await.ok_or(Error::Busy {
            doing: "other usage reports",
            retry_after: RETRY_BUSY,
        })
    }

    /// Adds a report. Returns once it is stored.
    ///
    /// # Errors
    ///
    /// When it cannot be stored, which harms no other report, or when it could not be; then nothing of it was,
    /// except after [`Error::UnknownOutcome`], when it may have been.
    pub(crate) async fn submit(
        &self,
        counts: Packed,
        key: Option<ReportKey>,
        room: Held,
    ) -> Result<(), Error> {
        if counts.is_empty() {
            return Ok(());
        }
        let (stored, answer) = oneshot::channel();
        let begun = Arc::new(AtomicBool::new(false));
        let entry = Message::Report(Entry {
            counts,
            key,
            begun: Arc::clone(&begun),
            stored,
            _room: room,
        });
        self.messages.send(entry).map_err(|_closed| stopped())?;
        match within(self.deadline, answer).await {
            Some(answer) => answer.map_err(|_closed| stopped())?,
            // the answer is dropped by now, so that it is not begun any more unless it was
            None if begun.load(Ordering::SeqCst) => Err(Error::UnknownOutcome {
                source: Arc::from(Box::<dyn std::error::Error + Send + Sync>::from(
                    "the database did not answer in time",
                )),
            }),
            None => Err(Error::unavailable("usage reports are not stored in time")),
        }
    }

    /// Hears of each group that is stored from now on.
    #[must_use]
    pub fn listen(&self) -> watch::Receiver<u64> {
        self.numbers.groups.subscribe()
    }

    /// What became of the reports.
    #[must_use]
    pub fn numbers(&self) -> &UsageNumbers {
        &self.numbers
    }

    /// Adds counts, and does not wait until they are stored: that is told to the receiver, without which they are not.
    ///
    /// # Errors
    ///
    /// When others fill the room.
    pub(crate) fn send(&self, counts: Packed) -> Result<oneshot::Receiver<Result<(), Error>>, Error> {
        let room = self.room.try_take(counts.as_bytes().len()).ok_or(Error::Busy {
            doing: "other usage reports",
            retry_after: RETRY_BUSY,
        })?;
        let (stored, answer) = oneshot::channel();
        let entry = Message::Report(Entry {
            counts,
            key: None,
            begun: Arc::default(),
            stored,
            _room: room,
        });
        self.messages.send(entry).map_err(|_closed| stopped())?;
        Ok(answer)
    }

    /// Writes all that was submitted before, and stops. Later reports are refused.
    pub async fn finish(&self) {
        let (done, finished) = oneshot::channel();
        if self.messages.send(Message::Finish(done)).is_ok() {
            finished.await.unwrap_or_default();
        }
    }
}

fn stopped() -> Error {
    Error::unavailable("usage reports are no longer taken in")
}

/// Writes what arrives, one group after another, until told to finish or nobody can send any more.
fn write_groups(mut appending: Appending<'_>, mut messages: mpsc::UnboundedReceiver<Message>) {
    let mut finished = None;
    while finished.is_none() {
        let Some(first) = messages.blocking_recv() else {
            return;
        };
        let mut group = Vec::new();
        let mut bytes = 0;
        let mut next = Some(first);
        while let Some(message) = next {
            match message {
                Message::Report(entry) => {
                    if let Some(entry) = entry.begin() {
                        bytes += entry.counts.as_bytes().len();
                        group.push(entry);
                    }
                }
                Message::Finish(done) => finished = Some(done),
            }
            next = if bytes < GROUP && finished.is_none() {
                messages.try_recv().ok()
            } else {
                None
            };
        }
        appending.append(group);
    }
    if let Some(done) = finished {
        // whoever asked may no longer wait
        let _ = done.send(());
    }
}

#[cfg(test)]
mod tests;
