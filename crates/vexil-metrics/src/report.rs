//! One usage report.

use time::OffsetDateTime;
use vexil_domain::EnvironmentName;

use crate::packed::{Packed, put_section, read_entries};
use crate::varint::{put_number, put_text};
use crate::{Count, Counts, Entry, Malformed, Width};

/// What was counted of any number of flags, packed as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FlagCounts {
    bytes: Vec<u8>,
    flags: usize,
}

impl FlagCounts {
    /// Nothing yet, with room for so many bytes.
    #[must_use]
    pub fn with_capacity(bytes: usize) -> Self {
        Self {
            bytes: Vec::with_capacity(bytes),
            flags: 0,
        }
    }

    /// Adds what was counted of one flag. A flag that is added twice counts twice.
    pub fn push<'v>(
        &mut self,
        flag: &str,
        yes: Count,
        no: Count,
        variants: impl ExactSizeIterator<Item = (&'v str, Count)>,
    ) {
        let out = &mut self.bytes;
        put_text(flag, out);
        put_number(yes.get(), out);
        put_number(no.get(), out);
        put_number(u64::try_from(variants.len()).unwrap_or_default(), out);
        for (name, times) in variants {
            put_text(name, out);
            put_number(times.get(), out);
        }
        self.flags += 1;
    }

    /// What was added, in that order.
    ///
    /// # Errors
    ///
    /// Never; the bytes are read again.
    pub fn entries(&self) -> impl Iterator<Item = Result<Entry<'_>, Malformed>> {
        read_entries(&self.bytes)
    }

    /// How many flags were added.
    #[must_use]
    pub fn len(&self) -> usize {
        self.flags
    }

    /// Whether no flag was added.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.flags == 0
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// What one application says it evaluated in one environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The application.
    pub application: String,
    /// The environment it runs in.
    pub environment: EnvironmentName,
    minute: OffsetDateTime,
    /// What it counts.
    pub counts: FlagCounts,
}

impl Report {
    /// A report that counts nothing yet. It belongs to the minute of `stop`, the end of the time it
    /// covers; a `stop` after `received` is a wrong clock and counts as `received`.
    #[must_use]
    pub fn new(
        application: impl Into<String>,
        environment: impl Into<EnvironmentName>,
        stop: OffsetDateTime,
        received: OffsetDateTime,
    ) -> Self {
        Self {
            application: application.into(),
            environment: environment.into(),
            minute: Width::Minute.floor(stop.min(received)),
            counts: FlagCounts::default(),
        }
    }

    /// Adds counts of one flag.
    pub fn add(&mut self, flag: impl AsRef<str>, counts: &Counts) {
        let variants = counts.variants.iter();
        self.counts.push(
            flag.as_ref(),
            counts.yes,
            counts.no,
            variants.map(|(name, &times)| (name.as_str(), times)),
        );
    }

    /// The minute it belongs to, in UTC.
    #[must_use]
    pub fn minute(&self) -> OffsetDateTime {
        self.minute
    }

    /// The report packed.
    #[must_use]
    pub fn pack(&self) -> Packed {
        let mut packed = Packed::default();
        put_section(
            &self.application,
            self.environment.as_str(),
            minutes_since_1970(self.minute),
            self.counts.bytes(),
            packed.bytes_mut(),
        );
        packed
    }
}

/// The minute as a number.
pub(crate) fn minutes_since_1970(minute: OffsetDateTime) -> i64 {
    minute.unix_timestamp().div_euclid(60)
}

/// The start of a minute by its number; the first or last that there is, for those beyond.
pub(crate) fn minute_of(minutes: i64) -> OffsetDateTime {
    let seconds = minutes.saturating_mul(60);
    OffsetDateTime::from_unix_timestamp(seconds).unwrap_or(OffsetDateTime::UNIX_EPOCH)
}
