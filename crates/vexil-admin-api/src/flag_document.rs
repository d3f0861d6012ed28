//! How feature flags are shown to those who manage them.

use std::collections::BTreeMap;

use serde::Serialize;
use time::OffsetDateTime;
use vexil_domain::{
    ActivationStrategy, ActorId, Dependency, Environment, EnvironmentName, FeatureFlag, FlagName, Snapshot,
    Variant,
};

use super::flag_upkeep::FlagLinkDocument;
use super::timestamp::Timestamp;

/// What a flag says of itself.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FlagSummary<'a> {
    name: &'a str,
    description: Option<&'a str>,
    #[serde(rename = "type")]
    kind: &'a str,
    project: &'a str,
    stale: bool,
    created_at: Timestamp,
    impression_data: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    archived_at: Option<Timestamp>,
    archived: bool,
}

impl<'a> FlagSummary<'a> {
    /// Shows `flag`.
    #[must_use]
    pub fn of(flag: &'a FeatureFlag) -> Self {
        Self {
            name: flag.name.as_str(),
            description: flag.description.as_deref(),
            kind: &flag.kind,
            project: flag.project.as_str(),
            stale: flag.stale,
            created_at: flag.created_at.into(),
            impression_data: flag.impression_data,
            archived_at: flag.archived_at.map(Timestamp),
            archived: flag.is_archived(),
        }
    }
}

/// How a flag was used in one environment of late.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RecentUsage {
    /// When it was last reported.
    pub last_seen: Option<OffsetDateTime>,
    /// How often it was on in the last hour.
    pub yes: u64,
    /// How often it was off in the last hour.
    pub no: u64,
}

/// How far a flag has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Lifecycle {
    /// The stage, such as `pre-live`.
    pub stage: &'static str,
    /// What is left of it where it is done: `kept` or `discarded`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<&'static str>,
    /// Since when, at the latest.
    pub entered_stage_at: Timestamp,
}

/// A flag with everything that belongs to it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FlagDetail<'a> {
    environments: Vec<EnvironmentOfFlag<'a>>,
    #[serde(flatten)]
    summary: FlagSummary<'a>,
    created_by: Option<Person<'a>>,
    dependencies: &'a [Dependency],
    children: Vec<&'a str>,
    links: Vec<FlagLinkDocument<'a>>,
    collaborators: Collaborators<'a>,
    lifecycle: Lifecycle,
    #[serde(skip_serializing_if = "Option::is_none")]
    favorite: Option<bool>,
}

/// What there is to tell of a flag besides what it says of itself.
#[derive(Debug, Clone)]
pub struct ToldOfFlag {
    /// What was reported of it, by environment.
    pub usage: BTreeMap<EnvironmentName, RecentUsage>,
    /// How far it has come.
    pub lifecycle: Lifecycle,
    /// Whether its own variants are asked for.
    pub with_variants: bool,
    /// Whether it is a favourite of the person who asks; a token has none.
    pub favorite: Option<bool>,
}

#[derive(Debug, Serialize)]
struct Collaborators<'a> {
    users: Vec<Person<'a>>,
}

/// Who did something.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Person<'a> {
    id: ActorId,
    name: &'a str,
    /// Always empty: nobody is looked up elsewhere.
    image_url: &'static str,
}

impl<'a> Person<'a> {
    /// Who created `flag`.
    pub(super) fn of(flag: &'a FeatureFlag) -> Option<Self> {
        let actor = flag.created_by.as_ref()?;
        Some(Self {
            id: actor.id,
            name: &actor.name,
            image_url: "",
        })
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct EnvironmentOfFlag<'a> {
    name: &'a str,
    last_seen_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    variants: Option<&'a [Variant]>,
    enabled: bool,
    yes: u64,
    no: u64,
    #[serde(rename = "type")]
    kind: &'a str,
    sort_order: i32,
    strategies: &'a [ActivationStrategy],
}

impl<'a> FlagDetail<'a> {
    /// Shows `flag` of `snapshot`, with its settings in `environments`, and with what else there is to tell of it.
    #[must_use]
    pub fn of(
        flag: &'a FeatureFlag,
        snapshot: &'a Snapshot,
        environments: &[&'a Environment],
        told: &ToldOfFlag,
    ) -> Self {
        let in_environment = |environment: &&'a Environment| {
            let settings = flag.environments.get(&environment.name).map(AsRef::as_ref);
            let usage = told.usage.get(&environment.name).copied().unwrap_or_default();
            EnvironmentOfFlag {
                name: environment.name.as_str(),
                last_seen_at: usage.last_seen.map(Timestamp),
                variants: told
                    .with_variants
                    .then(|| settings.map_or(&[] as &[_], |it| &it.variants)),
                enabled: settings.is_some_and(|it| it.enabled),
                yes: usage.yes,
                no: usage.no,
                kind: &environment.kind,
                sort_order: environment.sort_order,
                strategies: settings.map_or(&[], |it| &it.strategies),
            }
        };
        let created_by = Person::of(flag);
        Self {
            environments: environments.iter().map(in_environment).collect(),
            summary: FlagSummary::of(flag),
            created_by,
            dependencies: &flag.dependencies,
            children: children(snapshot, &flag.name)
                .map(|child| child.name.as_str())
                .collect(),
            links: FlagLinkDocument::all(flag),
            collaborators: Collaborators {
                users: created_by.into_iter().collect(),
            },
            lifecycle: told.lifecycle,
            favorite: told.favorite,
        }
    }
}

/// The live flags that depend on `parent`, by name.
pub fn children<'a>(snapshot: &'a Snapshot, parent: &FlagName) -> impl Iterator<Item = &'a FeatureFlag> {
    let depends = move |flag: &&FeatureFlag| {
        !flag.is_archived()
            && flag
                .dependencies
                .iter()
                .any(|dependency| dependency.parent == *parent)
    };
    snapshot.flags.values().map(AsRef::as_ref).filter(depends)
}

/// A flag in one environment.
#[derive(Debug, Serialize)]
pub struct FlagInEnvironment<'a> {
    name: &'a str,
    environment: &'a str,
    enabled: bool,
    strategies: Vec<StrategyOfFlag<'a>>,
}

/// An activation strategy that says which flag it belongs to.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct StrategyOfFlag<'a> {
    feature_name: &'a str,
    #[serde(flatten)]
    strategy: &'a ActivationStrategy,
}

impl<'a> FlagInEnvironment<'a> {
    /// Shows `flag` in `environment`.
    #[must_use]
    pub fn of(flag: &'a FeatureFlag, environment: &'a EnvironmentName) -> Self {
        let settings = flag.environments.get(environment).map(AsRef::as_ref);
        let strategies = settings.map_or(&[] as &[_], |it| &it.strategies);
        let of_flag = |strategy| StrategyOfFlag {
            feature_name: flag.name.as_str(),
            strategy,
        };
        Self {
            name: flag.name.as_str(),
            environment: environment.as_str(),
            enabled: settings.is_some_and(|it| it.enabled),
            strategies: strategies.iter().map(of_flag).collect(),
        }
    }
}
