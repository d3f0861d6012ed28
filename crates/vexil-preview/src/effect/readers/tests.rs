//! What readers say holds what the engine's parsers say.

mod exactly;
mod several;

use vexil_values::{Instant, Number, Version, VersionBuf, parse_address};

use super::{Moments, Numbers, Powers, Precision, Said, Table, V4, V6, Versions, Visited};
use crate::effect::moments::nanoseconds;
use crate::effect::ordered::Key;
use crate::effect::tests::sides::{Random, asked_for};

/// Texts of some letters, of which each is as likely as it stands there often; now and then one of these, or two in
/// one.
fn texts<'t>(
    random: &'t mut Random,
    letters: &'t str,
    some: &'t [&'t str],
) -> impl Iterator<Item = String> + 't {
    let letters: Vec<char> = letters.chars().collect();
    let count = asked_for("TEXTS", 20_000);
    (0..count).map(move |_| {
        let mut text: Vec<char> = match random.below(3) {
            0 => Vec::new(),
            _ => random.one_of(some).chars().collect(),
        };
        for _ in 0..random.below(4) {
            let place = random.below(text.len() + 1);
            match random.below(3) {
                0 if place < text.len() => drop(text.remove(place)),
                1 if place < text.len() => text[place] = *random.one_of(&letters),
                _ => text.insert(place, *random.one_of(&letters)),
            }
        }
        text.into_iter().collect()
    })
}

/// Compares what is said of texts with how many of the cuts their value is at or above; of so many in 100 values it is
/// said exactly at least.
fn compare(
    table: &mut dyn Table,
    texts: impl Iterator<Item = String>,
    count: impl Fn(&str) -> Option<usize>,
    least: usize,
) {
    let (mut values, mut exact) = (0, 0);
    for text in texts {
        let state = text
            .chars()
            .fold(0, |state, letter| table.next(state, letter as usize, letter));
        let said = table.says(state);
        let found = count(&text);
        let holds = match (said, found) {
            (None, None) => true,
            (Some(said), None) => said.perhaps_none,
            (Some(said), Some(passed)) => (said.fewest..=said.most).contains(&passed),
            (None, Some(_)) => false,
        };
        assert!(holds, "{text:?}: {said:?}, but {found:?}");
        values += usize::from(found.is_some());
        exact += usize::from(found.is_some() && said == found.map(Said::exactly));
    }
    assert!(values > 500, "{values}");
    assert!(exact * 100 >= values * least, "{exact} of {values}");
}

/// Numbers that are seldom written so.
const POWERS: [&str; 16] = [
    "1e0",
    "0.05e2",
    "500e-2",
    "4.9999999999999995e0",
    "41e-1",
    "1e308",
    "179769e303",
    "1.7976931348623159e+308",
    "0.0000001e7",
    "00.1e-0323",
    "2e-324",
    "3E-324",
    "-0.05000001e2",
    "-1e300",
    "0e999",
    "1e-00000",
];

#[test]
fn a_reader_of_numbers_misses_nothing_that_a_number_says() {
    let mut random = Random(asked_for("SEED", 3));
    let cuts = [
        -1e300,
        -5.000000000000001,
        -5.0,
        -0.1,
        0.0,
        5e-324,
        1e-7,
        0.1,
        0.30000000000000004,
        1.0,
        4.0,
        4.000000000000001,
        5.0,
        100.0,
        9_007_199_254_740_993.0,
        1e300,
        f64::MAX,
    ];
    let some = [
        "0",
        "-0",
        "5",
        "+5.",
        ".5",
        " 005 ",
        "4.999999999999999555910790149937",
        "0.1",
        "1e5",
        "12e-3",
        "-5.0000000000000004",
        "0.30000000000000004",
        "9007199254740992.999",
        "99.99",
        "1e309",
        "-0.1",
        "0e9",
        "-1.0e0",
        "\u{2003}7\t",
        "5.00000000000000044408920985006261616945266723632812500000000000000001",
        "0.1000000000000000055511151231257827021181583404541015625",
        "4.99999999999999955591079014993738383054733276367187499999",
    ];
    for own in [&cuts[..], &cuts[12..13], &cuts[..3], &cuts[9..14]] {
        let count = |text: &str| {
            let number = Key::Number(Number::parse(text)?.get() + 0.0);
            let passed = own
                .iter()
                .filter(|cut| number.compare(&Key::Number(**cut)).is_ge());
            Some(passed.count())
        };
        let numbers = || Numbers::new(own.iter().copied());
        let letters = "0123456789..+-eE  x0099";
        compare(
            &mut Visited::new(numbers()),
            texts(&mut random, letters, &some),
            count,
            50,
        );
        let mut powers = Visited::new(Powers::new(numbers()));
        compare(&mut powers, texts(&mut random, letters, &some), count, 75);
        let letters = "0123456789ee--..+0";
        compare(&mut powers, texts(&mut random, letters, &POWERS), count, 80);
    }
}

/// Behind all digits of such a number more of them tell, but for zeros.
#[test]
fn a_number_in_the_middle_between_two_others_is_told_from_those_around_it() {
    let powers = (50..58).map(|power| 2_f64.powi(power));
    let mut cuts: Vec<f64> = powers
        .flat_map(|number| [number.next_down(), number, number.next_up()])
        .flat_map(|number| [-number, number])
        .collect();
    cuts.sort_by(f64::total_cmp);
    let mut texts = Vec::new();
    for cut in &cuts {
        let sign = if *cut < 0.0 { "-" } else { "" };
        for other in [cut.next_down(), cut.next_up()] {
            // in sixteenths
            let middle = ((cut.abs() * 16.0) as u128 + (other.abs() * 16.0) as u128) / 2;
            let whole = (middle / 16).to_string();
            let plain = format!("{whole}{:04}", middle % 16 * 625);
            let plain = plain.trim_end_matches('0');
            let (start, last) = plain.split_at(plain.len() - 1);
            let below = format!("{start}{}9", last.parse::<u8>().unwrap() - 1);
            let all = ["", "0", "00", "1", "01"].map(|more| format!("{plain}{more}"));
            for digits in all.into_iter().chain([below]) {
                texts.extend((1..8).map(|point| {
                    let (before, behind) = digits.split_at(point);
                    format!("{sign}{before}.{behind}e{}", whole.len() - point)
                }));
            }
        }
    }
    let count = |text: &str| {
        let number = Key::Number(Number::parse(text)?.get() + 0.0);
        let passed = cuts
            .iter()
            .filter(|cut| number.compare(&Key::Number(**cut)).is_ge());
        Some(passed.count())
    };
    let mut powers = Visited::new(Powers::new(Numbers::new(cuts.iter().copied())));
    compare(&mut powers, texts.into_iter(), count, 50);
}

#[test]
fn a_reader_of_versions_misses_nothing_that_a_version_says() {
    let mut random = Random(asked_for("SEED", 3));
    let cuts = [
        "0.0.0-0",
        "0.9.10",
        "1.0.0-alpha",
        "1.0.0-alpha.1",
        "1.0.0-alpha.2.b",
        "1.0.0-beta",
        "1.0.0-rc.10",
        "1.0.0-rc.9x",
        "1.0.0",
        "1.2.0-0",
        "1.2.0-9.11",
        "1.12.0",
        "12.0.18446744073709551615",
    ];
    let some = [
        "1.0.0",
        "1.0.0-alpha",
        "1.0.0-alpha.1.0",
        "1.0.0-rc.10+b.1",
        "0.10.0",
        "12.0.18446744073709551616",
        "1.2.0-9.11",
        "1.0.0--",
        "1.0.0-a.b.c.d",
        "0.0.0-00",
        "1.0.0-0a+-",
        "1.00.0",
        "100.2.3",
        "12.0.99999999999999999999",
        "1.0.0-rc.9",
    ];
    let parsed: Vec<VersionBuf> = cuts
        .iter()
        .map(|cut| Version::parse(cut).unwrap().into())
        .collect();
    for own in [&parsed[..], &parsed[8..9], &parsed[2..8], &parsed[..0]] {
        let mut table = Visited::new(Versions::new(own.iter()));
        let texts = texts(&mut random, "0123456789....++--abcrxAZ019é", &some);
        compare(
            &mut table,
            texts,
            |text| {
                let version = Version::parse(text)?;
                Some(own.iter().filter(|cut| version >= cut.borrowed()).count())
            },
            50,
        );
    }
}

#[test]
fn a_reader_of_moments_says_exactly_what_the_moment_is_and_in_hours_misses_nothing() {
    let mut random = Random(asked_for("SEED", 3));
    let some = [
        "0000-01-01T00:00:00+23:59",
        "1999-12-31T23:59:60Z",
        "2000-02-29",
        "1900-02-28T23:59:59.999999999-00:01",
        "2024-02-29T12:00",
        "2024-06-30T18:29:00.5-05:31",
        "2024-07-01 05:30:00+05:30",
        "2024-07-01T00:00:00.000000001Z",
        "2024-07-01T00:00:00.0000000009z",
        "2024-07-01t22:59:60.25+22:59",
        "2024-07-02T12:34:56+23:59",
        "2024-06-29T12:34:56-23:59",
        "9999-12-31T23:59:60-23:59",
    ];
    let mut cuts: Vec<i128> = some
        .iter()
        .flat_map(|text| {
            let moment = nanoseconds(Instant::parse(text).unwrap());
            [moment, moment + 1]
        })
        .collect();
    cuts.sort_unstable();
    cuts.dedup();
    let usual = cuts
        .iter()
        .position(|cut| *cut > 1_719_000_000_000_000_000)
        .unwrap();
    for own in [
        &cuts[..],
        &cuts[usual..usual + 1],
        &cuts[usual - 4..usual + 4],
        &cuts[..2],
    ] {
        for precision in [Precision::Minutes, Precision::Hours] {
            let mut table = Visited::new(Moments::new(own.iter().copied(), precision));
            let texts = texts(&mut random, "0011223345569--::..TtZ ++z", &some);
            let count = |text: &str| {
                let moment = nanoseconds(Instant::parse(text)?);
                Some(own.iter().filter(|cut| moment >= **cut).count())
            };
            let least = if precision == Precision::Minutes { 100 } else { 25 };
            compare(&mut table, texts, count, least);
        }
    }
}

#[test]
fn readers_of_addresses_say_exactly_what_the_address_is() {
    let mut random = Random(asked_for("SEED", 3));
    let addresses = |texts: &[&str]| -> Vec<u128> {
        let parsed = texts.iter().map(|text| match parse_address(text).unwrap() {
            std::net::IpAddr::V4(address) => u128::from(u32::from(address)),
            std::net::IpAddr::V6(address) => u128::from(address),
        });
        parsed.collect()
    };
    let some = [
        "0.0.0.0",
        "10.0.0.1",
        "10.0.1.255",
        "255.255.255.255",
        "127.0.0.1",
        "192.168.10.25",
        "::",
        "::1",
        "1::",
        "fe80::1:2",
        "1:2:3:4:5:6:7:8",
        "1:2:3:4:5:6:7::",
        "::2:3:4:5:6:7:8",
        "::ffff:10.0.0.1",
        "1:2:3:4:5:6:10.0.0.1",
        "2001:DB8::00ff",
        "1::10.0.0.1",
        "10.0.0.1::",
        "1:2:3:4:5:6:7:10.0.0.1",
        "2001:db8:0:0:0:0:0:5",
    ];
    let v4 = addresses(&[
        "0.0.0.0",
        "10.0.0.0",
        "10.0.0.4",
        "10.0.1.0",
        "10.1.0.0",
        "127.0.0.1",
        "192.168.0.0",
        "200.0.0.0",
    ]);
    let v6 = addresses(&[
        "::",
        "::1",
        "::ffff:a00:0",
        "::ffff:10.0.0.1",
        "1::",
        "1:2:3:4:5:6:7:8",
        "2001:db8::",
        "2001:db8::5",
        "fe80::",
    ]);
    let number = |text: &str, is_v6: bool| {
        let address = parse_address(text).filter(|address| address.is_ipv6() == is_v6)?;
        addresses(&[&address.to_string()]).first().copied()
    };
    let passed = |own: &[u128], number: u128| own.iter().filter(|cut| number >= **cut).count();
    for own in [&v4[..], &v4[..1], &v4[2..5]] {
        let texts = texts(&mut random, "0123456789....", &some[..6]);
        let count = |text: &str| Some(passed(own, number(text, false)?));
        compare(&mut Visited::new(V4::new(own.iter().copied())), texts, count, 100);
    }
    // around each of them, also with an IPv4 address at the end
    let near = v6
        .iter()
        .flat_map(|cut| [cut.wrapping_sub(1), *cut, cut.wrapping_add(1)]);
    let near: Vec<String> = near
        .flat_map(|number| {
            let address = std::net::Ipv6Addr::from(number);
            let groups = address.segments().map(|group| format!("{group:x}"));
            let last = std::net::Ipv4Addr::from(number as u32);
            [address.to_string(), format!("{}:{last}", groups[..6].join(":"))]
        })
        .collect();
    let some: Vec<&str> = some.into_iter().chain(near.iter().map(String::as_str)).collect();
    for own in [&v6[..], &v6[..1], &v6[2..5]] {
        let texts = texts(&mut random, "0123456789abcdefABCDEF::::::..", &some);
        let count = |text: &str| Some(passed(own, number(text, true)?));
        compare(&mut Visited::new(V6::new(own.iter().copied())), texts, count, 100);
    }
}
