//! Counts of answers.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;
use vexil_domain::{Context, FlagName, Write};
use vexil_engine::{Engine, FlagTally, Tally, Update};

use crate::support::{ambient, flag, rollout, snapshot, variant};

/// How often a flag was on and off, and which variants it gave.
type Counts = (u64, u64, BTreeMap<String, u64>);

/// What was counted, in a form that can be compared.
fn counts(counted: &BTreeMap<FlagName, FlagTally>) -> BTreeMap<String, Counts> {
    let of = |counts: &FlagTally| {
        let variants = counts.variants.iter();
        let variants = variants.filter(|(_, times)| *times > 0);
        let variants = variants.map(|(name, times)| (name.to_string(), *times));
        (counts.yes, counts.no, variants.collect())
    };
    counted
        .iter()
        .map(|(name, counts)| (name.to_string(), of(counts)))
        .collect()
}

proptest! {
    #[test]
    fn threads_that_count_apart_count_what_one_counts(
        asked in prop::collection::vec(
            (0_usize..3, 0_u32..9, any::<bool>(), any::<bool>(), any::<bool>(), 0_u32..20), 0..200,
        ),
    ) {
        let mut varied = flag("varied", vec![rollout("50", "userId")]);
        Arc::make_mut(&mut varied.settings).variants = vec![variant("red", 500), variant("blue", 500)];
        let never_asked = flag("never asked", Vec::new());
        let all = snapshot([flag("plain", vec![rollout("50", "userId")]), varied, never_asked]);
        let mut engine = Engine::compile(&all).0;
        let mut threads = [Tally::default(), Tally::default()];
        let mut expected: BTreeMap<String, Counts> = BTreeMap::new();
        let mut taken = Tally::default();
        for (flag, user, for_variant, thread, by_name, event) in asked {
            match event {
                // now and then the engine is loaded anew, or reported
                0 => engine = Engine::compile(&all).0,
                1 => {
                    for thread in &mut threads {
                        taken.add(thread);
                        thread.take();
                    }
                }
                _ => {}
            }
            let name = ["plain", "varied", "unknown"][flag];
            let id = engine.flag(name);
            let context = Context::default().with("userId", user.to_string());
            let tally = &mut threads[usize::from(thread)];
            let choice = engine.variant(name, &context, &ambient(0));
            let counts = expected.entry(name.to_owned()).or_default();
            if choice.feature_enabled { counts.0 += 1 } else { counts.1 += 1 }
            match (for_variant, id.filter(|_| !by_name)) {
                (true, Some(id)) => tally.variant(&engine, id, &choice),
                (true, None) => tally.variant_by_name(&engine, name, &choice),
                (false, Some(id)) => tally.check(&engine, id, choice.feature_enabled),
                (false, None) => tally.check_by_name(&engine, name, choice.feature_enabled),
            }
            if for_variant {
                *counts.2.entry(choice.name.to_owned()).or_default() += 1;
            }
        }
        for thread in &threads {
            taken.add(thread);
        }
        prop_assert_eq!(taken.left_out(), 0);
        prop_assert_eq!(counts(&taken.take()), expected);
        prop_assert!(taken.take().is_empty());
    }
}

#[test]
fn the_handle_of_another_engine_is_not_counted_for_a_flag_of_this_one() {
    let one = Engine::compile(&snapshot([flag("a", vec![])])).0;
    let other = Engine::compile(&snapshot([flag("b", vec![])])).0;
    let mut tally = Tally::default();
    tally.check(&other, one.flag("a").unwrap(), false);
    assert_eq!(tally.left_out(), 1);
    assert!(tally.take().is_empty());
    assert_eq!(tally.left_out(), 0);
}

#[test]
fn a_flag_that_is_gone_is_counted_under_its_name() {
    let before = Engine::compile(&snapshot([flag("f", vec![])])).0;
    let id = before.flag("f").unwrap();
    let after = before.updated(&Update {
        flags: vec![Write::Delete("f".into())],
        segments: vec![],
    });
    let mut tally = Tally::default();
    tally.check(&after.0, id, false);
    assert_eq!(counts(&tally.take())["f"], (0, 1, BTreeMap::new()));
}

#[test]
fn names_that_no_flag_has_take_bounded_memory() {
    let engine = Engine::default();
    let mut tally = Tally::default();
    for number in 0..1_500 {
        tally.check_by_name(&engine, &format!("unknown-{number}"), false);
    }
    tally.check_by_name(&engine, "unknown-7", false);
    assert_eq!(tally.left_out(), 500);
    let counted = tally.take();
    assert_eq!((counted.len(), counted["unknown-7"].no), (1_000, 2));
}
