//! Minutes, hours and days, and how long each are kept.

use time::{Duration, OffsetDateTime, UtcOffset};

/// How long the stretch of time is that a row counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Width {
    /// One minute, for the sliding hour.
    Minute,
    /// One hour of UTC.
    Hour,
    /// One day of UTC, for history.
    Day,
}

impl Width {
    /// Every width, the shortest first.
    pub const ALL: [Self; 3] = [Self::Minute, Self::Hour, Self::Day];

    /// The number of seconds.
    #[must_use]
    pub const fn seconds(self) -> i64 {
        match self {
            Self::Minute => 60,
            Self::Hour => 3600,
            Self::Day => 24 * 3600,
        }
    }

    /// How many of them are kept together, as one block.
    #[must_use]
    pub const fn slots(self) -> u8 {
        match self {
            Self::Minute => 60,
            Self::Hour => 24,
            Self::Day => 8,
        }
    }

    /// The next longer one.
    #[must_use]
    pub const fn longer(self) -> Option<Self> {
        match self {
            Self::Minute => Some(Self::Hour),
            Self::Hour => Some(Self::Day),
            Self::Day => None,
        }
    }

    /// The start of the minute, hour or day that `instant` falls in, in UTC.
    #[must_use]
    pub fn floor(self, instant: OffsetDateTime) -> OffsetDateTime {
        floor(instant, self.seconds())
    }

    /// The start of the block that `instant` falls in, and its place there. Blocks are counted from
    /// 1970 on.
    #[must_use]
    pub fn block(self, instant: OffsetDateTime) -> (OffsetDateTime, u8) {
        let start = floor(instant, self.block_length().whole_seconds());
        let into = self.floor(instant) - start;
        let slot = into.whole_seconds() / self.seconds();
        (start, u8::try_from(slot).unwrap_or_default())
    }

    /// How long a block is.
    #[must_use]
    pub fn block_length(self) -> Duration {
        Duration::seconds(self.seconds() * i64::from(self.slots()))
    }

    /// The start of a place in a block.
    #[must_use]
    pub fn slot_start(self, block: OffsetDateTime, slot: u8) -> OffsetDateTime {
        block.saturating_add(Duration::seconds(self.seconds() * i64::from(slot)))
    }
}

fn floor(instant: OffsetDateTime, seconds: i64) -> OffsetDateTime {
    let utc = instant.checked_to_offset(UtcOffset::UTC).unwrap_or(instant);
    let into = utc.unix_timestamp().rem_euclid(seconds);
    utc.truncate_to_second()
        .checked_sub(Duration::seconds(into))
        .unwrap_or(utc)
}

/// How long counts are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    /// How long they are kept at all; 90 days by default.
    pub days: Duration,
}

impl Retention {
    /// How long minutes are told apart: the sliding hour, and one hour of slack.
    pub const MINUTES: Duration = Duration::hours(2);

    /// How long hours are told apart.
    pub const HOURS: Duration = Duration::hours(48);

    /// Blocks of `width` that end at or before this are no longer kept as such at `now`: they become
    /// part of longer stretches of time, or go.
    #[must_use]
    pub fn limit(&self, width: Width, now: OffsetDateTime) -> OffsetDateTime {
        let kept = match width {
            Width::Minute => Self::MINUTES.min(self.days),
            Width::Hour => Self::HOURS.min(self.days),
            Width::Day => self.days,
        };
        now.saturating_sub(kept)
    }

    /// What was last reported at or before this is forgotten at `now`.
    #[must_use]
    pub fn end(&self, now: OffsetDateTime) -> OffsetDateTime {
        now.saturating_sub(self.days)
    }
}

impl Default for Retention {
    fn default() -> Self {
        Self {
            days: Duration::days(90),
        }
    }
}
