//! Regular expressions, compiled.

use regex_automata::meta::Regex;

use super::Pattern;

/// A regular expression, ready to match.
#[derive(Debug, Clone)]
pub struct Matcher(Regex);

impl Pattern {
    /// Makes it ready to match.
    ///
    /// # Errors
    ///
    /// It cannot be compiled, with the reason. What was read is small enough, so that does not come up.
    pub fn compile(&self) -> Result<Matcher, String> {
        // what was read is small enough to be compiled, however large that becomes
        let limits = Regex::config().nfa_size_limit(None);
        let regex = Regex::builder().configure(limits).build_from_hir(self.hir());
        regex.map(Matcher).map_err(|error| error.to_string())
    }
}

impl Matcher {
    /// Whether the pattern matches somewhere in a text.
    #[inline]
    #[must_use]
    pub fn is_match(&self, text: &str) -> bool {
        self.0.is_match(text)
    }
}
