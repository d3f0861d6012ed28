//! Which state of the store something belongs to.

use vexil_domain::SnapshotDelta;

/// Tells one commit from all others. Whoever commits draws it at random.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CommitId(pub u128);

impl CommitId {
    /// A short form, which two commits share by rare chance alone.
    #[must_use]
    pub fn mark(self) -> u32 {
        // the lowest bits
        self.0 as u32
    }
}

/// Which state of the store something belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Revision {
    /// How many commits there have been; 0 in a new store.
    pub sequence: u64,
    /// The `sequence` of the last commit that changed the configuration, 0 if there was none. What
    /// SDKs are told is a function of this.
    pub configuration: u64,
    /// The mark of the last commit, see [`CommitId::mark`]; 0 in a new store. Where it is another one at the
    /// same `sequence`, the store was put back to an earlier state and went on from there.
    pub mark: u32,
}

impl Revision {
    /// The revision that a commit with this id and `delta` makes of this one.
    #[must_use]
    pub fn next(self, id: CommitId, delta: &SnapshotDelta) -> Self {
        let sequence = self.sequence + 1;
        let configuration = if delta.is_empty() {
            self.configuration
        } else {
            sequence
        };
        Self {
            sequence,
            configuration,
            mark: id.mark(),
        }
    }
}
