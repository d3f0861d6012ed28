//! What strategies, constraints, variants and segments may say: the checks before anything is stored.
//!
//! A constraint that can never be decided, such as a number operator on a word, evaluates to false
//! for everybody without a word of warning. So it is refused here, with the place and the way out.
//! All that is wrong is listed, not just the first.

mod constraint;
mod segment;
mod strategy;
mod variant;

use crate::ProblemCode;

pub use constraint::{constraint, constraints};
pub use segment::segment;
pub use strategy::{own_parameters, parameters, strategy, unknown_parameter};
pub use variant::{is_url_friendly, variants};

/// The most segments that one strategy may name.
pub const SEGMENTS_PER_STRATEGY: usize = 5;
/// The most strategies that one flag may have in one environment.
pub const STRATEGIES_PER_FLAG: usize = 30;
/// The most constraints that one strategy may have.
pub const CONSTRAINTS_PER_STRATEGY: usize = 30;
/// The most values that one constraint of a strategy may have.
pub const VALUES_PER_CONSTRAINT: usize = 250;
/// The most values that all constraints of a segment may have together.
pub const VALUES_PER_SEGMENT: usize = 1000;

/// Something that may not be stored as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where, as a JSON pointer into the document such as `/constraints/0/value`.
    pub path: String,
    /// What is the matter.
    pub code: ProblemCode,
    /// The same in a sentence for people.
    pub message: String,
}

impl Problem {
    pub(crate) fn new(code: ProblemCode, message: impl Into<String>) -> Self {
        Self::at("", code, message)
    }

    pub(crate) fn at(path: impl Into<String>, code: ProblemCode, message: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            code,
            message: message.into(),
        }
    }
}

/// Gathers problems below one place of a document.
#[derive(Debug, Default)]
struct Problems {
    found: Vec<Problem>,
}

impl Problems {
    fn add(&mut self, path: impl Into<String>, code: ProblemCode, message: impl Into<String>) {
        self.found.push(Problem::at(path, code, message));
    }
}
