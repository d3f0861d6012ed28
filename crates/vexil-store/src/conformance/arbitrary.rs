//! Random snapshots and change requests, of texts that are hard to store.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use time::{Duration, OffsetDateTime};
use vexil_change_request::{ChangeRequest, ChangeRequestId, State};
use vexil_domain::{
    ActivationStrategy, Actor, ActorId, ChangeRequestRule, ChangedEffect, Constraint, Dependency,
    Environment, EnvironmentName, FeatureFlag, FlagSettings, Operator, Payload, Project, ProjectEnvironment,
    Segment, SegmentId, Snapshot, Stickiness, StrategyParameter, StrategyType, Variant, VariantOverride,
    WeightType,
};

use super::sample;

type Text = BoxedStrategy<String>;

/// Short texts without NUL, among them what SQL, JSON and databases give a meaning.
pub(super) fn arb_texts() -> Text {
    let odd = vec![
        "",
        " ",
        "'",
        "\"",
        "\\",
        "%",
        "_",
        "--",
        "NULL",
        "null",
        "a/b",
        "é",
        "e\u{301}",
        "💥",
        "\u{1}",
        "\u{ffff}",
        "constructor",
        "__proto__",
    ];
    prop_oneof![3 => "[a-c]{1,2}", 2 => select(odd).prop_map(str::to_owned), 1 => "[^\\x00]{0,12}"].boxed()
}

fn arb_instant() -> impl Strategy<Value = OffsetDateTime> {
    (-4_000_000_000_000_000..4_000_000_000_000_000_i64)
        .prop_map(|offset| sample::NOW + Duration::microseconds(offset))
}

fn arb_actor(text: &Text) -> impl Strategy<Value = Actor> + use<> {
    (any::<i64>(), text.clone()).prop_map(|(id, name)| Actor {
        id: ActorId(id),
        name,
    })
}

fn arb_stickiness(text: &Text) -> impl Strategy<Value = Stickiness> + use<> {
    text.clone().prop_map(|name| Stickiness::from_name(&name))
}

fn arb_constraint(text: &Text) -> impl Strategy<Value = Constraint> + use<> {
    let operator = prop_oneof![
        select(Operator::KNOWN),
        text.clone().prop_map(|name| Operator::from_name(&name)),
    ];
    let flags = (option::of(any::<bool>()), option::of(any::<bool>()));
    (
        text.clone(),
        operator,
        vec(text.clone(), 0..3),
        option::of(text.clone()),
        flags,
    )
        .prop_map(
            |(context_name, operator, values, value, (inverted, case_insensitive))| Constraint {
                context_name,
                operator,
                values,
                value,
                inverted,
                case_insensitive,
            },
        )
}

fn arb_variant(text: &Text) -> impl Strategy<Value = Variant> + use<> {
    let payload = (text.clone(), text.clone()).prop_map(|(kind, value)| Payload { kind, value });
    let overrides = (text.clone(), vec(text.clone(), 0..2))
        .prop_map(|(context_name, values)| VariantOverride { context_name, values });
    let weight_type = text.clone().prop_map(|name| WeightType::from_name(&name));
    let rest = (
        option::of(arb_stickiness(text)),
        option::of(payload),
        vec(overrides, 0..2),
    );
    (text.clone(), any::<u32>(), weight_type, rest).prop_map(
        |(name, weight, weight_type, (stickiness, payload, overrides))| Variant {
            name,
            weight,
            weight_type,
            stickiness,
            payload,
            overrides,
        },
    )
}

fn arb_strategy(text: &Text) -> impl Strategy<Value = ActivationStrategy> + use<> {
    let start = (
        text.clone(),
        text.clone(),
        option::of(text.clone()),
        any::<bool>(),
        any::<i32>(),
    );
    let lists = (
        btree_map(text.clone(), text.clone(), 0..3),
        vec(arb_constraint(text), 0..2),
        vec(any::<i64>().prop_map(SegmentId), 0..3),
        vec(arb_variant(text), 0..2),
    );
    (start, lists).prop_map(
        |((id, name, title, disabled, sort_order), (parameters, constraints, segments, variants))| {
            ActivationStrategy {
                id: id.into(),
                name,
                title,
                disabled,
                sort_order,
                parameters,
                constraints,
                segments,
                variants,
            }
        },
    )
}

fn arb_settings(text: &Text) -> impl Strategy<Value = Arc<FlagSettings>> + use<> {
    (
        any::<bool>(),
        vec(arb_strategy(text), 0..3),
        vec(arb_variant(text), 0..2),
    )
        .prop_map(|(enabled, strategies, variants)| {
            Arc::new(FlagSettings {
                enabled,
                strategies,
                variants,
            })
        })
}

fn arb_flag(text: &Text) -> impl Strategy<Value = FeatureFlag> + use<> {
    let dependency =
        (text.clone(), any::<bool>(), vec(text.clone(), 0..3)).prop_map(|(parent, enabled, variants)| {
            Dependency {
                parent: parent.into(),
                enabled,
                variants,
            }
        });
    let texts = (text.clone(), text.clone(), text.clone(), option::of(text.clone()));
    let facts = (
        any::<bool>(),
        any::<bool>(),
        option::of(arb_actor(text)),
        arb_instant(),
        option::of(arb_instant()),
    );
    let environments = btree_map(text.clone().prop_map_into(), arb_settings(text), 0..3);
    (texts, facts, vec(dependency, 0..3), environments).prop_map(
        |((name, project, kind, description), facts, dependencies, environments)| {
            let (stale, impression_data, created_by, created_at, archived_at) = facts;
            FeatureFlag {
                kind,
                description,
                stale,
                impression_data,
                created_by,
                archived_at,
                dependencies,
                environments,
                ..FeatureFlag::new(name, project, created_at)
            }
        },
    )
}

fn arb_project(text: &Text) -> impl Strategy<Value = Project> + use<> {
    let rule = (any::<u32>(), any::<bool>()).prop_map(|(required_approvals, warn)| ChangeRequestRule {
        required_approvals,
        changed_effect: if warn {
            ChangedEffect::Warn
        } else {
            ChangedEffect::Refuse
        },
    });
    let environment =
        (option::of(rule), option::of(arb_strategy(text))).prop_map(|(change_requests, default_strategy)| {
            ProjectEnvironment {
                change_requests,
                default_strategy,
            }
        });
    let texts = (
        text.clone(),
        text.clone(),
        option::of(text.clone()),
        arb_stickiness(text),
    );
    let environment = (environment, any::<bool>());
    let environments = btree_map(text.clone().prop_map_into(), environment, 0..3);
    (texts, arb_instant(), environments).prop_map(
        |((id, name, description, default_stickiness), created_at, environments)| {
            let (used, left): (Vec<_>, Vec<_>) = environments
                .into_iter()
                .partition(|(_, (_, in_use)): &(EnvironmentName, (_, bool))| *in_use);
            let rules = |all: Vec<(EnvironmentName, (ProjectEnvironment, bool))>| {
                all.into_iter().map(|(name, (rules, _))| (name, rules)).collect()
            };
            Project {
                id: id.into(),
                name,
                description,
                created_at,
                default_stickiness,
                environments: rules(used),
                left_environments: rules(left),
            }
        },
    )
}

fn arb_environment(text: &Text) -> impl Strategy<Value = Environment> + use<> {
    let facts = (
        any::<i32>(),
        any::<bool>(),
        any::<bool>(),
        option::of(any::<u32>()),
    );
    (text.clone(), text.clone(), facts).prop_map(
        |(name, kind, (sort_order, enabled, protected, required_approvals))| Environment {
            name: name.into(),
            kind,
            sort_order,
            enabled,
            protected,
            required_approvals,
        },
    )
}

fn arb_segment(text: &Text) -> impl Strategy<Value = Segment> + use<> {
    let texts = (
        text.clone(),
        option::of(text.clone()),
        option::of(text.clone()),
        option::of(text.clone()),
    );
    (
        any::<i64>(),
        texts,
        vec(arb_constraint(text), 0..3),
        option::of(arb_instant()),
    )
        .prop_map(
            |(id, (name, description, project, created_by), constraints, created_at)| Segment {
                description,
                project: project.map(Into::into),
                created_by,
                created_at,
                ..Segment::new(SegmentId(id), name, constraints)
            },
        )
}

fn arb_strategy_type(text: &Text) -> impl Strategy<Value = StrategyType> + use<> {
    let texts = (text.clone(), text.clone(), text.clone(), any::<bool>());
    let parameter = texts.prop_map(|(name, kind, description, required)| StrategyParameter {
        name,
        kind,
        description,
        required,
    });
    let texts = (text.clone(), option::of(text.clone()), text.clone());
    (texts, any::<bool>(), any::<bool>(), vec(parameter, 0..3)).prop_map(
        |((name, display_name, description), built_in, deprecated, parameters)| StrategyType {
            name,
            display_name,
            description,
            built_in,
            deprecated,
            parameters,
        },
    )
}

fn arb_map<K: Ord + std::fmt::Debug, V: std::fmt::Debug>(
    values: impl Strategy<Value = V>,
    key_of: impl Fn(&V) -> K,
) -> impl Strategy<Value = BTreeMap<K, Arc<V>>> {
    vec(values, 0..4).prop_map(move |values| {
        values
            .into_iter()
            .map(|value| (key_of(&value), Arc::new(value)))
            .collect()
    })
}

/// Snapshots of such texts. Nothing need fit together: stores keep what they are given.
pub(super) fn arb_snapshot(text: Text) -> impl Strategy<Value = Snapshot> {
    let parts = (
        arb_map(arb_project(&text), |it| it.id.clone()),
        arb_map(arb_environment(&text), |it| it.name.clone()),
        arb_map(arb_flag(&text), |it| it.name.clone()),
        arb_map(arb_segment(&text), |it| it.id),
        arb_map(arb_strategy_type(&text), |it| it.name.clone()),
    );
    parts.prop_map(
        |(projects, environments, flags, segments, strategy_types)| Snapshot {
            projects,
            environments,
            flags,
            segments,
            strategy_types,
        },
    )
}

/// The sample change request with other texts, and some of its lists cut short.
pub(super) fn arb_change_request(text: &Text) -> impl Strategy<Value = ChangeRequest> + use<> {
    let texts = (
        option::of(text.clone()),
        text.clone(),
        text.clone(),
        arb_actor(text),
        text.clone(),
    );
    (
        texts,
        (0..13_usize, 0..3_usize, any::<u32>()),
        select(State::ALL),
        arb_instant(),
    )
        .prop_map(
            |(
                (title, project, environment, created_by, flag),
                (changes, reviews, min_approvals),
                state,
                at,
            )| {
                let mut request = ChangeRequest {
                    id: ChangeRequestId(1),
                    title,
                    project: project.into(),
                    environment: environment.into(),
                    min_approvals,
                    state,
                    created_by,
                    created_at: at,
                    ..sample::change_request(1)
                };
                request.changes.truncate(changes);
                request
                    .changes
                    .iter_mut()
                    .for_each(|change| change.flag = Some(flag.as_str().into()));
                request.approvals.truncate(reviews);
                request.comments.truncate(2 - reviews);
                request.schedule = request.schedule.filter(|_| state == State::Scheduled);
                request
            },
        )
}
