//! Writes down a whole evaluation as an explanation.

use vexil_domain::{FlagName, SegmentId};

use super::evaluator::{Decision, Evaluator};
use super::tracer::Tracer;
use crate::chunk::FlagRef;
use crate::context_lookup::ContextLookup;
use crate::program::Strategy;
use crate::{
    ConstraintExplanation, Evaluation, Explanation, ParentExplanation, ParentFinding, ParentVerdict, Pick,
    Rule, SegmentExplanation, StrategyExplanation, StrategyVerdict, VariantOutcome, Verdicts,
};

/// Collects the nodes of an evaluation.
#[derive(Default)]
pub(super) struct Recorder {
    parents: Vec<ParentExplanation>,
    strategies: Vec<StrategyExplanation>,
    pending: Vec<ConstraintExplanation>,
    constraints: Vec<ConstraintExplanation>,
    segments: Vec<SegmentExplanation>,
    rule: Option<Rule>,
    /// Those of the strategies; parents and conditions are in the explanation itself.
    verdicts: Verdicts,
}

impl Tracer for Recorder {
    const COMPLETE: bool = true;

    fn parent(&mut self, name: &FlagName, verdict: ParentVerdict, finding: impl FnOnce() -> ParentFinding) {
        self.parents.push(ParentExplanation {
            parent: name.clone(),
            satisfied: verdict.satisfied,
            finding: finding(),
        });
    }

    fn constraint(&mut self, _holds: bool, make: impl FnOnce() -> ConstraintExplanation) {
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

    fn strategy(
        &mut self,
        strategy: &Strategy,
        make: impl FnOnce() -> StrategyVerdict,
        pick: impl FnOnce() -> Option<Pick>,
    ) {
        let verdict = make();
        self.verdicts.strategies.push(verdict);
        self.strategies.push(StrategyExplanation {
            strategy: strategy.type_name(),
            disabled: verdict.evaluation == Evaluation::Unevaluated,
            evaluation: verdict.evaluation,
            verdict: verdict.verdict,
            rule: self.rule.take().unwrap_or(Rule::Always),
            constraints: std::mem::take(&mut self.constraints),
            segments: std::mem::take(&mut self.segments),
            variants: pick(),
        });
    }
}

impl<'c, V: ContextLookup<'c>> Evaluator<'_, 'c, V> {
    pub(super) fn explanation(
        &self,
        flag_ref: FlagRef<'_>,
        decision: Decision<'_>,
        recorder: Recorder,
    ) -> Explanation {
        let mut verdicts = recorder.verdicts;
        self.sum_up(flag_ref, decision, &mut verdicts);
        let flag_variants = flag_ref.flag.variants().map(|list| self.explain_pick(list));
        let picked = match verdicts.variant {
            VariantOutcome::Disabled => None,
            VariantOutcome::OfStrategy { strategy, .. } => {
                let strategy = recorder.strategies.get(strategy);
                strategy.and_then(|strategy| strategy.variants.as_ref())
            }
            VariantOutcome::OfFlag { .. } => flag_variants.as_ref(),
        };
        Explanation {
            variant_name: picked.and_then(|pick| pick.name.clone()),
            flag: flag_ref.flag.name.clone(),
            enabled: verdicts.enabled,
            enabled_in_environment: verdicts.enabled_in_environment,
            parents: recorder.parents,
            strategies_result: verdicts.strategies_result,
            strategies: recorder.strategies,
            decided_by: verdicts.decided_by,
            flag_variants,
            variant: verdicts.variant,
        }
    }
}
