//! Asks every flag about every combination of context values, each distinct question once; tells
//! what a change makes of the answers, and whom it hits.
//!
//! A [`ContextMatrix`] holds, for each context field, the values to try. Its combinations are never
//! built as a list: they are counted first and walked one by one. A flag reads few of the fields, so
//! a [`Projection`] numbers the combinations by the fields that matter to it, and equal numbers mean
//! equal answers.
//!
//! A [`Comparison`] of two sides gives the [`Difference`]: for each flag the combinations that come
//! out differently, put together by what they were and what they become, and described by the values
//! that decide.
//!
//! The [`Effect`] of the same two sides holds for all contexts there are: regions of contexts that change, each with one of
//! them, and whether guards hold. [`Comparison::certificate`] gives a proof of it, which `vexil-proof-check` accepts or
//! refuses by another method.
//!
//! ```
//! use vexil_budget::Budget;
//! use vexil_domain::{ActivationStrategy, Constraint, EnvironmentFlag, EnvironmentSnapshot, Operator};
//! use vexil_engine::{Ambient, Engine, OffsetDateTime};
//! use vexil_preview::{Comparison, ContextMatrix, ContextSet, Guard, GuardVerdict, Side, affected_flags};
//!
//! fn flags(rollout: &str) -> EnvironmentSnapshot {
//!     let mut nordic = Constraint::new("country", Operator::In);
//!     nordic.values = vec!["NO".to_owned(), "SE".to_owned()];
//!     let strategy = ActivationStrategy::new("s1", "flexibleRollout")
//!         .with_parameter("rollout", rollout)
//!         .with_parameter("stickiness", "userId")
//!         .with_constraint(nordic);
//!     [EnvironmentFlag::new("checkout", "default").with_strategy(strategy)].into_iter().collect()
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let (before, after) = (flags("10"), flags("60"));
//! let (was, is) = (Engine::compile(&before).0, Engine::compile(&after).0);
//! let comparison = Comparison {
//!     before: Side { snapshot: &before, engine: &was },
//!     after: Side { snapshot: &after, engine: &is },
//!     environment: "production",
//!     ambient: Ambient::new(OffsetDateTime::UNIX_EPOCH, 0),
//! };
//! let changed = affected_flags(&before, &after);
//! let budget = Budget::new(1_000_000);
//!
//! // what is tried: six combinations, one question for each
//! let mut matrix = ContextMatrix::new();
//! matrix.set_text("userId", "alice,bob");
//! matrix.set_text("country", "NO,SE,DK");
//! let difference = comparison.difference(&changed, &matrix, 1_000, &budget)?;
//! assert_eq!(difference.combinations, 6);
//! let group = &difference.flags[0].groups[0];
//! assert_eq!(group.to_string(), "userId is bob, country is NO or SE");
//!
//! // and what holds for everybody
//! let danes = ContextSet { fields: vec![("country".to_owned(), vec!["DK".to_owned()])] };
//! let effect = comparison.effect(&changed, &[Guard::Never(danes)], &budget);
//! let region = &effect.flags[0].groups[0].boxes[0];
//! assert_eq!(region.to_string(), "country is NO or SE, userId is set, userId in buckets 11 to 60 of checkout");
//! assert_eq!(region.share.map(|share| share.as_f64()), Some(0.5));
//! assert_eq!(effect.guards[0].verdict, GuardVerdict::Holds);
//! assert!(effect.is_complete());
//! # Ok(())
//! # }
//! ```

mod affected;
mod axes;
mod boxes;
mod classes;
mod cost;
mod cover;
mod difference;
mod effect;
mod evaluations;
mod findings;
mod lint;
mod matrix;
mod movement;
mod outcome;
mod population;
mod probe;
mod projection;
mod quoting;
mod share;
mod suggest;
mod tally;

pub use affected::affected_flags;
pub use boxes::{Condition, ContextBox};
pub use effect::{
    ConditionOn, ContextSet, Covers, CustomAnswer, Effect, EffectBox, EffectCondition, EffectGroup,
    EffectSummary, FlagEffect, Guard, GuardFinding, GuardVerdict, Meeting, Reason, Undecided, Witness,
};
pub use findings::{Cell, Comparison, Difference, DifferenceError, FlagDifference, Group};
pub use lint::{Finding, FindingKind, Lint, Subject, lint};
pub use matrix::{ContextMatrix, Cursor, MatrixField};
pub use movement::{FlagMovement, RolloutMovement, RolloutRange, VariantMove, VariantMovement};
pub use outcome::{ChosenVariant, Counts, Outcome, Side, Transition, outcome};
pub use population::{Impact, Population};
pub use projection::Projection;
pub use quoting::{is_unseen, quoted, seen};
pub use share::Share;
pub use suggest::{Suggestion, SuggestionBounds};
