//! What is told apart one by one, and what is decided once for many.

use std::sync::Arc;

use vexil_budget::Budget;
use vexil_domain::{
    ActivationStrategy, Constraint, EnvironmentFlag, EnvironmentSnapshot, FlagSettings, Operator,
};

use super::around::asks;
use super::sides::Sides;
use crate::effect::atoms::{Asked, Fixed, Part};
use crate::effect::rules::Rules;
use crate::effect::walk::Walk;

/// A flag that these strategies turn on, where it was off.
fn turned_on(strategies: Vec<ActivationStrategy>) -> Sides {
    let flag = EnvironmentFlag {
        settings: Arc::new(FlagSettings {
            enabled: true,
            strategies,
            variants: Vec::new(),
        }),
        ..EnvironmentFlag::new("f", "default")
    };
    let mut snapshot = EnvironmentSnapshot::default();
    snapshot.flags.insert(flag.name.clone(), Arc::new(flag));
    Sides::new((EnvironmentSnapshot::default(), snapshot))
}

fn is_one_of(field: &str, operator: Operator, value: &str) -> Constraint {
    let mut constraint = Constraint::new(field, operator);
    constraint.values = vec![value.to_owned()];
    constraint
}

/// What the atoms of fields consist of where a strategy turns a flag on.
fn parts_of(strategy: ActivationStrategy) -> Vec<Vec<Part>> {
    let sides = turned_on(vec![strategy]);
    let asked = Asked {
        flag: &"f".into(),
        rules: &Rules::of(sides.both(), &"f".into()),
        fixed: &Fixed::default(),
        budget: &Budget::unlimited(),
    };
    let mut walk = Walk::<1>::new(&asked);
    walk.run().unwrap();
    let atoms = walk.levels.iter().flatten().flat_map(|level| &level.atoms.list);
    let parts = atoms.map(|atom| {
        let own = atom
            .parts
            .iter()
            .map(|(part, _)| part.clone())
            .collect::<Vec<_>>();
        // a text is listed where its buckets are known
        let is_listed = own.iter().any(|part| matches!(part, Part::Listed(_)));
        assert_eq!(is_listed, atom.pinned.is_some(), "{own:?}");
        own
    });
    parts.collect()
}

/// How many texts are atoms of their own where a share of the addresses of a block is let in.
fn own_atoms(block: &str) -> usize {
    let mut strategy = ActivationStrategy::new("s", "flexibleRollout")
        .with_parameter("rollout", "50")
        .with_parameter("stickiness", "remoteAddress")
        .with_parameter("groupId", "f");
    strategy.constraints = vec![is_one_of("remoteAddress", Operator::InCidr, block)];
    let atoms = parts_of(strategy);
    atoms
        .iter()
        .flatten()
        .filter(|part| matches!(part, Part::Listed(_)))
        .count()
}

/// The bucket of each address is known where they are as many as one byte tells apart.
#[test]
fn addresses_of_a_block_of_one_byte_are_told_one_by_one_and_those_of_larger_ones_are_not() {
    for length in 24..=32 {
        let block = format!("10.1.2.0/{length}");
        assert_eq!(own_atoms(&block), 1 << (32 - length), "{block}");
    }
    assert_eq!(own_atoms("10.1.2.0/23"), 0);
    assert_eq!(own_atoms("2001:db8::/125"), 0);
}

/// The atoms of the field whose values are numbers below this one, without zeros in front, half of which are let in.
fn of_numbers(below: usize) -> Vec<Vec<Part>> {
    let mut strategy = ActivationStrategy::new("s", "flexibleRollout")
        .with_parameter("rollout", "50")
        .with_parameter("stickiness", "name")
        .with_parameter("groupId", "f");
    strategy.constraints = vec![
        asks(Operator::NumLt, &below.to_string()),
        asks(Operator::Regex, "^(0|[1-9][0-9]*)$"),
    ];
    parts_of(strategy)
}

#[test]
fn fewer_than_256_texts_that_say_a_value_are_atoms_of_their_own_and_of_more_some_are_kept() {
    for count in [1, 9, 255, 256, 1_100] {
        let atoms = of_numbers(count);
        let listed = |part: &&Part| matches!(part, Part::Listed(_));
        let own = atoms.iter().flatten().filter(listed).count();
        assert_eq!(own, if count < 256 { count } else { 0 }, "{count}");
        let some = atoms.iter().flatten().find_map(|part| match part {
            // that no letter may come any number of times says that it is they
            Part::Among(words) if words.rounds.is_none() => Some(words.texts().count()),
            _ => None,
        });
        // of more than a thousand it is known that they are more
        assert_eq!(some, (count >= 256).then_some(count.min(1_001)), "{count}");
    }
}

/// Each strategy asks two fields of its own: what is left where the first of them fails is left where the second does.
#[test]
fn what_is_left_on_several_ways_is_decided_once() {
    let nodes = |count: usize| {
        let strategy = |number: usize| {
            let mut strategy = ActivationStrategy::new(format!("s{number}"), "default");
            let fields = [2 * number, 2 * number + 1].map(|place| format!("f{place:02}"));
            strategy.constraints = fields.map(|field| is_one_of(&field, Operator::In, "x")).into();
            strategy
        };
        let sides = turned_on((0..count).map(strategy).collect());
        let effect = sides
            .comparison()
            .flag_effect(&"f".into(), None, &Budget::unlimited());
        assert!(effect.is_complete());
        effect.nodes
    };
    for count in 1..=10 {
        assert_eq!(nodes(count), 2 * count as u64);
    }
}
