//! Laws of the overlay, on random snapshots and changes.

use std::collections::BTreeSet;
use std::sync::Arc;

use proptest::prelude::*;
use vexil_change_request::*;
use vexil_domain::*;
use vexil_proptest::{arb_environment_change, arb_planned_changes, arb_tags, plan};

use crate::world::{arb_snapshot, scope};

fn arb_case() -> impl Strategy<Value = (Snapshot, Vec<PlannedChange>)> {
    arb_snapshot().prop_flat_map(|snapshot| {
        let changes = arb_planned_changes(&snapshot, &scope(), 0..=8);
        (Just(snapshot), changes)
    })
}

/// The same over instances of any form, dangling references and cycles included.
fn arb_any_case() -> impl Strategy<Value = (Snapshot, Scope, Vec<PlannedChange>)> {
    let here = Scope {
        project: "default".into(),
        ..scope()
    };
    let hostile = vexil_proptest::arb_snapshot().prop_flat_map(move |snapshot| {
        let changes = arb_planned_changes(&snapshot, &here, 0..=8);
        (Just(snapshot), Just(here.clone()), changes)
    });
    let plain = arb_case().prop_map(|(snapshot, changes)| (snapshot, scope(), changes));
    prop_oneof![3 => plain, 1 => hostile]
}

fn arb_environment_case() -> impl Strategy<Value = (Snapshot, Vec<PlannedChange>)> {
    arb_snapshot().prop_flat_map(|snapshot| {
        let changes = prop::collection::vec(arb_environment_change(&snapshot, &scope()), 0..=8);
        let planned = changes.prop_map({
            let snapshot = snapshot.clone();
            move |changes| plan(&snapshot, &scope(), changes)
        });
        (Just(snapshot), planned)
    })
}

fn blocked(outcome: &Outcome) -> BTreeSet<ChangeId> {
    outcome.blocks().map(|problem| problem.change).collect()
}

/// Problems without regard to their order.
fn gathered(outcome: &Outcome) -> BTreeSet<String> {
    let problems = outcome.problems.iter();
    problems.map(|problem| format!("{problem:?}")).collect()
}

proptest! {
    #[test]
    fn no_changes_change_nothing(snapshot in arb_snapshot()) {
        let outcome = overlay(&snapshot, &scope(), &[]);
        prop_assert_eq!(&outcome.proposed, &snapshot);
        prop_assert!(outcome.problems.is_empty() && outcome.defaults.is_empty());
    }

    #[test]
    fn the_base_stays_and_equal_calls_are_equal((snapshot, scope, changes) in arb_any_case()) {
        let copy: Snapshot = deep_copy(&snapshot);
        let outcome = overlay(&snapshot, &scope, &changes);
        prop_assert_eq!(&copy, &snapshot);
        prop_assert_eq!(outcome, overlay(&copy, &scope, &changes));
    }

    #[test]
    fn the_difference_applied_to_the_base_is_the_proposal((snapshot, scope, changes) in arb_any_case()) {
        let proposed = overlay(&snapshot, &scope, &changes).proposed;
        let mut applied = snapshot.clone();
        applied.apply(&proposed.since(&snapshot));
        prop_assert_eq!(applied, proposed);
    }

    #[test]
    fn what_is_untouched_is_shared((snapshot, scope, changes) in arb_any_case()) {
        let named: BTreeSet<&FlagName> = changes.iter().filter_map(|change| change.flag.as_ref()).collect();
        let outcome = overlay(&snapshot, &scope, &changes);
        for (name, flag) in &snapshot.flags {
            if !named.contains(name) {
                prop_assert!(Arc::ptr_eq(flag, &outcome.proposed.flags[name]));
            }
        }
        let segments: BTreeSet<SegmentId> = changes.iter().filter_map(|change| change.change.segment()).collect();
        for (id, segment) in &snapshot.segments {
            if !segments.contains(id) {
                prop_assert!(Arc::ptr_eq(segment, &outcome.proposed.segments[id]));
            }
        }
        prop_assert_eq!(&outcome.proposed.projects, &snapshot.projects);
    }

    #[test]
    fn a_blocked_change_has_no_part_in_the_proposal((snapshot, scope, changes) in arb_any_case()) {
        let outcome = overlay(&snapshot, &scope, &changes);
        let blocked = blocked(&outcome);
        let rest: Vec<PlannedChange> = changes.into_iter().filter(|change| !blocked.contains(&change.id)).collect();
        let without = overlay(&snapshot, &scope, &rest);
        prop_assert_eq!(blocks_of(&without), Vec::<String>::new());
        prop_assert_eq!(without.proposed, outcome.proposed);
        prop_assert_eq!(without.defaults, outcome.defaults);
    }

    #[test]
    fn changes_of_different_flags_commute((snapshot, changes) in arb_environment_case()) {
        let mut by_flag = changes.clone();
        by_flag.sort_by(|a, b| a.flag.cmp(&b.flag));
        let (one, other) = (overlay(&snapshot, &scope(), &changes), overlay(&snapshot, &scope(), &by_flag));
        prop_assert_eq!(&one.proposed, &other.proposed);
        prop_assert_eq!(gathered(&one), gathered(&other));
    }

    #[test]
    fn a_reorder_alters_order_alone((snapshot, changes) in arb_environment_case()) {
        let is_reorder = |change: &PlannedChange| matches!(*change.change, Change::ReorderStrategy(_));
        let reorders: Vec<PlannedChange> = changes.into_iter().filter(is_reorder).collect();
        let outcome = overlay(&snapshot, &scope(), &reorders);
        prop_assert_eq!(without_order(&outcome.proposed), without_order(&snapshot));
        prop_assert!(outcome.defaults.is_empty());
    }

    #[test]
    fn nothing_is_stale_when_nothing_was_edited((snapshot, scope, changes) in arb_any_case()) {
        let outcome = overlay(&snapshot, &scope, &changes);
        prop_assert_eq!(outcome.stale().count(), 0);
    }

    #[test]
    fn tags_stay_and_matter_nothing((snapshot, scope, changes) in arb_any_case(), tags in arb_tags()) {
        let tagged = |snapshot: &Snapshot| {
            let mut tagged = snapshot.clone();
            for flag in tagged.flags.values_mut().map(Arc::make_mut) {
                flag.tags.clone_from(&tags);
            }
            tagged
        };
        let (live, edited) = (overlay(&snapshot, &scope, &changes), overlay(&tagged(&snapshot), &scope, &changes));
        prop_assert_eq!(&tagged(&live.proposed), &edited.proposed);
        prop_assert_eq!(gathered(&live), gathered(&edited));
        prop_assert_eq!(
            effect_digest(&snapshot, &live.proposed),
            effect_digest(&tagged(&snapshot), &edited.proposed)
        );
    }

    #[test]
    fn edits_of_other_flags_make_nothing_stale(
        (snapshot, edits, changes) in arb_snapshot().prop_flat_map(|snapshot| {
            let some = || arb_planned_changes(&snapshot, &scope(), 0..=6);
            (Just(snapshot.clone()), some(), some())
        })
    ) {
        let of_flag = |change: &PlannedChange, first: bool| {
            change.flag.as_ref().is_some_and(|flag| (flag.as_str() < "f2") == first)
        };
        let edits: Vec<_> = edits.into_iter().filter(|change| of_flag(change, true)).collect();
        let changes: Vec<_> = changes.into_iter().filter(|change| of_flag(change, false)).collect();
        let live = overlay(&snapshot, &scope(), &edits).proposed;
        prop_assert_eq!(overlay(&live, &scope(), &changes).stale().count(), 0);
    }

    #[test]
    fn order_and_unsaid_defaults_are_never_stale((snapshot, changes) in arb_case()) {
        let outcome = overlay(&said_differently(&snapshot), &scope(), &changes);
        prop_assert_eq!(outcome.stale().map(ToString::to_string).collect::<Vec<_>>(), Vec::<String>::new());
    }

    #[test]
    fn a_touched_flag_that_is_on_has_a_way_in_or_never_had((snapshot, changes) in arb_case()) {
        let outcome = overlay(&snapshot, &scope(), &changes);
        for (name, flag) in &outcome.proposed.flags {
            let Some(settings) = flag.environments.get("production") else { continue };
            if settings.enabled && !flag.is_archived() {
                prop_assert!(settings.has_enabled_strategy(), "{} is on for nobody", name);
            }
            let ids: BTreeSet<&StrategyId> = settings.strategies.iter().map(|strategy| &strategy.id).collect();
            prop_assert_eq!(ids.len(), settings.strategies.len());
            let mut sorted = FlagSettings::clone(settings);
            sorted.sort_strategies();
            prop_assert_eq!(&sorted.strategies, &settings.strategies);
        }
    }

    #[test]
    fn live_flags_depend_on_live_flags_and_use_segments_that_exist((snapshot, changes) in arb_case()) {
        let proposed = overlay(&snapshot, &scope(), &changes).proposed;
        for flag in proposed.flags.values().filter(|flag| !flag.is_archived()) {
            for dependency in &flag.dependencies {
                let parent = &proposed.flags[&dependency.parent];
                prop_assert!(!parent.is_archived() && parent.dependencies.is_empty());
            }
            for strategy in flag.environments.values().flat_map(|settings| &settings.strategies) {
                prop_assert!(strategy.segments.iter().all(|id| proposed.segments.contains_key(id)));
            }
        }
        let names: BTreeSet<&String> = proposed.segments.values().map(|segment| &segment.name).collect();
        prop_assert_eq!(names.len(), proposed.segments.len());
    }

    #[test]
    fn every_problem_names_its_change_and_a_reason((snapshot, scope, changes) in arb_any_case()) {
        let outcome = overlay(&snapshot, &scope, &changes);
        for problem in &outcome.problems {
            let planned = changes.iter().find(|change| change.id == problem.change).unwrap();
            let sentence = problem.to_string();
            let start = format!("change {} ({} of ", planned.id, planned.change.action());
            prop_assert!(sentence.starts_with(&start), "{}", sentence);
            prop_assert!(!problem.message.is_empty());
            prop_assert_eq!(!problem.differences.is_empty(), problem.level() == ProblemLevel::Stale);
        }
        let conflicts: BTreeSet<ChangeId> = outcome.conflicts().into_keys().collect();
        prop_assert_eq!(conflicts, blocked(&outcome));
    }
}

fn blocks_of(outcome: &Outcome) -> Vec<String> {
    outcome.blocks().map(ToString::to_string).collect()
}

/// The same values, none of them shared.
fn deep_copy(snapshot: &Snapshot) -> Snapshot {
    let mut copy = snapshot.clone();
    for flag in copy.flags.values_mut() {
        *flag = Arc::new(FeatureFlag::clone(flag));
    }
    for segment in copy.segments.values_mut() {
        *segment = Arc::new(Segment::clone(segment));
    }
    copy
}

fn each_strategy(snapshot: &mut Snapshot, mut edit: impl FnMut(&mut ActivationStrategy)) {
    for flag in snapshot.flags.values_mut().map(Arc::make_mut) {
        for settings in flag.environments.values_mut().map(Arc::make_mut) {
            settings.strategies.iter_mut().for_each(&mut edit);
        }
    }
}

fn without_order(snapshot: &Snapshot) -> Snapshot {
    let mut copy = snapshot.clone();
    each_strategy(&mut copy, |strategy| strategy.sort_order = 0);
    for flag in copy.flags.values_mut().map(Arc::make_mut) {
        for settings in flag.environments.values_mut().map(Arc::make_mut) {
            settings.sort_strategies();
        }
    }
    copy
}

/// The same meaning, with lists turned round and defaults said that were not, or not said that were.
fn said_differently(snapshot: &Snapshot) -> Snapshot {
    let mut copy = snapshot.clone();
    let turn = |constraints: &mut Vec<Constraint>| {
        constraints.reverse();
        for constraint in constraints {
            constraint.values.reverse();
            constraint.inverted = Some(constraint.is_inverted());
            constraint.case_insensitive = Some(constraint.is_case_insensitive());
        }
    };
    each_strategy(&mut copy, |strategy| {
        turn(&mut strategy.constraints);
        strategy.segments.reverse();
        strategy.variants.reverse();
        strategy.sort_order += 1;
        strategy.title = Some(strategy.title.take().unwrap_or_default());
        strategy.parameters = std::mem::take(&mut strategy.parameters)
            .into_iter()
            .filter(|(name, value)| name != "stickiness" || value != "default")
            .collect();
    });
    for segment in copy.segments.values_mut().map(Arc::make_mut) {
        turn(&mut segment.constraints);
        segment.description = Some(segment.description.take().unwrap_or_default());
    }
    copy
}
