//! Appending groups of reports: together, and where that fails, in halves, so that each report fails alone.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use vexil_metrics::{Merge, Packed};
use vexil_store::{Appended, ReportKey, StoreError, UsageBatch, UsageStore, WriterId};

use super::entry::Entry;
use super::numbers::UsageNumbers;
use crate::clock::Clock;
use crate::operations::Error;

/// How often a batch is appended again while its outcome is not known, and how long the database is left alone in
/// between.
const ASKED: usize = 20;
const PAUSE: Duration = Duration::from_millis(100);

/// One process that appends, with the number of its next batch.
pub(super) struct Appending<'s> {
    store: &'s dyn UsageStore,
    writer: WriterId,
    next: u64,
    clock: Clock,
    numbers: Arc<UsageNumbers>,
}

impl<'s> Appending<'s> {
    pub(super) fn new(
        store: &'s dyn UsageStore,
        writer: WriterId,
        clock: Clock,
        numbers: Arc<UsageNumbers>,
    ) -> Self {
        Self {
            store,
            writer,
            next: 1,
            clock,
            numbers,
        }
    }

    /// Appends a group, and answers everybody in it.
    pub(super) fn append(&mut self, mut group: Vec<Entry>) {
        while !group.is_empty() {
            match self.append_together(&group) {
                Ok(Appended::Stored) => {
                    self.numbers.groups.send_modify(|groups| *groups += 1);
                    count(&self.numbers.reports, group.len());
                    group.drain(..).for_each(|entry| entry.answer(Ok(())));
                }
                Ok(Appended::Known(keys)) => {
                    // they were stored when they were sent before
                    let known = |entry: &mut Entry| entry.key.is_some_and(|key| keys.contains(&key));
                    let known: Vec<Entry> = group.extract_if(.., known).collect();
                    if known.is_empty() {
                        let error = Error::internal("reports are known that were not sent");
                        group.drain(..).for_each(|entry| entry.answer(Err(error.clone())));
                    }
                    known.into_iter().for_each(|entry| entry.answer(Ok(())));
                }
                // the problem may lie in one of them
                Err(StoreError::Backend { .. } | StoreError::Unstorable(_) | StoreError::Corrupt { .. })
                    if group.len() > 1 =>
                {
                    let half = group.split_off(group.len() / 2);
                    self.append(group);
                    group = half;
                }
                Err(error) => {
                    count(&self.numbers.failed, group.len());
                    let error = Error::from(error);
                    group.drain(..).for_each(|entry| entry.answer(Err(error.clone())));
                }
            }
        }
    }

    fn append_together(&mut self, group: &[Entry]) -> Result<Appended, StoreError> {
        let mut keys: Vec<ReportKey> = group.iter().filter_map(|entry| entry.key).collect();
        keys.sort_unstable();
        keys.dedup();
        let mut batch = UsageBatch {
            writer: self.writer,
            number: self.next,
            again: false,
            counts: merged(group)?,
            keys,
            now: (self.clock)(),
        };
        let begun = Instant::now();
        let mut outcome = self.store.append_usage(&batch);
        self.numbers.commits.add(begun.elapsed());
        for _ in 0..ASKED {
            let Err(StoreError::UnknownOutcome { .. }) = outcome else {
                break;
            };
            #[expect(
                clippy::disallowed_methods,
                reason = "the thread that appends does nothing else"
            )]
            thread::sleep(PAUSE);
            batch.again = true;
            let again = self.store.append_usage(&batch);
            if !matches!(again, Err(StoreError::Backend { .. })) {
                outcome = again;
            }
        }
        // a number that was stored, or may have been, is not used for another batch
        if matches!(
            outcome,
            Ok(Appended::Stored) | Err(StoreError::UnknownOutcome { .. })
        ) {
            self.next += 1;
        }
        outcome
    }
}

fn count(sum: &AtomicU64, more: usize) {
    sum.fetch_add(u64::try_from(more).unwrap_or(u64::MAX), Ordering::Relaxed);
}

/// The counts of all entries, added up. A report that has a key twice in the group counts once.
fn merged(group: &[Entry]) -> Result<Packed, StoreError> {
    let mut merge = Merge::default();
    let mut seen = std::collections::HashSet::new();
    for entry in group {
        if entry.key.is_none_or(|key| seen.insert(key)) {
            merge.add(&entry.counts)?;
        }
    }
    Ok(merge.pack(usize::MAX).pop().unwrap_or_default())
}
