//! What any number of reports add up to.

use std::collections::BTreeMap;

use time::OffsetDateTime;
use vexil_domain::{EnvironmentName, FlagName};

use crate::{Count, Counts, Report, Retention, Width};

/// What a row counts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UsageKey {
    /// The flag, known or not.
    pub flag: FlagName,
    /// The application that reported it.
    pub application: String,
    /// The environment the application runs in.
    pub environment: EnvironmentName,
    /// How long the stretch of time is.
    pub width: Width,
    /// Where it starts: a whole minute or hour of UTC.
    pub start: OffsetDateTime,
}

/// Rows of counts. Reports and batches can be added in any order and grouping.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Batch(BTreeMap<UsageKey, Counts>);

impl Batch {
    /// Adds a report: a row of its hour, and one of its minute when that was recent enough for the
    /// sliding hour on receipt.
    pub fn add(&mut self, report: &Report) {
        let minutes_from = Retention::default().limit(Width::Minute, report.received());
        for width in Width::ALL {
            if width == Width::Minute && report.minute() <= minutes_from {
                continue;
            }
            let start = width.floor(report.minute());
            for (flag, counts) in report.flags() {
                let key = UsageKey {
                    flag: flag.clone(),
                    application: report.application.clone(),
                    environment: report.environment.clone(),
                    width,
                    start,
                };
                self.add_row(key, counts);
            }
        }
    }

    /// Adds all rows of another batch.
    pub fn merge(&mut self, other: Self) {
        if self.0.is_empty() {
            self.0 = other.0;
            return;
        }
        for (key, counts) in other.0 {
            self.add_row(key, &counts);
        }
    }

    /// Adds counts to one row.
    pub fn add_row(&mut self, key: UsageKey, counts: &Counts) {
        self.0.entry(key).or_default().add(counts);
    }

    /// Adds a count of one variant to one row.
    pub fn add_variant(&mut self, key: UsageKey, variant: impl Into<String>, times: Count) {
        let counts = self.0.entry(key).or_default();
        let sum = counts.variants.entry(variant.into()).or_default();
        *sum = sum.plus(times);
    }

    /// The counts of one row.
    #[must_use]
    pub fn get(&self, key: &UsageKey) -> Option<&Counts> {
        self.0.get(key)
    }

    /// All rows, by key.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&UsageKey, &Counts)> {
        self.0.iter()
    }

    /// Keeps the rows for which `keep` is true.
    pub fn retain(&mut self, mut keep: impl FnMut(&UsageKey, &Counts) -> bool) {
        self.0.retain(|key, counts| keep(key, counts));
    }

    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<&Report> for Batch {
    fn from(report: &Report) -> Self {
        let mut batch = Self::default();
        batch.add(report);
        batch
    }
}

impl FromIterator<(UsageKey, Counts)> for Batch {
    fn from_iter<I: IntoIterator<Item = (UsageKey, Counts)>>(rows: I) -> Self {
        let mut batch = Self::default();
        for (key, counts) in rows {
            batch.add_row(key, &counts);
        }
        batch
    }
}
