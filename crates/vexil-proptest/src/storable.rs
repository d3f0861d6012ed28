//! The same values as a store must keep them: with any text that a database can hold in any place, and filled in where no
//! evaluation looks. Nothing need fit together.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::collection::{btree_map, btree_set, vec};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use time::{Duration, OffsetDateTime};
use vexil_change_request::{ChangeRequest, ChangeRequestId, Scope};
use vexil_domain::{
    ActivationStrategy, Actor, ActorId, ChangeRequestRule, ChangedEffect, Completion, Constraint, Dependency,
    Environment, EnvironmentName, FeatureFlag, FlagLink, FlagSettings, Operator, Payload, Project,
    ProjectEnvironment, Segment, SegmentId, Snapshot, Stickiness, StrategyParameter, StrategyType, Tag,
    TagType, Variant, VariantOverride, WeightType,
};

use crate::change_request::arb_change_request;
use crate::constraint::arb_segment;
use crate::flag::{arb_dependency, arb_flag_settings};
use crate::snapshot::{arb_environment, arb_project, arb_snapshot, arb_strategy_type};
use crate::strategy::arb_strategy;
use crate::text::arb_text;

/// The most characters of a text here, so that it can be a key.
const LONGEST: usize = 150;

/// Any text that every database can hold, also as a key.
pub fn arb_storable_text() -> BoxedStrategy<String> {
    arb_text().prop_map(storable).boxed()
}

/// PostgreSQL holds no NUL, and keys have an end.
fn storable(text: String) -> String {
    let plain = text.len() <= LONGEST && !text.contains('\0');
    if plain {
        return text;
    }
    text.chars().filter(|c| *c != '\0').take(LONGEST).collect()
}

/// Snapshots whose projects, environments, flags and strategy types are called as `names` says.
pub fn arb_storable_snapshot(names: BoxedStrategy<String>) -> BoxedStrategy<Snapshot> {
    let environment = names
        .clone()
        .prop_flat_map(|name| (Just(name), any::<u32>(), arb_environment("".into())))
        .prop_map(|(name, approvals, environment)| Environment {
            name: name.into(),
            required_approvals: environment.required_approvals.map(|_| approvals),
            ..environment
        });
    let kind = (names.clone(), arb_strategy_type()).prop_map(|(name, kind)| StrategyType {
        name,
        ..strategy_type(kind)
    });
    let parts = (
        keyed(project(names.clone()), |it| it.id.clone()),
        keyed(environment, |it| it.name.clone()),
        keyed(flag(names.clone()), |it| it.name.clone()),
        keyed(segment(), |it| it.id),
        keyed(kind, |it| it.name.clone()),
        keyed(tag_type(names), |it| it.name.clone()),
    );
    parts
        .prop_map(
            |(projects, environments, flags, segments, strategy_types, tag_types)| Snapshot {
                projects,
                environments,
                flags,
                segments,
                strategy_types,
                tag_types,
            },
        )
        .boxed()
}

/// The change request 1 in any state, of any project and by anybody.
pub fn arb_storable_change_request() -> BoxedStrategy<ChangeRequest> {
    let request = arb_snapshot().prop_flat_map(|snapshot| {
        let scope = Scope {
            project: "default".into(),
            environment: "development".into(),
            request: None,
            now: OffsetDateTime::UNIX_EPOCH,
        };
        arb_change_request(&snapshot, &scope)
    });
    let texts = (
        arb_storable_text(),
        arb_storable_text(),
        arb_actor(),
        arb_instant(),
    );
    (request, texts, any::<u32>())
        .prop_map(
            |(request, (project, environment, created_by, created_at), min_approvals)| ChangeRequest {
                id: ChangeRequestId(1),
                project: project.into(),
                environment: environment.into(),
                created_by,
                created_at,
                min_approvals,
                ..request
            },
        )
        .boxed()
}

fn keyed<K: Ord + std::fmt::Debug, V: std::fmt::Debug>(
    values: impl Strategy<Value = V>,
    key_of: impl Fn(&V) -> K,
) -> impl Strategy<Value = BTreeMap<K, Arc<V>>> {
    let keyed = move |value: V| (key_of(&value), Arc::new(value));
    vec(values, 0..4).prop_map(move |values| values.into_iter().map(&keyed).collect())
}

/// Instants of some centuries, to the microsecond.
fn arb_instant() -> impl Strategy<Value = OffsetDateTime> + Clone {
    (-4_000_000_000_000_000..4_000_000_000_000_000_i64)
        .prop_map(|offset| OffsetDateTime::UNIX_EPOCH + Duration::microseconds(offset))
}

fn arb_actor() -> impl Strategy<Value = Actor> + Clone {
    (any::<i64>(), arb_storable_text()).prop_map(|(id, name)| Actor {
        id: ActorId(id),
        name,
    })
}

fn project(names: BoxedStrategy<String>) -> impl Strategy<Value = Project> {
    let rule = (any::<u32>(), any::<bool>()).prop_map(|(required_approvals, warn)| ChangeRequestRule {
        required_approvals,
        changed_effect: if warn {
            ChangedEffect::Warn
        } else {
            ChangedEffect::Refuse
        },
    });
    let rules = (option::of(rule), option::of(arb_strategy(&[]).prop_map(strategy))).prop_map(
        |(change_requests, default_strategy)| ProjectEnvironment {
            change_requests,
            default_strategy,
        },
    );
    let environments = btree_map(
        names.clone().prop_map(EnvironmentName::from),
        (rules, any::<bool>()),
        0..3,
    );
    (names, arb_project("".into(), &[]), arb_instant(), environments).prop_map(
        |(id, project, created_at, environments)| {
            let (used, left): (Vec<_>, Vec<_>) =
                environments.into_iter().partition(|(_, (_, in_use))| *in_use);
            let rules = |all: Vec<(EnvironmentName, (ProjectEnvironment, bool))>| {
                all.into_iter().map(|(name, (rules, _))| (name, rules)).collect()
            };
            Project {
                id: id.into(),
                name: storable(project.name),
                description: project.description.map(storable),
                created_at,
                default_stickiness: stickiness(&project.default_stickiness),
                environments: rules(used),
                left_environments: rules(left),
            }
        },
    )
}

fn flag(names: BoxedStrategy<String>) -> impl Strategy<Value = FeatureFlag> {
    let segments: Vec<SegmentId> = [i64::MIN, 0, 7].map(SegmentId).to_vec();
    let settings = arb_flag_settings(&segments).prop_map(|settings| Arc::new(flag_settings(settings)));
    let texts = (
        names.clone(),
        arb_storable_text(),
        arb_storable_text(),
        option::of(arb_storable_text()),
        btree_set(arb_tag(), 0..3),
        vec(arb_link(), 0..3),
    );
    let facts = (
        any::<[bool; 3]>(),
        option::of(arb_actor()),
        arb_instant(),
        option::of(arb_instant()),
        option::of(arb_completion()),
    );
    let dependencies = vec(arb_dependency().prop_map(dependency), 0..3);
    let environments = btree_map(names.prop_map(EnvironmentName::from), settings, 0..3);
    (texts, facts, dependencies, environments).prop_map(
        |((name, project, kind, description, tags, links), facts, dependencies, environments)| {
            let ([stale, potentially_stale, impression_data], created_by, created_at, archived_at, completed) = facts;
            FeatureFlag {
                kind: kind.into(),
                description,
                stale,
                potentially_stale,
                impression_data,
                created_by,
                archived_at,
                dependencies,
                tags,
                links,
                completed,
                environments: environments.into_iter().collect(),
                ..FeatureFlag::new(name, project, created_at)
            }
        },
    )
}

fn arb_link() -> impl Strategy<Value = FlagLink> {
    (arb_text(), arb_text(), option::of(arb_text())).prop_map(|(id, url, title)| FlagLink { id, url, title })
}

fn arb_completion() -> impl Strategy<Value = Completion> {
    let parts = (any::<bool>(), option::of(arb_text()), arb_instant());
    parts.prop_map(|(kept, value, at)| Completion { kept, value, at })
}

fn arb_tag() -> impl Strategy<Value = Tag> {
    (arb_storable_text(), arb_text()).prop_map(|(kind, value)| Tag { kind, value })
}

fn tag_type(names: BoxedStrategy<String>) -> impl Strategy<Value = TagType> {
    let text = || option::of(arb_storable_text());
    let values = btree_set(arb_text(), 0..3);
    (names, text(), text(), text(), values).prop_map(|(name, description, icon, color, values)| TagType {
        name,
        description,
        icon,
        color,
        values,
    })
}

fn segment() -> impl Strategy<Value = Segment> {
    let id = prop_oneof![select(vec![i64::MIN, 0, 7, i64::MAX]), any::<i64>()];
    let texts = (
        option::of(arb_storable_text()),
        option::of(arb_storable_text()),
        option::of(arb_storable_text()),
    );
    (id, arb_segment(SegmentId(0)), texts, option::of(arb_instant())).prop_map(
        |(id, segment, (description, project, created_by), created_at)| Segment {
            description,
            project: project.map(Into::into),
            created_by,
            created_at,
            ..Segment::new(
                SegmentId(id),
                storable(segment.name),
                segment.constraints.into_iter().map(constraint).collect(),
            )
        },
    )
}

fn flag_settings(settings: FlagSettings) -> FlagSettings {
    FlagSettings {
        enabled: settings.enabled,
        strategies: settings.strategies.into_iter().map(strategy).collect(),
        variants: settings.variants.into_iter().map(variant).collect(),
    }
}

fn strategy(from: ActivationStrategy) -> ActivationStrategy {
    let constraints = from.constraints.into_iter();
    ActivationStrategy {
        id: from.id,
        name: storable(from.name),
        title: from.title.map(storable),
        disabled: from.disabled,
        sort_order: from.sort_order,
        parameters: from
            .parameters
            .into_iter()
            .map(|(name, value)| (storable(name), storable(value)))
            .collect(),
        constraints: constraints.map(constraint).collect(),
        segments: from.segments,
        variants: from.variants.into_iter().map(variant).collect(),
    }
}

fn constraint(from: Constraint) -> Constraint {
    Constraint {
        operator: Operator::from_name(&storable(from.operator.name().to_owned())),
        ..from.map_text(storable)
    }
}

fn variant(from: Variant) -> Variant {
    Variant {
        name: storable(from.name),
        weight: from.weight,
        weight_type: WeightType::from_name(&storable(from.weight_type.name().to_owned())),
        stickiness: from.stickiness.as_ref().map(stickiness),
        payload: from.payload.map(|payload| Payload {
            kind: storable(payload.kind),
            value: storable(payload.value),
        }),
        overrides: from
            .overrides
            .into_iter()
            .map(|given| VariantOverride {
                context_name: storable(given.context_name),
                values: given.values.into_iter().map(storable).collect(),
            })
            .collect(),
    }
}

fn dependency(from: Dependency) -> Dependency {
    Dependency {
        parent: storable(from.parent.as_str().to_owned()).into(),
        enabled: from.enabled,
        variants: from.variants.into_iter().map(storable).collect(),
    }
}

fn strategy_type(from: StrategyType) -> StrategyType {
    StrategyType {
        display_name: from.display_name.map(storable),
        title: from.title.map(storable),
        description: storable(from.description),
        parameters: from
            .parameters
            .into_iter()
            .map(|parameter| StrategyParameter {
                name: storable(parameter.name),
                description: storable(parameter.description),
                ..parameter
            })
            .collect(),
        ..from
    }
}

fn stickiness(from: &Stickiness) -> Stickiness {
    Stickiness::from_name(&storable(from.name().to_owned()))
}
