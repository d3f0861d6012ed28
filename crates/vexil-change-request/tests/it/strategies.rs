//! Changes of activation strategies, variants and switches.

use vexil_change_request::*;
use vexil_domain::*;

use crate::world::*;

fn rollout(parameters: &[(&str, &str)]) -> NewStrategy {
    let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    NewStrategy {
        name: "flexibleRollout".to_owned(),
        parameters: parameters.iter().map(own).collect(),
        ..NewStrategy::default()
    }
}

fn variable(name: &str) -> Variant {
    Variant {
        name: name.to_owned(),
        weight: 0,
        weight_type: WeightType::Variable,
        stickiness: None,
        payload: None,
        overrides: Vec::new(),
    }
}

#[test]
fn an_added_strategy_gets_a_derived_id_and_the_place_behind_the_others() {
    let new = NewStrategy {
        id: Some("of my own".into()),
        ..rollout(&[])
    };
    let outcome = lay(&sample(), vec![("checkout", Change::AddStrategy(new))]);
    let added = strategy(&outcome.proposed, "checkout", "cr7-1");
    assert_eq!(added.sort_order, 2);
    assert!(blocks(&outcome).is_empty());
}

#[test]
fn a_direct_edit_brings_its_own_id() {
    let snapshot = sample();
    let new = NewStrategy {
        id: Some("mine".into()),
        ..rollout(&[])
    };
    let scope = Scope {
        request: None,
        ..scope()
    };
    let changes = planned(&snapshot, vec![("checkout", Change::AddStrategy(new))]);
    let outcome = overlay(&snapshot, &scope, &changes);
    strategy(&outcome.proposed, "checkout", "mine");
    let again = overlay(&outcome.proposed, &scope, &changes);
    assert_eq!(blocks(&again), [(1, ProblemCode::StrategyExists)]);
}

#[test]
fn a_rollout_is_filled_with_what_it_leaves_to_defaults() {
    let mut snapshot = sample();
    let project = std::sync::Arc::make_mut(snapshot.projects.get_mut("shop").unwrap());
    project.default_stickiness = Stickiness::Field("tenant".to_owned());
    for given in [rollout(&[]), rollout(&[("stickiness", ""), ("groupId", "")])] {
        let outcome = lay(&snapshot, vec![("checkout", Change::AddStrategy(given))]);
        let parameters = &strategy(&outcome.proposed, "checkout", "cr7-1").parameters;
        assert_eq!(parameters["rollout"], "100");
        assert_eq!(parameters["stickiness"], "tenant");
        assert_eq!(parameters["groupId"], "checkout");
    }
}

#[test]
fn an_updated_rollout_keeps_its_defaults_when_they_are_blanked() {
    let update = StrategyUpdate {
        parameters: rollout(&[("rollout", "20"), ("stickiness", ""), ("groupId", "")]).parameters,
        ..StrategyUpdate::new("narrow")
    };
    let outcome = lay(&sample(), vec![("checkout", Change::UpdateStrategy(update))]);
    let parameters = &strategy(&outcome.proposed, "checkout", "narrow").parameters;
    assert_eq!(
        (&*parameters["stickiness"], &*parameters["groupId"]),
        ("default", "checkout")
    );
}

#[test]
fn an_update_replaces_lists_and_keeps_what_it_leaves_out() {
    let mut snapshot = sample();
    let flag = std::sync::Arc::make_mut(snapshot.flags.get_mut("checkout").unwrap());
    let settings = std::sync::Arc::make_mut(flag.environments.get_mut("production").unwrap());
    settings.strategies[0].title = Some("Norway".to_owned());
    settings.strategies[0].variants = vec![variable("blue")];
    let update = StrategyUpdate {
        sort_order: Some(9),
        ..StrategyUpdate::new("narrow")
    };
    let outcome = lay(&snapshot, vec![("checkout", Change::UpdateStrategy(update))]);
    let updated = strategy(&outcome.proposed, "checkout", "narrow");
    assert_eq!(updated.title.as_deref(), Some("Norway"));
    assert_eq!(updated.segments, [SegmentId(1)]);
    assert_eq!(updated.name, "flexibleRollout");
    assert_eq!(updated.sort_order, 0);
    assert!(updated.constraints.is_empty() && updated.variants.is_empty());
    assert_eq!(updated.parameters["rollout"], "100");
}

#[test]
fn losing_the_last_condition_is_noted() {
    let update = StrategyUpdate {
        segments: Some(Vec::new()),
        ..StrategyUpdate::new("narrow")
    };
    let outcome = lay(&sample(), vec![("checkout", Change::UpdateStrategy(update))]);
    assert_eq!(codes(&outcome), [(1, ProblemCode::WidensExposure)]);
}

#[test]
fn a_reorder_moves_the_named_strategies_only() {
    let places = vec![StrategyPlace {
        id: "narrow".into(),
        sort_order: 5,
    }];
    let outcome = lay(&sample(), vec![("checkout", Change::ReorderStrategy(places))]);
    let order: Vec<_> = settings(&outcome.proposed, "checkout")
        .strategies
        .iter()
        .map(|strategy| (strategy.id.as_str(), strategy.sort_order))
        .collect();
    assert_eq!(order, [("off", 1), ("narrow", 5)]);
}

#[test]
fn a_strategy_reached_through_another_flag_is_not_there() {
    let place = StrategyPlace {
        id: "narrow".into(),
        sort_order: 0,
    };
    let changes = vec![
        ("banner", Change::UpdateStrategy(StrategyUpdate::new("narrow"))),
        ("banner", delete("narrow")),
        ("banner", Change::ReorderStrategy(vec![place])),
    ];
    let snapshot = sample();
    let outcome = lay(&snapshot, changes);
    assert_eq!(
        blocks(&outcome),
        [
            (1, ProblemCode::StrategyMissing),
            (2, ProblemCode::StrategyMissing),
            (3, ProblemCode::PlaceMissing)
        ]
    );
    assert_eq!(outcome.proposed, snapshot);
}

#[test]
fn all_that_is_wrong_with_a_strategy_is_listed_with_its_place() {
    let new = NewStrategy {
        name: "flexibleRollout".to_owned(),
        constraints: vec![is_in("country", &[]), Constraint::new("", Operator::NumEq)],
        segments: vec![SegmentId(99), SegmentId(3)],
        variants: vec![variable("a b")],
        ..rollout(&[("rollout", "101")])
    };
    let outcome = lay(&sample(), vec![("checkout", Change::AddStrategy(new))]);
    let found: Vec<_> = outcome
        .blocks()
        .map(|problem| (problem.path.as_str(), problem.code))
        .collect();
    assert_eq!(
        found,
        [
            ("/parameters/rollout", ProblemCode::ParameterInvalid),
            ("/constraints/0/values", ProblemCode::ConstraintInvalid),
            ("/constraints/1/contextName", ProblemCode::ConstraintInvalid),
            ("/constraints/1/value", ProblemCode::ConstraintInvalid),
            ("/variants/0/name", ProblemCode::VariantInvalid),
            ("/segments/0", ProblemCode::SegmentMissing),
            ("/segments/1", ProblemCode::SegmentForeign),
        ]
    );
}

#[test]
fn a_strategy_type_must_exist_unless_the_strategy_has_it_already() {
    let mut snapshot = sample();
    snapshot.strategy_types.remove("default");
    let new = NewStrategy {
        name: "default".to_owned(),
        ..NewStrategy::default()
    };
    let changes = vec![
        ("checkout", Change::AddStrategy(new)),
        ("banner", Change::UpdateStrategy(StrategyUpdate::new("everybody"))),
    ];
    assert_eq!(
        blocks(&lay(&snapshot, changes)),
        [(1, ProblemCode::StrategyTypeUnknown)]
    );
}

#[test]
fn an_update_may_keep_a_segment_that_is_gone_but_not_take_one_up() {
    let mut snapshot = sample();
    snapshot.segments.remove(&SegmentId(1));
    let keep = Change::UpdateStrategy(StrategyUpdate::new("narrow"));
    assert!(blocks(&lay(&snapshot, vec![("checkout", keep)])).is_empty());
    let take_up = Change::UpdateStrategy(StrategyUpdate {
        segments: Some(vec![SegmentId(1)]),
        ..StrategyUpdate::new("everybody")
    });
    let outcome = lay(&snapshot, vec![("banner", take_up)]);
    assert_eq!(blocks(&outcome), [(1, ProblemCode::SegmentMissing)]);
}

#[test]
fn a_flag_has_at_most_thirty_strategies_in_an_environment() {
    let add = || ("payments", Change::AddStrategy(rollout(&[])));
    let outcome = lay(&sample(), (0..31).map(|_| add()).collect());
    assert_eq!(blocks(&outcome), [(31, ProblemCode::StrategyLimit)]);
}

#[test]
fn environment_variants_are_replaced_weighed_and_sorted() {
    let variants = vec![variable("red"), variable("green"), variable("blue")];
    let outcome = lay(&sample(), vec![("checkout", Change::PatchVariant { variants })]);
    let stored: Vec<_> = settings(&outcome.proposed, "checkout")
        .variants
        .iter()
        .map(|variant| (variant.name.as_str(), variant.weight))
        .collect();
    assert_eq!(stored, [("blue", 333), ("green", 333), ("red", 334)]);
}

#[test]
fn the_same_strategy_removed_twice_is_a_note_and_updating_it_after_that_blocks() {
    let changes = vec![
        ("banner", delete("everybody")),
        ("banner", delete("everybody")),
        ("banner", Change::UpdateStrategy(StrategyUpdate::new("everybody"))),
    ];
    let outcome = lay(&sample(), changes);
    assert_eq!(
        codes(&outcome),
        [
            (2, ProblemCode::DuplicateChange),
            (3, ProblemCode::StrategyMissing)
        ]
    );
}

#[test]
fn flags_that_are_not_there_archived_or_elsewhere_block_by_name() {
    let changes = ["nope", "old", "theirs", ""].map(|name| (name, on())).to_vec();
    let outcome = lay(&sample(), changes);
    assert_eq!(
        blocks(&outcome),
        [
            (1, ProblemCode::FlagMissing),
            (2, ProblemCode::FlagArchived),
            (3, ProblemCode::FlagMoved),
            (4, ProblemCode::TargetMissing)
        ]
    );
    let conflicts = outcome.conflicts_of_flags();
    assert!(conflicts[&FlagName::from("old")].contains("`old` is archived"));
    assert!(!conflicts.contains_key(&FlagName::from("checkout")));
}

#[test]
fn an_environment_that_the_project_does_not_use_blocks_what_happens_there() {
    let snapshot = sample();
    let scope = Scope {
        environment: "staging".into(),
        ..scope()
    };
    let changes = planned(
        &snapshot,
        vec![("checkout", on()), ("payments", depend_on("banner"))],
    );
    let outcome = overlay(&snapshot, &scope, &changes);
    assert_eq!(blocks(&outcome), [(1, ProblemCode::EnvironmentMissing)]);
    assert_eq!(outcome.proposed.flags["payments"].dependencies.len(), 1);
}

#[test]
fn an_unsupported_action_says_so() {
    let change = Change::Unsupported {
        action: "startMilestone".to_owned(),
        payload: None,
    };
    let outcome = lay(&sample(), vec![("checkout", change)]);
    assert_eq!(blocks(&outcome), [(1, ProblemCode::ActionUnsupported)]);
    let sentence = outcome.problems[0].to_string();
    assert_eq!(
        sentence,
        "change 1 (startMilestone of flag `checkout`): the action `startMilestone` is not supported; discard \
         the change to go on"
    );
}
