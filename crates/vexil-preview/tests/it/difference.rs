//! The difference of two sides.

use proptest::prelude::*;
use vexil_budget::Budget;
use vexil_domain::EnvironmentSnapshot;
use vexil_preview::{
    ContextMatrix, Counts, Cursor, DifferenceError, FlagDifference, Outcome, Transition, affected_flags,
};

use crate::sides::{Compiled, arb_matrix, arb_sides, comparison};

/// The group that a combination is in, by its boxes.
fn group_of<'d>(flag: &'d FlagDifference, cursor: &Cursor<'_>) -> Option<(&'d Outcome, &'d Outcome)> {
    let value_of = |field: &str| {
        cursor
            .values()
            .find(|(name, _)| *name == field)
            .map(|(_, value)| value)
    };
    let boxes = flag
        .groups
        .iter()
        .flat_map(|group| group.boxes.iter().map(move |one| (group, one)));
    let mut hits = boxes.filter(|(_, one)| one.holds(value_of));
    let hit = hits.next().map(|(group, _)| (&group.before, &group.after));
    assert!(hits.next().is_none(), "a combination is in one box at most");
    hit
}

fn check(before: EnvironmentSnapshot, after: EnvironmentSnapshot, matrix: &ContextMatrix) {
    let (before, after) = (Compiled::new(before), Compiled::new(after));
    let comparison = comparison(&before, &after);
    let affected = affected_flags(&before.snapshot, &after.snapshot);
    let difference = comparison
        .difference(&affected, matrix, u64::MAX, &Budget::unlimited())
        .unwrap();
    assert_eq!(difference.combinations, matrix.count());
    let mut all = Counts::default();
    let names = before.snapshot.flags.keys().chain(after.snapshot.flags.keys());
    for name in names.collect::<std::collections::BTreeSet<_>>() {
        let found = difference.flags.iter().find(|flag| flag.flag == *name);
        let mut counts = Counts::default();
        let mut cursor = matrix.first();
        loop {
            let context = cursor.context(comparison.environment);
            let was = before.shown(name.as_str(), &context, &comparison.ambient);
            let is = after.shown(name.as_str(), &context, &comparison.ambient);
            let transition = Transition::of(&was, &is);
            counts.add(transition, 1);
            let group = found.and_then(|flag| group_of(flag, &cursor));
            assert_eq!(
                group,
                (was != is).then_some((&was, &is)),
                "{name} for {context:?}"
            );
            if !cursor.advance() {
                break;
            }
        }
        let Some(flag) = found else {
            assert_eq!(
                counts.changed(),
                0,
                "{name} changes and is not among the affected flags"
            );
            continue;
        };
        assert_eq!(flag.counts, counts, "{name}");
        for group in &flag.groups {
            let cursor = matrix.at(group.cell.combination).unwrap();
            assert_eq!(group_of(flag, &cursor), Some((&group.before, &group.after)));
            let values = cursor
                .values()
                .map(|(name, value)| (name.to_owned(), value.to_owned()));
            assert_eq!(group.cell.context, values.collect::<Vec<_>>());
        }
        all.add_all(&counts);
    }
    assert_eq!(difference.counts, all);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn it_is_the_difference_of_two_full_previews(
        (before, after, matrix) in arb_sides().prop_flat_map(|(before, after)| {
            let matrix = arb_matrix(&before, &after);
            (Just(before), Just(after), matrix)
        }),
    ) {
        check(before, after, &matrix);
    }
}

#[test]
fn a_matrix_beyond_counting_is_refused_and_so_is_too_much_work() {
    let empty = Compiled::new(EnvironmentSnapshot::default());
    let comparison = comparison(&empty, &empty);
    let mut matrix = ContextMatrix::new();
    for field in 0..130 {
        matrix.set_text(&format!("f{field}"), "a,b");
    }
    assert_eq!(
        comparison.difference(&[], &matrix, 1, &Budget::unlimited()),
        Err(DifferenceError::Uncountable)
    );
    let nothing = comparison
        .difference(&["x".into()], &ContextMatrix::new(), 1, &Budget::unlimited())
        .unwrap_err();
    assert!(matches!(
        nothing,
        DifferenceError::TooManyEvaluations {
            evaluations: 2,
            left: 1,
            limit: 1,
            ..
        }
    ));
}
