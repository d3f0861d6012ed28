//! Usage counts.

use time::OffsetDateTime;
use vexil_domain::{EnvironmentName, FlagName};
use vexil_metrics::{Batch, Retention, Width};

use crate::StoreError;

/// Which rows of usage to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlagUsage {
    /// Rows of this flag.
    pub flag: FlagName,
    /// Rows of this width.
    pub width: Width,
    /// Rows that start at this instant or later.
    pub since: OffsetDateTime,
}

/// Whose reports to look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reported {
    /// All flags.
    Everything,
    /// Flags that are in the configuration neither live nor archived.
    Unknown,
    /// One flag.
    Flag(FlagName),
}

/// Who reported a flag, and when last.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReportedBy {
    /// The flag.
    pub flag: FlagName,
    /// The application.
    pub application: String,
    /// The environment.
    pub environment: EnvironmentName,
    /// The start of the last minute that was reported (the last hour, where reports were old on
    /// receipt).
    pub last: OffsetDateTime,
}

/// Keeps usage counts.
pub trait UsageStore {
    /// Adds all rows of a batch to those that are there, in one transaction. Sums stop at
    /// [`vexil_metrics::Count::MAX`].
    ///
    /// # Errors
    ///
    /// When the database fails, or a name cannot be stored; then nothing was added.
    fn add_usage(&self, batch: &Batch) -> Result<(), StoreError>;

    /// Reads rows of one flag.
    ///
    /// # Errors
    ///
    /// When the database fails.
    fn usage(&self, wanted: &FlagUsage) -> Result<Batch, StoreError>;

    /// Who reported, ordered by flag, application and environment. Everyone is there who has a row
    /// that is still kept.
    ///
    /// # Errors
    ///
    /// When the database fails.
    fn reported_by(&self, whose: &Reported) -> Result<Vec<ReportedBy>, StoreError>;

    /// The applications that reported a flag at `since` or later, by name in the order of their
    /// bytes.
    ///
    /// # Errors
    ///
    /// When the database fails.
    fn seen_applications(&self, flag: &FlagName, since: OffsetDateTime) -> Result<Vec<String>, StoreError> {
        let mut applications: Vec<String> = self
            .reported_by(&Reported::Flag(flag.clone()))?
            .into_iter()
            .filter(|by| by.last >= since)
            .map(|by| by.application)
            .collect();
        applications.dedup();
        Ok(applications)
    }

    /// Deletes the rows that are no longer kept at `now` and returns how many there were.
    ///
    /// # Errors
    ///
    /// When the database fails; then none is deleted.
    fn purge_usage(&self, now: OffsetDateTime, retention: &Retention) -> Result<u64, StoreError>;
}
