//! Texts of intervals: each says a value of its interval, however it is written.

use std::collections::BTreeSet;

use time::OffsetDateTime;
use vexil_values::{Number, Version};

use crate::effect::ordered::{Interval, Key, Order, intervals};

const SECOND: i128 = 1_000_000_000;

fn numbers() -> Vec<Key> {
    let texts = [
        "-1e300",
        "-1e21",
        "-18.5",
        "-1",
        "-5e-324",
        "0",
        "5e-324",
        "0.25",
        "0.3",
        "7",
        "7.000000000000001",
        "8",
        "1e9",
        "1e21",
        "1e300",
    ];
    texts
        .iter()
        .map(|text| Key::Number(Number::parse(text).unwrap().get()))
        .collect()
}

fn moments() -> Vec<Key> {
    // around the first and the last moments of UTC, and some between
    let first = -62_167_219_200 * SECOND;
    let end = 253_402_300_800 * SECOND;
    let usual = 1_796_083_200 * SECOND;
    let all = [
        first - 3_600 * SECOND,
        first,
        first + 1,
        0,
        usual,
        usual + 1,
        usual + SECOND / 2,
        usual + SECOND,
        usual + 86_400 * SECOND,
        end - 1,
        end,
        end + SECOND,
        end + 3_600 * SECOND,
    ];
    all.map(Key::Moment).into()
}

fn versions() -> Vec<Key> {
    let texts = [
        "0.0.0-0",
        "0.0.0",
        "0.0.1-0",
        "0.1.0-0",
        "0.1.0",
        "1.0.0-0",
        "1.0.0-rc",
        "1.0.0-rc.0",
        "1.0.0",
        "1.2.0",
        "1.2.3-0",
        "2.0.0-0",
    ];
    let all = texts
        .iter()
        .map(|text| Key::Version(Version::parse(text).unwrap().into()));
    all.collect()
}

/// All intervals between two of these values, before one and behind one.
fn all() -> Vec<Interval> {
    let kinds = [
        (Order::Numbers, numbers()),
        (Order::Moments, moments()),
        (Order::Versions, versions()),
    ];
    let mut all = Vec::new();
    for (order, keys) in kinds {
        assert!(
            keys.is_sorted_by(|one, next| one.compare(next).is_lt()),
            "{keys:?}"
        );
        for (number, from) in keys.iter().enumerate() {
            all.extend(intervals(order, std::slice::from_ref(from)));
            for to in &keys[number + 1..] {
                all.extend(intervals(order, &[from.clone(), to.clone()]).into_iter().nth(1));
            }
        }
    }
    all
}

#[test]
fn texts_of_an_interval_say_values_of_it_in_many_ways() {
    for (number, interval) in all().into_iter().enumerate() {
        let early: Vec<String> = interval.texts().take(60).collect();
        // where the values themselves were written in all other words
        let late: Vec<String> = interval
            .texts()
            .skip(4_000)
            .take(if number % 5 == 0 { 12 } else { 0 })
            .collect();
        for text in early.iter().chain(&late) {
            assert!(interval.is_said_by(text), "{text} {interval:?}");
        }
        let distinct: BTreeSet<&String> = early.iter().chain(&late).collect();
        // where the values are so large that their neighbours are they themselves, and below zero, some are alike
        let least = match interval.order {
            _ if is_at_an_end(&interval) => 0,
            Order::Numbers => 6,
            Order::Moments => 12,
            Order::Versions => 18,
        };
        assert!(distinct.len() > least, "{interval:?} {early:?} {late:?}");
        let plain = interval.plain();
        assert!(!plain.is_empty() && early.starts_with(&plain), "{interval:?}");
        let varied: Vec<String> = (0..40).filter_map(|number| interval.varied(number)).collect();
        assert!(
            varied.iter().all(|text| interval.is_said_by(text)),
            "{interval:?} {varied:?}"
        );
        for frame in interval.frames() {
            let some: Vec<String> = frame.some().collect();
            let said = some.iter().filter(|text| interval.is_said_by(text)).count();
            assert_eq!(said, some.len(), "{frame:?} {interval:?}");
            let distinct: BTreeSet<&String> = some.iter().collect();
            assert_eq!(distinct.len(), some.len(), "{frame:?}");
        }
    }
}

/// Whether few texts say its values: those of one zone, or all the same number.
fn is_at_an_end(interval: &Interval) -> bool {
    let is_far =
        |end: &Option<Key>| matches!(end, Some(Key::Moment(end)) if end.abs() > 60_000_000_000 * SECOND);
    match (&interval.from, &interval.to) {
        // of the largest numbers a few millions are one value
        (Some(Key::Number(one)), None) | (None, Some(Key::Number(one))) => one.abs() > 1e20,
        (from, to) => is_far(from) || is_far(to),
    }
}

#[test]
fn wide_intervals_have_many_texts_of_many_values() {
    let narrow = |interval: &Interval| match (&interval.from, &interval.to) {
        (Some(Key::Moment(from)), Some(Key::Moment(to))) => to - from <= 2 * SECOND,
        (Some(Key::Number(from)), Some(Key::Number(to))) => to - from < 0.1,
        _ => interval.order == Order::Versions,
    };
    for interval in all().iter().filter(|one| !narrow(one) && !is_at_an_end(one)) {
        let varied: BTreeSet<String> = (0..60).filter_map(|number| interval.varied(number)).collect();
        assert!(varied.len() > 8, "{interval:?} {varied:?}");
    }
}

#[test]
fn a_present_of_an_interval_is_one_that_a_clock_can_show() {
    let mut none = 0;
    for interval in all() {
        let Some(moment) = interval.present() else {
            none += usize::from(interval.order == Order::Moments);
            continue;
        };
        assert!(interval.holds(&Key::Moment(moment)), "{interval:?}");
        assert!(
            OffsetDateTime::from_unix_timestamp_nanos(moment).is_ok(),
            "{interval:?}"
        );
    }
    // behind the last one
    assert!((1..12).contains(&none), "{none}");
}

#[test]
fn four_values_are_tried_then_4_000_in_other_words_then_digits_that_do_not_count() {
    for interval in all().into_iter().step_by(23) {
        let plain = interval.plain();
        assert!((1..=4).contains(&plain.len()), "{interval:?} {plain:?}");
        let numbered = |text: &str| {
            let mut frames = interval.frames().into_iter();
            frames.any(|frame| text == frame.numbered(1_000_000_000))
        };
        let behind: Vec<String> = interval.texts().skip(plain.len() + 3_999).take(2).collect();
        assert!(!numbered(&behind[0]), "{interval:?} {behind:?}");
        let is_next = behind.get(1).map(|text| numbered(text));
        assert_eq!(
            is_next.unwrap_or_default(),
            !interval.frames().is_empty(),
            "{interval:?} {behind:?}"
        );
    }
    let widest = all().iter().map(|interval| interval.plain().len()).max();
    assert_eq!(widest, Some(4));
}

#[test]
fn of_a_frame_24_texts_are_looked_at_with_14_letters_each_and_digits_that_count_are_kept() {
    for interval in all() {
        for frame in interval.frames() {
            let some: Vec<String> = frame.some().collect();
            assert_eq!(some.len(), 24);
            let length = frame.head.len() + 14 + frame.tail.len();
            assert!(some.iter().all(|text| text.len() == length), "{frame:?}");
        }
        let fraction = |text: &str| {
            let digits = text.split_once('.').map_or("", |(_, behind)| behind);
            digits.bytes().take_while(u8::is_ascii_digit).count()
        };
        let plain: BTreeSet<usize> = interval.plain().iter().map(|text| fraction(text)).collect();
        let framed: BTreeSet<usize> = interval.frames().iter().map(|it| fraction(&it.head)).collect();
        let padded = match interval.order {
            Order::Numbers => 20,
            Order::Moments => 9,
            Order::Versions => continue,
        };
        let is_known = |length: &usize| [0, padded].contains(length) || plain.contains(length);
        assert!(
            framed.iter().all(is_known) || interval.order == Order::Moments,
            "{interval:?}"
        );
        assert!(
            framed
                .last()
                .is_none_or(|longest| *longest == 0 || *longest >= padded)
        );
        assert!(interval.order == Order::Numbers || framed.last().is_none_or(|longest| *longest == padded));
    }
}
