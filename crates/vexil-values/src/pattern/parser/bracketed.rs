//! Classes in brackets.

use regex_syntax::hir::ClassUnicode;

use super::{Parsed, Parser, limited};
use crate::pattern::{PatternError, class};

const UNCLOSED: PatternError = PatternError::Unclosed { missing: ']' };

impl Parser<'_> {
    /// A bracketed class, after its `[`.
    pub(super) fn bracketed(&mut self) -> Parsed<()> {
        let negated = self.take("^");
        let mut class = ClassUnicode::empty();
        let mut first = true;
        while first || !self.rest.starts_with(']') {
            if self.rest.is_empty() {
                return Err(UNCLOSED);
            }
            first = false;
            let item = self.item()?;
            self.leaves += item.ranges().len();
            limited(self.leaves, 0)?;
            class.union(&item);
        }
        self.take("]");
        if negated {
            class.negate();
        }
        self.push_class(class)
    }

    /// A named class, an escaped class, a character or a range.
    fn item(&mut self) -> Parsed<ClassUnicode> {
        if self.rest.starts_with("[:")
            && let Some((name, rest)) = self.rest.get(2..).and_then(|rest| rest.split_once(":]"))
        {
            self.rest = rest;
            return self.named(name);
        }
        let start = self.rest;
        if self.take("\\")
            && let Some(class) = self.escaped_class()?
        {
            return Ok(class);
        }
        self.rest = start;
        let low = self.character()?;
        let behind = self.rest.strip_prefix('-');
        let high = match behind.filter(|rest| !rest.is_empty() && !rest.starts_with(']')) {
            Some(rest) => {
                self.rest = rest;
                self.character()?
            }
            None => low,
        };
        if high < low {
            let read = start.len() - self.rest.len();
            let class = start.get(..read).unwrap_or_default().to_owned();
            return Err(PatternError::BadClass { class });
        }
        Ok(self.folded(class::range(low, high)))
    }

    fn named(&self, name: &str) -> Parsed<ClassUnicode> {
        let (plain, negated) = match name.strip_prefix('^') {
            Some(plain) => (plain, true),
            None => (name, false),
        };
        let class = class::posix(plain).ok_or_else(|| PatternError::BadClass {
            class: format!("[:{name}:]"),
        })?;
        let mut class = self.folded(class);
        if negated {
            class.negate();
        }
        Ok(class)
    }

    fn character(&mut self) -> Parsed<u32> {
        match self.next() {
            Some('\\') => self.code(),
            Some(letter) => Ok(letter.into()),
            None => Err(UNCLOSED),
        }
    }
}
