//! Edits made since a change was proposed.

use std::sync::Arc;

use vexil_change_request::*;
use vexil_domain::*;

use crate::world::*;

fn edited(edit: impl FnOnce(&mut ActivationStrategy)) -> Snapshot {
    let mut live = sample();
    let flag = Arc::make_mut(live.flags.get_mut("checkout").unwrap());
    let settings = Arc::make_mut(flag.environments.get_mut("production").unwrap());
    edit(&mut settings.strategies[0]);
    live
}

fn rollout_to(share: &str) -> Change {
    let old = sample();
    let old = strategy(&old, "checkout", "narrow");
    let mut parameters = old.parameters.clone();
    parameters.insert("rollout".to_owned(), share.to_owned());
    Change::UpdateStrategy(StrategyUpdate {
        parameters,
        constraints: old.constraints.clone(),
        ..StrategyUpdate::new("narrow")
    })
}

fn over(live: &Snapshot, changes: Vec<(&str, Change)>) -> Outcome {
    overlay(live, &scope(), &planned(&sample(), changes))
}

#[test]
fn an_edit_that_would_be_overwritten_is_stale_and_does_not_block() {
    let live = edited(|strategy| drop(strategy.parameters.insert("rollout".to_owned(), "60".to_owned())));
    let outcome = over(&live, vec![("checkout", rollout_to("70"))]);
    assert_eq!(codes(&outcome), [(1, ProblemCode::StaleStrategy)]);
    let expected = Difference {
        property: "parameters.rollout".to_owned(),
        before: "50".to_owned(),
        live: "60".to_owned(),
        proposed: Some("70".to_owned()),
    };
    assert_eq!(outcome.problems[0].differences, [expected]);
    assert!(
        outcome.problems[0]
            .message
            .contains("`parameters.rollout` was `50`, is now `60` and would become `70`")
    );
    assert_eq!(
        strategy(&outcome.proposed, "checkout", "narrow").parameters["rollout"],
        "70"
    );
}

#[test]
fn an_edit_to_what_the_change_proposes_is_not_stale() {
    let live = edited(|strategy| drop(strategy.parameters.insert("rollout".to_owned(), "70".to_owned())));
    assert_eq!(codes(&over(&live, vec![("checkout", rollout_to("70"))])), []);
}

#[test]
fn an_edit_of_what_the_change_leaves_alone_is_not_stale() {
    let live = edited(|strategy| {
        strategy.title = Some("new".to_owned());
        strategy.disabled = true;
        strategy.segments = Vec::new();
    });
    let outcome = over(&live, vec![("checkout", rollout_to("70")), ("checkout", on())]);
    assert_eq!(outcome.stale().count(), 0);
    assert_eq!(
        strategy(&outcome.proposed, "checkout", "narrow").title.as_deref(),
        Some("new")
    );
}

#[test]
fn order_nulls_defaults_and_places_are_no_edit() {
    let then = edited(|strategy| {
        strategy.constraints = vec![is_in("country", &["NO", "SE"]), is_in("tier", &["a"])];
        strategy.segments = vec![SegmentId(1), SegmentId(2)];
    });
    let mut live = then.clone();
    let flag = Arc::make_mut(live.flags.get_mut("checkout").unwrap());
    let settings = Arc::make_mut(flag.environments.get_mut("production").unwrap());
    let strategy = &mut settings.strategies[0];
    strategy.constraints = vec![is_in("tier", &["a"]), is_in("country", &["SE", "NO"])];
    strategy.constraints[0].inverted = Some(false);
    strategy.segments = vec![SegmentId(2), SegmentId(1)];
    strategy.title = Some(String::new());
    strategy.sort_order = 9;
    strategy.parameters.remove("groupId");
    let update = StrategyUpdate {
        segments: Some(Vec::new()),
        ..StrategyUpdate::new("narrow")
    };
    let changes = planned(
        &then,
        vec![
            ("checkout", Change::UpdateStrategy(update)),
            ("checkout", delete("narrow")),
        ],
    );
    assert_eq!(overlay(&live, &scope(), &changes).stale().count(), 0);
}

#[test]
fn segments_that_are_missing_and_an_empty_list_are_the_same() {
    let keep = StrategyUpdate::new("everybody");
    let none = StrategyUpdate {
        segments: Some(Vec::new()),
        ..keep.clone()
    };
    for update in [keep, none] {
        assert_eq!(
            codes(&over(&sample(), vec![("banner", Change::UpdateStrategy(update))])),
            []
        );
    }
}

#[test]
fn removing_a_strategy_that_was_edited_meanwhile_is_stale() {
    let live = edited(|strategy| strategy.constraints.clear());
    let outcome = over(&live, vec![("checkout", delete("narrow"))]);
    assert_eq!(codes(&outcome), [(1, ProblemCode::StaleStrategy)]);
    assert_eq!(outcome.problems[0].differences[0].proposed, None);
}

#[test]
fn a_strategy_removed_meanwhile_is_neither_brought_back_nor_removed_again() {
    let live = lay(&sample(), vec![("checkout", delete("narrow"))]).proposed;
    for change in [rollout_to("70"), delete("narrow")] {
        let outcome = over(&live, vec![("checkout", change)]);
        assert_eq!(blocks(&outcome), [(1, ProblemCode::StrategyMissing)]);
        assert_eq!(outcome.proposed, live);
        assert!(outcome.conflicts().contains_key(&ChangeId(1)));
    }
}

#[test]
fn turning_a_flag_back_on_that_somebody_turned_off_is_stale() {
    let live = lay(&sample(), vec![("banner", off())]).proposed;
    assert_eq!(
        codes(&over(&live, vec![("banner", on())])),
        [(1, ProblemCode::StaleEnabled)]
    );
    assert_eq!(codes(&over(&live, vec![("banner", off())])), []);
}

#[test]
fn variants_dependencies_and_segments_are_compared_too() {
    let variant = |name: &str| Change::PatchVariant {
        variants: vec![Variant {
            name: name.to_owned(),
            weight: 0,
            weight_type: WeightType::Variable,
            stickiness: None,
            payload: None,
            overrides: Vec::new(),
        }],
    };
    let segment = |value: &str| {
        Change::UpdateSegment(SegmentUpdate {
            id: SegmentId(1),
            name: "beta".to_owned(),
            description: None,
            project: None,
            constraints: vec![is_in("userId", &[value])],
        })
    };
    let cases: [(&str, Change, Change, ProblemCode); 3] = [
        (
            "banner",
            variant("blue"),
            variant("red"),
            ProblemCode::StaleVariants,
        ),
        (
            "banner",
            depend_on("payments"),
            depend_on("checkout"),
            ProblemCode::StaleDependencies,
        ),
        ("", segment("8"), segment("9"), ProblemCode::StaleSegment),
    ];
    for (flag, theirs, ours, code) in cases {
        let live = lay(&sample(), vec![(flag, theirs.clone())]).proposed;
        assert_eq!(codes(&over(&live, vec![(flag, ours)])), [(1, code)]);
        assert_eq!(codes(&over(&live, vec![(flag, theirs)])), []);
    }
}

#[test]
fn without_a_memory_nothing_is_stale() {
    let live = edited(|strategy| strategy.constraints.clear());
    let mut changes = planned(&sample(), vec![("checkout", rollout_to("70"))]);
    changes[0].before = None;
    assert_eq!(overlay(&live, &scope(), &changes).stale().count(), 0);
}
