//! What can be wrong with a constraint.

use std::fmt;

use vexil_domain::Operator;

/// Something in a constraint that cannot be understood, or that says nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// No context field is named.
    #[error("must name the context field that is compared")]
    NoField,
    /// The operator is not known.
    #[error("`{operator}` is no operator; there are: {}", known_operators())]
    UnknownOperator {
        /// The operator's name.
        operator: String,
    },
    /// The operator takes a list, and the list is empty.
    #[error("`{operator}` needs at least one value")]
    NoValues {
        /// The operator's name.
        operator: String,
    },
    /// An entry of the list is nothing but blanks. It is passed over.
    #[error("must not be empty")]
    EmptyValue {
        /// The place in the list, from zero.
        place: usize,
    },
    /// An entry of the list is no network. It is passed over.
    #[error("`{value}` is neither an IP address nor a network such as 10.0.0.0/8")]
    BadNetwork {
        /// The place in the list, from zero.
        place: usize,
        /// The entry.
        value: String,
    },
    /// The operator takes one value, and there is none.
    #[error("`{operator}` needs a value")]
    NoValue {
        /// The operator's name.
        operator: String,
    },
    /// The value is not of the kind that the operator compares.
    #[error("`{value}` is not {}", expected.with_example())]
    UnreadableValue {
        /// The value.
        value: String,
        /// What it should be.
        expected: ValueKind,
    },
    /// The value is no regular expression.
    #[error("`{pattern}` is not a regular expression: {reason}")]
    BadPattern {
        /// The value.
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A regular expression is inverted, which Unleash does not store. It is evaluated all the same.
    #[error("`REGEX` cannot be inverted; write the pattern the other way round")]
    InvertedPattern,
}

/// The member of a constraint that a problem is with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The context field.
    Field,
    /// The operator.
    Operator,
    /// The one value.
    Value,
    /// The list of values.
    Values,
    /// An entry of the list of values, by its place from zero.
    Entry(usize),
    /// Whether the outcome is turned round.
    Inverted,
}

impl Problem {
    /// The member of the constraint that the problem is with.
    #[must_use]
    pub fn part(&self) -> Part {
        match self {
            Self::NoField => Part::Field,
            Self::UnknownOperator { .. } => Part::Operator,
            Self::NoValues { .. } => Part::Values,
            Self::EmptyValue { place } | Self::BadNetwork { place, .. } => Part::Entry(*place),
            Self::NoValue { .. } | Self::UnreadableValue { .. } | Self::BadPattern { .. } => Part::Value,
            Self::InvertedPattern => Part::Inverted,
        }
    }

    /// What becomes of a constraint that has the problem all the same, for people.
    #[must_use]
    pub fn consequence(&self) -> &'static str {
        match self {
            Self::UnknownOperator { .. }
            | Self::NoValue { .. }
            | Self::UnreadableValue { .. }
            | Self::BadPattern { .. } => "the constraint never holds, inverted or not",
            Self::NoField => "no context has the field",
            Self::NoValues { .. } => "no context value is listed",
            Self::EmptyValue { .. } => "the entry is passed over",
            Self::BadNetwork { .. } => "the entry is passed over; inverted, the constraint never holds",
            Self::InvertedPattern => "it is evaluated as it stands",
        }
    }
}

/// A kind of value that operators compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ValueKind {
    /// A decimal number.
    Number,
    /// A date-time.
    Date,
    /// A semantic version.
    Version,
    /// An IP address.
    Address,
}

impl ValueKind {
    fn with_example(self) -> &'static str {
        match self {
            Self::Number => "a number such as 5 or 0.25",
            Self::Date => "a date and time such as 2026-01-31T12:00:00Z, or a day such as 2026-01-31",
            Self::Version => "a semantic version such as 1.2.0",
            Self::Address => "an IP address such as 10.0.0.1",
        }
    }
}

impl fmt::Display for ValueKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Number => "number",
            Self::Date => "RFC 3339 date-time",
            Self::Version => "semantic version",
            Self::Address => "IP address",
        })
    }
}

fn known_operators() -> String {
    let names: Vec<&str> = Operator::KNOWN.iter().map(Operator::name).collect();
    names.join(", ")
}
