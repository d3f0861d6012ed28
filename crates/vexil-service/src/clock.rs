//! Where time and chance come from.

use std::sync::Arc;

use time::{Duration, OffsetDateTime};

/// Tells the time.
pub type Clock = Arc<dyn Fn() -> OffsetDateTime + Send + Sync>;

/// Gives seeds that chance is drawn from.
pub type SeedSource = Arc<dyn Fn() -> u64 + Send + Sync>;

/// Whether something was noted less than so long ago. Where the clock was set back since, what was noted ahead of it counts
/// by how far ahead that is: else it would count as new until the clock has caught up, be that years.
pub(crate) fn is_recent(at: OffsetDateTime, now: OffsetDateTime, length: Duration) -> bool {
    (now - at).abs() < length
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn what_was_noted_before_the_clock_was_set_back_gets_old_as_well() {
        let now = datetime!(2026-11-30 12:00 UTC);
        for (ahead, recent) in [
            (-11, false),
            (-10, false),
            (-9, true),
            (0, true),
            (9, true),
            (10, false),
        ] {
            let at = now + Duration::minutes(ahead);
            assert_eq!(is_recent(at, now, Duration::minutes(10)), recent, "{ahead}");
        }
        assert!(!is_recent(now + Duration::days(400), now, Duration::minutes(10)));
    }
}
