//! Verdicts: what an explanation concludes, without the reasons.

use crate::{Evaluation, Explanation, ParentFinding, Pick, VariantOutcome, Verdict};

/// What every node of a flag concluded: an [`Explanation`] without its reasons.
///
/// It holds neither names nor texts, and its lists keep their memory, so that filling one again
/// and again ([`Engine::verdicts_by`](crate::Engine::verdicts_by)) allocates nothing. Lists are as
/// long as those of the snapshot and in the same order.
///
/// ```
/// # use vexil_domain::{Context, EnvironmentSnapshot};
/// # use vexil_engine::{Ambient, Engine, Verdicts};
/// # let engine = Engine::compile(&EnvironmentSnapshot::default()).0;
/// # let ambient = Ambient::new(time::OffsetDateTime::UNIX_EPOCH, 0);
/// let mut verdicts = Verdicts::default();
/// for flag in engine.flags() {
///     engine.verdicts_by(flag, &Context::default(), &ambient, &mut verdicts);
///     println!("{}: {} conditions", verdicts.enabled, verdicts.conditions.len());
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Verdicts {
    /// Whether the flag is on.
    pub enabled: bool,
    /// Whether the flag can be on for anybody here: its switch is on, and its strategies are not all disabled.
    pub enabled_in_environment: bool,
    /// The flags it depends on.
    pub parents: Vec<ParentVerdict>,
    /// What the strategies say together, whatever the switch and the parents say.
    pub strategies_result: Verdict,
    /// Every strategy, disabled ones included.
    pub strategies: Vec<StrategyVerdict>,
    /// Whether each condition holds; which is which says [`ConditionPlace::of_flag`](crate::ConditionPlace::of_flag).
    pub conditions: Vec<bool>,
    /// The first strategy that holds, whatever the switch and the parents say.
    pub decided_by: Option<usize>,
    /// The pick among the flag's own variants, whatever the verdict.
    pub flag_variant: Option<usize>,
    /// The variant that results.
    pub variant: VariantOutcome,
}

/// What a parent concluded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParentVerdict {
    /// Whether the parent is as needed.
    pub satisfied: bool,
    /// Whether the parent was asked, and is off.
    pub off: bool,
}

/// What a strategy concluded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StrategyVerdict {
    /// How far it could be evaluated.
    pub evaluation: Evaluation,
    /// Whether it holds.
    pub verdict: Verdict,
    /// The pick among the strategy's own variants, whatever the verdict.
    pub variant: Option<usize>,
}

impl Verdicts {
    /// Whether a parent is not as the flag needs it.
    #[must_use]
    pub fn has_unsatisfied_dependency(&self) -> bool {
        self.parents.iter().any(|parent| !parent.satisfied)
    }

    /// The variant that the flag gives where it is on: the pick of the strategy that decided, else the
    /// flag's own.
    #[must_use]
    pub fn variant_when_on(&self) -> VariantOutcome {
        let own = self.decided_by.and_then(|strategy| {
            let variant = self.strategies.get(strategy)?.variant?;
            Some(VariantOutcome::OfStrategy { strategy, variant })
        });
        let of_flag = || {
            Some(VariantOutcome::OfFlag {
                variant: self.flag_variant?,
            })
        };
        own.or_else(of_flag).unwrap_or(VariantOutcome::Disabled)
    }

    /// Whether there are strategies, and all of them are disabled.
    pub(crate) fn only_disabled(&self) -> bool {
        !self.strategies.is_empty()
            && self
                .strategies
                .iter()
                .all(|strategy| strategy.evaluation == Evaluation::Unevaluated)
    }
}

impl From<&Explanation> for Verdicts {
    fn from(explanation: &Explanation) -> Self {
        let picked = |pick: &Option<Pick>| pick.as_ref().and_then(|pick| pick.variant);
        let mut verdicts = Self {
            enabled: explanation.enabled,
            enabled_in_environment: explanation.enabled_in_environment,
            strategies_result: explanation.strategies_result,
            decided_by: explanation.decided_by,
            flag_variant: picked(&explanation.flag_variants),
            variant: explanation.variant,
            ..Self::default()
        };
        verdicts
            .parents
            .extend(explanation.parents.iter().map(|parent| ParentVerdict {
                satisfied: parent.satisfied,
                off: parent.finding == ParentFinding::Off,
            }));
        for strategy in &explanation.strategies {
            verdicts.strategies.push(StrategyVerdict {
                evaluation: strategy.evaluation,
                verdict: strategy.verdict,
                variant: picked(&strategy.variants),
            });
            let conditions = &mut verdicts.conditions;
            conditions.extend(strategy.constraints.iter().map(|constraint| constraint.holds));
            for segment in &strategy.segments {
                conditions.extend(segment.constraints.iter().map(|constraint| constraint.holds));
                conditions.push(segment.holds);
            }
        }
        verdicts
    }
}
