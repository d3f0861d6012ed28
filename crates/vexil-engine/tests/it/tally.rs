//! Counts of answers.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;
use vexil_domain::Context;
use vexil_engine::{Engine, Tally};

use crate::support::{ambient, flag, rollout, snapshot, variant};

/// How often a flag was on and off, and which variants it gave.
type Counts = (u64, u64, BTreeMap<String, u64>);

proptest! {
    #[test]
    fn threads_that_count_apart_count_what_one_counts(
        asked in proptest::collection::vec((0_u32..2, 0_u32..9, any::<bool>(), any::<bool>()), 0..200),
    ) {
        let mut varied = flag("varied", vec![rollout("50", "userId")]);
        Arc::make_mut(&mut varied.settings).variants = vec![variant("red", 500), variant("blue", 500)];
        let never_asked = flag("never asked", Vec::new());
        let all = snapshot([flag("plain", vec![rollout("50", "userId")]), varied, never_asked]);
        let engine = Engine::compile(&all).0;
        let ids = [engine.flag("plain").unwrap(), engine.flag("varied").unwrap()];
        let mut threads = [Tally::default(), Tally::default()];
        let mut expected: BTreeMap<_, Counts> = BTreeMap::new();
        for (flag, user, for_variant, thread) in asked {
            let id = ids[flag as usize];
            let context = Context::default().with("userId", user.to_string());
            let tally = &mut threads[usize::from(thread)];
            let choice = engine.variant_by(id, &context, &ambient(0));
            let counts = expected.entry(id).or_default();
            if choice.feature_enabled { counts.0 += 1 } else { counts.1 += 1 }
            if for_variant {
                tally.variant(id, &choice);
                *counts.2.entry(choice.name.to_owned()).or_default() += 1;
            } else {
                tally.check(id, choice.feature_enabled);
            }
        }
        let [mut one, other] = threads;
        one.add(&other);
        let counted: BTreeMap<_, Counts> = one
            .iter()
            .map(|(id, counts)| {
                let variants = counts.variants.iter().map(|(name, times)| (name.to_string(), *times));
                (id, (counts.yes, counts.no, variants.collect()))
            })
            .collect();
        prop_assert_eq!(counted, expected);
    }
}
