//! A small instance to lay changes over, fixed and random.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use time::OffsetDateTime;
use vexil_change_request::*;
use vexil_domain::*;

pub(crate) const NOW: OffsetDateTime = time::macros::datetime!(2026-03-01 12:00 UTC);

pub(crate) fn scope() -> Scope {
    Scope {
        project: "shop".into(),
        environment: "production".into(),
        request: Some(ChangeRequestId(7)),
        now: NOW,
    }
}

pub(crate) fn actor(id: i64) -> Actor {
    Actor {
        id: ActorId(id),
        name: format!("person-{id}"),
    }
}

/// Two projects with the same environments, known strategy types, no flags and no segments.
pub(crate) fn empty() -> Snapshot {
    let mut snapshot = Snapshot::default();
    for id in ["shop", "other"] {
        let rules = || ProjectEnvironment::default();
        let project = Project {
            id: id.into(),
            name: id.to_owned(),
            description: None,
            created_at: NOW,
            default_stickiness: Stickiness::Default,
            environments: [("development".into(), rules()), ("production".into(), rules())].into(),
            left_environments: BTreeMap::new(),
        };
        snapshot.projects.insert(id.into(), Arc::new(project));
    }
    for name in ["default", "flexibleRollout"] {
        let kind = StrategyType {
            name: name.to_owned(),
            display_name: None,
            title: None,
            description: String::new(),
            built_in: true,
            deprecated: false,
            parameters: Vec::new(),
        };
        snapshot.strategy_types.insert(name.to_owned(), Arc::new(kind));
    }
    snapshot
}

pub(crate) fn flag(
    project: &str,
    name: &str,
    enabled: bool,
    strategies: Vec<ActivationStrategy>,
) -> FeatureFlag {
    let mut flag = FeatureFlag::new(name, project, NOW);
    let settings = FlagSettings {
        enabled,
        strategies,
        variants: Vec::new(),
    };
    flag.environments.insert("production".into(), Arc::new(settings));
    flag
}

pub(crate) fn is_in(field: &str, values: &[&str]) -> Constraint {
    Constraint {
        values: values.iter().map(|value| (*value).to_owned()).collect(),
        ..Constraint::new(field, Operator::In)
    }
}

pub(crate) fn put(snapshot: &mut Snapshot, flag: FeatureFlag) {
    snapshot.flags.insert(flag.name.clone(), Arc::new(flag));
}

pub(crate) fn put_segment(snapshot: &mut Snapshot, id: i64, name: &str, project: Option<&str>) {
    let mut segment = Segment::new(SegmentId(id), name, vec![is_in("userId", &["7"])]);
    segment.project = project.map(Into::into);
    snapshot.segments.insert(segment.id, Arc::new(segment));
}

/// Flags `checkout` (on; `narrow` for Norway with segment 1, `off` disabled), `payments` (off, no
/// strategies), `banner` (on for everybody), `old` (archived), `theirs` (in project `other`); segments 1
/// `beta` of the instance, 2 `staff` of `shop`, 3 `partners` of `other`.
pub(crate) fn sample() -> Snapshot {
    let mut snapshot = empty();
    put_segment(&mut snapshot, 1, "beta", None);
    put_segment(&mut snapshot, 2, "staff", Some("shop"));
    put_segment(&mut snapshot, 3, "partners", Some("other"));
    let mut narrow = ActivationStrategy::new("narrow", "flexibleRollout")
        .with_parameter("rollout", "50")
        .with_parameter("stickiness", "userId")
        .with_parameter("groupId", "checkout")
        .with_constraint(is_in("country", &["NO"]));
    narrow.segments = vec![SegmentId(1)];
    let mut off = ActivationStrategy::new("off", "default");
    off.disabled = true;
    off.sort_order = 1;
    put(&mut snapshot, flag("shop", "checkout", true, vec![narrow, off]));
    put(&mut snapshot, flag("shop", "payments", false, Vec::new()));
    let everybody = ActivationStrategy::new("everybody", "default");
    put(&mut snapshot, flag("shop", "banner", true, vec![everybody]));
    let mut old = flag("shop", "old", false, Vec::new());
    old.archived_at = Some(NOW);
    put(&mut snapshot, old);
    put(&mut snapshot, flag("other", "theirs", false, Vec::new()));
    snapshot
}

/// Changes with ids from 1, with the pre-images that `snapshot` gives.
pub(crate) fn planned(snapshot: &Snapshot, changes: Vec<(&str, Change)>) -> Vec<PlannedChange> {
    let named = |(flag, change): (&str, Change)| ((!flag.is_empty()).then(|| flag.into()), change);
    vexil_proptest::plan(snapshot, &scope(), changes.into_iter().map(named).collect())
}

/// Lays changes over a snapshot in which they were proposed.
pub(crate) fn lay(snapshot: &Snapshot, changes: Vec<(&str, Change)>) -> Outcome {
    overlay(snapshot, &scope(), &planned(snapshot, changes))
}

pub(crate) fn settings<'s>(snapshot: &'s Snapshot, flag: &str) -> &'s FlagSettings {
    &snapshot.flags[flag].environments["production"]
}

pub(crate) fn strategy<'s>(snapshot: &'s Snapshot, flag: &str, id: &str) -> &'s ActivationStrategy {
    let mut strategies = settings(snapshot, flag).strategies.iter();
    strategies.find(|strategy| strategy.id.as_str() == id).unwrap()
}

pub(crate) fn blocks(outcome: &Outcome) -> Vec<(i64, ProblemCode)> {
    outcome
        .blocks()
        .map(|problem| (problem.change.0, problem.code))
        .collect()
}

pub(crate) fn codes(outcome: &Outcome) -> Vec<(i64, ProblemCode)> {
    outcome
        .problems
        .iter()
        .map(|problem| (problem.change.0, problem.code))
        .collect()
}

pub(crate) fn on() -> Change {
    Change::UpdateEnabled(UpdateEnabled {
        enabled: true,
        activate_disabled: false,
    })
}

pub(crate) fn off() -> Change {
    Change::UpdateEnabled(UpdateEnabled {
        enabled: false,
        activate_disabled: false,
    })
}

pub(crate) fn delete(id: &str) -> Change {
    Change::DeleteStrategy { id: id.into() }
}

pub(crate) fn depend_on(parent: &str) -> Change {
    Change::AddDependency(Dependency {
        parent: parent.into(),
        enabled: true,
        variants: Vec::new(),
    })
}

/// A random instance: flags `f0` to `f4` of `shop` and `theirs` of `other`, with strategies, segments and
/// at most one level of dependencies.
pub(crate) fn arb_snapshot() -> impl Strategy<Value = Snapshot> {
    let strategy = (any::<bool>(), any::<bool>(), option::of(1..=3_i64), 0..3_i32);
    let one = (
        any::<bool>(),
        vec(strategy, 0..4),
        any::<bool>(),
        prop::bool::weighted(0.15),
    );
    let configured = option::of(select(vec!["default", "flexibleRollout"]));
    (vec(one, 5), configured).prop_map(|(flags, configured)| {
        let mut snapshot = empty();
        for (id, project) in [(1, None), (2, Some("shop")), (3, None)] {
            put_segment(&mut snapshot, id, &format!("segment-{id}"), project);
        }
        put(&mut snapshot, flag("other", "theirs", false, Vec::new()));
        for (number, (enabled, strategies, depends, archived)) in flags.into_iter().enumerate() {
            let name = format!("f{number}");
            let strategies = strategies
                .into_iter()
                .enumerate()
                .map(|(place, parts)| arb_parts(&name, place, parts));
            let mut made = flag("shop", &name, enabled, strategies.collect());
            if let Some(settings) = made.environments.get_mut("production") {
                let settings = Arc::make_mut(settings);
                settings.sort_strategies();
                settings.enabled &= settings.has_enabled_strategy();
            }
            made.archived_at = (archived && number > 0).then_some(NOW);
            if depends && number > 0 && !archived {
                made.dependencies = vec![Dependency {
                    parent: "f0".into(),
                    enabled: true,
                    variants: Vec::new(),
                }];
            }
            put(&mut snapshot, made);
        }
        if let Some(project) = snapshot.projects.get_mut("shop").map(Arc::make_mut) {
            let rules = project.environments.get_mut("production").unwrap();
            rules.default_strategy = configured.map(|name| ActivationStrategy::new("unused", name));
        }
        snapshot
    })
}

fn arb_parts(
    flag: &str,
    place: usize,
    (rollout, disabled, segment, sort_order): (bool, bool, Option<i64>, i32),
) -> ActivationStrategy {
    let kind = if rollout { "flexibleRollout" } else { "default" };
    let mut strategy = ActivationStrategy::new(format!("{flag}-{place}"), kind);
    if rollout {
        strategy.parameters = Parameters::from(
            [("rollout", "25"), ("stickiness", "default"), ("groupId", flag)]
                .map(|(name, value)| (name.to_owned(), value.to_owned())),
        );
    }
    strategy.disabled = disabled;
    strategy.segments = segment.map(SegmentId).into_iter().collect();
    strategy.sort_order = sort_order;
    strategy
}
