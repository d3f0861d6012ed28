//! A context is in a region exactly when the engine's answers differ.

mod apart;
mod around;
mod completeness;
mod contexts;
mod covered;
mod digests;
mod forged;
mod forgeries;
mod guarded;
mod intervals;
mod letters;
mod made_wrong;
mod many_rules;
mod mixed;
mod narrow;
mod pieces;
mod recorded;
mod regions;
mod shares;
pub(super) mod sides;
mod small;
mod too_much;
mod witnessed;
mod worded;

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::strategy::{Strategy as _, ValueTree};
use vexil_budget::Budget;
use vexil_domain::{ActivationStrategy, EnvironmentFlag, EnvironmentSnapshot, FlagName};
use vexil_engine::{Engine, FlagId};
use vexil_proptest::{arb_context_value, arb_field_name};

use super::atoms::{Asked, Fixed};
use super::rules::Rules;
use super::witness::custom::answering;
use crate::outcome::Judged;
use crate::{CustomAnswer, FlagEffect, Side, affected_flags};
use contexts::{Drawn, Pools};
use regions::Regions;
use sides::{Random, Sides, arb_sides, asked_for, runner};

/// What is found over many changes.
#[derive(Debug, Default)]
struct Tally {
    flags: usize,
    complete: usize,
    changing: usize,
    contexts: usize,
    inside: usize,
    reasons: BTreeMap<String, usize>,
}

/// An environment whose only flag, `f`, is on and has these strategies.
fn of_flag(strategies: Vec<ActivationStrategy>) -> EnvironmentSnapshot {
    let flag = EnvironmentFlag::new("f", "default");
    [strategies.into_iter().fold(flag, EnvironmentFlag::with_strategy)]
        .into_iter()
        .collect()
}

#[test]
fn a_context_is_in_a_region_exactly_when_the_answers_differ() {
    let (changes, contexts) = (asked_for("CHANGES", 24), asked_for("CONTEXTS", 60) as usize);
    let mut runner = runner(7);
    let mut tally = Tally::default();
    for change in 0..changes {
        let drawn = (arb_sides(), vec((arb_field_name(), arb_context_value()), 40));
        let (sides, others) = drawn.new_tree(&mut runner).unwrap().current();
        check(&Sides::new(sides), &others, contexts, change, &mut tally);
    }
    println!("{tally:#?}");
    assert!(
        tally.changing * 4 > tally.flags,
        "too few flags change: {tally:?}"
    );
}

/// A flag on one side, whose custom strategies answer.
struct Answering {
    engine: Engine,
    /// `None` where there is no such flag.
    flag: Option<FlagId>,
}

impl Answering {
    fn new(side: Side<'_>, flag: &FlagName, says: &[CustomAnswer]) -> Self {
        let (snapshot, engine) = answering(side.snapshot, flag, says);
        let there = snapshot.flags.contains_key(flag);
        let flag = there.then(|| engine.flag(flag.as_str())).flatten();
        Self { engine, flag }
    }

    /// What the flag is; a host without a name is on no list.
    fn judge(&self, drawn: &Drawn) -> Judged<'_> {
        let Some(flag) = self.flag else {
            return Judged::Absent;
        };
        let choice = self.engine.variant_by(flag, &drawn.context, &drawn.ambient());
        if choice.feature_enabled {
            Judged::On(choice)
        } else {
            Judged::Off
        }
    }
}

fn check(sides: &Sides, others: &[(String, String)], contexts: usize, seed: u64, tally: &mut Tally) {
    let budget = Budget::unlimited();
    let comparison = sides.comparison();
    let flags = affected_flags(&sides.before, &sides.after);
    let effect = comparison.effect(&flags, &[], &budget);
    for flag in &effect.flags {
        tally.add(flag);
        let rules = Rules::of(sides.both(), &flag.flag);
        let asked = Asked {
            flag: &flag.flag,
            rules: &rules,
            fixed: &Fixed::default(),
            budget: &budget,
        };
        let regions = Regions::new(&asked);
        let pools = Pools::of(sides.both(), &flag.flag, others);
        let boxes = flag.groups.iter().flat_map(|group| &group.boxes);
        let witnesses: Vec<_> = boxes.filter_map(|one| one.witness.as_ref()).collect();
        let mut answered: Vec<(Vec<CustomAnswer>, [Answering; 2])> = Vec::new();
        let mut random = Random(seed);
        let mut changing = false;
        for number in 0..contexts {
            let drawn = pools.draw(&witnesses, number, &mut random);
            let place = answered.iter().position(|(says, _)| *says == drawn.says);
            let place = place.unwrap_or_else(|| {
                let made = sides
                    .both()
                    .map(|side| Answering::new(side, &flag.flag, &drawn.says));
                answered.push((drawn.says.clone(), made));
                answered.len() - 1
            });
            tally.contexts += 1;
            let [was, is] = answered[place].1.each_ref().map(|side| {
                let judged = side.judge(&drawn);
                let mut outcomes = rules.outcomes.iter();
                let known = outcomes.position(|outcome| judged.is(outcome));
                known.map_or_else(|| panic!("no outcome: {:?}", drawn.context), |known| known as u32)
            });
            changing |= was != is;
            tally.inside += usize::from(was != is);
            let told = || {
                format!(
                    "{} {:?} {:?} {:?} {:?}",
                    flag.flag,
                    rules.outcomes[was as usize],
                    rules.outcomes[is as usize],
                    drawn.context,
                    drawn.says
                )
            };
            let (change, inside) = match regions.find(&drawn) {
                Ok(found) => found,
                Err(dimension) if flag.is_complete() => {
                    panic!("{:?} {}", rules.dimensions[dimension], told())
                }
                Err(_) => continue,
            };
            match change {
                None => assert!(was == is || !flag.is_complete(), "no region: {}", told()),
                Some(change) => assert_eq!((was, is), change, "{}", told()),
            }
            if regions.all {
                let mut inside = inside.iter().map(|number| regions.boxes[*number].0);
                assert!(
                    inside.next() == change && inside.next().is_none(),
                    "boxes: {}",
                    told()
                );
            }
        }
        tally.changing += usize::from(changing);
        if changing {
            assert!(!flag.groups.is_empty() || !flag.is_complete());
        }
    }
}

impl Tally {
    fn add(&mut self, flag: &FlagEffect) {
        self.flags += 1;
        self.complete += usize::from(flag.is_complete());
        for undecided in &flag.undecided {
            let mut reason = undecided.reason.to_string();
            reason.truncate(reason.find('`').or(reason.find("from")).unwrap_or(reason.len()));
            *self.reasons.entry(reason).or_default() += 1;
        }
    }
}

#[test]
fn a_range_that_one_in_ten_million_falls_into_has_a_witness() {
    use vexil_domain::Variant;
    let variant = |name: &str, weight: u32| Variant {
        name: name.to_owned(),
        weight,
        weight_type: Default::default(),
        stickiness: None,
        payload: None,
        overrides: Vec::new(),
    };
    let mut strategy = ActivationStrategy::new("s", "default").with_parameter("groupId", "a");
    strategy.variants = vec![variant("rare", 476), variant("common", u32::MAX)];
    let mut other = ActivationStrategy::new("t", "default").with_parameter("groupId", "a");
    other.variants = vec![variant("x", 580), variant("y", 976)];
    other.constraints.push(vexil_domain::Constraint {
        values: vec!["p".into()],
        ..vexil_domain::Constraint::new("plan", vexil_domain::Operator::In)
    });
    let before = of_flag(vec![other.clone(), strategy]);
    let after = of_flag(vec![other]);
    let sides = Sides::new((before, after));
    let effect = sides
        .comparison()
        .effect(&["f".into()], &[], &Budget::unlimited());
    assert!(effect.is_complete(), "{effect:#?}");
}
