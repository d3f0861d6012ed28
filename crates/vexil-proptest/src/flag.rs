//! Flags: in one environment, and in all of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use time::{Duration, OffsetDateTime};
use vexil_domain::{
    Dependency, EnvironmentFlag, EnvironmentName, FeatureFlag, FlagName, FlagSettings, ProjectId, SegmentId,
};

use crate::memoized::memoized;
use crate::strategy::arb_strategy;
use crate::tag::arb_tags;
use crate::text::arb_text;
use crate::variant::arb_variants;

/// Flag names, few enough that they often meet: plain ones, and names that trip naive code.
pub fn arb_flag_name() -> BoxedStrategy<FlagName> {
    memoized!(FlagName, {
        prop_oneof![
            4 => "[a-e]",
            1 => prop_oneof!["constructor", "__proto__", "é", "e\u{301}", "a b", "A", ""],
            1 => arb_text(),
        ]
        .prop_map(FlagName::from)
        .boxed()
    })
}

/// A dependency on any flag.
pub fn arb_dependency() -> BoxedStrategy<Dependency> {
    memoized!(Dependency, {
        let variants = vec(prop_oneof![Just("disabled".to_owned()), arb_text()], 0..3);
        (
            arb_flag_name(),
            any::<bool>(),
            prop_oneof![Just(Vec::new()).boxed(), variants.boxed()],
        )
            .prop_map(|(parent, enabled, variants)| Dependency {
                parent,
                enabled,
                variants,
            })
            .boxed()
    })
}

/// The settings of a flag in one environment, mostly switched on.
pub fn arb_flag_settings(segments: &[SegmentId]) -> BoxedStrategy<FlagSettings> {
    let variants = prop_oneof![2 => Just(Vec::new()).boxed(), 1 => arb_variants()];
    (
        proptest::bool::weighted(0.85),
        vec(arb_strategy(segments), 0..4),
        variants,
    )
        .prop_map(|(enabled, strategies, variants)| {
            let mut settings = FlagSettings {
                enabled,
                strategies,
                variants,
            };
            settings.sort_strategies();
            settings
        })
        .boxed()
}

/// Any flag as one environment sees it.
pub fn arb_environment_flag(segments: &[SegmentId]) -> BoxedStrategy<EnvironmentFlag> {
    let dependencies = prop_oneof![3 => Just(Vec::new()).boxed(), 1 => vec(arb_dependency(), 0..3).boxed()];
    (
        arb_flag_name(),
        select(&["default", "billing", "größe"][..]),
        option::of(arb_text()),
        any::<(bool, bool)>(),
        dependencies,
        arb_flag_settings(segments),
    )
        .prop_map(
            |(name, project, description, (stale, impression_data), dependencies, settings)| {
                EnvironmentFlag {
                    name,
                    project: project.into(),
                    kind: "release".into(),
                    description,
                    stale,
                    impression_data,
                    dependencies,
                    settings: Arc::new(settings),
                }
            },
        )
        .boxed()
}

/// Any flag with settings in some of these environments.
pub fn arb_feature_flag(
    projects: &[ProjectId],
    environments: &[EnvironmentName],
    segments: &[SegmentId],
) -> BoxedStrategy<FeatureFlag> {
    let settings: Vec<_> = environments
        .iter()
        .map(|name| option::of((Just(name.clone()), arb_flag_settings(segments))))
        .collect();
    let archived = option::weighted(0.1, 0_i64..1000);
    (
        arb_environment_flag(segments),
        select(projects.to_vec()),
        settings,
        0_i64..1000,
        archived,
        arb_tags(),
    )
        .prop_map(|(flag, project, settings, created, archived, tags)| {
            let moment = |days: i64| OffsetDateTime::UNIX_EPOCH + Duration::days(20_000 + days);
            let environments: BTreeMap<_, _> = settings
                .into_iter()
                .flatten()
                .map(|(name, settings)| (name, Arc::new(settings)))
                .collect();
            FeatureFlag {
                stale: flag.stale,
                impression_data: flag.impression_data,
                description: flag.description,
                dependencies: flag.dependencies,
                archived_at: archived.map(|days| moment(created + days)),
                tags,
                environments: environments.into_iter().collect(),
                ..FeatureFlag::new(flag.name, project, moment(created))
            }
        })
        .boxed()
}
