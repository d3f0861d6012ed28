#![doc = include_str!("../README.md")]

mod ambient;
mod builder;
mod choice;
mod compile;
mod engine;
mod explanation;
mod fields;
mod flag_id;
mod names;
mod piece;
mod prepared;
mod program;
mod reads;
mod segments;
pub mod source;
mod tally;
mod update;
mod values;
mod verdicts;
mod view;
mod walk;
mod warning;
mod world;

pub use ambient::Ambient;
pub use builder::Builder;
pub use choice::{Choice, Resolved};
pub use engine::Engine;
pub use explanation::{
    ConstraintExplanation, Decider, Draw, Evaluation, Explanation, Finding, Found, ParentExplanation,
    ParentFinding, Pick, PickedBy, Rollout, Rule, SegmentExplanation, StrategyExplanation, VariantOutcome,
    Verdict,
};
pub use flag_id::FlagId;
pub use prepared::Prepared;
pub use tally::{FlagTally, Tally};
pub use update::Update;
pub use verdicts::{ParentVerdict, StrategyVerdict, Verdicts};
pub use warning::{Place, Problem, ValueKind, Warning};
