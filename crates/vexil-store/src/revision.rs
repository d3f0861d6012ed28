//! Which state of the store something belongs to.

use vexil_domain::SnapshotDelta;

/// Which state of the store something belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Revision {
    /// How many commits there have been; 0 in a new store.
    pub sequence: u64,
    /// The `sequence` of the last commit that changed the configuration, 0 if there was none. What
    /// SDKs are told is a function of this.
    pub configuration: u64,
}

impl Revision {
    /// The revision that a commit with `delta` makes of this one.
    #[must_use]
    pub fn next(self, delta: &SnapshotDelta) -> Self {
        let sequence = self.sequence + 1;
        let configuration = if delta.is_empty() {
            self.configuration
        } else {
            sequence
        };
        Self {
            sequence,
            configuration,
        }
    }
}
