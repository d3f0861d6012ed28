//! Writes down a whole walk as an explanation.

use vexil_domain::{FlagName, SegmentId};

use super::observer::Observer;
use super::{Decision, Walk};
use crate::piece::Spot;
use crate::program::Flag;
use crate::view::View;
use crate::{
    ConstraintExplanation, Evaluation, Explanation, ParentExplanation, ParentFinding, Pick, Rule,
    SegmentExplanation, StrategyExplanation, VariantOutcome, Verdict,
};

/// Collects the nodes of a walk.
#[derive(Default)]
pub(super) struct Recorder {
    parents: Vec<ParentExplanation>,
    strategies: Vec<StrategyExplanation>,
    pending: Vec<ConstraintExplanation>,
    constraints: Vec<ConstraintExplanation>,
    segments: Vec<SegmentExplanation>,
    rule: Option<Rule>,
}

impl Observer for Recorder {
    const COMPLETE: bool = true;

    fn parent(&mut self, name: &FlagName, satisfied: bool, finding: impl FnOnce() -> ParentFinding) {
        self.parents.push(ParentExplanation {
            parent: name.clone(),
            satisfied,
            finding: finding(),
        });
    }

    fn constraint(&mut self, make: impl FnOnce() -> ConstraintExplanation) {
        self.pending.push(make());
    }

    fn own_constraints(&mut self) {
        self.constraints = std::mem::take(&mut self.pending);
    }

    fn segment(&mut self, id: SegmentId, found: bool, holds: bool) {
        self.segments.push(SegmentExplanation {
            id,
            found,
            holds,
            constraints: std::mem::take(&mut self.pending),
        });
    }

    fn rule(&mut self, make: impl FnOnce() -> Rule) {
        self.rule = Some(make());
    }

    fn strategy(&mut self, make: impl FnOnce() -> (bool, Evaluation, Verdict, Option<Pick>)) {
        let (disabled, evaluation, verdict, variants) = make();
        self.strategies.push(StrategyExplanation {
            disabled,
            evaluation,
            verdict,
            rule: self.rule.take().unwrap_or(Rule::Always),
            constraints: std::mem::take(&mut self.constraints),
            segments: std::mem::take(&mut self.segments),
            variants,
        });
    }
}

impl<'c, V: View<'c>> Walk<'_, 'c, V> {
    pub(super) fn explanation(
        &self,
        spot: Spot<'_>,
        decision: Decision<'_>,
        recorder: Recorder,
    ) -> Explanation {
        let strategies = recorder.strategies;
        let flag = spot.flag;
        let flag_variants = flag.variants().map(|list| self.explain_pick(list));
        let only_disabled = !strategies.is_empty() && strategies.iter().all(|strategy| strategy.disabled);
        let picked = |pick: &Option<Pick>| pick.as_ref().and_then(|pick| pick.variant);
        let own = decision.by.and_then(|(strategy, _)| {
            let variant = picked(&strategies.get(strategy)?.variants)?;
            Some(VariantOutcome::OfStrategy { strategy, variant })
        });
        let variant = own
            .or_else(|| picked(&flag_variants).map(|variant| VariantOutcome::OfFlag { variant }))
            .filter(|_| decision.enabled)
            .unwrap_or(VariantOutcome::Disabled);
        Explanation {
            flag: flag.name.clone(),
            enabled: decision.enabled,
            enabled_in_environment: flag.switch && !only_disabled,
            parents: recorder.parents,
            strategies_result: result(flag, &strategies),
            strategies,
            decided_by: decision.by.map(|(strategy, _)| strategy),
            flag_variants,
            variant,
        }
    }
}

fn result(flag: &Flag, strategies: &[StrategyExplanation]) -> Verdict {
    if strategies.is_empty() {
        return if flag.switch {
            Verdict::True
        } else {
            Verdict::False
        };
    }
    [Verdict::True, Verdict::Unknown]
        .into_iter()
        .find(|verdict| strategies.iter().any(|strategy| strategy.verdict == *verdict))
        .unwrap_or(Verdict::False)
}
