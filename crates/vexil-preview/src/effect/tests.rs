//! A context is in a region exactly when the engine's answers differ.

mod forged;

use std::sync::Arc;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use time::macros::datetime;
use vexil_budget::Budget;
use vexil_domain::{Context, EnvironmentFlag, EnvironmentSnapshot};
use vexil_engine::{Ambient, Engine};
use vexil_proptest::{arb_context, arb_environment_snapshot};

use super::atoms::{Asked, Fixed};
use super::locate::Located;
use super::rules::Rules;
use super::walk::Walk;
use crate::{Outcome, Side, affected_flags, outcome};

/// An environment before and after some flags and segments were changed, added and taken away.
fn arb_sides() -> BoxedStrategy<(EnvironmentSnapshot, EnvironmentSnapshot)> {
    (
        arb_environment_snapshot(),
        arb_environment_snapshot(),
        any::<u32>(),
    )
        .prop_map(|(before, other, choice)| {
            let mut after = before.clone();
            for (place, flag) in before.flags.keys().enumerate() {
                match choice >> (2 * place) & 3 {
                    0 => drop(after.flags.remove(flag)),
                    1 => {
                        if let Some(changed) = other.flags.values().nth(place) {
                            let renamed = EnvironmentFlag {
                                name: flag.clone(),
                                ..EnvironmentFlag::clone(changed)
                            };
                            after.flags.insert(flag.clone(), Arc::new(renamed));
                        }
                    }
                    _ => {}
                }
            }
            let added = other.flags.iter().take((choice >> 20 & 3) as usize);
            after
                .flags
                .extend(added.map(|(name, flag)| (name.clone(), Arc::clone(flag))));
            let segments = other.segments.iter().take((choice >> 24 & 1) as usize);
            after
                .segments
                .extend(segments.map(|(id, segment)| (*id, Arc::clone(segment))));
            (before, after)
        })
        .boxed()
}

/// What is found over many changes.
#[derive(Debug, Default)]
struct Tally {
    flags: usize,
    complete: usize,
    changing: usize,
    contexts: usize,
    reasons: std::collections::BTreeMap<String, usize>,
}

#[test]
fn a_context_is_in_a_region_exactly_when_the_answers_differ() {
    let changes: usize = std::env::var("CHANGES")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(24);
    let contexts: usize = std::env::var("CONTEXTS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(60);
    let seed: u64 = std::env::var("SEED")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(0);
    let mut bytes = [7; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let mut tally = Tally::default();
    for _ in 0..changes {
        let (before, after) = arb_sides().new_tree(&mut runner).unwrap().current();
        let list = proptest::collection::vec(arb_context(), contexts);
        let list = list.new_tree(&mut runner).unwrap().current();
        check(&before, &after, &list, &mut tally);
    }
    println!("{tally:#?}");
    assert!(
        tally.changing * 4 > tally.flags,
        "too few flags change: {tally:?}"
    );
}

fn check(before: &EnvironmentSnapshot, after: &EnvironmentSnapshot, contexts: &[Context], tally: &mut Tally) {
    let engines = [before, after].map(|snapshot| Engine::compile(snapshot).0);
    let sides = [
        Side {
            snapshot: before,
            engine: &engines[0],
        },
        Side {
            snapshot: after,
            engine: &engines[1],
        },
    ];
    let budget = Budget::unlimited();
    let comparison = crate::Comparison {
        before: sides[0],
        after: sides[1],
        environment: "production",
        ambient: Ambient::new(datetime!(2024-07-01 00:00:30 UTC), 7),
    };
    let flags = affected_flags(before, after);
    let effect = comparison.effect(&flags, &[], &budget);
    for flag in &effect.flags {
        tally.flags += 1;
        tally.complete += usize::from(flag.is_complete());
        for undecided in &flag.undecided {
            let mut reason = undecided.reason.to_string();
            reason.truncate(reason.find('`').or(reason.find("from")).unwrap_or(reason.len()));
            *tally.reasons.entry(reason).or_default() += 1;
        }
        let rules = Rules::of(sides, &flag.flag);
        let asked = Asked {
            flag: &flag.flag,
            rules: &rules,
            fixed: &Fixed::default(),
            budget: &budget,
        };
        let mut walk = Walk::<8>::new(&asked);
        let root = walk.run().unwrap();
        let mut changing = false;
        for (number, context) in contexts.iter().enumerate() {
            let mut ambient = Ambient::new(datetime!(2024-07-01 00:00:30 UTC), number as u64);
            if number % 2 == 0 {
                ambient = ambient.with_host_name("a");
            }
            tally.contexts += 1;
            let [was, is] = sides.map(
                |side| match outcome(side, flag.flag.as_str(), context, &ambient) {
                    // a custom strategy that says no
                    Outcome::Unknown => Outcome::Off,
                    other => other,
                },
            );
            changing |= was != is;
            let located = walk.locate(root, context, &ambient).unwrap();
            match located {
                Located::Same if was != is && flag.is_complete() => {
                    panic!("{} {was:?} {is:?} {context:?}", flag.flag);
                }
                Located::Same => {}
                Located::Changes(before, after) => {
                    let outcomes = &rules.outcomes;
                    assert_eq!(
                        [&was, &is],
                        [&outcomes[before as usize], &outcomes[after as usize]]
                    );
                }
                Located::Nowhere(dimension) if flag.is_complete() => {
                    panic!("{} {:?} {context:?}", flag.flag, rules.dimensions[dimension]);
                }
                Located::Nowhere(_) => {}
            }
        }
        tally.changing += usize::from(changing);
        if changing {
            assert!(!flag.groups.is_empty() || !flag.is_complete());
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
