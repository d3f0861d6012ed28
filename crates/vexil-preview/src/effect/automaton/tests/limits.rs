//! Just as many as a limit says are kept, listed or put together, and one more is not.

use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange, Hir};
use vexil_budget::Budget;

use super::super::Words;
use super::super::alphabet::Alphabet;
use super::super::nfa::Nfa;
use super::{Counts, Product, Sought, Texts};

/// So many letters one after another, behind all that are told apart in any case.
fn run(first: u32, count: u32) -> ClassUnicode {
    let end = |number: u32| char::from_u32(number).unwrap();
    ClassUnicode::new([ClassUnicodeRange::new(end(first), end(first + count - 1))])
}

#[test]
fn the_letters_of_a_class_are_listed_up_to_256_and_named_up_to_12() {
    for count in [1, 2, 11, 12, 13, 255, 256, 257, 300] {
        let (alphabet, classes) = Alphabet::new(&[run(0x4e00, count)]);
        let [own] = classes[0].as_slice() else {
            panic!("{count}: {classes:?}");
        };
        let own = *own;
        assert_eq!(alphabet.plain[own].len() as u32, count.min(12));
        let listed = alphabet.all[own].as_ref().map(|all| all.len() as u32);
        assert_eq!(listed, (count <= 256).then_some(count));
    }
}

#[test]
fn the_letters_of_classes_are_those_that_no_set_tells_apart() {
    let set = |ranges: &[(char, char)]| {
        ClassUnicode::new(ranges.iter().map(|(from, to)| ClassUnicodeRange::new(*from, *to)))
    };
    // around the surrogates, which are no letters, and at both ends of all there are
    let all = set(&[('\0', char::MAX)]);
    let but_few = set(&[('\0', '`'), ('f', char::MAX)]);
    let around = set(&[('\u{d7fe}', '\u{e003}')]);
    let ends = set(&[('\0', '\u{3}'), ('\u{10fffd}', char::MAX)]);
    let sets = [all, but_few, around, ends];
    let (alphabet, classes) = Alphabet::new(&sets);
    let is_in = |letter: char, set: &ClassUnicode| {
        let mut ranges = set.ranges().iter();
        ranges.any(|range| (range.start()..=range.end()).contains(&letter))
    };
    let near = [
        '\0',
        '\u{4}',
        'a',
        'f',
        '\u{d7ff}',
        '\u{e004}',
        '\u{10fffd}',
        char::MAX,
    ];
    for letter in near.into_iter().chain('\0'..'z').chain('\u{d7f0}'..'\u{e010}') {
        let own = alphabet.class(letter).unwrap();
        for (number, set) in sets.iter().enumerate() {
            assert_eq!(classes[number].contains(&own), is_in(letter, set), "{letter:?}");
        }
        let listed = alphabet.all[own].as_ref();
        assert!(listed.is_none_or(|all| all.contains(&letter)), "{letter:?}");
    }
    let listed = |letter| {
        alphabet.all[alphabet.class(letter).unwrap()]
            .as_ref()
            .map(Vec::len)
    };
    assert_eq!(
        ["a", "\0", "\u{e000}", "f"].map(|it| listed(it.chars().next().unwrap())),
        [Some(5), Some(7), Some(6), None]
    );
}

#[test]
fn an_automaton_has_8_000_places_at_most() {
    for (letters, is_made) in [(7_998, true), (7_999, true), (8_000, false)] {
        let text = Hir::literal("a".repeat(letters).as_bytes());
        assert_eq!(Nfa::new([&text].into_iter()).is_some(), is_made, "{letters}");
    }
}

/// All that is said of texts in which an expression matches.
fn matching(source: &str, apart: &[ClassUnicode]) -> (Product, Texts) {
    let sought = Sought::new(&[source.to_owned()]);
    let budget = Budget::unlimited();
    let product = Product::new(&sought.expressions, apart, &budget);
    let mut product = product.unwrap().unwrap();
    let all = product
        .texts(&sought.expressions, None, &budget)
        .unwrap()
        .unwrap();
    let own = all.into_iter().find(|(seen, _)| seen.contains(0));
    (product, own.unwrap().1)
}

#[test]
fn so_many_texts_of_a_set_with_an_end_are_listed() {
    for (source, count) in [
        ("^[a-p][a-p]$", Some(256)),
        ("^([a-p][a-p]|q)$", Some(257)),
        ("^([a-p][a-p]|q|r)$", None),
        ("^([a-p][a-p]|[qr])$", None),
        ("^[a-z][a-z]$", None),
    ] {
        match matching(source, &[]).1 {
            Texts::All(texts) => assert_eq!(Some(texts.len()), count, "{source}"),
            Texts::Some(words) => assert_eq!((count, words.rounds), (None, None), "{source}"),
            Texts::Skeleton(_) => panic!("{source}"),
        }
    }
}

#[test]
fn of_letters_that_may_come_any_number_of_times_64_are_kept() {
    for classes in 1..8 {
        let apart: Vec<ClassUnicode> = (0..classes)
            .map(|number| run(0x4e00 + 100 * number, 12))
            .collect();
        let letters = r"^[\x{4e00}-\x{4e0b}\x{4e64}-\x{4e6f}\x{4ec8}-\x{4ed3}\x{4f2c}-\x{4f37}\x{4f90}-\x{4f9b}\x{4ff4}-\x{4fff}\x{5058}-\x{5063}]";
        let (mut product, texts) = matching(&format!("{letters}*$"), &apart);
        let kept = |rounds: &Words| rounds.rounds.as_ref().unwrap().1.len();
        // those that are told apart, and all others of the expression as one class
        let expected = (12 * (classes as usize + usize::from(classes < 7))).min(64);
        let Texts::Some(words) = texts else {
            panic!("{texts:?}");
        };
        assert_eq!(kept(&words), expected, "{classes}");
        let budget = Budget::unlimited();
        let pairs = product.pairs(0, &mut Counts, &budget).unwrap().unwrap();
        let ends: Vec<usize> = pairs
            .combinations()
            .flat_map(|seen| pairs.ends(seen))
            .map(|end| end.0)
            .collect();
        for words in pairs.rounds(&product, &ends, 1, &budget).unwrap() {
            assert_eq!(kept(&words), expected, "{classes}");
            assert_eq!(words.some.len(), ends.len().min(6), "{classes}");
        }
        // six texts are kept to begin with, of however many ends
        for count in [1, 5, 6, 7, 20] {
            let many = ends.repeat(count);
            let rounds = pairs.rounds(&product, &many, 1, &budget).unwrap();
            let kept: Vec<usize> = rounds.iter().map(|words| words.some.len()).collect();
            assert!(
                !kept.is_empty() && kept.iter().all(|kept| *kept == many.len().min(6)),
                "{kept:?}"
            );
        }
    }
}

#[test]
fn where_there_is_one_way_round_it_is_gone_1_499_times_and_where_there_are_several_without_an_end() {
    let words = |rounds: &[&str]| Words {
        some: vec!["x".to_owned()],
        rounds: Some((
            "a".to_owned(),
            rounds.iter().map(|text| (*text).to_owned()).collect(),
            "z".to_owned(),
        )),
    };
    assert_eq!(words(&[]).texts().collect::<Vec<_>>(), ["x"]);
    let once = words(&["b"]);
    assert_eq!(once.texts().skip(1).take(2).collect::<Vec<_>>(), ["abz", "abbz"]);
    assert_eq!(once.texts().last().unwrap().len(), 1_499 + 2);
    // all words of some letters, the shortest first
    let several: Vec<String> = words(&["b", "c"]).texts().skip(1).take(14).collect();
    let middles: Vec<&str> = several.iter().map(|text| &text[1..text.len() - 1]).collect();
    let mut sorted = middles.clone();
    sorted.sort_by_key(|text| text.len());
    assert_eq!(middles, sorted);
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(sorted.len(), 14);
    assert_eq!(words(&["b", "c"]).texts().nth(2_000).unwrap().len(), 12);
}
