//! Why a text is no regular expression, and the limits that it may break.

/// The longest pattern, in bytes.
pub const LONGEST_PATTERN: usize = 1024;
/// The largest pattern, in transitions of its automaton, counted with all repetitions written out. Each takes
/// some fifty bytes.
pub(super) const LARGEST: usize = 50_000;

/// The deepest nesting of groups and repetitions.
pub(super) const DEEPEST: usize = 250;

/// Why a text is no regular expression.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PatternError {
    /// It is too long.
    #[error("it has {length} bytes, more than {LONGEST_PATTERN}")]
    TooLong {
        /// Its length in bytes.
        length: usize,
    },
    /// With its repetitions written out it is too large.
    #[error("with its repetitions written out it is too large")]
    TooLarge,
    /// Its groups and repetitions are nested too deeply.
    #[error("its groups are nested more than {DEEPEST} deep")]
    TooDeep,
    /// A group or a class is not closed.
    #[error("`{missing}` is missing")]
    Unclosed {
        /// What would close it.
        missing: char,
    },
    /// A group is closed that was never opened.
    #[error("`)` closes nothing")]
    Unopened,
    /// There is nothing to repeat.
    #[error("`{operator}` repeats nothing")]
    NothingToRepeat {
        /// The operator.
        operator: String,
    },
    /// A repetition follows a repetition.
    #[error("`{operator}` repeats a repetition; put that in a group")]
    RepeatedRepetition {
        /// The second operator.
        operator: String,
    },
    /// A count is over a thousand, also where repetitions are nested, or the counts are the wrong way round.
    #[error("`{operator}` is more than 1000 repetitions, or the wrong way round")]
    BadCount {
        /// The operator.
        operator: String,
    },
    /// An escape that RE2 does not know.
    #[error("the escape `{escape}` is not known")]
    BadEscape {
        /// The escape.
        escape: String,
    },
    /// A class that RE2 does not know, or a range the wrong way round.
    #[error("the class `{class}` is not known, or the wrong way round")]
    BadClass {
        /// The class or range.
        class: String,
    },
    /// A group that RE2 does not know, such as one that looks around.
    #[error("the group `{group}` is not supported")]
    BadGroup {
        /// How it starts.
        group: String,
    },
    /// Two groups have the same name.
    #[error("two groups are called `{name}`")]
    SameName {
        /// The name.
        name: String,
    },
}
