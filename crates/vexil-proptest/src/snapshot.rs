//! Whole states: one environment, and the instance.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use time::OffsetDateTime;
use vexil_domain::{
    ChangeRequestRule, Environment, EnvironmentFlag, EnvironmentName, EnvironmentSnapshot, Project,
    ProjectEnvironment, ProjectId, Segment, SegmentId, Snapshot, StrategyParameter, StrategyType,
};

use crate::constraint::arb_segment;
use crate::flag::{arb_environment_flag, arb_feature_flag};
use crate::tag::arb_tag_types;
use crate::text::arb_text;
use crate::variant::arb_stickiness;

/// Up to three segments.
pub fn arb_segments() -> BoxedStrategy<BTreeMap<SegmentId, Arc<Segment>>> {
    (0_i64..4)
        .prop_flat_map(|count| {
            (0..count)
                .map(|id| arb_segment(SegmentId(id)))
                .collect::<Vec<_>>()
        })
        .prop_map(|segments| {
            segments
                .into_iter()
                .map(|segment| (segment.id, Arc::new(segment)))
                .collect()
        })
        .boxed()
}

/// Up to seven flags with segments and dependencies among them, missing ones and cycles included.
pub fn arb_environment_snapshot() -> BoxedStrategy<EnvironmentSnapshot> {
    arb_segments()
        .prop_flat_map(|segments| {
            let ids: Vec<SegmentId> = segments.keys().copied().collect();
            (Just(segments), vec(arb_environment_flag(&ids), 0..8))
        })
        .prop_map(|(segments, flags)| EnvironmentSnapshot {
            flags: flags
                .into_iter()
                .map(|flag| (flag.name.clone(), Arc::new(flag)))
                .collect(),
            segments,
        })
        .boxed()
}

/// Any environment of this name.
pub fn arb_environment(name: EnvironmentName) -> BoxedStrategy<Environment> {
    let kind = prop_oneof!["development", "test", "preproduction", "production"];
    (kind, any::<(i32, bool, bool)>(), option::of(1_u32..=10))
        .prop_map(
            move |(kind, (sort_order, enabled, protected), required_approvals)| Environment {
                name: name.clone(),
                kind,
                sort_order,
                enabled,
                protected,
                required_approvals,
            },
        )
        .boxed()
}

/// A project of this id that uses some of these environments.
pub fn arb_project(id: ProjectId, environments: &[EnvironmentName]) -> BoxedStrategy<Project> {
    let rule = option::of((1_u32..=10).prop_map(ChangeRequestRule::requiring));
    let used: Vec<_> = environments
        .iter()
        .map(|name| option::weighted(0.8, (Just(name.clone()), rule.clone())))
        .collect();
    (arb_text(), option::of(arb_text()), arb_stickiness(), used)
        .prop_map(move |(name, description, default_stickiness, used)| Project {
            id: id.clone(),
            name,
            description,
            created_at: OffsetDateTime::UNIX_EPOCH,
            default_stickiness,
            environments: used
                .into_iter()
                .flatten()
                .map(|(name, change_requests)| {
                    let rules = ProjectEnvironment {
                        change_requests,
                        default_strategy: None,
                    };
                    (name, rules)
                })
                .collect(),
            left_environments: [].into(),
        })
        .boxed()
}

/// Any strategy type.
pub fn arb_strategy_type() -> BoxedStrategy<StrategyType> {
    let kind = prop_oneof!["string", "percentage", "list", "number", "boolean"];
    let parameter =
        (arb_text(), kind, arb_text(), any::<bool>()).prop_map(|(name, kind, description, required)| {
            StrategyParameter {
                name,
                kind,
                description,
                required,
            }
        });
    (
        arb_text(),
        (option::of(arb_text()), option::of(arb_text())),
        arb_text(),
        any::<(bool, bool)>(),
        vec(parameter, 0..3),
    )
        .prop_map(
            |(name, (display_name, title), description, (built_in, deprecated), parameters)| StrategyType {
                name,
                display_name,
                title,
                description,
                built_in,
                deprecated,
                parameters,
            },
        )
        .boxed()
}

/// A whole instance: two projects, two environments, segments, flags with tags, types of tags, a strategy type.
pub fn arb_snapshot() -> BoxedStrategy<Snapshot> {
    let environments: Vec<EnvironmentName> = vec!["development".into(), "production".into()];
    let projects: Vec<ProjectId> = vec!["default".into(), "billing".into()];
    let shell = (
        environments
            .iter()
            .cloned()
            .map(arb_environment)
            .collect::<Vec<_>>(),
        projects
            .iter()
            .cloned()
            .map(|id| arb_project(id, &environments))
            .collect::<Vec<_>>(),
        arb_strategy_type(),
        arb_tag_types(),
    );
    (shell, arb_segments())
        .prop_flat_map(move |(shell, segments)| {
            let ids: Vec<SegmentId> = segments.keys().copied().collect();
            let flags = vec(arb_feature_flag(&projects, &environments, &ids), 0..6);
            (Just(shell), Just(segments), flags)
        })
        .prop_map(
            |((environments, projects, kind, tag_types), segments, flags)| Snapshot {
                environments: environments
                    .into_iter()
                    .map(|it| (it.name.clone(), Arc::new(it)))
                    .collect(),
                projects: projects
                    .into_iter()
                    .map(|it| (it.id.clone(), Arc::new(it)))
                    .collect(),
                strategy_types: [(kind.name.clone(), Arc::new(kind))].into(),
                tag_types,
                segments,
                flags: flags
                    .into_iter()
                    .map(|flag| (flag.name.clone(), Arc::new(flag)))
                    .collect(),
            },
        )
        .boxed()
}

/// An environment before and after some flags and segments were changed, added and taken away.
pub fn arb_environment_edit() -> BoxedStrategy<(EnvironmentSnapshot, EnvironmentSnapshot)> {
    (
        arb_environment_snapshot(),
        arb_environment_snapshot(),
        any::<u32>(),
    )
        .prop_map(|(before, other, choice)| {
            let mut after = before.clone();
            for (place, flag) in before.flags.keys().enumerate() {
                match choice >> (2 * place) & 3 {
                    0 => drop(after.flags.remove(flag)),
                    1 => {
                        if let Some(changed) = other.flags.values().nth(place) {
                            let renamed = EnvironmentFlag {
                                name: flag.clone(),
                                ..EnvironmentFlag::clone(changed)
                            };
                            after.flags.insert(flag.clone(), Arc::new(renamed));
                        }
                    }
                    _ => {}
                }
            }
            let added = other.flags.iter().take((choice >> 20 & 3) as usize);
            after
                .flags
                .extend(added.map(|(name, flag)| (name.clone(), Arc::clone(flag))));
            let segments = other.segments.iter().take((choice >> 24 & 1) as usize);
            after
                .segments
                .extend(segments.map(|(id, segment)| (*id, Arc::clone(segment))));
            (before, after)
        })
        .boxed()
}
