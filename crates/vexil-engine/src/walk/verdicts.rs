//! Writes down what the nodes of a walk conclude.

use vexil_domain::{FlagName, SegmentId};

use super::observer::Observer;
use super::{Decision, Walk};
use crate::piece::Spot;
use crate::view::View;
use crate::{
    ConstraintExplanation, ParentFinding, ParentVerdict, Pick, StrategyVerdict, VariantOutcome, Verdict,
    Verdicts,
};

impl Observer for Verdicts {
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

    fn strategy(&mut self, make: impl FnOnce() -> StrategyVerdict, _: impl FnOnce() -> Option<Pick>) {
        self.strategies.push(make());
    }
}

impl<'c, V: View<'c>> Walk<'_, 'c, V> {
    /// What follows from the verdicts of the parents and strategies.
    pub(super) fn sum_up(&self, spot: Spot<'_>, decision: Decision<'_>, verdicts: &mut Verdicts) {
        let flag = spot.flag;
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
