//! Folding and tidying usage in the background: in short steps, with longer pauses in between, so that whoever
//! reports or edits meanwhile waits for one step at most.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use time::OffsetDateTime;
use vexil_metrics::Retention;
use vexil_store::{Folding, StoreError, UsageStore};

use super::stop::Stop;
use crate::numbers::Numbers;

/// A pause is so many times as long as the step before it.
const PAUSES: u32 = 2;
/// A pause is at least so long: others are waiting, and come before the next step.
const SHORTEST: Duration = Duration::from_millis(2);

/// Folds all that lies there, and notes how much it is.
///
/// # Errors
///
/// When the store fails.
pub(crate) fn fold(
    store: &(impl UsageStore + ?Sized),
    numbers: &Numbers,
    stop: &Stop,
) -> Result<(), StoreError> {
    let size = store.inbox_size()?;
    numbers.inbox_rows.store(size.rows, Ordering::Relaxed);
    numbers.inbox_bytes.store(size.bytes, Ordering::Relaxed);
    loop {
        let begun = Instant::now();
        match store.fold_usage()? {
            Folding::Idle | Folding::Elsewhere => return Ok(()),
            Folding::More | Folding::Done => {}
        }
        if !pause(begun, stop) {
            return Ok(());
        }
    }
}

/// Makes old usage coarser, and deletes what is too old.
///
/// # Errors
///
/// When the store fails.
pub(crate) fn tidy(
    store: &(impl UsageStore + ?Sized),
    now: OffsetDateTime,
    retention: &Retention,
    stop: &Stop,
) -> Result<(), StoreError> {
    loop {
        let begun = Instant::now();
        if !store.tidy_usage(now, retention)? || !pause(begun, stop) {
            return Ok(());
        }
    }
}

/// Waits, and says whether to go on.
fn pause(begun: Instant, stop: &Stop) -> bool {
    stop.wait((begun.elapsed() * PAUSES).max(SHORTEST))
}
