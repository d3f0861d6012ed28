//! Counts read back, as rows of one width.

use std::collections::BTreeMap;

use time::OffsetDateTime;
use vexil_domain::{EnvironmentName, FlagName};

use crate::{Counts, MergedRow, Packed, Width};

/// What a row counts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UsageKey {
    /// The flag, known or not.
    pub flag: FlagName,
    /// The environment the application runs in.
    pub environment: EnvironmentName,
    /// The application that reported it.
    pub application: String,
    /// Where the minute, hour or day starts, in UTC.
    pub start: OffsetDateTime,
}

/// Rows of counts, all of minutes, hours or days. They can be added in any order and grouping.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rows(BTreeMap<UsageKey, Counts>);

impl Rows {
    /// Adds counts to one row.
    pub fn add(&mut self, key: UsageKey, counts: &Counts) {
        self.0.entry(key).or_default().add(counts);
    }

    /// Adds all rows of others.
    pub fn merge(&mut self, other: Self) {
        for (key, counts) in other.0 {
            self.add(key, &counts);
        }
    }

    /// Adds packed counts, each to the row of its minute, hour or day.
    ///
    /// # Errors
    ///
    /// When they cannot be read; some of them may have been added then.
    pub fn add_packed(&mut self, packed: &Packed, width: Width) -> Result<(), crate::Malformed> {
        let mut merge = crate::Merge::default();
        merge.add(packed)?;
        for row in merge.into_rows() {
            self.add_row(&row, width);
        }
        Ok(())
    }

    /// Adds sums to the row of their minute, hour or day.
    pub fn add_row(&mut self, row: &MergedRow<'_>, width: Width) {
        let key = UsageKey {
            flag: row.flag.into(),
            environment: row.environment.into(),
            application: row.application.to_owned(),
            start: width.floor(row.minute),
        };
        let counts = self.0.entry(key).or_default();
        counts.yes = counts.yes.plus(row.yes);
        counts.no = counts.no.plus(row.no);
        for &(name, times) in &row.variants {
            counts.add_variant(name, times);
        }
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

impl FromIterator<(UsageKey, Counts)> for Rows {
    fn from_iter<I: IntoIterator<Item = (UsageKey, Counts)>>(rows: I) -> Self {
        let mut all = Self::default();
        for (key, counts) in rows {
            all.add(key, &counts);
        }
        all
    }
}
