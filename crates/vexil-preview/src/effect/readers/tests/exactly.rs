//! Where a reader knows exactly what a text says, and where it begins to say more than one thing.

use vexil_values::{Number, Version, VersionBuf};

use super::super::{Numbers, Powers, Reader, Said, Table, Versions, Visited};

fn says<R: Reader>(reader: R, text: &str) -> Option<Said> {
    let mut table = Visited::new(reader);
    let state = text
        .chars()
        .fold(0, |state, letter| table.next(state, letter as usize, letter));
    table.says(state)
}

/// What is said of a number with an exponent.
fn of_power(cuts: &[f64], text: &str) -> Option<Said> {
    says(Powers::new(Numbers::new(cuts.iter().copied())), text)
}

/// What a text says, where the engine can read it.
fn truly(cuts: &[f64], text: &str) -> Option<Said> {
    let number = Number::parse(text)?.get();
    Some(Said::exactly(cuts.iter().filter(|cut| number >= **cut).count()))
}

#[test]
fn a_point_is_followed_eight_digits_from_the_first_that_is_not_zero() {
    for digit in [4, 5, 6] {
        for places in 0..14 {
            let zeros = "0".repeat(places);
            let before = format!("0.{zeros}{digit}e{}", places + 1);
            let behind = format!("{digit}{zeros}e-{places}");
            for (text, is_near) in [(before, places <= 8), (behind, places < 8)] {
                let said = of_power(&[5.0], &text).unwrap();
                assert_eq!(Some(said) == truly(&[5.0], &text), is_near, "{text} {said:?}");
                let (fewest, most) = (said.fewest, said.most);
                assert!(
                    (fewest..=most).contains(&usize::from(digit > 4)),
                    "{text} {said:?}"
                );
            }
        }
    }
}

#[test]
fn eighteen_digits_that_agree_with_those_of_a_bound_are_counted() {
    // what is a tenth or more, as the parser rounds, begins in the middle between two floats
    let digits = "999999999999999986122212192185";
    for count in 1..digits.len() {
        let text = format!("0.00{}e1", &digits[..count]);
        let said = of_power(&[0.1], &text).unwrap();
        assert_eq!(said == Said::exactly(0), count <= 18, "{text} {said:?}");
    }
}

#[test]
fn what_is_finite_is_told_from_what_is_not_but_for_one_power_of_ten() {
    for cuts in [&[5.0][..], &[-5.0, 5.0], &[1e300, f64::MAX]] {
        for sign in ["", "-"] {
            for power in 290..330 {
                let text = format!("{sign}2e{power}");
                let said = of_power(cuts, &text);
                let expected = truly(cuts, &text);
                match power {
                    308 => assert!(said.is_some_and(|said| said.perhaps_none), "{text} {said:?}"),
                    _ => assert_eq!(said, expected, "{text}"),
                }
                let text = format!("{sign}0.002e{}", power + 3);
                assert_eq!(of_power(cuts, &text), said, "{text}");
            }
        }
    }
}

#[test]
fn whole_numbers_of_308_digits_are_finite_and_of_larger_ones_it_is_open() {
    let cuts = [-f64::MAX, 1.0, f64::MAX];
    for sign in ["", "-"] {
        for digits in 300..316 {
            let text = format!("{sign}{}", "1".repeat(digits));
            let said = says(Numbers::new(cuts.into_iter()), &text).unwrap();
            assert_eq!(said.perhaps_none, digits > 308, "{digits}");
            let (fewest, most) = (said.fewest, said.most);
            let passed = truly(&cuts, &text).map(|said| said.fewest);
            assert!(
                passed.is_none_or(|passed| (fewest..=most).contains(&passed)),
                "{text}"
            );
            assert_eq!(fewest, most, "{digits}");
        }
    }
}

#[test]
fn numbers_of_versions_fit_up_to_19_digits_and_of_longer_ones_it_is_open() {
    let cuts =
        ["1.0.0", "18446744073709551615.0.0"].map(|cut| VersionBuf::from(Version::parse(cut).unwrap()));
    for digits in 1..25 {
        let text = format!("{}.0.0", "2".repeat(digits));
        let said = says(Versions::new(cuts.iter()), &text).unwrap();
        assert_eq!(said.perhaps_none, digits > 19, "{text}");
        assert_eq!(Version::parse(&text).is_some(), digits < 20, "{text}");
        assert!(
            said.fewest > 0 && (digits > 19 || said == Said::exactly(1)),
            "{text} {said:?}"
        );
    }
}
