//! What became of the reports, in numbers.

use std::sync::atomic::AtomicU64;

use tokio::sync::watch;

use crate::numbers::Histogram;

/// What became of the reports.
#[derive(Debug)]
pub struct UsageNumbers {
    /// Groups that were stored.
    pub(super) groups: watch::Sender<u64>,
    /// Reports that were stored.
    pub reports: AtomicU64,
    /// Reports that were not, or perhaps not.
    pub failed: AtomicU64,
    /// How long it took to store groups.
    pub commits: Histogram,
}

impl Default for UsageNumbers {
    fn default() -> Self {
        Self {
            groups: watch::Sender::new(0),
            reports: AtomicU64::default(),
            failed: AtomicU64::default(),
            commits: Histogram::default(),
        }
    }
}
