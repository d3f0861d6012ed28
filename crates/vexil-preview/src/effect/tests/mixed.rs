//! Conditions on one field that are seldom asked together.

use vexil_budget::Budget;
use vexil_domain::{ActivationStrategy, Constraint, EnvironmentSnapshot, Operator};

use super::sides::{Random, Sides, asked_for};
use super::{Tally, check, of_flag};

fn looks_for(field: &str, operator: Operator, texts: &[&str]) -> Constraint {
    let values = texts.iter().map(|text| (*text).to_owned()).collect();
    Constraint {
        values,
        ..Constraint::new(field, operator)
    }
}

#[test]
fn a_user_is_found_who_begins_as_no_numbered_one_does() {
    let begin: Vec<String> = (0..10).map(|digit| format!("user-{digit}")).collect();
    let begin: Vec<&str> = begin.iter().map(String::as_str).collect();
    for percentage in ["1", "4", "100"] {
        let mut strategy = ActivationStrategy::new("s", "flexibleRollout")
            .with_parameter("rollout", percentage)
            .with_parameter("stickiness", "userId")
            .with_parameter("groupId", "g");
        let mut others = looks_for("userId", Operator::StrStartsWith, &begin);
        others.inverted = Some(true);
        strategy.constraints = vec![others];
        let sides = Sides::new((of_flag(Vec::new()), of_flag(vec![strategy])));
        let effect = sides
            .comparison()
            .effect(&["f".into()], &[], &Budget::unlimited());
        assert!(effect.is_complete(), "{effect:#?}");
    }
}

/// Values of one kind with the operators that compare them, and expressions that match some of them.
pub(super) struct Kind {
    operators: &'static [Operator],
    values: &'static [&'static str],
    patterns: &'static [&'static str],
    /// Of so many letters at most are the parts of values that are looked for.
    letters: usize,
}

pub(super) const KINDS: [Kind; 3] = [
    Kind {
        operators: &[
            Operator::NumEq,
            Operator::NumGt,
            Operator::NumGte,
            Operator::NumLt,
            Operator::NumLte,
        ],
        values: &["0", "5", "7", "12", "-3", "0.5", "100", "1e3", "2024"],
        patterns: &[
            "^[0-9]+$",
            "^[1-9][0-9]*$",
            r"^\d+\.\d{2}$",
            "^0",
            "e",
            "^-?[0-9.]+$",
            "[579]$",
        ],
        letters: 3,
    },
    Kind {
        operators: &[
            Operator::SemverEq,
            Operator::SemverGt,
            Operator::SemverGte,
            Operator::SemverLt,
            Operator::SemverLte,
        ],
        values: &[
            "1.2.0",
            "1.10.3",
            "2.0.0",
            "2.0.0-beta.2",
            "0.9.12",
            "2.0.0-rc",
            "12.0.1",
        ],
        patterns: &[
            r"^\d+\.\d+\.\d+$",
            r"^2\.",
            "beta|rc",
            r"^1\.[0-9]+\.0$",
            "[a-z]",
            r"\+ci",
        ],
        letters: 3,
    },
    Kind {
        operators: &[Operator::InCidr],
        values: &[
            "10.0.0.0/8",
            "10.1.0.0/16",
            "192.168.1.0/24",
            "10.1.2.3",
            "0.0.0.0/0",
            "2001:db8::/32",
            "::1",
            "fe80::/10",
        ],
        patterns: &[
            r"^10\.",
            r"\.1$",
            "^[0-9.]+$",
            ":",
            r"^192\.168\.[0-9]+\.7$",
            "^fe80:",
        ],
        letters: 3,
    },
];

/// Numbers that letters force an exponent on, or keep the digits of few.
pub(super) const POWERS: Kind = Kind {
    operators: &[
        Operator::NumEq,
        Operator::NumGt,
        Operator::NumGte,
        Operator::NumLt,
        Operator::NumLte,
    ],
    values: &[
        "0", "5", "1e3", "0.001", "1e21", "-2e-7", "123456", "1.5e300", "1e-320",
    ],
    patterns: &[
        "^.{3}$",
        "^.{1,4}e.$",
        "[eE]",
        "^[1-9]e",
        "e-[0-9]$",
        "^-?[0-9]{1,2}e[0-9]+$",
        "E[+]",
        "^0+[.]?0*e",
        "^[^0]e[3-9]",
        "^-[.]",
        "^[0-9][.][0-9]e-?[0-9]{3}$",
    ],
    letters: 4,
};

/// Dates, of which each is said by many texts: in other zones, with fractions, and in the second that leaps.
pub(super) const DATES: Kind = Kind {
    operators: &[Operator::DateBefore, Operator::DateAfter],
    values: &[
        "2024-07-01T00:00:00Z",
        "2024-07-01",
        "2024-06-30T23:59:59.5Z",
        "2024-07-01T05:30:00+05:30",
        "2024-06-30T18:29:00-05:31",
        "2024-02-29T12:00Z",
        "1999-12-31T23:59:60Z",
        "0000-01-01T00:00:00Z",
        "9999-12-31T23:59:59-23:59",
    ],
    patterns: &[
        "Z$",
        "T00:0",
        "^2024-0[267]",
        r"\+05:30$",
        r"^\d{4}-\d{2}-\d{2}$",
        r"\.[0-9]{3}",
        ":60",
        "^2024-07-01T05:29",
        "[+-]2[0-3]:[0-9]9$",
        "^2024-06-30T(18|23):.*-05:3[01]$",
        "^2024-07-01 05:29.*[5-9].05:30$",
    ],
    letters: 12,
};

/// One condition on the field `f`: on the value, or on a part of its letters.
fn condition(kind: &Kind, random: &mut Random) -> Constraint {
    let value = *random.one_of(kind.values);
    let mut constraint = match random.below(5) {
        0 | 1 => {
            let mut constraint = Constraint::new("f", random.one_of(kind.operators).clone());
            constraint.value = Some(value.to_owned());
            constraint.values = vec![value.to_owned(), (*random.one_of(kind.values)).to_owned()];
            constraint
        }
        2 => {
            let mut constraint = Constraint::new("f", Operator::Regex);
            constraint.value = Some((*random.one_of(kind.patterns)).to_owned());
            constraint
        }
        _ => {
            let place = random.one_of(&[
                Operator::StrStartsWith,
                Operator::StrEndsWith,
                Operator::StrContains,
            ]);
            let first = random.below(value.len());
            let count = 1 + random.below(kind.letters).min(value.len() - first - 1);
            let text = &value[first..first + count];
            let mut constraint = looks_for("f", place.clone(), &[text]);
            constraint.case_insensitive = Some(random.below(3) == 0);
            constraint
        }
    };
    constraint.inverted = Some(constraint.operator != Operator::Regex && random.below(4) == 0);
    constraint
}

pub(super) fn mixed_change(
    kinds: &[Kind],
    random: &mut Random,
) -> (EnvironmentSnapshot, EnvironmentSnapshot) {
    let kind = random.one_of(kinds);
    let strategy = |number: usize, random: &mut Random| {
        let name = *random.one_of(&["default", "flexibleRollout"]);
        let mut strategy = ActivationStrategy::new(format!("s{number}"), name)
            .with_parameter("rollout", (*random.one_of(&["30", "100"])).to_owned())
            .with_parameter("stickiness", (*random.one_of(&["f", "userId"])).to_owned())
            .with_parameter("groupId", "g");
        strategy.constraints = (0..2 + random.below(2))
            .map(|_| condition(kind, random))
            .collect();
        strategy
    };
    let first = strategy(0, random);
    let before = vec![first.clone(), strategy(1, random)];
    let after = vec![first, strategy(2, random)];
    (of_flag(before), of_flag(after))
}

#[test]
fn conditions_on_values_and_on_letters_of_one_field_are_decided() {
    let texts = [
        "5",
        "57",
        "0.50",
        "1e3",
        "1.2.0+ci",
        "2.0.0-rc.1",
        "10.1.2.31",
        "192.168.1.7",
        "2001:DB8::1",
        "1.20.0",
    ];
    are_decided(&KINDS, &texts, 40, 95);
}

#[test]
fn conditions_on_numbers_that_letters_force_an_exponent_on_are_decided() {
    let texts = [
        "1e3", "9e9", "1E+3", "0.1e4", "-2e-7", "-.2e-6", "5e0", "0e5", "1e999", "1.5e300", "9.9e307",
        "1e-320", "123456", "1e21", "12e20",
    ];
    are_decided(&[POWERS], &texts, 12, 95);
}

#[test]
fn conditions_on_dates_and_on_letters_of_one_field_are_decided() {
    let texts = [
        "2024-07-01T05:29:59.999999999+05:30",
        "2024-07-01t05:29:60z",
        "2024-06-30 18:29-05:31",
        "2024-06-30T18:29:00.000-05:30",
        "2024-07-01T00:00:00.0009Z",
        "2024-02-29",
        "2023-02-29",
        "2024-07-01T23:59:59+23:59",
        "2024-06-30T00:00:59-23:59",
        "2000-01-01T00:00Z",
    ];
    are_decided(&[DATES], &texts, 12, 95);
}

/// Checks random changes of flags that ask values and letters of these kinds, of which so many in 100 must be decided.
fn are_decided(kinds: &[Kind], texts: &[&str], changes: u64, least: usize) {
    let (changes, contexts) = (asked_for("CHANGES", changes), asked_for("CONTEXTS", 100) as usize);
    let mut random = Random(asked_for("SEED", 11));
    let (mut tally, mut proven) = (Tally::default(), 0);
    let others: Vec<_> = texts
        .iter()
        .map(|text| ("f".to_owned(), (*text).to_owned()))
        .collect();
    for change in 0..changes {
        let sides = Sides::new(mixed_change(kinds, &mut random));
        let before = (tally.flags, tally.complete);
        check(&sides, &others, contexts, change, &mut tally);
        let proof = sides.comparison().certificate(&"f".into(), &Budget::unlimited());
        if let Some(proof) = proof.unwrap() {
            let checked = vexil_proof_check::check(sides.to_check(), &proof);
            assert!(
                checked.is_ok(),
                "{checked:?} {:#?} {:#?}",
                sides.before.flags,
                sides.after.flags
            );
            proven += 1;
        }
        if asked_for("SHOW", 0) > 0 && tally.flags - before.0 > tally.complete - before.1 {
            println!("{:#?} {:#?}", sides.before.flags, sides.after.flags);
        }
    }
    println!("{tally:#?}, {proven} proofs checked");
    assert!(proven * 2 > tally.flags, "{proven}");
    assert!(tally.changing * 3 > tally.flags, "{tally:#?}");
    assert!(tally.complete * 100 >= tally.flags * least, "{tally:#?}");
}

/// There are thousands of such dates and no more, so no letter of them can come any number of times.
#[test]
fn dates_that_end_alike_are_found_in_a_bucket_though_there_is_an_end_of_them() {
    for (percentage, ends) in [
        ("1", "0:00Z"),
        ("30", "0:00Z"),
        ("1", ":00-00:00"),
        ("2", "+05:30"),
    ] {
        let moment = |operator, value: &str| {
            let mut constraint = Constraint::new("f", operator);
            constraint.value = Some(value.to_owned());
            constraint
        };
        let mut plain = Constraint::new("f", Operator::Regex);
        plain.value = Some(r"^[^.]*$".to_owned());
        let mut strategy = ActivationStrategy::new("s", "flexibleRollout")
            .with_parameter("rollout", percentage)
            .with_parameter("stickiness", "f")
            .with_parameter("groupId", "g");
        strategy.constraints = vec![
            moment(Operator::DateAfter, "1999-12-31T23:59:60Z"),
            moment(Operator::DateBefore, "2024-06-30T23:59:59.5Z"),
            looks_for("f", Operator::StrEndsWith, &[ends]),
            plain,
        ];
        let sides = Sides::new((of_flag(Vec::new()), of_flag(vec![strategy])));
        let comparison = sides.comparison();
        let effect = comparison.effect(&["f".into()], &[], &Budget::unlimited());
        assert!(effect.is_complete(), "{percentage} {ends}: {effect:#?}");
        sides.proof();
    }
}

/// At 05:29 a zone that is five and a half hours ahead is still before midnight in UTC, and one a minute less is not.
#[test]
fn where_only_the_minutes_of_an_offset_tell_they_are_read() {
    for (ends, changes) in [
        ("+05:30", false),
        ("+05:29", true),
        ("+05:", true),
        ("+06:00", false),
    ] {
        let mut after = Constraint::new("f", Operator::DateAfter);
        after.value = Some("2024-07-01T00:00:00Z".to_owned());
        let mut strategy = ActivationStrategy::new("s", "default");
        strategy.constraints = vec![
            after,
            looks_for("f", Operator::StrStartsWith, &["2024-07-01T05:29"]),
            looks_for("f", Operator::StrContains, &[ends]),
        ];
        let nobody = ActivationStrategy::new("n", "flexibleRollout").with_parameter("rollout", "0");
        let sides = Sides::new((of_flag(vec![nobody]), of_flag(vec![strategy])));
        let comparison = sides.comparison();
        let effect = comparison.effect(&["f".into()], &[], &Budget::unlimited());
        assert!(effect.is_complete(), "{ends}: {effect:#?}");
        assert_eq!(effect.is_empty(), !changes, "{ends}: {effect:#?}");
        sides.proof();
    }
}
