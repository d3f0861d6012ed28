//! Minutes and hours, and how long rows of each are kept.

use time::{Duration, OffsetDateTime, UtcOffset};

/// How long the stretch of time is that a row counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Width {
    /// One minute, for the sliding hour.
    Minute,
    /// One hour of UTC, for history.
    Hour,
}

impl Width {
    /// Both widths.
    pub const ALL: [Self; 2] = [Self::Minute, Self::Hour];

    /// The number of seconds.
    #[must_use]
    pub const fn seconds(self) -> i64 {
        match self {
            Self::Minute => 60,
            Self::Hour => 3600,
        }
    }

    /// The start of the minute or hour that `instant` falls in, in UTC.
    #[must_use]
    pub fn floor(self, instant: OffsetDateTime) -> OffsetDateTime {
        let utc = instant.checked_to_offset(UtcOffset::UTC).unwrap_or(instant);
        let into = utc.unix_timestamp().rem_euclid(self.seconds());
        utc.truncate_to_second()
            .checked_sub(Duration::seconds(into))
            .unwrap_or(utc)
    }
}

/// How long rows are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    /// How long rows of hours are kept; 90 days by default.
    pub hours: Duration,
}

impl Retention {
    /// How long rows of minutes are kept: the sliding hour, and one hour of slack.
    pub const MINUTES: Duration = Duration::hours(2);

    /// Rows of `width` that start at or before this are no longer kept at `now`.
    #[must_use]
    pub fn limit(&self, width: Width, now: OffsetDateTime) -> OffsetDateTime {
        let kept = match width {
            Width::Minute => Self::MINUTES,
            Width::Hour => self.hours,
        };
        now.saturating_sub(kept)
    }
}

impl Default for Retention {
    fn default() -> Self {
        Self {
            hours: Duration::days(90),
        }
    }
}
