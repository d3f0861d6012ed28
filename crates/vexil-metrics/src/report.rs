//! One usage report.

use std::collections::BTreeMap;

use time::OffsetDateTime;
use vexil_domain::{EnvironmentName, FlagName};

use crate::{Counts, Width};

/// What one application says it evaluated in one environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The application.
    pub application: String,
    /// The environment it runs in.
    pub environment: EnvironmentName,
    minute: OffsetDateTime,
    received: OffsetDateTime,
    flags: BTreeMap<FlagName, Counts>,
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
            received,
            flags: BTreeMap::new(),
        }
    }

    /// Adds counts of one flag.
    pub fn add(&mut self, flag: impl Into<FlagName>, counts: Counts) {
        match self.flags.entry(flag.into()) {
            std::collections::btree_map::Entry::Vacant(place) => drop(place.insert(counts)),
            std::collections::btree_map::Entry::Occupied(mut sum) => sum.get_mut().add(&counts),
        }
    }

    /// The minute it belongs to, in UTC.
    #[must_use]
    pub fn minute(&self) -> OffsetDateTime {
        self.minute
    }

    /// When it came in.
    #[must_use]
    pub fn received(&self) -> OffsetDateTime {
        self.received
    }

    /// What it counts, by flag.
    #[must_use]
    pub fn flags(&self) -> &BTreeMap<FlagName, Counts> {
        &self.flags
    }
}
