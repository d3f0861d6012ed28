//! What stands in for regular expressions where they are left out: there is none, so every one is refused.

/// A regular expression, read: there is none.
#[derive(Debug, Clone)]
pub enum Pattern {}

/// A regular expression, ready to match: there is none.
#[derive(Debug, Clone)]
pub enum Matcher {}

impl Pattern {
    pub(crate) fn parse(_: &str, _: bool) -> Result<Self, &'static str> {
        Err("this program was built without the feature `regex`")
    }

    /// As it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match *self {}
    }

    /// Makes it ready to match.
    ///
    /// # Errors
    ///
    /// There are none, as there is no pattern.
    pub fn compile(&self) -> Result<Matcher, String> {
        match *self {}
    }
}

impl Matcher {
    /// Whether the pattern matches somewhere in a text.
    #[must_use]
    pub fn is_match(&self, _: &str) -> bool {
        match *self {}
    }
}

#[cfg(test)]
mod tests {
    use vexil_domain::{Constraint, Operator};

    use crate::{problems, read};

    #[test]
    fn a_pattern_is_refused_with_the_way_out() {
        let constraint = Constraint {
            value: Some("^a".to_owned()),
            ..Constraint::new("field", Operator::Regex)
        };
        assert!(read(&constraint, |_| {}).is_none());
        assert_eq!(
            problems(&constraint)[0].to_string(),
            "`^a` is not a regular expression: this program was built without the feature `regex`"
        );
    }
}
