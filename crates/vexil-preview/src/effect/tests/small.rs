//! Universes that are small enough to look at every context there is.

use std::collections::BTreeSet;
use std::sync::Arc;

use vexil_budget::Budget;
use vexil_domain::{
    ActivationStrategy, Constraint, Context, Dependency, EnvironmentFlag, EnvironmentSnapshot, FlagSettings,
    Operator,
};
use vexil_engine::Ambient;

use super::sides::{Random, Sides, asked_for};
use crate::effect::atoms::{Asked, Fixed};
use crate::effect::boxes::{AtomBox, MOST_PATHS, boxes};
use crate::effect::rules::Rules;
use crate::effect::walk::Walk;
use crate::{Meeting, outcome};

pub(super) const COUNTRIES: [&str; 4] = ["", "NO", "SE", "DK"];
pub(super) const PLANS: [&str; 4] = ["", "free", "pro", "team"];
pub(super) const VERSIONS: [&str; 4] = ["", "1.0.0", "1.4.0-beta", "2.0.0"];
/// No user, and users with so many ids.
const USERS: usize = 100;

fn constraint(random: &mut Random) -> Constraint {
    let (field, values): (&str, &[&str]) = match random.below(3) {
        0 => ("country", &COUNTRIES),
        1 => ("plan", &PLANS),
        _ => ("appVersion", &VERSIONS),
    };
    let operators: &[Operator] = match field {
        "appVersion" => &[Operator::SemverGte, Operator::SemverLt, Operator::SemverEq],
        _ => &[
            Operator::In,
            Operator::NotIn,
            Operator::StrContains,
            Operator::StrStartsWith,
        ],
    };
    let operator = random.one_of(operators).clone();
    let mut constraint = Constraint::new(field, operator.clone());
    let mut value = || (*random.one_of(&values[1..])).to_owned();
    if field == "appVersion" {
        constraint.value = Some(value());
    } else {
        constraint.values = vec![value(), value()];
        if operator != Operator::In && operator != Operator::NotIn {
            // a letter or two
            constraint.values.iter_mut().for_each(|text| text.truncate(2));
        }
    }
    constraint.inverted = Some(random.below(4) == 0);
    constraint
}

fn strategy(number: usize, random: &mut Random) -> ActivationStrategy {
    let mut strategy = match random.below(4) {
        0 => ActivationStrategy::new(format!("s{number}"), "userWithId").with_parameter(
            "userIds",
            format!("{},{}", random.below(USERS), random.below(USERS)),
        ),
        _ => ActivationStrategy::new(format!("s{number}"), "flexibleRollout")
            .with_parameter("rollout", random.below(101).to_string())
            .with_parameter("stickiness", "userId")
            .with_parameter("groupId", *random.one_of(&["a", "b"])),
    };
    strategy.constraints = (0..random.below(4)).map(|_| constraint(random)).collect();
    strategy
}

fn flag(name: &str, random: &mut Random) -> EnvironmentFlag {
    let enabled = random.below(8) > 0;
    let count = random.below(4) + 1;
    let strategies = (0..count).map(|number| strategy(number, random)).collect();
    EnvironmentFlag {
        settings: Arc::new(FlagSettings {
            enabled,
            strategies,
            variants: Vec::new(),
        }),
        ..EnvironmentFlag::new(name, "default")
    }
}

/// One strategy is exchanged, added or taken away; now and then the parent's.
pub(super) fn change(random: &mut Random) -> (EnvironmentSnapshot, EnvironmentSnapshot) {
    let before = environment(random);
    let after = edited(&before, random);
    (before, after)
}

fn environment(random: &mut Random) -> EnvironmentSnapshot {
    let mut own = flag("f", random);
    if random.below(3) == 0 {
        own.dependencies.push(Dependency {
            parent: "parent".into(),
            enabled: random.below(3) > 0,
            variants: Vec::new(),
        });
    }
    let mut before = EnvironmentSnapshot::default();
    for flag in [own, flag("parent", random)] {
        before.flags.insert(flag.name.clone(), Arc::new(flag));
    }
    before
}

fn edited(before: &EnvironmentSnapshot, random: &mut Random) -> EnvironmentSnapshot {
    let mut after = before.clone();
    let edited = if random.below(4) == 0 { "parent" } else { "f" };
    let edited = Arc::make_mut(after.flags.get_mut(edited).unwrap());
    let strategies = &mut Arc::make_mut(&mut edited.settings).strategies;
    let place = random.below(strategies.len());
    match random.below(3) {
        0 => strategies.insert(place, strategy(9, random)),
        1 => drop(strategies.remove(place)),
        _ => strategies[place] = strategy(9, random),
    }
    after
}

/// Every context, by number.
fn context(number: usize) -> Context {
    let mut context = Context::default();
    let mut rest = number;
    for (field, values) in [("country", COUNTRIES), ("plan", PLANS), ("appVersion", VERSIONS)] {
        let value = values[rest % values.len()];
        rest /= values.len();
        if !value.is_empty() {
            context.set(field, value);
        }
    }
    if rest > 0 {
        context.set("userId", rest.to_string());
    }
    context
}

/// All boxes, with what changes in them.
pub(super) fn all_boxes<const N: usize>(walk: &mut Walk<'_, '_, N>) -> Vec<((u32, u32), AtomBox)> {
    let budget = Budget::unlimited();
    let root = walk.run().unwrap();
    let mut all = Vec::new();
    for change in walk.diagram.changes(root) {
        let part = walk.diagram.only(root, change, &budget).unwrap();
        let size = |level: usize| walk.levels[level].as_ref().map_or(0, |it| it.atoms.list.len());
        let (list, more) = boxes(&walk.diagram, part, &size, MOST_PATHS, &budget).unwrap();
        assert!(!more);
        all.extend(list.into_iter().map(|place| (change, place)));
    }
    all
}

/// Whether a context of the small universe, of which one field alone is hashed, is in a box.
pub(super) fn is_inside<const N: usize>(
    walk: &Walk<'_, '_, N>,
    place: &AtomBox,
    context: &Context,
    ambient: &Ambient<'_>,
) -> bool {
    let mut pinned = false;
    place.iter().all(|(level, chosen)| {
        if walk.hashed(*level).is_some() && pinned {
            return true;
        }
        let made = walk.levels[*level].as_ref().unwrap();
        let atom = walk.atom(made.dimension, &made.atoms, context, ambient);
        let atom = atom.unwrap().unwrap();
        pinned |= made.atoms.list[atom].pinned.is_some();
        chosen.contains(&(atom as u32))
    })
}

#[test]
fn of_every_context_of_a_small_universe_the_regions_hold_those_that_change_with_what_they_become() {
    let mut random = Random(asked_for("SEED", 0));
    let (mut changing, mut complete) = (0, 0);
    let changes = asked_for("CHANGES", 40);
    for _ in 0..changes {
        let sides = Sides::new(change(&mut random));
        let comparison = sides.comparison();
        let budget = Budget::unlimited();
        let rules = Rules::of(sides.both(), &"f".into());
        let fixed = Fixed::default();
        let asked = Asked {
            flag: &"f".into(),
            rules: &rules,
            fixed: &fixed,
            budget: &budget,
        };
        let mut walk = Walk::<8>::new(&asked);
        let all = all_boxes(&mut walk);
        let (mut expected, mut found) = (BTreeSet::new(), BTreeSet::new());
        for number in 0..COUNTRIES.len() * PLANS.len() * VERSIONS.len() * (USERS + 1) {
            let context = context(number);
            let [was, is] = sides
                .both()
                .map(|side| outcome(side, "f", &context, &comparison.ambient));
            if was != is {
                expected.insert((number, was.to_string(), is.to_string()));
            }
            for ((before, after), place) in &all {
                if is_inside(&walk, place, &context, &comparison.ambient) {
                    let [was, is] = [before, after].map(|it| rules.outcomes[*it as usize].to_string());
                    found.insert((number, was, is));
                }
            }
        }
        assert!(
            expected == found,
            "{:#?}\n{:#?}",
            sides.before.flags,
            sides.after.flags
        );
        changing += usize::from(!expected.is_empty());
        complete += usize::from(comparison.effect(&["f".into()], &[], &budget).is_complete());
    }
    println!("changes {changes}, with an effect {changing}, complete {complete}");
    assert!(changing * 4 > changes as usize);
    assert_eq!(complete, changes as usize);
}

#[test]
fn two_changes_meet_exactly_when_some_context_of_a_small_universe_is_changed_by_both() {
    let mut random = Random(asked_for("SEED", 1));
    let (mut met, changes) = (0, asked_for("CHANGES", 60));
    for _ in 0..changes {
        let before = environment(&mut random);
        let [one, other] = [0, 1].map(|_| edited(&before, &mut random));
        let sides = Sides::new((before.clone(), one));
        let others = Sides::new((before, other));
        let [_, third] = others.both();
        let comparison = sides.comparison();
        let differs = |context: &Context, side| {
            let [was, is] =
                [comparison.before, side].map(|side| outcome(side, "f", context, &comparison.ambient));
            was != is
        };
        let both = |context: &Context| differs(context, comparison.after) && differs(context, third);
        let expected = (0..COUNTRIES.len() * PLANS.len() * VERSIONS.len() * (USERS + 1))
            .any(|number| both(&context(number)));
        let told = || {
            format!(
                "{:#?}\n{:#?}\n{:#?}",
                sides.before.flags, sides.after.flags, others.after.flags
            )
        };
        match comparison.meeting(third, &"f".into(), &Budget::unlimited()) {
            Meeting::Apart => assert!(!expected, "{}", told()),
            Meeting::At(place) => {
                let witness = place.witness.unwrap();
                assert!(both(&witness.to_context()), "{witness:?}\n{}", told());
                met += 1;
            }
            Meeting::Undecided => panic!("undecided: {}", told()),
        }
    }
    println!("changes {changes}, that meet {met}");
    assert!(met * 10 > changes, "too few meet: {met}");
}
