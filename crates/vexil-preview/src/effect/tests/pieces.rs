//! What proofs are made of, each by itself: intervals, blocks, boxes, and what is left of rules.

use std::net::IpAddr;
use std::sync::Arc;

use vexil_budget::Budget;
use vexil_domain::{ActivationStrategy, Constraint, Context, Dependency, EnvironmentSnapshot, Operator};
use vexil_values::{Network, read};

use super::around::{asking, asks};
use super::sides::{Random, Sides};
use super::small::{change, is_inside};
use crate::effect::addresses::blocks;
use crate::effect::atoms::{Asked, Fixed};
use crate::effect::boxes::{AtomBox, MOST_PATHS, boxes};
use crate::effect::ordered::{Key, cuts, intervals};
use crate::effect::rules::Rules;
use crate::effect::walk::Walk;
use crate::{Outcome, outcome};

/// What each constraint says of a text.
fn answers(constraints: &[Constraint], text: &str) -> Vec<bool> {
    let one = |constraint: &Constraint| {
        let sides = Sides::new((Default::default(), asking(vec![constraint.clone()])));
        let [_, after] = sides.both();
        let context = Context::default().with("name", text);
        outcome(after, "f", &context, &sides.comparison().ambient) == Outcome::On(None)
    };
    constraints.iter().map(one).collect()
}

/// Some constraints of one kind, each with one of the values.
fn drawn(operators: &[Operator], values: &[&str], random: &mut Random) -> Vec<Constraint> {
    let one = |_| {
        let (operator, value): (&Operator, &&str) = (random.one_of(operators), random.one_of(values));
        asks(operator.clone(), value)
    };
    (0..3).map(one).collect()
}

#[test]
fn each_value_is_in_one_interval_and_no_constraint_tells_it_from_the_others_there() {
    use Operator::{
        DateAfter, DateBefore, NumEq, NumGt, NumGte, NumLt, NumLte, SemverEq, SemverGt, SemverGte, SemverLt,
        SemverLte,
    };
    let numbers = [
        "0",
        "18",
        "18.000000000000004",
        "17.999999999999996",
        "17",
        "19",
        "-1",
        "5e-324",
    ];
    let moments = [
        "2026-12-01T00:00:00Z",
        "2026-12-01T00:00:00.000000001Z",
        "2026-11-30T23:59:59.999999999Z",
        "2026-12-02T00:00:00Z",
        "1969-12-31T00:00:00Z",
    ];
    let versions = [
        "1.2.3",
        "1.2.3-0",
        "1.2.3-rc",
        "1.2.3-rc.0",
        "1.2.3-rc.1",
        "1.2.4",
        "1.2.4-0",
        "1.2.2",
        "1.3.0-0",
        "0.0.0",
    ];
    let kinds: [(&[Operator], &[&str]); 3] = [
        (&[NumEq, NumGt, NumGte, NumLt, NumLte], &numbers),
        (&[DateAfter, DateBefore], &moments),
        (&[SemverEq, SemverGt, SemverGte, SemverLt, SemverLte], &versions),
    ];
    let mut random = Random(3);
    for (operators, values) in kinds {
        for _ in 0..40 {
            let constraints = drawn(operators, values, &mut random);
            let asked = constraints
                .iter()
                .map(|it| cuts(&read(it, drop).unwrap()).unwrap());
            let (orders, keys): (Vec<_>, Vec<_>) = asked.unzip();
            let mut keys: Vec<Key> = keys.concat();
            keys.sort_by(Key::compare);
            keys.dedup_by(|one, other| one.compare(other).is_eq());
            let all = intervals(orders[0], &keys);
            for value in values {
                let homes: Vec<_> = all.iter().filter(|it| it.is_said_by(value)).collect();
                assert_eq!(homes.len(), 1, "{value} of {constraints:?} in {all:?}");
                let sample = homes[0].texts().next().unwrap();
                assert_eq!(
                    answers(&constraints, value),
                    answers(&constraints, &sample),
                    "{value} and {sample} of {constraints:?}"
                );
            }
        }
    }
}

#[test]
fn each_address_is_in_one_block_and_no_network_tells_it_from_the_others_there() {
    let networks = [
        "10.0.0.0/30",
        "10.0.0.4/31",
        "10.0.0.0/8",
        "0.0.0.0/0",
        "255.255.255.255",
        "::1",
        "2001:db8::/32",
        "::/0",
    ];
    let addresses = [
        "0.0.0.0",
        "9.255.255.255",
        "10.0.0.0",
        "10.0.0.3",
        "10.0.0.4",
        "10.0.0.5",
        "10.0.0.6",
        "11.0.0.0",
        "255.255.255.254",
        "255.255.255.255",
        "::",
        "::1",
        "::2",
        "2001:db8::",
        "2001:db9::",
        "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    ];
    let mut random = Random(4);
    for _ in 0..40 {
        let constraints = drawn(&[Operator::InCidr], &networks, &mut random);
        let asked = constraints.iter().flat_map(|it| &it.values);
        let asked: Vec<Network> = asked.map(|text| Network::parse(text).unwrap()).collect();
        let all = blocks(&asked);
        for address in addresses {
            let homes: Vec<_> = all.iter().filter(|it| it.is_said_by(address)).collect();
            assert_eq!(homes.len(), 1, "{address} of {constraints:?} in {all:?}");
            let mut texts = homes[0].texts();
            let is_one = |text: &String| text.parse::<IpAddr>().is_ok();
            let sample = texts.next().filter(is_one).unwrap();
            assert_eq!(
                answers(&constraints, address),
                answers(&constraints, &sample),
                "{address} and {sample} of {constraints:?}"
            );
            // the last one is in it as well
            let past = texts.take(8).filter(|text| !homes[0].is_said_by(text)).count();
            assert_eq!(past, 0, "{:?}", homes[0]);
        }
    }
}

#[test]
fn boxes_that_are_not_all_say_so() {
    let mut random = Random(5);
    let budget = Budget::unlimited();
    let mut fewer = 0;
    for _ in 0..60 {
        let sides = Sides::new(change(&mut random));
        let rules = Rules::of(sides.both(), &"f".into());
        let asked = Asked {
            flag: &"f".into(),
            rules: &rules,
            fixed: &Fixed::default(),
            budget: &budget,
        };
        let mut walk = Walk::<8>::new(&asked);
        let root = walk.run().unwrap();
        for change in walk.diagram.changes(root) {
            let part = walk.diagram.only(root, change, &budget).unwrap();
            let levels = walk.diagram.levels(part);
            let size = |level: usize| walk.levels[level].as_ref().unwrap().atoms.list.len();
            let cells = |list: &[AtomBox]| -> usize {
                let one = |place: &AtomBox| -> usize {
                    let chosen = |level: &usize| place.iter().find(|(own, _)| own == level);
                    let count = |level: &usize| chosen(level).map_or(size(*level), |(_, own)| own.len());
                    levels.iter().map(count).product()
                };
                list.iter().map(one).sum()
            };
            let (all, more) = boxes(&walk.diagram, part, &size, MOST_PATHS, &budget).unwrap();
            assert!(!more);
            for most in 1..6 {
                let (some, more) = boxes(&walk.diagram, part, &size, most, &budget).unwrap();
                assert_eq!(more, cells(&some) < cells(&all), "{most}: {some:?} of {all:?}");
                fewer += usize::from(more);
            }
        }
    }
    assert!(fewer > 20, "{fewer}");
}

/// A flag that asks one constraint, with a parent that asks one of two.
fn family(own: Constraint, parents: [Constraint; 2]) -> EnvironmentSnapshot {
    let mut snapshot = asking(vec![own]);
    let mut flag = asking(Vec::new()).flags.remove("f").unwrap();
    let parent = Arc::make_mut(&mut flag);
    parent.name = "parent".into();
    let strategies = parents.map(|constraint| {
        let mut strategy = ActivationStrategy::new(format!("p-{}", constraint.context_name), "default");
        strategy.constraints = vec![constraint];
        strategy
    });
    Arc::make_mut(&mut parent.settings).strategies = strategies.to_vec();
    let child = Arc::make_mut(snapshot.flags.get_mut("f").unwrap());
    child.dependencies.push(Dependency {
        parent: "parent".into(),
        enabled: true,
        variants: Vec::new(),
    });
    snapshot.flags.insert("parent".into(), flag);
    snapshot
}

#[test]
fn the_same_lists_on_other_sides_are_another_remainder() {
    let is = |field: &str, value: &str| Constraint {
        values: vec![value.to_owned()],
        ..Constraint::new(field, Operator::In)
    };
    // with x = 1 a flag without a parent is left before, and one with a parent behind; with x = 2 it is the other
    // way round, and the lists are the same
    let before = family(is("plan", "pro"), [is("x", "1"), is("country", "NO")]);
    let after = family(is("country", "NO"), [is("x", "2"), is("country", "NO")]);
    let sides = Sides::new((before, after));
    let comparison = sides.comparison();
    let rules = Rules::of(sides.both(), &"f".into());
    let asked = Asked {
        flag: &"f".into(),
        rules: &rules,
        fixed: &Fixed::default(),
        budget: &Budget::unlimited(),
    };
    let mut walk = Walk::<1>::new(&asked);
    let all = super::small::all_boxes(&mut walk);
    for number in 0..12 {
        let mut context = Context::default();
        for (field, value) in [
            ("x", ["", "1", "2"][number % 3]),
            ("plan", ["", "pro"][number / 3 % 2]),
            ("country", ["", "NO"][number / 6]),
        ] {
            if !value.is_empty() {
                context.set(field, value);
            }
        }
        let [was, is] = sides
            .both()
            .map(|side| outcome(side, "f", &context, &comparison.ambient));
        let inside = all
            .iter()
            .filter(|(_, place)| is_inside(&walk, place, &context, &comparison.ambient));
        let found: Vec<_> = inside
            .map(|((was, is), _)| [was, is].map(|it| rules.outcomes[*it as usize].clone()))
            .collect();
        let expected = if was == is { Vec::new() } else { vec![[was, is]] };
        assert_eq!(found, expected, "{context:?}");
    }
}

/// A parent may be asked to be on without a variant, which is called `disabled`, or with one of some.
#[test]
fn a_parent_without_variants_is_as_a_dependency_on_disabled_asks() {
    let is = |value: &str| asks(Operator::In, value);
    for (variants, is_met) in [
        (&["disabled"][..], true),
        (&["blue"], false),
        (&["blue", "disabled"], true),
    ] {
        let mut after = family(is("a,b"), [is("a"), is("c")]);
        let child = Arc::make_mut(after.flags.get_mut("f").unwrap());
        child.dependencies[0].variants = variants.iter().map(|name| (*name).to_owned()).collect();
        let mut before = after.clone();
        before.flags.remove("f");
        let sides = Sides::new((before, after));
        let flags = ["f".into()];
        let effect = sides.comparison().effect(&flags, &[], &Budget::unlimited());
        assert!(effect.is_complete(), "{effect:#?}");
        let mut becomes = effect.flags.iter().flat_map(|flag| &flag.groups);
        assert_eq!(
            becomes.any(|group| group.after != Outcome::Off),
            is_met,
            "{variants:?}"
        );
        let [_, after] = sides.both();
        let ambient = sides.comparison().ambient;
        let context = Context::default().with("name", "a");
        assert_eq!(outcome(after, "f", &context, &ambient) != Outcome::Off, is_met);
    }
}

#[test]
fn proofs_of_flags_that_need_a_parent_on_or_off_are_accepted() {
    for enabled in [true, false] {
        let mut after = family(
            asks(Operator::In, "a,b"),
            ["a", "c"].map(|value| asks(Operator::In, value)),
        );
        let child = Arc::make_mut(after.flags.get_mut("f").unwrap());
        child.dependencies[0].enabled = enabled;
        let mut before = after.clone();
        before.flags.remove("f");
        let sides = Sides::new((before, after));
        sides.proof();
    }
}
