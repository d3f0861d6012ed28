//! Who watches an evaluation.

use vexil_domain::{FlagName, SegmentId};

use crate::program::Strategy;
use crate::{ConstraintExplanation, ParentFinding, ParentVerdict, Pick, Rule, StrategyVerdict};

/// Sees the nodes of an evaluation, the inner ones before the outer ones. What a node found is only put
/// together when the tracer asks for it.
pub(crate) trait Tracer {
    /// Whether every node is to be visited, also those that no longer decide.
    const COMPLETE: bool;

    /// A parent was looked at.
    fn parent(
        &mut self,
        _name: &FlagName,
        _verdict: ParentVerdict,
        _finding: impl FnOnce() -> ParentFinding,
    ) {
    }

    /// A constraint was evaluated.
    fn constraint(&mut self, _holds: bool, _make: impl FnOnce() -> ConstraintExplanation) {}

    /// The constraints so far were the strategy's own.
    fn own_constraints(&mut self) {}

    /// The constraints since then were a segment's.
    fn segment(&mut self, _id: SegmentId, _found: bool, _holds: bool) {}

    /// The strategy type's own rule was evaluated.
    fn rule(&mut self, _make: impl FnOnce() -> Rule) {}

    /// All since the last strategy was this one's.
    fn strategy(
        &mut self,
        _strategy: &Strategy,
        _make: impl FnOnce() -> StrategyVerdict,
        _pick: impl FnOnce() -> Option<Pick>,
    ) {
    }
}

/// Nobody watches.
pub(crate) struct NoTrace;

impl Tracer for NoTrace {
    const COMPLETE: bool = false;
}
