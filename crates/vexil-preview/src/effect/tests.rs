//! A context is in a region exactly when the engine's answers differ.

mod completeness;
mod contexts;
mod forged;
mod forgeries;
mod sides;
mod small;

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::collection::vec;
use proptest::strategy::{Strategy as _, ValueTree};
use time::macros::datetime;
use vexil_budget::Budget;
use vexil_domain::{EnvironmentFlag, EnvironmentSnapshot};
use vexil_engine::{Ambient, Engine};
use vexil_proptest::{arb_context_value, arb_field_name};

use super::atoms::{Asked, Fixed};
use super::boxes::{AtomBox, MOST_PATHS, boxes};
use super::diagram::{Kind, Node, SAME};
use super::rules::{Dimension, Rules};
use super::walk::Walk;
use super::witness::custom::answering;
use crate::{FlagEffect, Outcome, Side, affected_flags, outcome};
use contexts::{Drawn, Pools};
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

/// The regions of one flag, in the form in which a context can be looked for.
struct Regions<'w, 'r> {
    walk: Walk<'w, 'r, 64>,
    root: Node,
    boxes: Vec<((u32, u32), AtomBox)>,
    /// Whether these are all boxes.
    all: bool,
}

impl<'w, 'r> Regions<'w, 'r> {
    fn new(asked: &'w Asked<'w, 'r>) -> Self {
        let mut walk = Walk::new(asked);
        let root = walk.run().unwrap();
        let (mut list, mut all) = (Vec::new(), true);
        for change in walk.diagram.changes(root) {
            let part = walk.diagram.only(root, change, asked.budget).unwrap();
            let size = |level: usize| {
                let level = walk.levels[level].as_ref();
                level.map_or(usize::MAX, |level| level.atoms.list.len())
            };
            let (places, more) = boxes(&walk.diagram, part, &size, MOST_PATHS, asked.budget).unwrap();
            list.extend(places.into_iter().map(|place| (change, place)));
            all &= !more;
        }
        Self {
            walk,
            root,
            boxes: list,
            all,
        }
    }

    /// What a context undergoes, and the boxes that it is in; the dimension of a value that is in no atom.
    #[expect(clippy::type_complexity, reason = "where it is, and what it draws")]
    fn find(&self, drawn: &Drawn) -> Result<(Option<(u32, u32)>, Vec<usize>), usize> {
        let ambient = drawn.ambient();
        let mut known: BTreeMap<usize, usize> = BTreeMap::new();
        let mut atom = |level: usize| -> Result<usize, usize> {
            if let Some(known) = known.get(&level) {
                return Ok(*known);
            }
            let made = self.walk.levels[level].as_ref().unwrap();
            let found = match &self.walk.asked.rules.dimensions[made.dimension] {
                Dimension::Custom { name, parameters } => {
                    let mut says = drawn.says.iter();
                    let yes = says.any(|one| one.says && one.name == *name && one.parameters == *parameters);
                    Some(usize::from(yes))
                }
                _ => (self.walk)
                    .atom(made.dimension, &made.atoms, &drawn.context, &ambient)
                    .unwrap(),
            };
            let found = found.ok_or(made.dimension)?;
            known.insert(level, found);
            Ok(found)
        };
        let mut node = self.root;
        let change = loop {
            match self.walk.diagram.kind(node) {
                _ if node == SAME => break None,
                Some(Kind::Branch(level, children)) => node = children[atom(*level as usize)?],
                Some(Kind::Leaf(before, after)) => break Some((*before, *after)),
                None => break None,
            }
        };
        let mut inside = Vec::new();
        for (number, (_, place)) in self.boxes.iter().enumerate() {
            let mut meets = true;
            let mut pinned = Vec::new();
            for (level, chosen) in place {
                let made = self.walk.levels[*level].as_ref().unwrap();
                let number = self.walk.hashed(*level);
                if number.is_some_and(|number| pinned.contains(&number)) {
                    // a text that is listed has one bucket, which its own atom knows
                    continue;
                }
                let Ok(found) = atom(*level) else {
                    meets = false;
                    break;
                };
                if made.atoms.list[found].pinned.is_some() {
                    pinned.extend(self.walk.hashes[*level]);
                }
                if !chosen.contains(&(found as u32)) {
                    meets = false;
                    break;
                }
            }
            if meets {
                inside.push(number);
            }
        }
        Ok((change, inside))
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
        let mut answering_sides = BTreeMap::new();
        let mut random = Random(seed);
        let mut changing = false;
        for number in 0..contexts {
            let drawn = pools.draw(&witnesses, number, &mut random);
            let says: Vec<String> = drawn.says.iter().map(|one| format!("{one:?}")).collect();
            let answered = answering_sides.entry(says).or_insert_with(|| {
                let all = sides.both();
                all.map(|side| answering(side.snapshot, &flag.flag, &drawn.says))
            });
            tally.contexts += 1;
            let [was, is] = answered.each_ref().map(|(snapshot, engine)| {
                let side = Side { snapshot, engine };
                match outcome(side, flag.flag.as_str(), &drawn.context, &drawn.ambient()) {
                    // the host has no name, so that no list of hosts holds
                    Outcome::Unknown => Outcome::Off,
                    other => other,
                }
            });
            changing |= was != is;
            tally.inside += usize::from(was != is);
            let told = || {
                format!(
                    "{} {was:?} {is:?} {:?} {:?}",
                    flag.flag, drawn.context, drawn.says
                )
            };
            let (change, inside) = match regions.find(&drawn) {
                Ok(found) => found,
                Err(dimension) if flag.is_complete() => {
                    panic!("{:?} {}", rules.dimensions[dimension], told())
                }
                Err(_) => continue,
            };
            let named = |(before, after): (u32, u32)| {
                [before, after].map(|number| rules.outcomes[number as usize].clone())
            };
            match change {
                None => assert!(was == is || !flag.is_complete(), "no region: {}", told()),
                Some(change) => assert_eq!([&was, &is], named(change).each_ref(), "{}", told()),
            }
            if regions.all {
                let inside: Vec<_> = inside.iter().map(|number| regions.boxes[*number].0).collect();
                let expected: Vec<_> = change.into_iter().collect();
                assert_eq!(inside, expected, "boxes: {}", told());
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
    use vexil_domain::{ActivationStrategy, FlagSettings, Variant};
    let variant = |name: &str, weight: u32| Variant {
        name: name.to_owned(),
        weight,
        weight_type: Default::default(),
        stickiness: None,
        payload: None,
        overrides: Vec::new(),
    };
    let flag = |strategies: Vec<ActivationStrategy>| {
        let mut snapshot = EnvironmentSnapshot::default();
        let flag = EnvironmentFlag {
            name: "f".into(),
            project: "default".into(),
            kind: "release".to_owned(),
            description: None,
            stale: false,
            impression_data: false,
            dependencies: Vec::new(),
            settings: Arc::new(FlagSettings {
                enabled: true,
                strategies,
                variants: Vec::new(),
            }),
        };
        snapshot.flags.insert(flag.name.clone(), Arc::new(flag));
        snapshot
    };
    let mut strategy = ActivationStrategy::new("s", "default").with_parameter("groupId", "a");
    strategy.variants = vec![variant("rare", 476), variant("common", u32::MAX)];
    let mut other = ActivationStrategy::new("t", "default").with_parameter("groupId", "a");
    other.variants = vec![variant("x", 580), variant("y", 976)];
    other.constraints.push(vexil_domain::Constraint {
        values: vec!["p".into()],
        ..vexil_domain::Constraint::new("plan", vexil_domain::Operator::In)
    });
    let before = flag(vec![other.clone(), strategy]);
    let after = flag(vec![other]);
    let engines = [&before, &after].map(|snapshot| Engine::compile(snapshot).0);
    let comparison = crate::Comparison {
        before: Side {
            snapshot: &before,
            engine: &engines[0],
        },
        after: Side {
            snapshot: &after,
            engine: &engines[1],
        },
        environment: "production",
        ambient: Ambient::new(datetime!(2024-07-01 00:00:30 UTC), 7),
    };
    let effect = comparison.effect(&["f".into()], &[], &Budget::unlimited());
    for group in &effect.flags[0].groups {
        for one in &group.boxes {
            println!(
                "{} -> {}: {one} {:?} {:?}",
                group.before, group.after, one.share, one.witness
            );
        }
    }
    assert!(effect.is_complete(), "{effect:#?}");
}
