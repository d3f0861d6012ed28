//! All short texts of a few letters against what is said of all texts.

mod limits;

use std::collections::{BTreeMap, BTreeSet};

use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};
use vexil_budget::Budget;
use vexil_values::{Matcher, Pattern, TextPlace};

use super::{Expression, Pairs, Place, Product, Seen, Texts};
use crate::effect::patterns;
use crate::effect::readers::{Said, Table};
use crate::effect::tests::sides::{Random, asked_for};
use crate::effect::texts::Needles;

const LETTERS: [char; 4] = ['a', 'b', '-', '\n'];
/// Pieces of expressions, of which none leaves more than a few texts of one length.
const PIECES: [&str; 22] = [
    "a",
    "b",
    "-",
    "[ab]",
    "[a-]",
    "(ab|b)",
    "(a|-b|bb)",
    "a*",
    "b+",
    "-?",
    "[ab-]{0,2}",
    "(ab)*",
    "(a|b-)+",
    r"\b",
    r"\B",
    "(?m:^)",
    "(?m:$)",
    "\n",
    "a{2}",
    "(?:)",
    "(aa|-*b)",
    // more places than a word has bits
    "(?:-{70}|a)",
];

/// All texts of up to five of the letters, but that of none.
fn short() -> Vec<String> {
    let mut all = vec![String::new()];
    let mut first = 0;
    for _ in 0..5 {
        let last = all.len();
        for place in first..last {
            let longer = LETTERS.map(|letter| format!("{}{letter}", all[place]));
            all.extend(longer);
        }
        first = last;
    }
    all.split_off(1)
}

fn pattern(random: &mut Random, is_form: bool) -> String {
    let pieces: String = (0..=random.below(3)).map(|_| *random.one_of(&PIECES)).collect();
    match random.below(4) {
        _ if is_form => format!("^{pieces}$"),
        0 => pieces,
        1 => format!("^{pieces}"),
        2 => format!("{pieces}$"),
        _ => format!("^{pieces}$"),
    }
}

/// Expressions, and what says of a text which of them match.
struct Sought {
    expressions: Vec<Expression>,
    matchers: Vec<Matcher>,
}

impl Sought {
    fn new(sources: &[String]) -> Self {
        let parsed = sources
            .iter()
            .map(|source| Pattern::parse(source, false).unwrap());
        let (expressions, matchers) = parsed
            .map(|pattern| {
                let expression = Expression {
                    hir: pattern.hir().clone(),
                    place: Place::Anywhere,
                };
                (expression, pattern.compile().unwrap())
            })
            .unzip();
        Self {
            expressions,
            matchers,
        }
    }

    fn seen(&self, text: &str) -> Seen {
        let mut seen = Seen::EMPTY;
        for (number, matcher) in self.matchers.iter().enumerate() {
            if matcher.is_match(text) {
                seen.insert(number);
            }
        }
        seen
    }
}

#[test]
fn texts_are_told_by_the_expressions_that_match_in_them() {
    let mut random = Random(asked_for("SEED", 31));
    let short = short();
    let (mut listed, mut endless) = (0, 0);
    for _ in 0..asked_for("CHANGES", 60) {
        let sources: Vec<String> = (0..=random.below(3))
            .map(|_| pattern(&mut random, false))
            .collect();
        let sought = Sought::new(&sources);
        let budget = Budget::unlimited();
        let mut product = Product::new(&sought.expressions, &[], &budget).unwrap().unwrap();
        let all = product
            .texts(&sought.expressions, None, &budget)
            .unwrap()
            .unwrap();
        let mut known: BTreeMap<Seen, BTreeSet<&str>> = BTreeMap::new();
        for text in &short {
            let seen = sought.seen(text);
            assert_eq!(product.seen(text), Some(seen), "{sources:?} {text:?}");
            known.entry(seen).or_default().insert(text);
        }
        for seen in known.keys() {
            assert!(all.contains_key(seen), "{sources:?} {:?}", known[seen]);
        }
        for (seen, texts) in &all {
            let own = known.remove(seen).unwrap_or_default();
            match texts {
                Texts::All(texts) => {
                    listed += 1;
                    let distinct: BTreeSet<&str> = texts.iter().map(String::as_str).collect();
                    assert_eq!(distinct.len(), texts.len(), "{sources:?} {texts:?}");
                    assert!(own.is_subset(&distinct), "{sources:?} {own:?} {texts:?}");
                    for text in texts {
                        assert_eq!(sought.seen(text), *seen, "{sources:?} {text:?}");
                    }
                }
                Texts::Some(words) => {
                    endless += 1;
                    let some: Vec<String> = words.texts().take(words.some.len() + 30).collect();
                    assert!(some.len() > words.some.len(), "{sources:?} has an end: {some:?}");
                    let (start, rounds, end) = words.rounds.as_ref().unwrap();
                    assert_eq!(some[words.some.len()], format!("{start}{}{end}", rounds[0]));
                    for text in &some {
                        assert_eq!(sought.seen(text), *seen, "{sources:?} {text:?}");
                    }
                    let shortest = own.iter().map(|text| text.len()).min();
                    let first = some.iter().map(String::len).min();
                    assert!(
                        shortest.is_none_or(|shortest| first.is_some_and(|first| first <= shortest)),
                        "{sources:?} {some:?} {own:?}"
                    );
                }
                Texts::Skeleton(skeleton) => panic!("{sources:?} {skeleton:?}"),
            }
        }
    }
    assert!(listed > 5 && endless > 100, "{listed} {endless}");
}

/// Counts one letter, as far as three.
struct Counts;

impl Table for Counts {
    fn next(&mut self, state: u32, _: usize, letter: char) -> u32 {
        (state + u32::from(letter == 'a')).min(3)
    }

    fn says(&self, _: u32) -> Option<Said> {
        None
    }

    fn letters(&self) -> Vec<ClassUnicode> {
        vec![ClassUnicode::new([ClassUnicodeRange::new('a', 'a')])]
    }
}

impl Counts {
    fn read(text: &str) -> u32 {
        text.chars().fold(0, |state, letter| Self.next(state, 0, letter))
    }
}

#[test]
fn texts_of_a_form_are_told_by_what_they_say_as_well() {
    const MOST: usize = 40;
    let mut random = Random(asked_for("SEED", 37));
    let short = short();
    let budget = Budget::unlimited();
    let (mut few, mut many, mut endless) = (0, 0, 0);
    for _ in 0..asked_for("CHANGES", 60) {
        let mut sources: Vec<String> = (0..=random.below(2))
            .map(|_| pattern(&mut random, false))
            .collect();
        let form = sources.len();
        sources.push(pattern(&mut random, true));
        let sought = Sought::new(&sources);
        let mut product = Product::new(&sought.expressions, &Counts.letters(), &budget)
            .unwrap()
            .unwrap();
        product
            .texts(&sought.expressions, None, &budget)
            .unwrap()
            .unwrap();
        let mut pairs = product.pairs(form, &mut Counts, &budget).unwrap().unwrap();
        pairs.count(&product, MOST, &budget).unwrap();
        let mut known: BTreeMap<(Seen, u32), BTreeSet<&str>> = BTreeMap::new();
        for text in &short {
            let seen = sought.seen(text);
            if seen.contains(form) {
                known.entry((seen, Counts::read(text))).or_default().insert(text);
            }
        }
        let mut all: BTreeMap<(Seen, u32), Vec<usize>> = BTreeMap::new();
        for seen in pairs.combinations() {
            for (place, read) in pairs.ends(seen) {
                all.entry((*seen, read)).or_default().push(place);
            }
        }
        for ((seen, read), own) in &known {
            assert!(all.contains_key(&(*seen, *read)), "{sources:?} {own:?}");
        }
        for ((seen, read), ends) in &all {
            let own = known.remove(&(*seen, *read)).unwrap_or_default();
            let is_it = |text: &str| sought.seen(text) == *seen && Counts::read(text) == *read;
            let told = match are_told((&product, &pairs), ends, MOST, is_it) {
                Ok(told) => told,
                Err(text) => panic!("{sources:?} {text:?}"),
            };
            endless += pairs.rounds(&product, ends, 1, &budget).unwrap().len();
            few += usize::from(told.is_some());
            many += usize::from(told.is_none());
            if let Some(told) = told {
                assert!(
                    own.iter().all(|text| told.contains(*text)),
                    "{sources:?} {own:?} {told:?}"
                );
            }
        }
    }
    // but for those that several letters lead round
    assert!(
        few > 30 && endless * 4 > many && many > 30,
        "{few} {many} {endless}"
    );
}

/// All texts that end in these pairs, where they are fewer than so many; a text that is not one of them is an error.
fn are_told(
    (product, pairs): (&Product, &Pairs),
    ends: &[usize],
    most: usize,
    is_it: impl Fn(&str) -> bool,
) -> Result<Option<BTreeSet<String>>, String> {
    let budget = Budget::unlimited();
    let is_it = |text: String| if is_it(&text) { Ok(text) } else { Err(text) };
    for end in ends {
        is_it(pairs.word(product, *end))?;
    }
    let (texts, whole) = pairs.texts(product, ends, most, &budget).unwrap();
    let texts: Vec<String> = texts.into_iter().map(is_it).collect::<Result<_, _>>()?;
    for words in pairs.rounds(product, ends, 4, &budget).unwrap() {
        assert!(!whole, "{words:?}");
        let some: Vec<String> = words.texts().take(words.some.len() + 12).collect();
        assert!(some.len() > words.some.len(), "{words:?}");
        some.into_iter().try_for_each(|text| is_it(text).map(drop))?;
    }
    let told: BTreeSet<String> = texts.iter().cloned().collect();
    assert!(!whole || told.len() == texts.len(), "{texts:?}");
    assert_eq!(pairs.are_few(ends), whole && texts.len() < most, "{texts:?}");
    Ok(whole.then_some(told))
}

/// Texts put together from what is looked for, beside expressions that are matched.
#[test]
fn single_texts_are_put_together_in_all_ways_in_which_they_can_be_found() {
    const NEEDLES: [&str; 8] = ["a", "b", "ab", "ba", "-", "aa", "A", "b-a"];
    let mut random = Random(asked_for("SEED", 41));
    let short = short();
    let mut put_together = 0;
    for _ in 0..asked_for("CHANGES", 60) {
        let budget = Budget::unlimited();
        let mut needles = Needles::default();
        let mut expressions = Vec::new();
        let mut sources: Vec<(TextPlace, bool, Vec<&str>)> = Vec::new();
        for _ in 0..=random.below(3) {
            let place = *random.one_of(&[TextPlace::Start, TextPlace::Anywhere, TextPlace::End]);
            let ignore_case = random.below(3) == 0;
            let own: Vec<&str> = (0..=random.below(2)).map(|_| *random.one_of(&NEEDLES)).collect();
            needles.add(place, ignore_case, own.iter().copied());
            expressions.push(patterns::of_texts(place, ignore_case, own.iter().copied()));
            sources.push((place, ignore_case, own));
        }
        let mut matched = Vec::new();
        if random.below(2) == 0 {
            matched.push(pattern(&mut random, false));
        }
        let sought = Sought::new(&matched);
        expressions.extend(sought.expressions.iter().cloned());
        let Some(spelled) = needles.spelled() else {
            continue;
        };
        let mut product = Product::new(&expressions, &[], &budget).unwrap().unwrap();
        let all = product
            .texts(&expressions, Some(&spelled), &budget)
            .unwrap()
            .unwrap();
        let seen_in = |text: &str| {
            let mut seen = Seen::EMPTY;
            for (number, (place, ignore_case, own)) in sources.iter().enumerate() {
                let fold = |text: &str| {
                    if *ignore_case {
                        text.to_lowercase()
                    } else {
                        text.to_owned()
                    }
                };
                let text = fold(text);
                let mut own = own.iter().map(|needle| fold(needle));
                if own.any(|needle| match place {
                    TextPlace::Start => text.starts_with(&needle),
                    TextPlace::Anywhere => text.contains(&needle),
                    TextPlace::End => text.ends_with(&needle),
                }) {
                    seen.insert(number);
                }
            }
            let others = sought.seen(text);
            others
                .iter()
                .for_each(|number| seen.insert(sources.len() + number));
            seen
        };
        let told = || format!("{sources:?} {matched:?}");
        for text in &short {
            assert!(all.contains_key(&seen_in(text)), "{} {text:?}", told());
        }
        for (seen, texts) in &all {
            let some: Vec<String> = match texts {
                Texts::All(texts) => texts.clone(),
                Texts::Some(words) => words.texts().take(words.some.len() + 30).collect(),
                Texts::Skeleton(skeleton) => {
                    put_together += 1;
                    (0..9).map(|number| skeleton.text(number)).collect()
                }
            };
            let distinct: BTreeSet<&String> = some.iter().collect();
            assert!(
                !some.is_empty() && distinct.len() == some.len(),
                "{} {some:?}",
                told()
            );
            for text in &some {
                assert_eq!(seen_in(text), *seen, "{} {text:?}", told());
            }
        }
    }
    assert!(put_together > 50, "{put_together}");
}

#[test]
fn sixty_four_ways_are_followed_for_each_text_that_is_wanted() {
    let budget = Budget::unlimited();
    for most in [1, 2, 5] {
        for (letters, is_whole) in [(64 * most - 1, true), (64 * most, false)] {
            let sought = Sought::new(&[format!("^-{{{letters}}}$")]);
            let product = Product::new(&sought.expressions, &Counts.letters(), &budget);
            let mut product = product.unwrap().unwrap();
            product
                .texts(&sought.expressions, None, &budget)
                .unwrap()
                .unwrap();
            let pairs = product.pairs(0, &mut Counts, &budget).unwrap().unwrap();
            let ends: Vec<usize> = pairs
                .combinations()
                .flat_map(|seen| pairs.ends(seen))
                .map(|end| end.0)
                .collect();
            let (texts, whole) = pairs.texts(&product, &ends, most, &budget).unwrap();
            assert_eq!(texts, ["-".repeat(letters)]);
            assert_eq!(whole, is_whole, "{letters} for {most}");
        }
    }
}
