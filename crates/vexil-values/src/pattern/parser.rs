//! Reads a pattern as RE2 does: a stack of open groups, each with what was read of it so far.

mod bracketed;
mod escape;

use std::collections::HashSet;

use regex_syntax::hir::{Class, ClassUnicode, Dot, Hir, Look, Repetition};

use super::class;
use super::error::{DEEPEST, LARGEST, PatternError};

/// RE2 repeats nothing more often, also where repetitions are nested.
const MOST_REPEATS: u32 = 1000;
/// How many byte ranges tell any character from other text.
const DOT: usize = 30;

type Parsed<T> = Result<T, PatternError>;

pub(super) fn parse(pattern: &str, ignore_case: bool) -> Parsed<Hir> {
    let flags = Flags {
        ignore_case,
        ..Flags::default()
    };
    let mut parser = Parser {
        rest: pattern,
        flags,
        open: Vec::new(),
        group: Group::new(flags),
        names: HashSet::new(),
        leaves: 0,
    };
    let mut repeated = false;
    while let Some(next) = parser.next() {
        repeated = parser.step(next, repeated)?;
    }
    if !parser.open.is_empty() {
        return Err(PatternError::Unclosed { missing: ')' });
    }
    Ok(parser.group.finish()?.hir)
}

#[derive(Debug, Clone, Copy, Default)]
struct Flags {
    ignore_case: bool,
    many_lines: bool,
    dot_is_all: bool,
}

/// A part of a pattern, and what it costs.
struct Part {
    hir: Hir,
    /// Transitions, with all repetitions written out.
    weight: usize,
    /// How often something in it is repeated by counts, at most.
    repeats: u32,
    depth: usize,
}

/// A group that is open. Groups are only kept for what they hold together.
struct Group {
    /// The flags outside.
    outside: Flags,
    alternatives: Vec<Part>,
    sequence: Vec<Part>,
}

impl Group {
    fn new(outside: Flags) -> Self {
        Self {
            outside,
            alternatives: Vec::new(),
            sequence: Vec::new(),
        }
    }

    fn alternative(&mut self) -> Parsed<()> {
        let sequence = std::mem::take(&mut self.sequence);
        self.alternatives.push(together(sequence, Hir::concat)?);
        Ok(())
    }

    fn finish(mut self) -> Parsed<Part> {
        self.alternative()?;
        together(self.alternatives, Hir::alternation)
    }
}

/// Several parts as one.
fn together(mut parts: Vec<Part>, join: fn(Vec<Hir>) -> Hir) -> Parsed<Part> {
    if parts.len() == 1
        && let Some(only) = parts.pop()
    {
        return Ok(only);
    }
    let weight = parts.iter().map(|part| part.weight).sum();
    let repeats = parts.iter().map(|part| part.repeats).max().unwrap_or(1);
    let depth = 1 + parts.iter().map(|part| part.depth).max().unwrap_or(0);
    limited(weight, depth)?;
    Ok(Part {
        hir: join(parts.into_iter().map(|part| part.hir).collect()),
        weight,
        repeats,
        depth,
    })
}

fn limited(weight: usize, depth: usize) -> Parsed<()> {
    if weight > LARGEST {
        return Err(PatternError::TooLarge);
    }
    if depth > DEEPEST {
        return Err(PatternError::TooDeep);
    }
    Ok(())
}

struct Parser<'a> {
    rest: &'a str,
    flags: Flags,
    open: Vec<Group>,
    group: Group,
    names: HashSet<&'a str>,
    /// The weight of all that was read, repetitions not counted.
    leaves: usize,
}

impl<'a> Parser<'a> {
    fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.rest = self.rest.get(next.len_utf8()..)?;
        Some(next)
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn take(&mut self, wanted: &str) -> bool {
        match self.rest.strip_prefix(wanted) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// What stands before the next `end`; nothing is consumed where there is none.
    fn up_to(&mut self, end: &str) -> Option<&'a str> {
        let (before, rest) = self.rest.split_once(end)?;
        self.rest = rest;
        Some(before)
    }

    /// Reads what begins with `next`. Says whether it was a repetition, as the last step was if `repeated`.
    fn step(&mut self, next: char, repeated: bool) -> Parsed<bool> {
        let bounds = match next {
            '*' => Some((0, None)),
            '+' => Some((1, None)),
            '?' => Some((0, Some(1))),
            '{' => self.counts(),
            _ => None,
        };
        if let Some((least, most)) = bounds {
            self.repeat(next, least, most, repeated)?;
            return Ok(true);
        }
        match next {
            '\\' => self.escape()?,
            '[' => self.bracketed()?,
            '(' => self.open()?,
            ')' => self.close()?,
            '|' => self.group.alternative()?,
            '.' if self.flags.dot_is_all => self.push(Hir::dot(Dot::AnyChar), DOT)?,
            '.' => self.push(Hir::dot(Dot::AnyCharExceptLF), DOT)?,
            '^' if self.flags.many_lines => self.push(Hir::look(Look::StartLF), 1)?,
            '^' => self.push(Hir::look(Look::Start), 1)?,
            '$' if self.flags.many_lines => self.push(Hir::look(Look::EndLF), 1)?,
            '$' => self.push(Hir::look(Look::End), 1)?,
            literal => self.literal(literal.into())?,
        }
        Ok(false)
    }

    fn push(&mut self, hir: Hir, weight: usize) -> Parsed<()> {
        self.leaves += weight;
        limited(self.leaves, 0)?;
        self.group.sequence.push(Part {
            hir,
            weight,
            repeats: 1,
            depth: 1,
        });
        Ok(())
    }

    fn literal(&mut self, code: u32) -> Parsed<()> {
        match char::from_u32(code) {
            Some(letter) if !self.flags.ignore_case => {
                let mut bytes = [0; 4];
                let text = letter.encode_utf8(&mut bytes);
                self.push(Hir::literal(text.as_bytes()), text.len())
            }
            _ => self.push_class(self.folded(class::range(code, code))),
        }
    }

    /// Adds a class in which case is accounted for already.
    fn push_class(&mut self, class: ClassUnicode) -> Parsed<()> {
        let weight = class::weight(&class);
        self.push(Hir::class(Class::Unicode(class)), weight)
    }

    /// The class with all that is the same letter, where case is ignored.
    fn folded(&self, mut class: ClassUnicode) -> ClassUnicode {
        if self.flags.ignore_case {
            class::fold(&mut class);
        }
        class
    }

    /// The rest of `{n}`, `{n,}` or `{n,m}`; nothing is consumed where it is none of these.
    fn counts(&mut self) -> Option<(u32, Option<u32>)> {
        let (inside, rest) = self.rest.split_once('}')?;
        let count = |text: &str| {
            let digits = text.bytes().all(|byte| byte.is_ascii_digit());
            let plain = digits && !text.is_empty() && (text == "0" || !text.starts_with('0'));
            plain.then(|| text.parse().unwrap_or(u32::MAX))
        };
        let counts = match inside.split_once(',') {
            None => {
                let both = count(inside)?;
                (both, Some(both))
            }
            Some((least, "")) => (count(least)?, None),
            Some((least, most)) => (count(least)?, Some(count(most)?)),
        };
        self.rest = rest;
        Some(counts)
    }

    fn repeat(&mut self, operator: char, min: u32, max: Option<u32>, repeated: bool) -> Parsed<()> {
        let operator = match (operator, max) {
            ('{', None) => format!("{{{min},}}"),
            ('{', Some(max)) if max == min => format!("{{{min}}}"),
            ('{', Some(max)) => format!("{{{min},{max}}}"),
            _ => operator.to_string(),
        };
        let greedy = !self.take("?");
        if repeated {
            return Err(PatternError::RepeatedRepetition { operator });
        }
        let highest = max.unwrap_or(min);
        if highest > MOST_REPEATS || min > highest {
            return Err(PatternError::BadCount { operator });
        }
        let Some(part) = self.group.sequence.pop() else {
            return Err(PatternError::NothingToRepeat { operator });
        };
        let repeats = match (operator.starts_with('{'), highest) {
            (true, 0) if max == Some(0) => 1,
            (true, 1..) => highest * part.repeats,
            _ => part.repeats,
        };
        if highest >= 2 && repeats > MOST_REPEATS {
            return Err(PatternError::BadCount { operator });
        }
        let weight = 1 + part.weight * highest.max(1) as usize;
        let depth = part.depth + 1;
        limited(weight, depth)?;
        self.group.sequence.push(Part {
            hir: Hir::repetition(Repetition {
                min,
                max,
                greedy,
                sub: Box::new(part.hir),
            }),
            weight,
            repeats,
            depth,
        });
        Ok(())
    }

    fn open(&mut self) -> Parsed<()> {
        let mut flags = self.flags;
        if self.take("?") {
            let start = self.rest;
            if self.take("P<") || self.take("<") {
                self.name(start)?;
            } else if !self.flags_of_group(&mut flags, start)? {
                self.flags = flags;
                return Ok(());
            }
        }
        let outside = std::mem::replace(&mut self.flags, flags);
        let group = Group::new(outside);
        self.open.push(std::mem::replace(&mut self.group, group));
        Ok(())
    }

    fn name(&mut self, start: &str) -> Parsed<()> {
        let unsupported = || {
            let group: String = start.chars().take(20).collect();
            PatternError::BadGroup {
                group: format!("(?{group}"),
            }
        };
        let name = self.up_to(">").ok_or_else(unsupported)?;
        let letters = name
            .chars()
            .all(|letter| letter.is_alphanumeric() || letter == '_');
        if name.is_empty() || !letters {
            return Err(unsupported());
        }
        if !self.names.insert(name) {
            let name = name.to_owned();
            return Err(PatternError::SameName { name });
        }
        Ok(())
    }

    /// Reads `i-s:` or `i-s)`. Says whether a group opens, or else the flags hold to the end of this one.
    fn flags_of_group(&mut self, flags: &mut Flags, start: &str) -> Parsed<bool> {
        let (mut on, mut flag_seen) = (true, false);
        while let Some(next) = self.next() {
            match next {
                'i' => flags.ignore_case = on,
                'm' => flags.many_lines = on,
                's' => flags.dot_is_all = on,
                // which of several matches is preferred does not matter here
                'U' => {}
                '-' if on => {
                    (on, flag_seen) = (false, false);
                    continue;
                }
                ':' | ')' if on || flag_seen => return Ok(next == ':'),
                _ => break,
            }
            flag_seen = true;
        }
        let read = start.len() - self.rest.len();
        let group = start.get(..read).unwrap_or_default();
        Err(PatternError::BadGroup {
            group: format!("(?{group}"),
        })
    }

    fn close(&mut self) -> Parsed<()> {
        let outer = self.open.pop().ok_or(PatternError::Unopened)?;
        let inner = std::mem::replace(&mut self.group, outer);
        self.flags = inner.outside;
        let part = inner.finish()?;
        self.group.sequence.push(part);
        Ok(())
    }
}
