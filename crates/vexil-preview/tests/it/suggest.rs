//! Suggested contexts: where a change shows for any context, it shows for a suggested one.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use vexil_domain::{Context, EnvironmentSnapshot, Operator};
use vexil_preview::{Comparison, ContextMatrix, SuggestionBounds, affected_flags};
use vexil_proptest::{arb_context_value, arb_field_name};

use crate::changes::arb_change;
use crate::sides::{Compiled, compared, comparison};

/// How many random contexts each change is tried with.
const CONTEXTS: usize = 10_000;
/// How many random changes are tried.
const CHANGES: usize = 200;

/// Values for random contexts, by field: arbitrary ones, and all that constraints compare with.
struct Pools(Vec<(String, Vec<String>)>);

impl Pools {
    fn new(snapshots: [&EnvironmentSnapshot; 2], others: Vec<(String, String)>) -> Self {
        let mut pools: Vec<(String, Vec<String>)> = Vec::new();
        for (field, value) in compared(&snapshots).into_iter().chain(others) {
            match pools.iter_mut().find(|(name, _)| *name == field) {
                Some((_, values)) => values.push(value),
                None => pools.push((field, vec![value])),
            }
        }
        Self(pools)
    }

    fn context(&self, random: &mut Random) -> Context {
        let mut context = Context::default();
        for (field, values) in &self.0 {
            match random.below(8) {
                0 => {}
                1 => context.set(field, format!("id-{}", random.below(100_000))),
                2 => context.set(field, random.below(200).to_string()),
                _ => context.set(field, values[random.below(values.len())].as_str()),
            }
        }
        context
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

fn suggested(comparison: &Comparison<'_>, flag: &vexil_domain::FlagName) -> bool {
    let flags = std::slice::from_ref(flag);
    let mut matrix = ContextMatrix::new();
    for field in comparison.suggest(flags, SuggestionBounds::default()).fields {
        matrix.set(&field.name, field.values);
    }
    comparison
        .difference(flags, &matrix, u64::MAX)
        .unwrap()
        .counts
        .changed()
        > 0
}

#[test]
fn what_changes_for_any_of_10_000_contexts_changes_for_a_suggested_one() {
    let algorithm = RngAlgorithm::ChaCha;
    let mut runner = TestRunner::new_with_rng(Config::default(), TestRng::deterministic_rng(algorithm));
    let (mut shown, mut missed) = (0_usize, Vec::new());
    for change in 0..CHANGES {
        let others = vec((arb_field_name(), arb_context_value()), 200);
        let drawn = (arb_change(), others).new_tree(&mut runner).unwrap().current();
        let ((before, after), others) = drawn;
        let pools = Pools::new([&before, &after], others);
        let (before, after) = (Compiled::new(before), Compiled::new(after));
        let comparison = comparison(&before, &after);
        let mut random = Random(change as u64);
        let contexts: Vec<Context> = (0..CONTEXTS).map(|_| pools.context(&mut random)).collect();
        for flag in affected_flags(&before.snapshot, &after.snapshot) {
            let changes = contexts.iter().find(|context| {
                let [was, is] = [comparison.before, comparison.after]
                    .map(|side| side.engine.variant(flag.as_str(), context, &comparison.ambient));
                was != is
            });
            if let Some(context) = changes {
                shown += 1;
                if !suggested(&comparison, &flag) {
                    let patterned = [&before, &after].iter().any(|side| has_pattern(&side.snapshot));
                    assert!(patterned, "{flag}: {context:?}\n{before:#?}\n{after:#?}");
                    missed.push(context.clone());
                }
            }
        }
    }
    println!(
        "changes that show for a random context: {shown}; for no suggested one: {}",
        missed.len()
    );
    assert!(
        shown > CHANGES / 3,
        "too few changes show to say anything: {shown}"
    );
    assert!(
        missed.len() * 50 <= shown,
        "{} of {shown} are missed: {missed:#?}",
        missed.len()
    );
}

/// Whether anything is compared with a pattern: texts that match one and meet another condition on
/// the same field cannot be found in general.
fn has_pattern(snapshot: &EnvironmentSnapshot) -> bool {
    let strategies = snapshot.flags.values().flat_map(|flag| &flag.settings.strategies);
    let own = strategies.flat_map(|strategy| &strategy.constraints);
    let shared = snapshot
        .segments
        .values()
        .flat_map(|segment| &segment.constraints);
    own.chain(shared)
        .any(|constraint| constraint.operator == Operator::Regex)
}
