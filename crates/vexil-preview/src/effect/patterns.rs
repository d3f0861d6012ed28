//! Tests for texts as regular expressions over whole texts.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, Dot, Hir, Look, Repetition};
use vexil_domain::Constraint;
use vexil_values::{Comparison, Pattern, TextPlace, fold_char, read};

/// The texts for which a test for texts holds, not turned round; `None` where it never does.
pub(crate) fn of_constraint(constraint: &Constraint) -> Option<Hir> {
    let (place, ignore_case, needles) = match read(constraint, drop)? {
        Comparison::Pattern(pattern) => {
            return Some(whole(vec![anything(), pattern.hir().clone(), anything()]));
        }
        Comparison::Text {
            place,
            ignore_case,
            needles,
        } => (place, ignore_case, needles),
        _ => return None,
    };
    let (at_start, at_end) = (place == TextPlace::Start, place == TextPlace::End);
    let needles = needles.map(|needle| {
        if ignore_case {
            let letters: Vec<char> = needle.chars().flat_map(fold_char).collect();
            folded(&letters, at_start, at_end)
        } else {
            Hir::literal(needle.as_bytes())
        }
    });
    let needles: Vec<Hir> = needles.collect();
    if needles.is_empty() {
        return None;
    }
    let mut parts = vec![Hir::alternation(needles)];
    if !at_start {
        parts.insert(0, anything());
    }
    if !at_end {
        parts.push(anything());
    }
    Some(whole(parts))
}

/// Every text.
pub(crate) fn every() -> Hir {
    whole(vec![anything()])
}

/// The texts that match a plain regular expression from start to end.
pub(crate) fn exactly(pattern: &str) -> Option<Hir> {
    let parsed = Pattern::parse(pattern, false).ok()?;
    Some(whole(vec![parsed.hir().clone()]))
}

fn whole(mut parts: Vec<Hir>) -> Hir {
    parts.push(Hir::look(Look::End));
    Hir::concat(parts)
}

fn anything() -> Hir {
    Hir::repetition(Repetition {
        min: 0,
        max: None,
        greedy: true,
        sub: Box::new(Hir::dot(Dot::AnyChar)),
    })
}

/// The letter whose lower case is two letters: `i` and a dot above.
const DOTTED_I: char = '\u{130}';
const DOT_ABOVE: char = '\u{307}';

/// The texts whose lower case is `lower`, or has it at the place where it is looked for.
fn folded(lower: &[char], at_start: bool, at_end: bool) -> Hir {
    let mut parts = Vec::new();
    let mut rest = lower;
    let mut first = true;
    while let Some((letter, more)) = rest.split_first() {
        let one = Hir::class(Class::Unicode(letters(*letter)));
        let dotted = || letter_itself(DOTTED_I);
        match more.split_first() {
            Some((next, after)) if *letter == 'i' && *next == DOT_ABOVE => {
                let two = Hir::concat(vec![one, letter_itself(DOT_ABOVE)]);
                parts.push(Hir::alternation(vec![two, dotted()]));
                rest = after;
            }
            _ => {
                let begins_inside = first && !at_start && *letter == DOT_ABOVE;
                let ends_inside = more.is_empty() && !at_end && *letter == 'i';
                parts.push(if begins_inside || ends_inside {
                    Hir::alternation(vec![one, dotted()])
                } else {
                    one
                });
                rest = more;
            }
        }
        first = false;
    }
    Hir::concat(parts)
}

fn letter_itself(letter: char) -> Hir {
    Hir::class(Class::Unicode(ClassUnicode::new([ClassUnicodeRange::new(
        letter, letter,
    )])))
}

/// The letters whose lower case is this one.
fn letters(lower: char) -> ClassUnicode {
    static CAPITALS: OnceLock<BTreeMap<char, Vec<char>>> = OnceLock::new();
    let capitals = CAPITALS.get_or_init(|| {
        let mut capitals: BTreeMap<char, Vec<char>> = BTreeMap::new();
        for letter in '\0'..=char::MAX {
            let mut lower = fold_char(letter);
            if let (Some(one), None) = (lower.next(), lower.next())
                && one != letter
            {
                capitals.entry(one).or_default().push(letter);
            }
        }
        capitals
    });
    let itself = fold_char(lower).eq([lower]).then_some(lower);
    let all = capitals.get(&lower).into_iter().flatten().copied().chain(itself);
    ClassUnicode::new(all.map(|letter| ClassUnicodeRange::new(letter, letter)))
}
