//! Tests for texts as regular expressions, and the other way round.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, Hir, HirKind, Look};
use vexil_values::{Pattern, TextPlace, fold_char};

use super::automaton::{Expression, Place};

/// A text that is looked for, where a regular expression looks for nothing else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Single {
    /// The text as a whole is one of these.
    Whole(Vec<String>),
    /// One of these is in a place of the text.
    Part(TextPlace, Vec<String>),
}

/// So many texts are made of a regular expression.
const MOST_SINGLE: usize = 48;

/// The single texts that a regular expression looks for; `None` where it looks for anything else.
pub(crate) fn single(pattern: &Hir) -> Option<Single> {
    let parts = match pattern.kind() {
        HirKind::Concat(parts) => parts.as_slice(),
        _ => std::slice::from_ref(pattern),
    };
    let is = |part: Option<&Hir>, look: Look| part.is_some_and(|part| *part.kind() == HirKind::Look(look));
    let (at_start, at_end) = (is(parts.first(), Look::Start), is(parts.last(), Look::End));
    let middle = parts.get(usize::from(at_start)..parts.len() - usize::from(at_end))?;
    let mut texts = vec![String::new()];
    for part in middle {
        texts = product(&texts, &written(part)?)?;
    }
    if texts.iter().any(String::is_empty) {
        return None;
    }
    Some(match (at_start, at_end) {
        (true, true) => Single::Whole(texts),
        (true, false) => Single::Part(TextPlace::Start, texts),
        (false, true) => Single::Part(TextPlace::End, texts),
        (false, false) => Single::Part(TextPlace::Anywhere, texts),
    })
}

fn product(one: &[String], other: &[String]) -> Option<Vec<String>> {
    let both = one
        .iter()
        .flat_map(|one| other.iter().map(move |other| format!("{one}{other}")));
    (one.len() * other.len() <= MOST_SINGLE).then(|| both.collect())
}

/// All texts that an expression stands for.
fn written(expression: &Hir) -> Option<Vec<String>> {
    match expression.kind() {
        HirKind::Empty => Some(vec![String::new()]),
        HirKind::Literal(literal) => Some(vec![String::from_utf8(literal.0.to_vec()).ok()?]),
        HirKind::Class(Class::Unicode(class)) => {
            let letters = class
                .ranges()
                .iter()
                .flat_map(|range| range.start()..=range.end());
            let letters: Vec<String> = letters.take(9).map(String::from).collect();
            (letters.len() <= 8).then_some(letters)
        }
        HirKind::Capture(capture) => written(&capture.sub),
        HirKind::Concat(parts) => {
            let mut texts = vec![String::new()];
            for part in parts {
                texts = product(&texts, &written(part)?)?;
            }
            Some(texts)
        }
        HirKind::Alternation(parts) => {
            let mut texts = Vec::new();
            for part in parts {
                texts.extend(written(part)?);
            }
            (texts.len() <= MOST_SINGLE).then_some(texts)
        }
        HirKind::Repetition(repetition) if repetition.max.is_some_and(|max| max <= 4) => {
            let once = written(&repetition.sub)?;
            let mut texts = Vec::new();
            let mut times = vec![String::new()];
            for count in 0..=repetition.max? {
                if count >= repetition.min {
                    texts.extend(times.iter().cloned());
                }
                if count < repetition.max? {
                    times = product(&times, &once)?;
                }
            }
            (texts.len() <= MOST_SINGLE).then_some(texts)
        }
        _ => None,
    }
}

/// Texts in a place, as an expression.
pub(crate) fn of_texts<'t>(
    place: TextPlace,
    ignore_case: bool,
    needles: impl Iterator<Item = &'t str>,
) -> Expression {
    let (at_start, at_end) = (place == TextPlace::Start, place == TextPlace::End);
    let needles = needles.map(|needle| {
        if ignore_case {
            let letters: Vec<char> = needle.chars().flat_map(fold_char).collect();
            folded(&letters, at_start, at_end)
        } else {
            Hir::literal(needle.as_bytes())
        }
    });
    let needles = Hir::alternation(needles.collect());
    let (hir, place) = match place {
        TextPlace::Start => (
            Hir::concat(vec![Hir::look(Look::Start), needles]),
            Place::Anywhere,
        ),
        TextPlace::End => (Hir::concat(vec![needles, Hir::look(Look::End)]), Place::AtEnd),
        TextPlace::Anywhere => (needles, Place::Inside),
    };
    Expression { hir, place }
}

/// The texts that match a plain regular expression from start to end.
pub(crate) fn exactly(pattern: &str) -> Option<Hir> {
    let parsed = Pattern::parse(pattern, false).ok()?.hir().clone();
    Some(Hir::concat(vec![
        Hir::look(Look::Start),
        parsed,
        Hir::look(Look::End),
    ]))
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

/// No letter from here on has another one as its lower case.
const LAST_CAPITAL: char = '\u{20000}';

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
        for letter in '\0'..LAST_CAPITAL {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::effect::tests::sides::{Random, asked_for};

    #[test]
    fn no_letter_behind_the_last_capital_has_another_as_its_lower_case() {
        let mut letters = LAST_CAPITAL..=char::MAX;
        assert!(letters.all(|letter| fold_char(letter).eq([letter])));
    }

    /// All texts of up to five of some letters.
    fn short() -> Vec<String> {
        let mut all = vec![String::new()];
        for _ in 0..5 {
            let longer = all
                .iter()
                .flat_map(|text| ["", "a", "b", "-"].map(|letter| format!("{text}{letter}")));
            all = longer.collect();
            all.sort_unstable();
            all.dedup();
        }
        all
    }

    #[test]
    fn the_single_texts_of_an_expression_are_those_that_it_looks_for() {
        const PIECES: [&str; 12] = [
            "a",
            "b-",
            "[ab]",
            "(a|b-)",
            "a?",
            "b{2}",
            "[a-]{1,2}",
            "(ab|b){0,2}",
            "a{1,3}",
            "(?:b{1,2}|-)",
            "(a)",
            "a*",
        ];
        let short = short();
        let mut random = Random(asked_for("SEED", 47));
        let mut told = 0;
        for _ in 0..asked_for("CHANGES", 150) {
            let pieces: String = (0..=random.below(2)).map(|_| *random.one_of(&PIECES)).collect();
            let (start, end) = *random.one_of(&[("^", "$"), ("^", ""), ("", "$"), ("", "")]);
            let source = format!("{start}{pieces}{end}");
            let pattern = Pattern::parse(&source, false).unwrap();
            let Some(found) = single(pattern.hir()) else {
                continue;
            };
            told += 1;
            let matcher = pattern.compile().unwrap();
            for text in &short {
                let holds = |needle: &String| match &found {
                    Single::Whole(_) => text == needle,
                    Single::Part(TextPlace::Start, _) => text.starts_with(needle),
                    Single::Part(TextPlace::Anywhere, _) => text.contains(needle),
                    Single::Part(TextPlace::End, _) => text.ends_with(needle),
                };
                let (Single::Whole(texts) | Single::Part(_, texts)) = &found;
                assert_eq!(
                    texts.iter().any(holds),
                    matcher.is_match(text),
                    "{source} {text:?} {texts:?}"
                );
            }
        }
        assert!(told > 60, "{told}");
    }

    #[test]
    fn an_expression_stands_for_48_single_texts_at_most() {
        let is_told = |source: &str| {
            let found = single(Pattern::parse(source, false).unwrap().hir());
            found.map(|found| match found {
                Single::Whole(texts) | Single::Part(_, texts) => texts.len(),
            })
        };
        for (source, count) in [
            ("^[a-h]$", Some(8)),
            ("^[a-i]$", None),
            ("^[a-h][a-f]$", Some(48)),
            ("^[a-g][a-g]$", None),
            ("^(?:[a-h][a-e]|[A-H])$", Some(48)),
            ("^(?:[a-h][a-e]|[A-H]|xx)$", None),
            // of one letter up to four times
            ("^(?:xa?){4}$", Some(16)),
            ("^(?:x){1,4}$", Some(4)),
            ("^(?:x){1,5}$", None),
            ("^x(?:[abc]){0,3}$", Some(40)),
            ("^x(?:[abc]){1,3}$", Some(39)),
            ("^x(?:[abcd]){0,2}$", Some(21)),
            ("^x(?:[abcd]){0,3}$", None),
        ] {
            assert_eq!(is_told(source), count, "{source}");
        }
    }
}
