//! Suggested contexts: where a change shows for any context, it shows for a suggested one.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use vexil_budget::Budget;
use vexil_domain::{ActivationStrategy, Constraint, Context, EnvironmentSnapshot, Operator};
use vexil_preview::{Comparison, ContextMatrix, SuggestionBounds, affected_flags};
use vexil_proptest::{arb_context_value, arb_field_name};

use crate::changes::{arb_change, snapshot};
use crate::sides::{Compiled, compared, comparison};

/// A number from the environment, for runs that are longer than usual.
fn asked_for(name: &str, otherwise: usize) -> usize {
    #[expect(clippy::disallowed_methods, reason = "whoever runs it says how long")]
    let text = std::env::var(name).ok();
    text.and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

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
    for field in comparison
        .suggest(flags, SuggestionBounds::default(), &Budget::unlimited())
        .unwrap()
        .fields
    {
        matrix.set(&field.name, field.values);
    }
    comparison
        .difference(flags, &matrix, u64::MAX, &Budget::unlimited())
        .unwrap()
        .counts
        .changed()
        > 0
}

#[test]
fn what_changes_for_any_of_10_000_contexts_changes_for_a_suggested_one() {
    let algorithm = RngAlgorithm::ChaCha;
    let mut runner = TestRunner::new_with_rng(Config::default(), TestRng::deterministic_rng(algorithm));
    let (changes, count) = (asked_for("CHANGES", 120), asked_for("CONTEXTS", 10_000));
    let (mut shown, mut open) = (0_usize, 0_usize);
    for change in 0..changes {
        let others = vec((arb_field_name(), arb_context_value()), 200);
        let drawn = (arb_change(), others).new_tree(&mut runner).unwrap().current();
        let ((before, after), others) = drawn;
        let pools = Pools::new([&before, &after], others);
        let (before, after) = (Compiled::new(before), Compiled::new(after));
        let comparison = comparison(&before, &after);
        let mut random = Random(change as u64);
        let contexts: Vec<Context> = (0..count).map(|_| pools.context(&mut random)).collect();
        for flag in affected_flags(&before.snapshot, &after.snapshot) {
            let changes = contexts.iter().find(|context| {
                let [was, is] = [comparison.before, comparison.after]
                    .map(|side| side.engine.variant(flag.as_str(), context, &comparison.ambient));
                was != is
            });
            if let Some(context) = changes {
                shown += 1;
                if !suggested(&comparison, &flag) {
                    let flags = std::slice::from_ref(&flag);
                    let effect = comparison.effect(flags, &[], &Budget::unlimited());
                    let complete = effect.is_complete();
                    assert!(!complete, "{flag}: {context:?}\n{before:#?}\n{after:#?}");
                    open += 1;
                }
            }
        }
    }
    println!("changes that show for a random context: {shown}; missed, and not complete: {open}");
    assert!(
        shown > changes / 3,
        "too few changes show to say anything: {shown}"
    );
    assert!(open * 500 <= shown, "{open} of {shown} are missed");
}

/// What is suggested for a field when a flag's only constraint changes from one to another.
fn values(field: &str, before: Constraint, after: Constraint) -> Vec<String> {
    let [before, after] = [before, after].map(|constraint| {
        let strategy = ActivationStrategy::new("s", "default").with_constraint(constraint);
        Compiled::new(snapshot(vec![strategy], Vec::new()))
    });
    let comparison = comparison(&before, &after);
    let flags = affected_flags(&before.snapshot, &after.snapshot);
    let suggestion = comparison
        .suggest(&flags, SuggestionBounds::default(), &Budget::unlimited())
        .unwrap();
    assert_eq!(suggestion.incomplete, Vec::<String>::new());
    suggestion
        .fields
        .into_iter()
        .find(|known| known.name == field)
        .unwrap()
        .values
}

fn compared_with(field: &str, operator: Operator, value: &str) -> Constraint {
    let mut constraint = Constraint::new(field, operator.clone());
    if operator.takes_values() {
        constraint.values = value.split(',').map(str::to_owned).collect();
    } else {
        constraint.value = Some(value.to_owned());
    }
    constraint
}

#[test]
fn values_that_satisfy_and_values_that_just_fail_are_suggested() {
    use Operator::{DateAfter, In, InCidr, NumGte, SemverGt, StrEndsWith};
    for (field, operator, before, after, expected) in [
        (
            "country",
            In,
            "NO,SE",
            "SE,DK",
            &["NO", "SE", "DK", "other", ""][..],
        ),
        ("age", NumGte, "18", "21", &["18", "21", "17", ""]),
        (
            "version",
            SemverGt,
            "1.2.3",
            "2.0.0",
            &["1.2.3", "2.0.0", "2.0.1", ""],
        ),
        (
            "currentTime",
            DateAfter,
            "2026-12-01T00:00:00Z",
            "2026-12-24T00:00:00Z",
            &[
                "2026-12-01T00:00:00Z",
                "2026-12-24T00:00:00Z",
                "2026-12-24T00:00:01Z",
                "",
            ],
        ),
        (
            "email",
            StrEndsWith,
            "@a.com",
            "@b.com",
            &["@a.com", "@b.com", "@a.comx", ""],
        ),
        (
            "ip",
            InCidr,
            "10.0.0.0/8",
            "10.1.0.0/16",
            &["10.0.0.0", "11.0.0.0", "10.1.0.0", ""],
        ),
    ] {
        let constraint = |value| compared_with(field, operator.clone(), value);
        assert_eq!(
            values(field, constraint(before), constraint(after)),
            expected,
            "{field}"
        );
    }
}

#[test]
fn ids_for_every_range_of_buckets_are_suggested() {
    let rollout = |percentage: &str| {
        let strategy = ActivationStrategy::new("s", "flexibleRollout")
            .with_parameter("rollout", percentage)
            .with_parameter("stickiness", "userId");
        Compiled::new(snapshot(vec![strategy], Vec::new()))
    };
    let (before, after) = (rollout("50"), rollout("51"));
    let comparison = comparison(&before, &after);
    let flags = affected_flags(&before.snapshot, &after.snapshot);
    let suggestion = comparison
        .suggest(&flags, SuggestionBounds::default(), &Budget::unlimited())
        .unwrap();
    assert_eq!(suggestion.fields.len(), 1);
    assert_eq!(
        suggestion.fields[0].values.len(),
        4,
        "in both, in one, in none, unset: {suggestion:?}"
    );
    assert!(
        suggested(&comparison, &flags[0]),
        "the one user in a hundred who enters is among them"
    );
}
