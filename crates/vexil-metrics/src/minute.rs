//! Minutes as numbers.

use time::OffsetDateTime;

/// The minute as a number.
pub(crate) fn minutes_since_1970(minute: OffsetDateTime) -> i64 {
    minute.unix_timestamp().div_euclid(60)
}

/// The start of a minute by its number; the first or last that there is, for those beyond.
pub(crate) fn minute_of(minutes: i64) -> OffsetDateTime {
    let seconds = minutes.saturating_mul(60);
    OffsetDateTime::from_unix_timestamp(seconds).unwrap_or(OffsetDateTime::UNIX_EPOCH)
}
