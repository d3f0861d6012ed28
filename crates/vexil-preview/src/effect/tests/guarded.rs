//! Guards: what is said to hold does for every context that is tried, and what breaks a guard is shown by a context that does.

use std::sync::Arc;

use proptest::strategy::{Strategy as _, ValueTree};
use time::macros::datetime;
use vexil_budget::Budget;
use vexil_domain::{
    ActivationStrategy, Constraint, EnvironmentFlag, EnvironmentSnapshot, FlagSettings, Operator,
};

use super::contexts::{Drawn, Pools};
use super::sides::{Random, Sides, arb_sides, asked_for, runner};
use super::{Answering, of_flag};
use crate::{ContextSet, Guard, GuardVerdict, Share, Witness, affected_flags};

/// Some values of some fields, now and then of one that no flag asks.
fn drawn(pools: &Pools, random: &mut Random) -> ContextSet {
    let mut fields: Vec<(String, Vec<String>)> = Vec::new();
    for _ in 0..=random.below(2) {
        let (field, mut values) = pools.some(random);
        if random.below(4) == 0 {
            values.push(String::new());
        }
        if fields.iter().all(|(known, _)| *known != field) {
            fields.push((field, values));
        }
    }
    if random.below(6) == 0 {
        fields.push((
            "nobody asks".to_owned(),
            vec![["", "x"][random.below(2)].to_owned()],
        ));
    }
    ContextSet { fields }
}

fn is_in(drawn: &Drawn, set: &ContextSet) -> bool {
    let mut fields = set.fields.iter();
    fields.all(|(field, values)| {
        let value = drawn.context.get(field).unwrap_or_default();
        values.iter().any(|wanted| wanted == value)
    })
}

pub(super) fn shown(witness: &Witness) -> Drawn {
    Drawn {
        context: witness.to_context(),
        now: witness.now.unwrap_or(datetime!(2024-07-01 00:00:30 UTC)),
        seed: witness.seed.unwrap_or(7),
        host: witness.host_name.clone(),
        says: witness.strategies.clone(),
    }
}

#[test]
fn a_broken_guard_names_a_context_that_breaks_it_and_one_that_holds_is_broken_by_none() {
    let mut runner = runner(11);
    let mut random = Random(asked_for("SEED", 11));
    let (mut broken, mut held) = (0, 0);
    for _ in 0..asked_for("CHANGES", 60) {
        let sides = Sides::new(arb_sides().new_tree(&mut runner).unwrap().current());
        let comparison = sides.comparison();
        for flag in affected_flags(&sides.before, &sides.after) {
            let pools = Pools::of(sides.both(), &flag, &[]);
            let sets: Vec<ContextSet> = (0..6).map(|_| drawn(&pools, &mut random)).collect();
            let kinds = [Guard::Never as fn(ContextSet) -> Guard, Guard::Only];
            let guards: Vec<Guard> = sets
                .iter()
                .flat_map(|set| kinds.map(|kind| kind(set.clone())))
                .collect();
            let effect = comparison.effect(std::slice::from_ref(&flag), &guards, &Budget::unlimited());
            let changes = |drawn: &Drawn| {
                let sides = sides.both().map(|side| Answering::new(side, &flag, &drawn.says));
                let [was, is] = sides.each_ref().map(|side| side.judge(drawn).to_outcome());
                was != is
            };
            let breaks = |guard: &Guard, drawn: &Drawn| match guard {
                Guard::Never(set) => is_in(drawn, set),
                Guard::Only(set) => !is_in(drawn, set),
                Guard::AtMost(_) => false,
            };
            let mut tried: Vec<Drawn> = (0..60)
                .map(|number| pools.draw(&[], number, &mut random))
                .collect();
            for (number, drawn) in tried.iter_mut().enumerate() {
                for (field, values) in &sets[number % sets.len()].fields {
                    drawn.context.set(field, random.one_of(values).as_str());
                }
            }
            for finding in &effect.guards {
                match &finding.verdict {
                    GuardVerdict::Broken { witness, .. } => {
                        broken += 1;
                        let shown = shown(witness);
                        assert!(breaks(&finding.guard, &shown), "{} {witness:?}", finding.guard);
                        assert!(changes(&shown), "{} {witness:?}", finding.guard);
                    }
                    GuardVerdict::Holds => {
                        held += 1;
                        let mut inside = tried.iter().filter(|drawn| breaks(&finding.guard, drawn));
                        assert!(!inside.any(&changes), "{}", finding.guard);
                    }
                    GuardVerdict::Undecided => {}
                }
            }
        }
    }
    println!("broken {broken}, held {held}");
    assert!(broken > 100 && held > 20, "broken {broken}, held {held}");
}

fn constraint(operator: Operator, value: &str) -> Constraint {
    let mut constraint = Constraint::new("x", operator);
    if constraint.operator == Operator::StrStartsWith {
        constraint.values = vec![value.into()];
    } else {
        constraint.value = Some(value.into());
    }
    constraint
}

/// A flag that goes out to some more users, and besides to contexts of which there are none, which conditions alone do not tell.
fn before_and_after(more: &str) -> [EnvironmentSnapshot; 2] {
    let rollout = |percentage: &str| {
        ActivationStrategy::new("r", "flexibleRollout")
            .with_parameter("rollout", percentage)
            .with_parameter("stickiness", "userId")
    };
    let mut impossible = ActivationStrategy::new("s", "default");
    impossible.constraints = vec![
        constraint(Operator::StrStartsWith, "700000000000e"),
        constraint(Operator::NumEq, "7.5"),
    ];
    [
        of_flag(vec![rollout("10")]),
        of_flag(vec![rollout(more), impossible]),
    ]
}

#[test]
fn what_no_context_shows_breaks_no_guard() {
    let never = |field: &str, value: &str| {
        let fields = vec![(field.to_owned(), vec![value.to_owned()])];
        Guard::Never(ContextSet { fields })
    };
    let at_most = |percent| Guard::AtMost(Share::new(percent, 100));
    for (more, guard, is_broken) in [
        ("10", never("plan", "pro"), false),
        ("10", never("userId", ""), false),
        ("10", at_most(5), false),
        ("20", at_most(50), false),
        ("20", at_most(5), true),
        ("20", never("plan", "pro"), true),
        ("20", never("userId", ""), false),
    ] {
        let sides = Sides::new(before_and_after(more).into());
        let comparison = sides.comparison();
        let effect = comparison.effect(&["f".into()], std::slice::from_ref(&guard), &Budget::unlimited());
        assert!(!effect.is_complete());
        match &effect.guards[0].verdict {
            GuardVerdict::Broken { share, .. } => {
                assert!(is_broken, "{more} {guard}");
                assert!(
                    share.is_none_or(|share| share == Share::new(10, 100)),
                    "{share:?}"
                );
            }
            verdict => assert!(
                !is_broken && *verdict == GuardVerdict::Undecided,
                "{more} {guard} {verdict:?}"
            ),
        }
    }
}

#[test]
fn a_guard_of_many_values_takes_work_by_their_number() {
    let [before, _] = before_and_after("10");
    let mut after = before_and_after("20")[0].clone();
    let flag = before_and_after("20")[1].flags.values().next().unwrap().clone();
    let mut flag = EnvironmentFlag::clone(&flag);
    let mut settings = FlagSettings::clone(&flag.settings);
    settings.strategies.truncate(1);
    flag.settings = Arc::new(settings);
    after.flags.insert(flag.name.clone(), Arc::new(flag));
    let sides = Sides::new((before, after));
    let spent = |count: usize| {
        let values: Vec<String> = (0..count).map(|number| format!("u{number}")).collect();
        let fields = vec![("userId".to_owned(), values.clone()), ("plan".to_owned(), values)];
        let guards = [
            Guard::Never(ContextSet {
                fields: fields.clone(),
            }),
            Guard::Only(ContextSet { fields }),
        ];
        let budget = Budget::new(50_000_000);
        let effect = sides.comparison().effect(&["f".into()], &guards, &budget);
        for finding in &effect.guards {
            assert!(
                matches!(finding.verdict, GuardVerdict::Broken { .. }),
                "{:?}",
                finding.verdict
            );
        }
        budget.spent()
    };
    let (few, many) = (spent(1_000), spent(100_000));
    assert!(many > 20 * few && many < 200 * few, "{few} {many}");
}
