//! What is looked for is spelled so that it holds the least of all else, and texts are put together from it.

use super::*;
use crate::effect::tests::sides::Random;

/// The places of texts that are looked for with regard to case, which of them a text is found by in a place.
fn found(needles: &Needles, place: TextPlace, text: &str) -> BTreeSet<(u8, String)> {
    let own = |sought: &Sought, number: u8, is_in: &dyn Fn(&str) -> bool| {
        let own = sought.with_case.iter().filter(|needle| is_in(needle));
        own.map(|needle| (number, needle.clone())).collect::<Vec<_>>()
    };
    let mut all = own(&needles.inside, 0, &|needle| text.contains(needle));
    if place == TextPlace::Start {
        all.extend(own(&needles.starts, 1, &|needle| text.starts_with(needle)));
    }
    if place == TextPlace::End {
        all.extend(own(&needles.ends, 2, &|needle| text.ends_with(needle)));
    }
    all.into_iter().collect()
}

/// All ways to write a text of letters of which each has a capital.
fn written(text: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    for letter in text.chars() {
        let ways = BTreeSet::from([letter, letter.to_ascii_uppercase()]);
        all = all
            .iter()
            .flat_map(|text| ways.iter().map(move |way| format!("{text}{way}")))
            .collect();
    }
    all
}

#[test]
fn of_what_is_looked_for_in_any_case_a_text_is_spelled_that_holds_the_least() {
    let mut random = Random(7);
    let places = [TextPlace::Start, TextPlace::Anywhere, TextPlace::End];
    let (mut spelled_all, mut not) = (0, 0);
    for round in 0..1_500 {
        let mut needles = Needles::default();
        let mut any_case: Vec<(TextPlace, String)> = Vec::new();
        for _ in 0..=random.below(9) {
            let place = *random.one_of(&places);
            let text: String = (0..=random.below(3))
                .map(|_| *random.one_of(&['a', 'A', 'b', 'B']))
                .collect();
            let ignore_case = random.below(2) == 0;
            needles.add(place, ignore_case, [text.as_str()].into_iter());
            if ignore_case {
                any_case.push((place, text.to_lowercase()));
            }
        }
        let Some(spelled) = needles.spelled() else {
            // written in small letters it holds what it does not in capitals, and the other way round
            let is_torn = |(place, text): &(TextPlace, String)| {
                let [small, large] =
                    [text.clone(), text.to_uppercase()].map(|text| found(&needles, *place, &text));
                !small.is_subset(&large) && !large.is_subset(&small)
            };
            let both = any_case.iter().any(is_torn);
            assert!(
                both || !needles.starts.with_case.is_empty() || !needles.ends.with_case.is_empty(),
                "{needles:?}"
            );
            not += 1;
            continue;
        };
        spelled_all += 1;
        for (place, text) in &any_case {
            let own = match place {
                TextPlace::Start => &spelled.starts,
                TextPlace::Anywhere => &spelled.inside,
                TextPlace::End => &spelled.ends,
            };
            for way in written(text) {
                let there = found(&needles, *place, &way);
                let holds_no_more = |one: &&String| {
                    one.to_lowercase() == *text && found(&needles, *place, one).is_subset(&there)
                };
                assert!(
                    own.iter().any(|one| holds_no_more(&one)),
                    "{round} {way} {needles:?} {spelled:?}"
                );
            }
        }
        for (sought, own) in [
            (&needles.starts, &spelled.starts),
            (&needles.inside, &spelled.inside),
            (&needles.ends, &spelled.ends),
        ] {
            assert!(
                sought.with_case.iter().all(|needle| own.contains(needle)),
                "{needles:?} {spelled:?}"
            );
            let known = |text: &String| {
                sought.with_case.contains(text) || sought.without_case.contains(&text.to_lowercase())
            };
            assert!(own.iter().all(known), "{needles:?} {spelled:?}");
        }
        let [filler, other] = spelled.fillers;
        assert!(filler != other && needles.all().all(|text| !text.contains([filler, other])));
    }
    println!("{spelled_all} spelled, {not} not");
    assert!(spelled_all > 500 && not > 20, "{spelled_all} {not}");
}

#[test]
fn a_text_in_pieces_is_written_with_letters_between_them_and_framed_without_and_with_these() {
    for start in ["", "s", "st"] {
        for middle in [&[][..], &["m"], &["m", "mm", "n"]] {
            for end in ["", "e", "en"] {
                let pieces = || middle.iter().map(|piece| (*piece).to_owned()).collect();
                let made = Skeleton::new(start.to_owned(), pieces(), end.to_owned(), ['~', '_']);
                let between: String = middle.iter().map(|piece| format!("{piece}~")).collect();
                let head = format!("{start}~{between}");
                for (number, digits) in [(0, ""), (1, "_"), (2, "_~"), (3, "__"), (4, "_~~"), (10, "_~_~")] {
                    assert_eq!(made.text(number), format!("{head}{digits}{end}"));
                }
                let all = middle.concat();
                let framed = [
                    (format!("{start}{all}"), end.to_owned()),
                    (head, format!("~{end}")),
                ];
                assert_eq!(made.frames(), framed);
                for (field, stem) in [("userId", "user"), ("sessionId", "session"), ("plan", "other")] {
                    let joined = format!("{start}{all}{end}");
                    let plain = made.plain(field);
                    let beside = format!("{start}{stem}{}{end}", middle.join(stem));
                    let expected = if joined.is_empty() {
                        [format!("{stem}-1"), stem.to_owned()]
                    } else {
                        [joined, beside]
                    };
                    assert_eq!(plain, expected);
                    for number in [0, 1, 9, 10, 11, 100, 909, 4_294_967_295] {
                        let mut text = "x".to_owned();
                        made.write_numbered(&mut text, field, number);
                        let stem = if stem == "other" {
                            String::new()
                        } else {
                            format!("{stem}-")
                        };
                        assert_eq!(text, format!("x{start}{all}{stem}{number}{end}"));
                    }
                }
            }
        }
    }
}
