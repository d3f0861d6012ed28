#![doc = include_str!("../README.md")]

mod ambient;
mod builder;
mod choice;
mod chunk;
mod compile;
mod condition;
mod condition_place;
mod context_lookup;
mod custom;
mod engine;
mod evaluate;
mod explanation;
mod fields;
mod flag_id;
mod flag_info;
mod flag_table;
mod lineage;
mod names;
mod prepared;
mod probe;
mod program;
mod reads;
mod segments;
pub mod source;
mod tally;
mod unreadable;
mod update;
mod values;
mod verdicts;
mod warning;

pub use ambient::Ambient;
pub use builder::Builder;
pub use choice::{Choice, OwnedChoice, OwnedResolved, Resolved};
pub use condition_place::ConditionPlace;
pub use custom::{CustomQuestion, CustomResults, CustomStrategies};
pub use engine::Engine;
pub use explanation::{
    ConstraintExplanation, Decider, Draw, Evaluation, Explanation, Finding, Found, ParentExplanation,
    ParentFinding, Pick, PickedBy, Rollout, Rule, SegmentExplanation, StrategyExplanation, VariantOutcome,
    Verdict,
};
pub use flag_id::FlagId;
pub use flag_info::FlagInfo;
pub use prepared::Prepared;
pub use probe::{Buckets, Draws, Probe};
pub use tally::{FlagTally, Tally};
pub use update::Update;
pub use verdicts::{ParentVerdict, StrategyVerdict, Verdicts};
pub use warning::{Place, Problem, Warning};

// what the signatures above name, so that nobody needs the crates they come from
pub use time::OffsetDateTime;
pub use vexil_domain::{
    ActivationStrategy, Constraint, Context, Dependency, EnvironmentFlag, EnvironmentSnapshot, FlagName,
    FlagSettings, Operator, Payload, ProjectId, Properties, Segment, SegmentId, Stickiness, StrategyId,
    Variant, VariantOverride, WeightType, Write,
};
pub use vexil_values::{ConstraintText, Problem as ConstraintProblem, ValueKind};
