//! Writes down what the nodes of an evaluation conclude.

use vexil_domain::{FlagName, SegmentId};

use super::evaluator::{Decision, Evaluator};
use super::tracer::Tracer;
use crate::chunk::FlagRef;
use crate::context_lookup::ContextLookup;
use crate::program::Strategy;
use crate::{
    ConstraintExplanation, ParentFinding, ParentVerdict, Pick, StrategyVerdict, VariantOutcome, Verdict,
    Verdicts,
};

impl Tracer for Verdicts {
    const COMPLETE: bool = true;

    fn parent(&mut self, _: &FlagName, verdict: ParentVerdict, _: impl FnOnce() -> ParentFinding) {
        self.parents.push(verdict);
    }

    fn constraint(&mut self, holds: bool, _: impl FnOnce() -> ConstraintExplanation) {
        self.conditions.push(holds);
    }

    fn segment(&mut self, _: SegmentId, _: bool, holds: bool) {
        self.conditions.push(holds);
    }

    fn strategy(
        &mut self,
        _: &Strategy,
        make: impl FnOnce() -> StrategyVerdict,
        _: impl FnOnce() -> Option<Pick>,
    ) {
        self.strategies.push(make());
    }
}

impl<'c, V: ContextLookup<'c>> Evaluator<'_, 'c, V> {
    /// What follows from the verdicts of the parents and strategies.
    pub(super) fn sum_up(&self, flag_ref: FlagRef<'_>, decision: Decision<'_>, verdicts: &mut Verdicts) {
        let flag = flag_ref.flag;
        let variants = flag.variants();
        verdicts.enabled = decision.enabled;
        verdicts.decided_by = decision.by.map(|(strategy, _)| strategy);
        verdicts.enabled_in_environment = flag.switch && !verdicts.only_disabled();
        verdicts.strategies_result = together(flag.switch, &verdicts.strategies);
        verdicts.flag_variant = variants.and_then(|list| self.pick(list)).map(|(place, _)| place);
        verdicts.variant = if decision.enabled {
            verdicts.variant_when_on()
        } else {
            VariantOutcome::Disabled
        };
    }
}

/// What strategies say together; without any, the switch alone decides.
fn together(switch: bool, strategies: &[StrategyVerdict]) -> Verdict {
    if strategies.is_empty() {
        return if switch { Verdict::True } else { Verdict::False };
    }
    [Verdict::True, Verdict::Unknown]
        .into_iter()
        .find(|verdict| strategies.iter().any(|strategy| strategy.verdict == *verdict))
        .unwrap_or(Verdict::False)
}
