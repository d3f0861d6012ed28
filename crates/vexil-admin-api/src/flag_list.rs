//! Flags in lists: of a project, and found by a search.

use serde::Serialize;
use time::OffsetDateTime;
use vexil_domain::{Environment, EnvironmentName, FeatureFlag, FlagSettings};

use super::flag_document::{FlagSummary, Lifecycle, Person};
use super::tag::TagDocument;
use super::timestamp::Timestamp;

/// A flag in a list.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FlagListItem<'a> {
    #[serde(flatten)]
    summary: FlagSummary<'a>,
    favorite: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tags: Vec<TagDocument<'a>>,
    environments: Vec<EnvironmentInList<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct EnvironmentInList<'a> {
    name: &'a str,
    enabled: bool,
    #[serde(rename = "type")]
    kind: &'a str,
    sort_order: i32,
    variant_count: usize,
    last_seen_at: Option<Timestamp>,
    has_strategies: bool,
    has_enabled_strategies: bool,
    #[serde(flatten)]
    counts: Option<ListedCounts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    change_request_ids: Option<Vec<i64>>,
}

/// How often a flag was on and off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct ListedCounts {
    /// How often on.
    pub yes: u64,
    /// How often off.
    pub no: u64,
}

/// What a list tells of a flag in one environment besides its settings.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ListedUsage {
    /// When it was last reported.
    pub last_seen: Option<OffsetDateTime>,
    /// How often it was on and off in the last hour; `None` where that is not told.
    pub counts: Option<ListedCounts>,
    /// The open change requests that would change it; `None` where they are not told.
    pub change_requests: Option<Vec<i64>>,
}

impl<'a> FlagListItem<'a> {
    /// Shows `flag` with its settings in `environments`, whether it is a favourite of whoever asks, and what else there is to tell of it there.
    #[must_use]
    pub fn of(
        flag: &'a FeatureFlag,
        environments: &[&'a Environment],
        favorite: bool,
        usage: impl Fn(&EnvironmentName) -> ListedUsage,
    ) -> Self {
        let none = FlagSettings::default();
        let in_environment = |environment: &&'a Environment| {
            let settings = flag
                .environments
                .get(&environment.name)
                .map_or(&none, AsRef::as_ref);
            let usage = usage(&environment.name);
            EnvironmentInList {
                name: environment.name.as_str(),
                enabled: settings.enabled,
                kind: &environment.kind,
                sort_order: environment.sort_order,
                variant_count: settings.variants.len(),
                last_seen_at: usage.last_seen.map(Timestamp),
                has_strategies: !settings.strategies.is_empty(),
                has_enabled_strategies: settings.has_enabled_strategy(),
                counts: usage.counts,
                change_request_ids: usage.change_requests,
            }
        };
        let environments = environments.iter().map(in_environment).collect();
        Self {
            summary: FlagSummary::of(flag),
            favorite,
            tags: flag.tags.iter().map(TagDocument::of).collect(),
            environments,
        }
    }
}

/// Whether a flag depends on others, or others on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum DependencyType {
    /// Others depend on it.
    Parent,
    /// It depends on another.
    Child,
}

/// A flag that a search found.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FoundFlag<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    description: Option<&'a str>,
    project: &'a str,
    favorite: bool,
    name: &'a str,
    created_at: Timestamp,
    stale: bool,
    archived_at: Option<Timestamp>,
    impression_data: bool,
    dependency_type: Option<DependencyType>,
    environments: Vec<EnvironmentInList<'a>>,
    segments: Vec<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tags: Vec<TagDocument<'a>>,
    created_by: Option<Person<'a>>,
    lifecycle: Lifecycle,
}

impl<'a> FoundFlag<'a> {
    /// Shows a flag by its list item, with the names of the segments that it uses.
    #[must_use]
    pub fn of(
        flag: &'a FeatureFlag,
        item: FlagListItem<'a>,
        dependency_type: Option<DependencyType>,
        segments: Vec<&'a str>,
        tags: Vec<TagDocument<'a>>,
        lifecycle: Lifecycle,
    ) -> Self {
        Self {
            kind: &flag.kind,
            description: flag.description.as_deref(),
            project: flag.project.as_str(),
            favorite: item.favorite,
            name: flag.name.as_str(),
            created_at: flag.created_at.into(),
            stale: flag.stale,
            archived_at: flag.archived_at.map(Into::into),
            impression_data: flag.impression_data,
            dependency_type,
            environments: item.environments,
            segments,
            tags,
            created_by: Person::of(flag),
            lifecycle,
        }
    }
}
