//! Which constraints of a flag could not be understood.

use vexil_values::Problem;

use crate::chunk::FlagRef;
use crate::condition::Condition;
use crate::flag_table::FlagTable;
use crate::program::Constraint;
use crate::{ConditionPlace, FlagId};

impl FlagTable {
    /// The constraints that hold for nobody, inverted or not, since they could not be understood.
    pub(crate) fn unreadable(&self, flag: FlagId) -> impl Iterator<Item = (ConditionPlace, &Problem)> {
        let flag_ref = self.flag_by(flag).into_iter();
        flag_ref.flat_map(|flag_ref| self.unreadable_of(flag_ref))
    }

    fn unreadable_of<'t>(
        &'t self,
        flag_ref: FlagRef<'t>,
    ) -> impl Iterator<Item = (ConditionPlace, &'t Problem)> {
        let strategies = flag_ref.strategies().iter().enumerate();
        strategies.flat_map(move |(strategy, compiled)| {
            let own = problems(flag_ref.constraints(compiled)).map(move |(constraint, problem)| {
                (ConditionPlace::Constraint { strategy, constraint }, problem)
            });
            let segments = flag_ref.segments(compiled).iter().enumerate();
            let of_segments = segments.flat_map(move |(segment, index)| {
                let constraints = self
                    .segments
                    .get(*index)
                    .map_or(&[][..], |found| &found.constraints);
                problems(constraints).map(move |(constraint, problem)| {
                    let place = ConditionPlace::SegmentConstraint {
                        strategy,
                        segment,
                        constraint,
                    };
                    (place, problem)
                })
            });
            own.chain(of_segments)
        })
    }
}

fn problems(constraints: &[Constraint]) -> impl Iterator<Item = (usize, &Problem)> {
    let all = constraints.iter().enumerate();
    all.filter_map(|(place, constraint)| match &constraint.condition {
        Condition::Invalid(problem) => Some((place, &**problem)),
        _ => None,
    })
}
