//! Explanations: the same evaluation as a decision, with everything that was seen on the way.
//!
//! Lists are as long as those of the snapshot and in the same order, so that the two can be read side by side.

mod constraint;
mod display;

use std::borrow::Cow;
use std::sync::Arc;

use vexil_domain::{FlagName, SegmentId};

pub use constraint::{ConstraintExplanation, Finding, Found};

/// Why a flag is on or off.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
pub struct Explanation {
    /// The flag.
    pub flag: FlagName,
    /// Whether the flag is on: exactly what [`Engine::is_enabled`](crate::Engine::is_enabled) says.
    pub enabled: bool,
    /// Whether the flag can be on for anybody here: its switch is on, and its strategies are not all disabled.
    pub enabled_in_environment: bool,
    /// The flags it depends on.
    pub parents: Vec<ParentExplanation>,
    /// What the strategies say together, whatever the switch and the parents say.
    pub strategies_result: Verdict,
    /// Every strategy, disabled ones included.
    pub strategies: Vec<StrategyExplanation>,
    /// The first strategy that holds, whatever the switch and the parents say.
    pub decided_by: Option<usize>,
    /// The pick among the flag's own variants, whatever the verdict; `None` where it has none.
    pub flag_variants: Option<Pick>,
    /// The variant that results.
    pub variant: VariantOutcome,
    /// The name of the variant that results.
    pub variant_name: Option<Arc<str>>,
}

impl Explanation {
    /// Whether a parent is not as the flag needs it.
    #[must_use]
    pub fn has_unsatisfied_dependency(&self) -> bool {
        self.parents.iter().any(|parent| !parent.satisfied)
    }

    /// The node that decided.
    #[must_use]
    pub fn decider(&self) -> Decider {
        if let Some(parent) = self.parents.iter().position(|parent| !parent.satisfied) {
            return Decider::Parent(parent);
        }
        let only_disabled = !self.strategies.is_empty() && self.strategies.iter().all(|s| s.disabled);
        match self.decided_by {
            _ if !self.enabled_in_environment && only_disabled => Decider::OnlyDisabledStrategies,
            _ if !self.enabled_in_environment || self.strategies.is_empty() => Decider::Switch,
            Some(strategy) => Decider::Strategy(strategy),
            None => Decider::NoStrategyHolds,
        }
    }
}

/// The node that decides whether a flag is on. Parents and strategies are counted from zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "camelCase", rename_all_fields = "camelCase")
)]
pub enum Decider {
    /// The switch of the environment: off, or on without any strategy.
    Switch,
    /// The flag has strategies, but all of them are disabled.
    OnlyDisabledStrategies,
    /// A parent is not as needed.
    Parent(usize),
    /// This strategy is the first that holds.
    Strategy(usize),
    /// There are strategies, and none holds.
    NoStrategyHolds,
}

/// True, false, or not known here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "camelCase", rename_all_fields = "camelCase")
)]
pub enum Verdict {
    /// It holds.
    True,
    /// It does not hold.
    #[default]
    False,
    /// It was not, or cannot be, evaluated here.
    Unknown,
}

/// How far a strategy could be evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "camelCase", rename_all_fields = "camelCase")
)]
pub enum Evaluation {
    /// All of it.
    Complete,
    /// Its constraints and segments, but not the strategy type's own rule.
    Incomplete,
    /// It is disabled, so it was left out.
    Unevaluated,
}

/// Which variant results. Indexes count from zero in the snapshot's lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "camelCase", rename_all_fields = "camelCase")
)]
pub enum VariantOutcome {
    /// None.
    #[default]
    Disabled,
    /// A variant of the strategy that decided.
    OfStrategy {
        /// The strategy.
        strategy: usize,
        /// The variant in the strategy's list.
        variant: usize,
    },
    /// A variant of the flag itself.
    OfFlag {
        /// The variant in the flag's list.
        variant: usize,
    },
}

/// What became of a dependency.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
pub struct ParentExplanation {
    /// The parent.
    pub parent: FlagName,
    /// Whether the parent is as needed.
    pub satisfied: bool,
    /// What the parent is.
    pub finding: ParentFinding,
}

/// What a parent is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "camelCase", rename_all_fields = "camelCase")
)]
pub enum ParentFinding {
    /// There is no such flag.
    Missing,
    /// It has parents itself, which is not supported.
    HasParents,
    /// It is off.
    Off,
    /// It is on.
    On {
        /// The name of its variant; `disabled` where there is none.
        variant: String,
    },
}

/// What became of a strategy.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
pub struct StrategyExplanation {
    /// The strategy type, such as `flexibleRollout`.
    pub strategy: Cow<'static, str>,
    /// Whether it is left out of the decision.
    pub disabled: bool,
    /// How far it could be evaluated.
    pub evaluation: Evaluation,
    /// Whether it holds.
    pub verdict: Verdict,
    /// What the strategy type's own rule found.
    pub rule: Rule,
    /// Every constraint, evaluated even where the strategy is disabled.
    pub constraints: Vec<ConstraintExplanation>,
    /// Every segment, evaluated even where the strategy is disabled.
    pub segments: Vec<SegmentExplanation>,
    /// The pick among the strategy's own variants, whatever the verdict; `None` where it has none.
    pub variants: Option<Pick>,
}

/// What a strategy type's own rule found.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "camelCase", rename_all_fields = "camelCase")
)]
pub enum Rule {
    /// `default`: holds for everybody.
    Always,
    /// A gradual rollout.
    Rollout(Rollout),
    /// `userWithId`: holds for listed users.
    Listed {
        /// The context field that is looked up.
        field: Arc<str>,
        /// Its value.
        found: Option<String>,
        /// Whether the value is listed.
        holds: bool,
    },
    /// `remoteAddress`: holds inside listed networks.
    Network {
        /// The address in the context.
        found: Option<String>,
        /// The network it is in.
        network: Option<String>,
    },
    /// `applicationHostname`: holds on listed hosts.
    HostName {
        /// The name of the host.
        found: String,
        /// Whether it is listed.
        holds: bool,
    },
    /// A custom strategy that the application decides.
    Custom {
        /// The strategy type.
        strategy: String,
        /// Whether the result was given; else a registered function was asked.
        is_given: bool,
        /// The result.
        holds: bool,
    },
    /// Cannot be evaluated here: a custom strategy that nobody registered, or a host name that nobody gave.
    NotEvaluable {
        /// The strategy type.
        strategy: String,
    },
    /// A parameter is missing or unreadable, so the strategy never holds.
    Unusable {
        /// The parameter.
        parameter: &'static str,
    },
}

/// What a gradual rollout found: it holds when `bucket <= bound`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
pub struct Rollout {
    /// What is hashed together with the value.
    pub group: String,
    /// What was hashed, or why chance decided.
    pub draw: Draw,
    /// The bucket, 1 to 100; `None` where there is nothing to hash.
    pub bucket: Option<u32>,
    /// The percentage, without its fraction, 0 to 100.
    pub bound: u32,
}

impl Rollout {
    /// Whether the user is let in.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.bucket.is_some_and(|bucket| bucket <= self.bound)
    }
}

/// Where a bucket comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "camelCase", rename_all_fields = "camelCase")
)]
pub enum Draw {
    /// From a context value.
    Value {
        /// The context field.
        field: Arc<str>,
        /// Its value.
        value: String,
    },
    /// From the seed: the stickiness is `random`, or no field has a value.
    Chance {
        /// The fields that were looked for; none when the stickiness is `random`.
        missing: Vec<Arc<str>>,
    },
    /// From nowhere: the field has no value, and chance is not asked.
    Nothing {
        /// The fields that were looked for.
        missing: Vec<Arc<str>>,
    },
}

/// A pick among variants.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
pub struct Pick {
    /// The variant, by its place in the list.
    pub variant: Option<usize>,
    /// The variant's name.
    pub name: Option<Arc<str>>,
    /// What decided.
    pub by: PickedBy,
}

/// What decides among variants.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "camelCase", rename_all_fields = "camelCase")
)]
pub enum PickedBy {
    /// A context value that is listed for the variant.
    Override {
        /// The context field.
        field: Arc<str>,
        /// Its value.
        value: String,
    },
    /// The weights: the first variant whose `bound` is not below `bucket`.
    Weight {
        /// Where the bucket comes from.
        draw: Draw,
        /// The bucket, 1 to `total`.
        bucket: u64,
        /// The sum of the weights up to and with the variant.
        bound: u64,
        /// The sum of all weights.
        total: u64,
    },
    /// All weights are zero, so there is nothing to pick.
    NoWeight,
}

/// What became of a segment.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
pub struct SegmentExplanation {
    /// The segment.
    pub id: SegmentId,
    /// Whether there is such a segment. Without it the strategy never holds.
    pub found: bool,
    /// Whether all its constraints hold.
    pub holds: bool,
    /// Every constraint.
    pub constraints: Vec<ConstraintExplanation>,
}
