//! Regular expressions of the dialect RE2 (<https://github.com/google/re2/wiki/Syntax>), which
//! is what every SDK promises, on the crate `regex`.
//!
//! The crate follows RE2 closely. Where the two read the same text differently, the text is
//! rewritten first: `\d`, `\w`, `\s` and `\b` are ASCII, `[a&&b]` is a plain list of characters,
//! `\Q…\E` quotes, an unfinished `{` is itself; what RE2 refuses is refused.

use std::iter::Peekable;
use std::str::Chars;

use regex::{Regex, RegexBuilder};

/// Compiled programs larger than this are refused, in bytes.
const SIZE_LIMIT: usize = 4 << 20;
/// RE2 refuses higher counts of repetition.
const MOST_REPEATS: u32 = 1000;

const DIGIT: &str = "0-9";
const WORD: &str = "0-9A-Za-z_";
const SPACE: &str = "\\t\\n\\f\\r ";

/// Compiles a pattern.
///
/// # Errors
///
/// Why it is not a pattern, for people.
pub(crate) fn compile(pattern: &str, case_insensitive: bool) -> Result<Regex, String> {
    RegexBuilder::new(&translate(pattern)?)
        .case_insensitive(case_insensitive)
        .size_limit(SIZE_LIMIT)
        .build()
        .map_err(|error| match error {
            regex::Error::CompiledTooBig(_) => "it is too large".to_owned(),
            other => other
                .to_string()
                .lines()
                .last()
                .unwrap_or_default()
                .trim_start_matches("error: ")
                .to_owned(),
        })
}

fn translate(pattern: &str) -> Result<String, String> {
    let mut translation = Translation {
        input: pattern.chars().peekable(),
        output: String::with_capacity(pattern.len() + 16),
    };
    let mut repeated = false;
    while let Some(next) = translation.input.next() {
        repeated = translation.step(next, repeated)?;
    }
    Ok(translation.output)
}

struct Translation<'a> {
    input: Peekable<Chars<'a>>,
    output: String,
}

impl Translation<'_> {
    /// Translates what begins with `next`. Says whether it was a repetition, as the last step was if `repeated`.
    fn step(&mut self, next: char, repeated: bool) -> Result<bool, String> {
        let repetition = match next {
            '*' | '+' | '?' => Some(next.to_string()),
            '{' => self.counted_repetition()?,
            _ => None,
        };
        if let Some(repetition) = repetition {
            if repeated {
                return Err(format!("bad repetition operator `{repetition}`"));
            }
            self.output.push_str(&repetition);
            if self.input.next_if_eq(&'?').is_some() {
                self.output.push('?');
            }
            return Ok(true);
        }
        match next {
            '\\' => self.escape()?,
            '[' => self.class()?,
            '{' => self.output.push_str("\\{"),
            '(' => self.group()?,
            other => self.output.push(other),
        }
        Ok(false)
    }

    /// The rest of `{n}`, `{n,}` or `{n,m}`; nothing is consumed when it is none of these.
    fn counted_repetition(&mut self) -> Result<Option<String>, String> {
        let inside: String = self.input.clone().take_while(|c| *c != '}').collect();
        let closed = self.input.clone().nth(inside.chars().count()) == Some('}');
        let (low, high) = inside.split_once(',').unwrap_or((&inside, ""));
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if !closed || low.is_empty() || !digits(low) || !digits(high) {
            return Ok(None);
        }
        for bound in [low, high].into_iter().filter(|bound| !bound.is_empty()) {
            if bound.parse::<u32>().map_or(true, |count| count > MOST_REPEATS) {
                return Err(format!("more than {MOST_REPEATS} repetitions"));
            }
        }
        self.input
            .by_ref()
            .take(inside.chars().count() + 1)
            .for_each(drop);
        Ok(Some(format!("{{{inside}}}")))
    }

    fn group(&mut self) -> Result<(), String> {
        self.output.push('(');
        if self.input.next_if_eq(&'?').is_none() {
            return Ok(());
        }
        self.output.push('?');
        if matches!(self.input.peek(), Some('P' | '<')) {
            return Ok(());
        }
        for flag in self.input.by_ref() {
            match flag {
                'i' | 'm' | 's' | 'U' | '-' => self.output.push(flag),
                ':' | ')' => {
                    self.output.push(flag);
                    return Ok(());
                }
                other => return Err(format!("`(?{other}` is not supported")),
            }
        }
        Err("missing `)`".to_owned())
    }

    fn escape(&mut self) -> Result<(), String> {
        let next = self.input.next().ok_or("`\\` at the end")?;
        let class = |inside: &str| format!("(?-i:[{inside}])");
        match next {
            'd' => self.output.push_str(&class(DIGIT)),
            'D' => self.output.push_str(&class(&format!("^{DIGIT}"))),
            'w' => self.output.push_str(&class(WORD)),
            'W' => self.output.push_str(&class(&format!("^{WORD}"))),
            's' => self.output.push_str(&class(SPACE)),
            'S' => self.output.push_str(&class(&format!("^{SPACE}"))),
            'b' => self.output.push_str("(?-u:\\b)"),
            'B' => self.output.push_str("(?-u:\\B)"),
            'A' | 'z' => self.output.extend(['\\', next]),
            'Q' => self.quoted(),
            'p' | 'P' => self.property(next),
            other => {
                let literal = self.literal(other)?;
                self.push_literal(literal);
            }
        }
        Ok(())
    }

    /// Everything up to `\E`, or to the end, for what it is.
    fn quoted(&mut self) {
        while let Some(next) = self.input.next() {
            if next == '\\' && self.input.next_if_eq(&'E').is_some() {
                return;
            }
            self.push_literal(next);
        }
    }

    fn property(&mut self, kind: char) {
        self.output.extend(['\\', kind]);
        if let Some(name) = self.input.next() {
            self.output.push(name);
            if name == '{' {
                self.output
                    .extend(self.input.by_ref().take_while(|c| *c != '}').chain(['}']));
            }
        }
    }

    /// The character that `\` and `next` stand for.
    fn literal(&mut self, next: char) -> Result<char, String> {
        let bad = || format!("bad escape `\\{next}`");
        match next {
            'a' => Ok('\x07'),
            'f' => Ok('\x0c'),
            't' => Ok('\t'),
            'n' => Ok('\n'),
            'r' => Ok('\r'),
            'v' => Ok('\x0b'),
            'x' => self.hexadecimal().ok_or_else(bad),
            '1'..='7' if !matches!(self.input.peek(), Some('0'..='7')) => Err(bad()),
            '0'..='7' => {
                let mut code = next.to_digit(8).ok_or_else(bad)?;
                for _ in 0..2 {
                    let digit = self.input.next_if(|c| c.is_digit(8)).and_then(|c| c.to_digit(8));
                    code = digit.map_or(code, |digit| code * 8 + digit);
                }
                char::from_u32(code).ok_or_else(bad)
            }
            other if other.is_ascii() && !other.is_ascii_alphanumeric() && other != '_' => Ok(other),
            _ => Err(bad()),
        }
    }

    /// `FF` or `{10FFFF}`.
    fn hexadecimal(&mut self) -> Option<char> {
        let digits: String = if self.input.next_if_eq(&'{').is_some() {
            self.input.by_ref().take_while(|c| *c != '}').collect()
        } else {
            self.input.by_ref().take(2).collect()
        };
        let well_formed = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        char::from_u32(u32::from_str_radix(&digits, 16).ok().filter(|_| well_formed)?)
    }

    fn push_literal(&mut self, literal: char) {
        if literal.is_ascii_punctuation() && !matches!(literal, '<' | '>') {
            self.output.push('\\');
        }
        self.output.push(literal);
    }

    /// A bracketed class, after its `[`.
    fn class(&mut self) -> Result<(), String> {
        self.output.push('[');
        if self.input.next_if_eq(&'^').is_some() {
            self.output.push('^');
        }
        let mut first = true;
        loop {
            let next = self.input.next().ok_or("missing `]`")?;
            if next == ']' && !first {
                self.output.push(']');
                return Ok(());
            }
            first = false;
            if let Some(low) = self.class_item(next)? {
                self.push_literal(low);
                let range = self.input.peek() == Some(&'-') && self.input.clone().nth(1) != Some(']');
                if range {
                    self.input.next();
                    let end = self.input.next().ok_or("missing `]`")?;
                    let high = self.class_item(end)?.ok_or("bad range in `[…]`")?;
                    self.output.push('-');
                    self.push_literal(high);
                }
            }
        }
    }

    /// A character of a class; `None` when it was a class of its own and is already written.
    fn class_item(&mut self, next: char) -> Result<Option<char>, String> {
        if next == '[' && self.input.peek() == Some(&':') {
            return self.posix_class().map(|()| None);
        }
        if next != '\\' {
            return Ok(Some(next));
        }
        let escaped = self.input.next().ok_or("`\\` at the end")?;
        match escaped {
            'd' => self.output.push_str(DIGIT),
            'w' => self.output.push_str(WORD),
            's' => self.output.push_str(SPACE),
            'D' => self.output.push_str(&format!("[^{DIGIT}]")),
            'W' => self.output.push_str(&format!("[^{WORD}]")),
            'S' => self.output.push_str(&format!("[^{SPACE}]")),
            'p' | 'P' => self.property(escaped),
            other => return self.literal(other).map(Some),
        }
        Ok(None)
    }

    /// `[:alpha:]` or `[:^alpha:]`, after its `[`.
    fn posix_class(&mut self) -> Result<(), String> {
        const NAMES: [&str; 14] = [
            "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct",
            "space", "upper", "word", "xdigit",
        ];
        let inside: String = self.input.by_ref().take_while(|c| *c != ']').collect();
        let name = inside
            .strip_prefix(':')
            .and_then(|rest| rest.strip_suffix(':'))
            .unwrap_or_default();
        if !NAMES.contains(&name.trim_start_matches('^')) {
            return Err(format!("bad character class `[{inside}]`"));
        }
        self.output.push_str(&format!("[{inside}]"));
        Ok(())
    }
}

#[cfg(test)]
mod tests;
