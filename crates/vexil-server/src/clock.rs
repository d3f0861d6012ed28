//! The clock of the machine, kept within the years that dates can be written in.

use std::sync::Arc;
use std::time::SystemTime;

use time::macros::datetime;
use time::{Duration, OffsetDateTime};
use vexil_service::Clock;

/// The earliest instant that the clock tells.
pub const EARLIEST: OffsetDateTime = datetime!(1970-01-01 0:00 UTC);
/// The latest instant that the clock tells. It leaves room for what is added to it, up to the end of the year 9999,
/// where dates end.
pub const LATEST: OffsetDateTime = datetime!(9000-01-01 0:00 UTC);

/// The clock of the machine. What it says before [`EARLIEST`] and after [`LATEST`] is told as these.
#[must_use]
pub fn system_clock() -> Clock {
    Arc::new(|| told(SystemTime::now()))
}

fn told(at: SystemTime) -> OffsetDateTime {
    let Ok(since) = at.duration_since(SystemTime::UNIX_EPOCH) else {
        return EARLIEST;
    };
    let since = Duration::try_from(since).unwrap_or(Duration::MAX);
    EARLIEST.checked_add(since).unwrap_or(LATEST).min(LATEST)
}

#[cfg(test)]
mod tests;
