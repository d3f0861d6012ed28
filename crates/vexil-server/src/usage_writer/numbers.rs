//! What became of the reports, in numbers.

use std::sync::atomic::AtomicU64;

use crate::numbers::Histogram;

/// What became of the reports.
#[derive(Debug, Default)]
pub(crate) struct UsageNumbers {
    /// Groups that were stored.
    pub(super) groups: AtomicU64,
    /// Reports that were stored.
    pub(crate) reports: AtomicU64,
    /// Reports that were not, or perhaps not.
    pub(crate) failed: AtomicU64,
    /// How long it took to store groups.
    pub(crate) commits: Histogram,
}
