//! Patterns that look at the letters around a point of a text, and texts that say a value and hold what is looked for.

use std::sync::Arc;

use vexil_budget::Budget;
use vexil_domain::{
    ActivationStrategy, Constraint, Context, EnvironmentFlag, EnvironmentSnapshot, FlagSettings, Operator,
    Variant, VariantOverride,
};
use vexil_proof_check::{On, check};

use super::made_wrong::leave_out;
use super::sides::Sides;
use crate::{Outcome, outcome};

pub(super) fn asks(operator: Operator, value: &str) -> Constraint {
    let mut constraint = Constraint::new("name", operator.clone());
    if operator.takes_values() {
        constraint.values = value.split(',').map(str::to_owned).collect();
    } else {
        constraint.value = Some(value.to_owned());
    }
    constraint
}

/// A flag that is on where a field is as constraints ask.
pub(super) fn asking(constraints: Vec<Constraint>) -> EnvironmentSnapshot {
    let mut strategy = ActivationStrategy::new("s", "default");
    strategy.constraints = constraints;
    let flag = EnvironmentFlag {
        settings: Arc::new(FlagSettings {
            enabled: true,
            strategies: vec![strategy],
            variants: Vec::new(),
        }),
        ..EnvironmentFlag::new("f", "default")
    };
    let mut snapshot = EnvironmentSnapshot::default();
    snapshot.flags.insert(flag.name.clone(), Arc::new(flag));
    snapshot
}

#[test]
fn letters_of_words_and_ends_of_lines_are_told_apart_from_others() {
    for pattern in [
        r"\b",
        r"\r{0}\b{1000}",
        r"\bfoo",
        r"o\b.",
        r"(?m)^.",
        r"(?m)x$",
        r"\B\B",
        r"\Bo",
    ] {
        let sides = Sides::new((
            EnvironmentSnapshot::default(),
            asking(vec![asks(Operator::Regex, pattern)]),
        ));
        let proof = sides.proof();
        let [_, after] = sides.both();
        let ambient = sides.comparison().ambient;
        let matches = |text: &str| outcome(after, "f", &Context::default().with("name", text), &ambient);
        let field = On::Field("name".to_owned());
        let known = proof.dimensions.iter().find(|it| it.on == field).unwrap();
        let samples: Vec<&str> = known
            .atoms
            .iter()
            .filter_map(|atom| atom.sample.as_deref())
            .collect();
        for text in ["~", "a", "\n", "-foo", "afoo", "foo-", "a\na", "x\ny", "~~"] {
            let same = |sample: &&str| matches(sample) == matches(text);
            assert!(
                samples.iter().any(same),
                "{pattern}: no atom of {text:?} in {samples:?}"
            );
        }
    }
}

#[test]
fn texts_that_say_a_value_and_end_as_they_must_are_not_passed_over() {
    for (operator, value, ends, text) in [
        (
            Operator::SemverGte,
            "18446744073709551615.0.0",
            "v1.2.3,.,b",
            "18446744073709551615.0.0+b",
        ),
        (
            Operator::SemverGte,
            "18446744073709551615.0.0",
            "b",
            "18446744073709551615.0.0+b",
        ),
        (Operator::SemverEq, "2.2.1", "0.2.2", "2.2.1+0.2.2"),
        (Operator::NumGte, "7", ".,5", "15"),
    ] {
        let constraints = vec![asks(operator, value), asks(Operator::StrEndsWith, ends)];
        let sides = Sides::new((EnvironmentSnapshot::default(), asking(constraints)));
        let flag = "f".into();
        let comparison = sides.comparison();
        let effect = comparison.effect(std::slice::from_ref(&flag), &[], &Budget::unlimited());
        assert!(effect.is_complete(), "{text}: {effect:#?}");
        let proof = sides.proof();
        let [_, after] = sides.both();
        let matches = |text: &str| {
            let context = Context::default().with("name", text);
            outcome(after, "f", &context, &comparison.ambient) == Outcome::On(None)
        };
        assert!(matches(text), "{text}");
        let samples = proof.dimensions.iter().flat_map(|it| &it.atoms);
        assert!(
            samples.filter_map(|atom| atom.sample.as_deref()).any(matches),
            "{text}: {proof:#?}"
        );
    }
}

/// No value is below a bound, nor at it or above: only letters that say none.
#[test]
fn letters_like_those_of_a_value_that_say_none_are_not_passed_over() {
    for (letters, below, above, bound) in [
        (
            r"^\d{4}-\d{2}-\d{2}$",
            Operator::DateBefore,
            Operator::DateAfter,
            "2024-07-01T12:00:00Z",
        ),
        (r"^\d+e\d+$", Operator::NumLt, Operator::NumGte, "5"),
        (
            r"^\d+\.\d+\.\d+$",
            Operator::SemverLt,
            Operator::SemverGte,
            "1.2.0",
        ),
    ] {
        let [mut below, mut above] = [below, above].map(|operator| asks(operator, bound));
        below.inverted = Some(true);
        above.inverted = Some(true);
        cannot_do_without(vec![asks(Operator::Regex, letters), below, above]);
    }
}

/// Whether a proof is refused of which the atom that all constraints hold for is left out.
fn cannot_do_without(constraints: Vec<Constraint>) {
    let sides = Sides::new((EnvironmentSnapshot::default(), asking(constraints)));
    let mut proof = sides.proof();
    let [_, after] = sides.both();
    let ambient = sides.comparison().ambient;
    let is_behind = |sample: &Option<String>| {
        let context = Context::default().with("name", sample.as_deref().unwrap_or_default());
        outcome(after, "f", &context, &ambient) == Outcome::On(None)
    };
    let mut atoms = proof.dimensions[0].atoms.iter();
    let gone = atoms.position(|atom| is_behind(&atom.sample)).unwrap();
    leave_out(&mut proof, gone);
    assert!(check(sides.to_check(), &proof).is_err(), "{proof:#?}");
}

#[test]
fn a_moment_behind_the_last_year_of_utc_cannot_be_left_out() {
    cannot_do_without(vec![asks(Operator::DateAfter, "9999-12-31T23:59:59-23:59")]);
}

#[test]
fn texts_that_several_conditions_ask_for_at_once_cannot_be_left_out() {
    // in other letters than either names
    let mut any_case = asks(Operator::StrEndsWith, ".edu");
    any_case.case_insensitive = Some(true);
    let mut other_case = asks(Operator::StrEndsWith, ".edu");
    other_case.inverted = Some(true);
    cannot_do_without(vec![any_case, other_case]);
    // a digit that is rounded away
    cannot_do_without(vec![asks(Operator::StrEndsWith, "1"), asks(Operator::NumEq, "4")]);
    // a zero in front of the digits, or of the exponent
    for (needle, bound) in [
        ("-0", "-4.2e271"),
        ("e0", "-4.2e271"),
        ("E", "-42e90"),
        ("e-0", "-4e-7"),
    ] {
        cannot_do_without(vec![
            asks(Operator::StrContains, needle),
            asks(Operator::NumLt, bound),
        ]);
    }
    // three of them
    cannot_do_without(vec![
        asks(Operator::Regex, "(a*)*b"),
        asks(Operator::StrContains, "1943-03-35T16:23:56.4506"),
        asks(Operator::StrEndsWith, "2024-07-01T00:00:13Z"),
    ]);
    // two in a text that a third begins and ends
    cannot_do_without(vec![
        asks(Operator::Regex, "^2024-06-30T(18|23):.*-05:3[01]$"),
        asks(Operator::Regex, ":60"),
        asks(Operator::StrContains, "30:00+05:3"),
    ]);
    // a moment in a zone of which one is looked for that is no whole one
    cannot_do_without(vec![
        asks(Operator::DateBefore, "2024-07-01T00:00:00Z"),
        asks(Operator::StrStartsWith, "2024-06-30T"),
        asks(Operator::StrContains, "30:00+05:3"),
    ]);
    // a moment of which only another minute is behind the bound
    cannot_do_without(vec![
        asks(Operator::DateAfter, "2024-07-01T00:00:00Z"),
        asks(Operator::DateAfter, "1999-12-31T23:59:60Z"),
        asks(Operator::Regex, "^2024-06-30T18:.*-05:3[01]$"),
    ]);
    cannot_do_without(vec![
        asks(Operator::DateAfter, "2024-07-01T00:00:00Z"),
        asks(Operator::Regex, "^2024-06-30T(18|23):.*-05:3[01]$"),
    ]);
    // one of which the sign of the zone is any letter
    let mut ahead = asks(Operator::StrEndsWith, "+05:30");
    ahead.inverted = Some(true);
    cannot_do_without(vec![
        asks(Operator::DateAfter, "2024-07-01T00:00:00Z"),
        asks(Operator::Regex, "^2024-07-01 05:29.*[5-9].05:30$"),
        ahead,
    ]);
    // a build that cannot begin as what is looked for does
    cannot_do_without(vec![
        asks(Operator::SemverEq, "1.10.3"),
        asks(Operator::StrEndsWith, ".0-"),
    ]);
    // a number with a blank that holds one and ends with another
    cannot_do_without(vec![
        asks(Operator::NumLt, "12"),
        asks(Operator::StrContains, "0"),
        asks(Operator::Regex, "[579]$"),
        asks(Operator::Regex, "^[^-+.e]*$"),
        asks(Operator::Regex, "^[^0-9]"),
    ]);
}

/// What is looked for says another day, hour or minute than the moment has in UTC.
#[test]
fn a_moment_that_only_its_zone_makes_begin_so_cannot_be_left_out() {
    for (operator, bound, begins) in [
        (Operator::DateAfter, "2024-07-01T00:00:00Z", "2024-06-3"),
        (Operator::DateAfter, "2024-07-01T00:00:00Z", "2024-06-30 20"),
        (Operator::DateAfter, "2024-06-30T18:29:00-05:31", "2024-06-30T1"),
        (Operator::DateBefore, "2024-07-01T00:00:00Z", "2024-07-01 2"),
        (Operator::DateBefore, "2024-07-01T00:00:00Z", "2024-07-01T09:3"),
        (Operator::DateAfter, "2024-02-29T12:00:00Z", "2024-02-29T03:5"),
        (Operator::DateBefore, "2024-01-01T00:00:00.5Z", "2024-01-01T0"),
    ] {
        cannot_do_without(vec![asks(operator, bound), asks(Operator::StrStartsWith, begins)]);
    }
}

/// An override that is never reached, of the same values as one on another field that is.
#[test]
fn an_override_that_is_not_reached_needs_no_atom_beside_one_of_another_field() {
    let variant = |name: &str, field: &str| Variant {
        name: name.to_owned(),
        weight: 1,
        weight_type: Default::default(),
        stickiness: None,
        payload: None,
        overrides: vec![VariantOverride {
            context_name: field.to_owned(),
            values: vec!["a".to_owned()],
        }],
    };
    let mut snapshot = asking(vec![asks(Operator::StrStartsWith, "b")]);
    let flag = Arc::make_mut(snapshot.flags.get_mut("f").unwrap());
    let settings = Arc::make_mut(&mut flag.settings);
    settings.variants = vec![variant("shared", "name")];
    settings.strategies[0].variants = vec![variant("own", "plan"), variant("other", "plan")];
    let sides = Sides::new((EnvironmentSnapshot::default(), snapshot));
    sides.proof();
}

/// An address of a block that is small enough to be taken apart is an atom of its own.
#[test]
fn no_witness_of_a_block_of_addresses_is_an_atom_of_its_own() {
    for percentage in ["1", "3", "10", "50", "90"] {
        no_witness_of_a_block_is_an_atom(percentage);
    }
}

fn no_witness_of_a_block_is_an_atom(percentage: &str) {
    let mut strategy = ActivationStrategy::new("s", "flexibleRollout")
        .with_parameter("rollout", percentage)
        .with_parameter("stickiness", "remoteAddress")
        .with_parameter("groupId", "f");
    let mut networks = Constraint::new("remoteAddress", Operator::InCidr);
    networks.values = vec![
        "10.0.0.0/11".to_owned(),
        "10.0.1.9/28".to_owned(),
        "::/0".to_owned(),
    ];
    let mut ends = Constraint::new("remoteAddress", Operator::StrEndsWith);
    ends.values = vec!["a".to_owned()];
    ends.inverted = Some(true);
    strategy.constraints = vec![networks, ends];
    let mut snapshot = asking(Vec::new());
    let flag = Arc::make_mut(snapshot.flags.get_mut("f").unwrap());
    Arc::make_mut(&mut flag.settings).strategies = vec![strategy];
    let sides = Sides::new((EnvironmentSnapshot::default(), snapshot));
    sides.proof();
}
