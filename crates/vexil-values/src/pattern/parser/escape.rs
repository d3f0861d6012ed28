//! Escapes: what `\` and the letters behind it stand for.

use regex_syntax::hir::{ClassUnicode, Hir, Look};

use super::{Parsed, Parser};
use crate::pattern::{PatternError, class};

impl Parser<'_> {
    pub(super) fn escape(&mut self) -> Parsed<()> {
        match self.peek() {
            Some('A') => self.look(Look::Start),
            Some('z') => self.look(Look::End),
            Some('b') => self.look(Look::WordAscii),
            Some('B') => self.look(Look::WordAsciiNegate),
            Some('Q') => self.quoted(),
            _ => match self.escaped_class()? {
                Some(class) => self.push_class(class),
                None => {
                    let code = self.code()?;
                    self.literal(code)
                }
            },
        }
    }

    fn look(&mut self, look: Look) -> Parsed<()> {
        self.next();
        self.push(Hir::look(look), 1)
    }

    /// Everything up to `\E`, or to the end, for what it is.
    fn quoted(&mut self) -> Parsed<()> {
        self.next();
        let quoted = self
            .up_to("\\E")
            .unwrap_or_else(|| std::mem::take(&mut self.rest));
        quoted.chars().try_for_each(|letter| self.literal(letter.into()))
    }

    /// The class of `\d`, `\pL`, `\P{Greek}` or the like, after the `\`; `None` where it is another escape.
    pub(super) fn escaped_class(&mut self) -> Parsed<Option<ClassUnicode>> {
        let Some(letter) = self.peek().filter(char::is_ascii_alphabetic) else {
            return Ok(None);
        };
        let (class, mut negated) = match letter {
            'p' | 'P' => {
                self.next();
                self.property(letter)?
            }
            _ => match class::perl(letter.to_ascii_lowercase()) {
                Some(class) => {
                    self.next();
                    (class, false)
                }
                None => return Ok(None),
            },
        };
        negated ^= letter.is_ascii_uppercase();
        let mut class = self.folded(class);
        if negated {
            class.negate();
        }
        Ok(Some(class))
    }

    /// The class of a property, after the `\p`, and whether its name is negated.
    fn property(&mut self, kind: char) -> Parsed<(ClassUnicode, bool)> {
        let unknown = |name: &str| PatternError::BadClass {
            class: format!("\\{kind}{name}"),
        };
        let start = self.rest;
        let name = match self.next() {
            Some('{') => self.up_to("}").ok_or(PatternError::Unclosed { missing: '}' })?,
            Some(letter) => start.get(..letter.len_utf8()).unwrap_or_default(),
            None => return Err(unknown("")),
        };
        let (plain, negated) = match name.strip_prefix('^') {
            Some(plain) => (plain, true),
            None => (name, false),
        };
        let class = class::property(plain).ok_or_else(|| unknown(&format!("{{{name}}}")))?;
        Ok((class, negated))
    }

    /// The code point that an escape stands for, after the `\`.
    pub(super) fn code(&mut self) -> Parsed<u32> {
        let start = self.rest;
        let found = self.next().and_then(|next| match next {
            'a' => Some(7),
            'f' => Some(12),
            't' => Some(9),
            'n' => Some(10),
            'r' => Some(13),
            'v' => Some(11),
            'x' => self.hexadecimal(),
            '1'..='7' if !self.peek().is_some_and(|digit| digit.is_digit(8)) => None,
            '0'..='7' => {
                let mut code = next.to_digit(8)?;
                for _ in 0..2 {
                    let Some(digit) = self.peek().and_then(|digit| digit.to_digit(8)) else {
                        break;
                    };
                    self.next();
                    code = code * 8 + digit;
                }
                Some(code)
            }
            other if other.is_ascii() && !other.is_ascii_alphanumeric() => Some(other.into()),
            _ => None,
        });
        found.ok_or_else(|| {
            let escape: String = start.chars().take(1).collect();
            PatternError::BadEscape {
                escape: format!("\\{escape}"),
            }
        })
    }

    /// `FF` or `{10FFFF}`, of any number of digits.
    fn hexadecimal(&mut self) -> Option<u32> {
        if !self.take("{") {
            let (high, low) = (self.next()?.to_digit(16)?, self.next()?.to_digit(16)?);
            return Some(high * 16 + low);
        }
        let digits = self.up_to("}")?;
        let add = |code: u32, digit: char| {
            let code = code * 16 + digit.to_digit(16)?;
            (code <= char::MAX.into()).then_some(code)
        };
        let code = digits.chars().try_fold(0, add)?;
        (!digits.is_empty()).then_some(code)
    }
}
