//! Moments as numbers of nanoseconds, and how they are written.

use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use vexil_values::Instant;

/// Nanoseconds in a second.
pub(super) const SECOND: i128 = 1_000_000_000;

/// Nanoseconds since 1970-01-01T00:00:00Z.
pub(super) fn nanoseconds(moment: Instant) -> i128 {
    i128::from(moment.unix_seconds()) * SECOND + i128::from(moment.nanoseconds())
}

/// The earliest moment that a text can say.
pub(super) const FIRST: i128 = (-62_167_219_200 - ALMOST_A_DAY) * SECOND;
/// The one behind the last.
pub(super) const END: i128 = (253_402_300_800 + ALMOST_A_DAY + 1) * SECOND;
/// 2024-01-01T00:00:00Z, one of the many that lie far from either end.
pub(super) const USUAL: i128 = 1_704_067_200 * SECOND;
/// The largest offset, in seconds.
const ALMOST_A_DAY: i128 = (23 * 60 + 59) * 60;

/// A moment as text.
pub(super) fn moment_text(moment: i128) -> Option<String> {
    if let Some(text) = utc(moment) {
        return Some(text);
    }
    for (shift, zone) in [(ALMOST_A_DAY, "+23:59"), (-ALMOST_A_DAY, "-23:59")] {
        if let Some(text) = utc(moment + shift * SECOND) {
            return Some(text.replace('Z', zone));
        }
    }
    let leap = utc(moment - SECOND - ALMOST_A_DAY * SECOND)?;
    Some(
        leap.replace(":59Z", ":60-23:59")
            .replace(":59.", ":60.")
            .replace('Z', "-23:59"),
    )
}

fn utc(moment: i128) -> Option<String> {
    OffsetDateTime::from_unix_timestamp_nanos(moment)
        .ok()?
        .format(&Rfc3339)
        .ok()
}
