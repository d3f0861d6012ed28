//! What became of a constraint.

use std::sync::Arc;

use time::OffsetDateTime;
use vexil_domain::Operator;
use vexil_values::{Problem, ValueKind};

/// What became of a constraint.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
pub struct ConstraintExplanation {
    /// The context field.
    pub field: Arc<str>,
    /// How it is compared.
    pub operator: Operator,
    /// Whether the outcome is turned round.
    pub inverted: bool,
    /// The value in the context.
    pub found: Found,
    /// What the comparison found, before it is turned round.
    pub finding: Finding,
    /// Whether the constraint holds, after it is turned round.
    pub holds: bool,
}

/// The value of a context field.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "camelCase", rename_all_fields = "camelCase")
)]
pub enum Found {
    /// There is none, or it is empty.
    Missing,
    /// This one.
    Value(String),
    /// There is no `currentTime`, so the present stands in.
    Now(#[cfg_attr(feature = "serde", serde(serialize_with = "moment"))] OffsetDateTime),
}

/// What a comparison found, before it is turned round.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "camelCase", rename_all_fields = "camelCase")
)]
pub enum Finding {
    /// The context value fits this entry of the constraint's list.
    Listed {
        /// The entry.
        value: String,
    },
    /// The context value fits none of the constraint's list.
    NotListed {
        /// How many entries there are.
        values: usize,
    },
    /// The context value was compared with one value.
    Compared {
        /// The constraint's value.
        with: String,
        /// Whether the operator is satisfied.
        holds: bool,
    },
    /// The context has no value to compare.
    Missing,
    /// The context value cannot be compared.
    Unreadable {
        /// What it should be.
        #[cfg_attr(feature = "serde", serde(serialize_with = "text"))]
        expected: ValueKind,
    },
    /// The constraint itself cannot be understood. It never holds, inverted or not.
    Invalid(#[cfg_attr(feature = "serde", serde(serialize_with = "text"))] Problem),
}

#[cfg(feature = "serde")]
fn text<S: serde::Serializer>(value: &impl std::fmt::Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

#[cfg(feature = "serde")]
fn moment<S: serde::Serializer>(value: &OffsetDateTime, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&vexil_values::Instant::from(*value))
}
