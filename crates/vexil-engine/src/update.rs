//! What changes from one engine to the next.

use vexil_domain::{EnvironmentFlag, FlagName, Put, Segment, SegmentId};

/// Flags and segments that were put or taken away.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Update {
    /// Changed flags.
    pub flags: Vec<Put<FlagName, EnvironmentFlag>>,
    /// Changed segments.
    pub segments: Vec<Put<SegmentId, Segment>>,
}

impl Update {
    /// Whether nothing changes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.flags.is_empty() && self.segments.is_empty()
    }
}
