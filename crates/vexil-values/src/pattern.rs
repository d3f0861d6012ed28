//! Regular expressions of the dialect RE2 (<https://github.com/google/re2/wiki/Syntax>), which is what
//! every SDK promises: what it reads is read, to the same meaning, and what it refuses is refused.
//!
//! A pattern is read, not compiled. How large it would become is counted on the way, so that whoever compiles
//! it later cannot fail, and whoever only asks whether it may be stored pays little.
//!
//! Two differences: `\C` (one byte, perhaps of half a character) is refused, as all SDKs do, and so is what
//! is longer, larger or deeper than the limits here.

mod class;
mod error;
mod matcher;
mod names;
mod parser;

use regex_syntax::hir::Hir;

pub use error::{LONGEST_PATTERN, PatternError};
pub use matcher::Matcher;

/// A regular expression, read.
#[derive(Debug, Clone)]
pub struct Pattern {
    source: Box<str>,
    hir: Hir,
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
