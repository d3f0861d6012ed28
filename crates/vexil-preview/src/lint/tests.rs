//! What is found of flags whose problems are known.

use std::sync::Arc;

use time::macros::datetime;
use vexil_budget::Budget;
use vexil_domain::{
    ActivationStrategy, Constraint, Dependency, EnvironmentFlag, EnvironmentSnapshot, FlagSettings, Operator,
    Segment, SegmentId,
};

use super::FindingKind::{
    ConstantOff, ConstantOn, ConstraintDecidesNothing, DependencyDecidesNothing, ParentNeverMet,
    SegmentAdmitsEverybody, SegmentAdmitsNobody, StrategyDecidesNothing, ValueDecidesNothing,
};
use super::{FindingKind, lint};

fn constraint(field: &str, operator: Operator, values: &[&str]) -> Constraint {
    let mut constraint = Constraint::new(field, operator.clone());
    if operator.takes_values() {
        constraint.values = values.iter().map(|value| (*value).to_owned()).collect();
    } else {
        constraint.value = Some(values[0].to_owned());
    }
    constraint
}

fn rollout(percentage: u32, constraints: Vec<Constraint>) -> ActivationStrategy {
    let mut strategy = ActivationStrategy::new(format!("s{percentage}"), "flexibleRollout")
        .with_parameter("rollout", percentage.to_string())
        .with_parameter("stickiness", "userId")
        .with_parameter("groupId", "a");
    strategy.constraints = constraints;
    strategy
}

fn everybody(constraints: Vec<Constraint>) -> ActivationStrategy {
    let mut strategy = ActivationStrategy::new("all", "default");
    strategy.constraints = constraints;
    strategy
}

fn flag(name: &str, strategies: Vec<ActivationStrategy>) -> EnvironmentFlag {
    EnvironmentFlag {
        settings: Arc::new(FlagSettings {
            enabled: true,
            strategies,
            variants: Vec::new(),
        }),
        ..EnvironmentFlag::new(name, "default")
    }
}

fn found(flags: Vec<EnvironmentFlag>, segments: Vec<Segment>) -> Vec<(FindingKind, String)> {
    let mut snapshot = EnvironmentSnapshot::default();
    let first = flags.first().map(|flag| flag.name.clone());
    for flag in flags {
        snapshot.flags.insert(flag.name.clone(), Arc::new(flag));
    }
    let ids: Vec<SegmentId> = segments.iter().map(|segment| segment.id).collect();
    for segment in segments {
        snapshot.segments.insert(segment.id, Arc::new(segment));
    }
    let names: Vec<_> = first.into_iter().collect();
    let now = datetime!(2026-11-28 12:00 UTC);
    let lint = lint(&snapshot, &names, &ids, now, &Budget::unlimited());
    assert_eq!(lint.undecided, Vec::<String>::new());
    lint.findings.into_iter().map(|it| (it.kind, it.reason)).collect()
}

fn one(strategies: Vec<ActivationStrategy>) -> Vec<(FindingKind, String)> {
    found(vec![flag("f", strategies)], Vec::new())
}

fn told(kind: FindingKind, reason: &str) -> (FindingKind, String) {
    (kind, reason.to_owned())
}

#[test]
fn a_flag_that_is_the_same_for_everybody_is_told_with_the_reason() {
    let norway = || constraint("country", Operator::In, &["NO"]);
    let rest = || constraint("country", Operator::NotIn, &["NO"]);
    let mut off = flag("f", Vec::new());
    Arc::make_mut(&mut off.settings).enabled = false;
    assert_eq!(
        found(vec![off], Vec::new()),
        [told(ConstantOff, "it is switched off here")]
    );
    assert_eq!(
        one(Vec::new()),
        [told(ConstantOn, "it has no strategy, so everybody is let in")]
    );
    assert_eq!(
        one(vec![everybody(vec![norway()]), everybody(vec![rest()])]),
        [
            told(ConstantOn, "its strategies together let everybody in"),
            told(
                ConstraintDecidesNothing,
                "without the constraint `country IN` of strategy 1 (default) nothing would change for anybody"
            ),
            told(
                ConstraintDecidesNothing,
                "without the constraint `country NOT_IN` of strategy 2 (default) nothing would change for anybody"
            ),
        ]
    );
    assert_eq!(
        one(vec![everybody(vec![norway(), rest()])]),
        [told(
            ConstantOff,
            "nobody can meet the conditions of any of its strategies"
        )]
    );
    let disabled = ActivationStrategy {
        disabled: true,
        ..everybody(Vec::new())
    };
    assert_eq!(
        one(vec![disabled]),
        [told(ConstantOff, "all of its strategies are disabled")]
    );
    assert_eq!(one(vec![rollout(50, vec![norway()])]), []);
}

#[test]
fn a_strategy_behind_one_that_lets_everybody_in_decides_nothing() {
    assert_eq!(
        one(vec![everybody(Vec::new()), rollout(50, Vec::new())]),
        [
            told(ConstantOn, "strategy 1 (default) lets everybody in"),
            told(
                StrategyDecidesNothing,
                "without strategy 2 (flexibleRollout) nothing would change for anybody"
            ),
        ]
    );
}

#[test]
fn a_smaller_rollout_of_the_same_group_decides_nothing_beside_a_larger_one() {
    assert_eq!(
        one(vec![rollout(50, Vec::new()), rollout(20, Vec::new())]),
        [told(
            StrategyDecidesNothing,
            "without strategy 2 (flexibleRollout) nothing would change for anybody"
        )]
    );
}

#[test]
fn conditions_that_follow_from_others_decide_nothing() {
    let adults = constraint("age", Operator::NumGte, &["18"]);
    let twenty = constraint("age", Operator::NumGt, &["20"]);
    assert_eq!(
        one(vec![everybody(vec![adults, twenty])]),
        [told(
            ConstraintDecidesNothing,
            "without the constraint `age NUM_GTE` of strategy 1 (default) nothing would change for anybody"
        )]
    );
    let ends = constraint("email", Operator::StrEndsWith, &["@x.no", ".no"]);
    assert_eq!(
        one(vec![everybody(vec![ends])]),
        [told(
            ValueDecidesNothing,
            "without `@x.no` in `email STR_ENDS_WITH` of strategy 1 (default) nothing would change for anybody"
        )]
    );
}

#[test]
fn a_parent_that_makes_a_flag_constant_and_one_that_decides_nothing_are_told_apart() {
    let child = |enabled| {
        let mut child = flag("f", vec![rollout(50, Vec::new())]);
        child.dependencies.push(Dependency {
            parent: "parent".into(),
            enabled,
            variants: Vec::new(),
        });
        child
    };
    let parent = || flag("parent", Vec::new());
    assert_eq!(
        found(vec![child(true), parent()], Vec::new()),
        [told(DependencyDecidesNothing, "`parent` is always as it must be")]
    );
    assert_eq!(
        found(vec![child(false), parent()], Vec::new()),
        [
            told(ParentNeverMet, "`parent` is never as it must be for this flag"),
            told(ConstantOff, "`parent` is never as it must be for this flag"),
        ]
    );
}

#[test]
fn segments_that_let_nobody_or_everybody_in_are_told() {
    let segment = |id, constraints| Segment::new(SegmentId(id), format!("segment-{id}"), constraints);
    let nobody = vec![
        constraint("age", Operator::NumLt, &["18"]),
        constraint("age", Operator::NumGt, &["20"]),
    ];
    let some = vec![constraint("country", Operator::In, &["NO"])];
    let everybody = vec![Constraint {
        inverted: Some(true),
        ..constraint("age", Operator::NumEq, &["none"])
    }];
    let kinds: Vec<FindingKind> = found(
        Vec::new(),
        vec![
            segment(1, nobody),
            segment(2, some),
            segment(3, Vec::new()),
            segment(4, everybody),
        ],
    )
    .into_iter()
    .map(|(kind, _)| kind)
    .collect();
    // what cannot be read holds for nobody, whichever way it is turned
    assert_eq!(
        kinds,
        [SegmentAdmitsNobody, SegmentAdmitsEverybody, SegmentAdmitsNobody]
    );
}
