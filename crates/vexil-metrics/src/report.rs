//! One usage report.

use time::OffsetDateTime;
use vexil_domain::EnvironmentName;

use crate::minute::minutes_since_1970;
use crate::packed::{Packed, put_section};
use crate::{Counts, FlagCounts, Width};

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
