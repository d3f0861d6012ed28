//! Questions that would cost more than they may are refused, and told to stop they stop.

use vexil_budget::{Budget, Exhausted, Reason, Stop};
use vexil_domain::{ActivationStrategy, Constraint, EnvironmentSnapshot, FlagName, Operator};
use vexil_preview::{
    Comparison, ContextMatrix, DifferenceError, Population, Suggestion, SuggestionBounds, affected_flags,
};

use crate::changes::snapshot;
use crate::sides::{Compiled, comparison};

/// A flag of 15 strategies with 30 constraints of 250 values each, all different.
fn large(percentage: u32) -> EnvironmentSnapshot {
    let strategy = |number: usize| {
        let mut strategy = ActivationStrategy::new(format!("s{number}"), "flexibleRollout")
            .with_parameter("rollout", percentage.to_string())
            .with_parameter("stickiness", "userId");
        let constraint = |place: usize| Constraint {
            values: (0..250)
                .map(|value| format!("u{number}-{place}-{value}"))
                .collect(),
            ..Constraint::new("userId", Operator::In)
        };
        strategy.constraints = (0..30).map(constraint).collect();
        strategy
    };
    snapshot((0..15).map(strategy).collect(), Vec::new())
}

/// A flag that reads so many fields.
fn wide(fields: usize, percentage: u32) -> EnvironmentSnapshot {
    let mut strategy = ActivationStrategy::new("s", "flexibleRollout")
        .with_parameter("rollout", percentage.to_string())
        .with_parameter("stickiness", "userId");
    let constraint = |place: usize| Constraint {
        values: vec!["a".to_owned(), "b".to_owned()],
        ..Constraint::new(format!("f{place}"), Operator::In)
    };
    strategy.constraints = (0..fields).map(constraint).collect();
    snapshot(vec![strategy], Vec::new())
}

/// Every question that takes a budget.
fn all(comparison: &Comparison<'_>, flags: &[FlagName], budget: &Budget) -> [Result<(), DifferenceError>; 4] {
    let matrix = ContextMatrix::new();
    let population = Population { size: 100, seed: 1 };
    let suggestion = Suggestion::default();
    let suggested = comparison.suggest(flags, SuggestionBounds::default(), budget);
    let impact = comparison.impact(flags, population, &matrix, &suggestion, u64::MAX, budget);
    [
        suggested.map(drop).map_err(DifferenceError::from),
        comparison.difference(flags, &matrix, u64::MAX, budget).map(drop),
        impact.map(drop),
        comparison
            .movements(flags, budget)
            .map(drop)
            .map_err(DifferenceError::from),
    ]
}

#[test]
fn every_question_stops_when_it_is_told_to() {
    let (before, after) = (Compiled::new(large(10)), Compiled::new(large(20)));
    let comparison = comparison(&before, &after);
    let flags = affected_flags(&before.snapshot, &after.snapshot);
    for (reason, error) in [
        (Reason::Late, Exhausted::Late),
        (Reason::Cancelled, Exhausted::Cancelled),
    ] {
        let stop = Stop::default();
        stop.set(reason);
        let budget = Budget::stopped_by(u64::MAX, stop);
        for answer in all(&comparison, &flags, &budget) {
            assert_eq!(answer, Err(DifferenceError::Exhausted(error)));
        }
    }
}

#[test]
fn every_question_is_refused_where_the_budget_is_too_small() {
    let (before, after) = (Compiled::new(large(10)), Compiled::new(large(20)));
    let comparison = comparison(&before, &after);
    let flags = affected_flags(&before.snapshot, &after.snapshot);
    for answer in all(&comparison, &flags, &Budget::new(20)) {
        let refused = matches!(
            answer,
            Err(DifferenceError::Exhausted(Exhausted::Work { limit: 20, .. }))
        );
        assert!(refused, "{answer:?}");
    }
}

/// 112,500 values put to 451 probes each are 50 million questions to the engine.
#[test]
fn candidates_times_probes_are_paid_before_any_is_asked() {
    let (before, after) = (Compiled::new(large(10)), Compiled::new(large(20)));
    let comparison = comparison(&before, &after);
    let flags = affected_flags(&before.snapshot, &after.snapshot);
    let budget = Budget::new(40_000_000);
    let refused = comparison.suggest(&flags, SuggestionBounds::default(), &budget);
    let Err(Exhausted::Work { needed, .. }) = refused else {
        panic!("{refused:?}");
    };
    assert!(needed > 50_000_000, "{needed}");
    assert!(
        budget.spent() < 1_500_000,
        "copying and naming the values alone: {}",
        budget.spent()
    );
}

#[test]
fn a_flag_that_reads_900_fields_is_suggested_for_within_the_bounds() {
    let (before, after) = (Compiled::new(wide(900, 10)), Compiled::new(wide(900, 20)));
    let comparison = comparison(&before, &after);
    let flags = affected_flags(&before.snapshot, &after.snapshot);
    let bounds = SuggestionBounds::default();
    let budget = Budget::new(5_000_000);
    let suggestion = comparison.suggest(&flags, bounds, &budget).unwrap();
    assert_eq!(suggestion.fields.len(), 901);
    let combinations = suggestion.fields.iter().map(|field| field.values.len() as u64);
    assert!(combinations.product::<u64>() <= bounds.combinations);
}
