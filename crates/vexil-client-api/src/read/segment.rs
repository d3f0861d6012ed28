//! Segments. One without an id is left out; a constraint that cannot be understood never holds.

use serde_core::de::MapAccess;
use vexil_domain::{Segment, SegmentId};

use super::constraint::{never, owned};
use super::raw::RawConstraint;
use super::raw::Text;
use super::reader::{Key, LenientDeserialize, List, Reader, members, skip};
use super::scalar::Integer;

/// A segment.
pub(crate) struct RawSegment(pub(crate) Segment);

impl<'de> LenientDeserialize<'de> for RawSegment {
    const WANTED: &'static str = "a segment";

    fn map<A: MapAccess<'de>>(reader: &mut Reader, mut map: A) -> Result<Option<Self>, A::Error> {
        let mut id: Option<Integer> = None;
        let mut name: Option<Text> = None;
        let mut conditions: Option<List<RawConstraint>> = None;
        let before = reader.problems.len();
        members!(reader, map, { "id" => id, "name" => name, "constraints" => conditions });
        let Some(id) = id else {
            reader.note("must have an `id`; the segment is left out");
            return Ok(None);
        };
        let mut constraints = conditions.map(|list| list.0).unwrap_or_default();
        if reader.problems.len() > before {
            constraints.push(never());
        }
        let name = name.map(|name| name.0.into_owned()).unwrap_or_default();
        let constraints = constraints.into_iter().map(owned).collect();
        Ok(Some(Self(Segment::new(SegmentId(id.0), name, constraints))))
    }
}
