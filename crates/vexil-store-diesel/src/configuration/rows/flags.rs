//! Rows of flags, their settings and their strategies.

use diesel::prelude::*;
use vexil_domain::{ActivationStrategy, Actor, ActorId, Dependency, FeatureFlag, FlagSettings};

use super::{position, tags, upkeep};
use crate::error::DbError;
use crate::schema::{flag_dependencies, flag_environments, flags, strategies};
use crate::{instant, json};

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = flags, treat_none_as_default_value = false)]
pub(crate) struct FlagRow {
    name: String,
    project: String,
    kind: String,
    description: Option<String>,
    stale: bool,
    impression_data: bool,
    created_by_id: Option<i64>,
    created_by_name: Option<String>,
    created_at: i64,
    archived_at: Option<i64>,
    tags: String,
    links: String,
    completed: Option<String>,
    potentially_stale: bool,
}

impl FlagRow {
    pub(crate) fn new(flag: &FeatureFlag) -> Result<Self, DbError> {
        Ok(Self {
            name: flag.name.to_string(),
            project: flag.project.to_string(),
            kind: flag.kind.to_string(),
            description: flag.description.clone(),
            stale: flag.stale,
            impression_data: flag.impression_data,
            created_by_id: flag.created_by.as_ref().map(|actor| actor.id.0),
            created_by_name: flag.created_by.as_ref().map(|actor| actor.name.clone()),
            created_at: instant::to_stored(flag.created_at),
            archived_at: flag.archived_at.map(instant::to_stored),
            tags: tags::to_text(&flag.tags)?,
            links: upkeep::links_to_text(&flag.links)?,
            completed: upkeep::completion_to_text(flag.completed.as_ref())?,
            potentially_stale: flag.potentially_stale,
        })
    }

    /// The flag, without its dependencies and environments.
    pub(crate) fn into_flag(self) -> Result<FeatureFlag, DbError> {
        let created_at = instant::from_stored(self.created_at)?;
        let actor = self.created_by_id.zip(self.created_by_name);
        Ok(FeatureFlag {
            kind: self.kind.into(),
            description: self.description,
            stale: self.stale,
            impression_data: self.impression_data,
            created_by: actor.map(|(id, name)| Actor {
                id: ActorId(id),
                name,
            }),
            archived_at: instant::from_optional(self.archived_at)?,
            tags: tags::from_text(&self.tags)?,
            links: upkeep::links_from_text(&self.links)?,
            completed: upkeep::completion_from_text(self.completed.as_deref())?,
            potentially_stale: self.potentially_stale,
            ..FeatureFlag::new(self.name, self.project, created_at)
        })
    }
}

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = flag_dependencies, treat_none_as_default_value = false)]
pub(crate) struct DependencyRow {
    pub(crate) flag: String,
    pub(crate) position: i64,
    parent: String,
    enabled: bool,
    variants: String,
}

impl DependencyRow {
    pub(crate) fn all(flag: &FeatureFlag) -> Result<Vec<Self>, DbError> {
        let row = |(place, it): (usize, &Dependency)| {
            Ok(Self {
                flag: flag.name.to_string(),
                position: position(place),
                parent: it.parent.to_string(),
                enabled: it.enabled,
                variants: json::to_text(&it.variants, "a list of variant names")?,
            })
        };
        flag.dependencies.iter().enumerate().map(row).collect()
    }

    pub(crate) fn into_dependency(self) -> Result<Dependency, DbError> {
        Ok(Dependency {
            parent: self.parent.into(),
            enabled: self.enabled,
            variants: json::list_from_text(&self.variants, "a list of variant names")?,
        })
    }
}

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = flag_environments, treat_none_as_default_value = false)]
pub(crate) struct FlagEnvironmentRow {
    pub(crate) flag: String,
    pub(crate) environment: String,
    enabled: bool,
    variants: String,
}

impl FlagEnvironmentRow {
    pub(crate) fn all(flag: &FeatureFlag) -> Result<Vec<Self>, DbError> {
        let environments = flag.environments.iter();
        environments
            .map(|(environment, settings)| {
                Ok(Self {
                    flag: flag.name.to_string(),
                    environment: environment.to_string(),
                    enabled: settings.enabled,
                    variants: json::to_text(&settings.variants, "a variant list")?,
                })
            })
            .collect()
    }

    /// The settings, without strategies.
    pub(crate) fn settings(&self) -> Result<FlagSettings, DbError> {
        Ok(FlagSettings {
            enabled: self.enabled,
            strategies: Vec::new(),
            variants: json::list_from_text(&self.variants, "a variant list")?,
        })
    }
}

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = strategies, treat_none_as_default_value = false)]
pub(crate) struct StrategyRow {
    pub(crate) flag: String,
    pub(crate) environment: String,
    pub(crate) position: i64,
    id: String,
    name: String,
    title: Option<String>,
    disabled: bool,
    sort_order: i64,
    parameters: String,
    constraints: String,
    segments: String,
    variants: String,
}

impl StrategyRow {
    pub(crate) fn all(flag: &FeatureFlag) -> Result<Vec<Self>, DbError> {
        let mut rows = Vec::new();
        for (environment, settings) in &flag.environments {
            for (place, it) in settings.strategies.iter().enumerate() {
                rows.push(Self::new(flag, environment.as_str(), place, it)?);
            }
        }
        Ok(rows)
    }

    fn new(
        flag: &FeatureFlag,
        environment: &str,
        place: usize,
        it: &ActivationStrategy,
    ) -> Result<Self, DbError> {
        Ok(Self {
            flag: flag.name.to_string(),
            environment: environment.to_owned(),
            position: position(place),
            id: it.id.to_string(),
            name: it.name.clone(),
            title: it.title.clone(),
            disabled: it.disabled,
            sort_order: it.sort_order.into(),
            parameters: json::to_text(&it.parameters, "a parameter map")?,
            constraints: json::to_text(&it.constraints, "a constraint list")?,
            segments: json::to_text(&it.segments, "a segment list")?,
            variants: json::to_text(&it.variants, "a variant list")?,
        })
    }

    pub(crate) fn into_strategy(self) -> Result<ActivationStrategy, DbError> {
        Ok(ActivationStrategy {
            id: self.id.into(),
            name: self.name,
            title: self.title,
            disabled: self.disabled,
            sort_order: json::narrow(self.sort_order, "a sort order")?,
            parameters: json::from_text(&self.parameters, "a parameter map")?,
            constraints: json::list_from_text(&self.constraints, "a constraint list")?,
            segments: json::list_from_text(&self.segments, "a segment list")?,
            variants: json::list_from_text(&self.variants, "a variant list")?,
        })
    }
}
