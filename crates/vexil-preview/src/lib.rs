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
pub use population::{Impact, ONE_IN, Population, wilson};
pub use projection::Projection;
pub use quoting::quoted;
pub use share::Share;
pub use suggest::{Suggestion, SuggestionBounds};
