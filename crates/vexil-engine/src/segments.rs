//! The segments of an engine: compiled once, shared by every strategy that refers to them.

use std::collections::HashMap;
use std::sync::Arc;

use vexil_domain::SegmentId;

use crate::program::{Constraint, Segment, SegmentIndex};

/// Segments by place. Places are never given again, so that flags can refer to them for ever.
#[derive(Debug, Clone, Default)]
pub(crate) struct Segments {
    places: HashMap<SegmentId, SegmentIndex>,
    list: Vec<Arc<Segment>>,
}

impl Segments {
    /// The place of a segment, there or not.
    pub(crate) fn find(&self, id: SegmentId) -> Option<SegmentIndex> {
        self.places.get(&id).copied()
    }

    /// A new place, for a segment that is not there yet.
    pub(crate) fn reserve(&mut self, id: SegmentId) -> SegmentIndex {
        let index = SegmentIndex(self.list.len() as u32);
        self.list.push(Arc::new(Segment {
            id,
            found: false,
            constraints: Box::default(),
        }));
        self.places.insert(id, index);
        index
    }

    /// Puts a segment in its place, or takes it away.
    pub(crate) fn put(&mut self, index: SegmentIndex, id: SegmentId, constraints: Option<Box<[Constraint]>>) {
        if let Some(place) = self.list.get_mut(index.0 as usize) {
            *place = Arc::new(Segment {
                id,
                found: constraints.is_some(),
                constraints: constraints.unwrap_or_default(),
            });
        }
    }

    /// The segment at a place.
    #[inline]
    pub(crate) fn get(&self, index: SegmentIndex) -> Option<&Segment> {
        self.list.get(index.0 as usize).map(|segment| &**segment)
    }
}
