//! Takes in usage reports: gathers those that arrive together into one transaction, and answers
//! each of them once that has committed.

use std::sync::Arc;
use std::thread;

use tokio::sync::{mpsc, oneshot};
use vexil_metrics::Batch;
use vexil_store::{StoreError, UsageStore, check_usage_storable};

use crate::operations::{Error, chain};

/// How many reports may wait; more make their senders wait.
const WAITING: usize = 4096;

/// How many rows a transaction is filled with before it is written.
const ROWS: usize = 50_000;

/// Takes in usage reports. Cloning shares it.
///
/// One thread writes. While it does, further reports gather, and become its next transaction: the
/// busier the server, the more reports share one.
#[derive(Clone)]
pub struct UsageWriter {
    messages: mpsc::Sender<Message>,
}

enum Message {
    Report(Entry),
    Finish(oneshot::Sender<()>),
}

struct Entry {
    batch: Batch,
    written: oneshot::Sender<Result<(), Error>>,
}

impl UsageWriter {
    /// Starts a writer on `store`.
    #[must_use]
    pub fn start(store: Arc<dyn UsageStore + Send + Sync>) -> Self {
        let (messages, received) = mpsc::channel(WAITING);
        let started = thread::Builder::new()
            .name("usage-writer".to_owned())
            .spawn(move || write_groups(&*store, received));
        if let Err(error) = started {
            tracing::error!(cause = chain(&error), "usage reports cannot be taken in");
        }
        Self { messages }
    }

    /// Adds a report. Returns once it is stored.
    ///
    /// # Errors
    ///
    /// When it cannot be stored, which harms no other report, or when it could not be; then nothing
    /// of it was.
    pub async fn submit(&self, batch: Batch) -> Result<(), Error> {
        if batch.is_empty() {
            return Ok(());
        }
        check_usage_storable(&batch).map_err(StoreError::from)?;
        let (written, answer) = oneshot::channel();
        let entry = Message::Report(Entry { batch, written });
        self.messages.send(entry).await.map_err(|_closed| stopped())?;
        answer.await.map_err(|_closed| stopped())?
    }

    /// Writes all that was submitted before, and stops. Later reports are refused.
    pub async fn finish(&self) {
        let (done, finished) = oneshot::channel();
        if self.messages.send(Message::Finish(done)).await.is_ok() {
            finished.await.unwrap_or_default();
        }
    }
}

fn stopped() -> Error {
    Error::unavailable("usage reports are no longer taken in")
}

/// Writes what arrives, one group after another, until told to finish or nobody can send any more.
fn write_groups(store: &dyn UsageStore, mut messages: mpsc::Receiver<Message>) {
    let mut finished = None;
    while finished.is_none() {
        let Some(first) = messages.blocking_recv() else {
            return;
        };
        let mut group = Vec::new();
        let mut rows = 0;
        let mut next = Some(first);
        while let Some(message) = next {
            match message {
                Message::Report(entry) => {
                    rows += entry.batch.len();
                    group.push(entry);
                }
                Message::Finish(done) => finished = Some(done),
            }
            next = if rows < ROWS && finished.is_none() {
                messages.try_recv().ok()
            } else {
                None
            };
        }
        write(store, group);
    }
    if let Some(done) = finished {
        // whoever asked may no longer wait
        let _ = done.send(());
    }
}

/// Writes a group and answers everybody in it.
fn write(store: &dyn UsageStore, group: Vec<Entry>) {
    let mut merged = Batch::default();
    let mut senders = Vec::with_capacity(group.len());
    for entry in group {
        merged.merge(entry.batch);
        senders.push(entry.written);
    }
    if senders.is_empty() {
        return;
    }
    let outcome = store.add_usage(&merged).map_err(Error::from);
    for sender in senders {
        // whoever sent it may have hung up
        drop(sender.send(outcome.clone()));
    }
}

#[cfg(test)]
mod tests;
