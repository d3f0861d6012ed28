//! What changes from one engine to the next.

use vexil_domain::{EnvironmentFlag, FlagName, Segment, SegmentId, Write};

/// Flags and segments that were put or taken away.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Update {
    /// Changed flags.
    pub flags: Vec<Write<FlagName, EnvironmentFlag>>,
    /// Changed segments.
    pub segments: Vec<Write<SegmentId, Segment>>,
}

impl Update {
    /// Whether nothing changes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.flags.is_empty() && self.segments.is_empty()
    }
}
