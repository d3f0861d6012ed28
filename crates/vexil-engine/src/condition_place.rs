//! Which condition of a flag a verdict is about.

use vexil_domain::{EnvironmentFlag, EnvironmentSnapshot};

/// A condition of a flag: one that [`Verdicts::conditions`](crate::Verdicts::conditions) has a verdict for. Strategies,
/// segments and constraints are counted as the snapshot lists them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ConditionPlace {
    /// A strategy's own constraint.
    Constraint {
        /// The strategy.
        strategy: usize,
        /// The constraint.
        constraint: usize,
    },
    /// A constraint of a segment that a strategy uses.
    SegmentConstraint {
        /// The strategy.
        strategy: usize,
        /// The segment, among those of the strategy.
        segment: usize,
        /// The constraint, among those of the segment.
        constraint: usize,
    },
    /// A segment that a strategy uses.
    Segment {
        /// The strategy.
        strategy: usize,
        /// The segment, among those of the strategy.
        segment: usize,
    },
}

impl ConditionPlace {
    /// The conditions of a flag, in the order of [`Verdicts::conditions`](crate::Verdicts::conditions); `snapshot`
    /// holds the segments.
    pub fn of_flag<'a>(
        flag: &'a EnvironmentFlag,
        snapshot: &'a EnvironmentSnapshot,
    ) -> impl Iterator<Item = Self> + 'a {
        let strategies = flag.settings.strategies.iter().enumerate();
        strategies.flat_map(move |(strategy, found)| {
            let constraints = 0..found.constraints.len();
            let own = constraints.map(move |constraint| Self::Constraint { strategy, constraint });
            let segments = found.segments.iter().enumerate().flat_map(move |(segment, id)| {
                let count = snapshot
                    .segments
                    .get(id)
                    .map_or(0, |found| found.constraints.len());
                let constraints = (0..count).map(move |constraint| Self::SegmentConstraint {
                    strategy,
                    segment,
                    constraint,
                });
                constraints.chain([Self::Segment { strategy, segment }])
            });
            own.chain(segments)
        })
    }
}
