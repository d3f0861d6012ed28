//! Regular expressions of the dialect RE2 (<https://github.com/google/re2/wiki/Syntax>), which is what
//! every SDK promises: what it reads is read, to the same meaning, and what it refuses is refused.
//!
//! A pattern is read, not compiled. How large it would become is counted on the way, so that whoever compiles
//! it later cannot fail, and whoever only asks whether it may be stored pays little.
//!
//! Two differences: `\C` (one byte, perhaps of half a character) is refused, as all SDKs do, and so is what
//! is longer, larger or deeper than the limits here.

mod class;
mod names;
mod parser;

use regex_syntax::hir::Hir;

/// The longest pattern, in bytes.
pub const LONGEST_PATTERN: usize = 1024;
/// The largest pattern, in transitions of its automaton, counted with all repetitions written out. Each takes
/// some fifty bytes.
const LARGEST: usize = 50_000;
/// The deepest nesting of groups and repetitions.
const DEEPEST: usize = 250;

/// A regular expression, read.
#[derive(Debug, Clone)]
pub struct Pattern {
    source: Box<str>,
    hir: Hir,
}

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

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    ///
    /// It is no pattern of RE2, or too large.
    pub fn parse(source: &str, ignore_case: bool) -> Result<Self, PatternError> {
        if source.len() > LONGEST_PATTERN {
            let length = source.len();
            return Err(PatternError::TooLong { length });
        }
        Ok(Self {
            source: source.into(),
            hir: parser::parse(source, ignore_case)?,
        })
    }

    /// As it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.source
    }

    /// What it means: groups are gone, since nobody asks what they matched.
    #[must_use]
    pub fn hir(&self) -> &Hir {
        &self.hir
    }
}

#[cfg(test)]
mod tests;
