//! Checks of segments.

use vexil_domain::Constraint;

use super::{Problem, Problems, VALUES_PER_SEGMENT, constraint};
use crate::ProblemCode::{ConstraintInvalid, SegmentInvalid};

/// What is wrong with a segment's content, by the places of Unleash's document. That no other
/// segment has the name is not checked here.
#[must_use]
pub fn segment(name: &str, constraints: &[Constraint]) -> Vec<Problem> {
    let mut problems = Problems::default();
    if name.is_empty() {
        problems.add("/name", SegmentInvalid, "must not be empty");
    }
    for (place, one) in constraints.iter().enumerate() {
        problems
            .found
            .extend(constraint(&format!("/constraints/{place}"), one));
    }
    let count: usize = constraints.iter().map(|one| one.values.len()).sum();
    if count > VALUES_PER_SEGMENT {
        let message = format!("must have at most {VALUES_PER_SEGMENT} values in all, not {count}");
        problems.add("/constraints", ConstraintInvalid, message);
    }
    problems.found
}
