//! What could not be decided, and why.

use vexil_budget::Exhausted;
use vexil_domain::FlagName;

/// Something that could not be decided.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{flag}: {reason}")]
pub struct Undecided {
    /// The flag.
    pub flag: FlagName,
    /// Why.
    pub reason: Reason,
}

/// Why something could not be decided.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// The work would take more than it may.
    #[error("{0}")]
    Exhausted(Exhausted),
    /// The flag has more rules, or reads or hashes more fields, than are put together.
    #[error("there are too many strategies, variants or fields to put together")]
    TooManyRules,
    /// The constraints of a field can hold in more combinations than are told apart.
    #[error("what is looked for in `{field}` can occur in too many combinations")]
    TooManyTexts {
        /// The field.
        field: String,
    },
    /// The constraints of a field look for texts and compare values at once, or match patterns, so that
    /// only some of the combinations were found.
    #[error("not every combination of the conditions on `{field}` was found or ruled out")]
    TextsNotTold {
        /// The field.
        field: String,
    },
    /// A change is possible as far as the conditions go, but no context was found that shows it.
    #[error("a change from {before} to {after} is possible, but no context that shows it was found")]
    NoWitness {
        /// What the flag would be before.
        before: String,
        /// What the flag would be after.
        after: String,
    },
}

impl Undecided {
    pub(super) fn new(flag: &FlagName, reason: Reason) -> Self {
        Self {
            flag: flag.clone(),
            reason,
        }
    }
}
