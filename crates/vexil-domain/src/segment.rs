//! Segments: constraints under a name, shared by strategies.

use time::OffsetDateTime;

use crate::{Constraint, ProjectId, SegmentId};

/// A named group of constraints that strategies refer to. Without constraints it always holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// Identifies the segment.
    pub id: SegmentId,
    /// Unique in the instance.
    pub name: String,
    /// What it is for.
    pub description: Option<String>,
    /// The project that owns it; `None` for a segment of the whole instance.
    pub project: Option<ProjectId>,
    /// Conditions that must all hold.
    pub constraints: Vec<Constraint>,
    /// Who created it.
    pub created_by: Option<String>,
    /// When it was created, where that is known.
    pub created_at: Option<OffsetDateTime>,
}

impl Segment {
    /// A segment of the whole instance.
    #[must_use]
    pub fn new(id: SegmentId, name: impl Into<String>, constraints: Vec<Constraint>) -> Self {
        Self {
            id,
            name: name.into(),
            description: None,
            project: None,
            constraints,
            created_by: None,
            created_at: None,
        }
    }
}
