//! Rows of projects and environments.

use std::collections::BTreeMap;

use diesel::prelude::*;
use vexil_domain::{
    ChangeRequestRule, ChangedEffect, Environment, EnvironmentName, Project, ProjectEnvironment, Stickiness,
};

use crate::error::DbError;
use crate::schema::{environments, project_environments, projects};
use crate::{instant, json};

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = projects, treat_none_as_default_value = false)]
pub(crate) struct ProjectRow {
    id: String,
    name: String,
    description: Option<String>,
    created_at: i64,
    default_stickiness: String,
}

impl ProjectRow {
    pub(crate) fn new(project: &Project) -> Self {
        Self {
            id: project.id.to_string(),
            name: project.name.clone(),
            description: project.description.clone(),
            created_at: instant::to_stored(project.created_at),
            default_stickiness: project.default_stickiness.name().to_owned(),
        }
    }

    /// The project, without its environments.
    pub(crate) fn into_project(self) -> Result<Project, DbError> {
        Ok(Project {
            id: self.id.into(),
            name: self.name,
            description: self.description,
            created_at: instant::from_stored(self.created_at)?,
            default_stickiness: Stickiness::from_name(&self.default_stickiness),
            environments: BTreeMap::new(),
            left_environments: BTreeMap::new(),
        })
    }
}

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = project_environments, treat_none_as_default_value = false)]
pub(crate) struct ProjectEnvironmentRow {
    pub(crate) project: String,
    environment: String,
    required_approvals: Option<i64>,
    default_strategy: Option<String>,
    pub(crate) in_use: bool,
    changed_effect: Option<String>,
}

impl ProjectEnvironmentRow {
    pub(crate) fn all(project: &Project) -> Result<Vec<Self>, DbError> {
        let row = |(in_use, (name, it)): (bool, (&EnvironmentName, &ProjectEnvironment))| {
            let strategy = it.default_strategy.as_ref();
            Ok(Self {
                project: project.id.to_string(),
                environment: name.to_string(),
                required_approvals: it.change_requests.map(|rule| rule.required_approvals.into()),
                default_strategy: strategy.map(|it| json::to_text(it, "a strategy")).transpose()?,
                in_use,
                changed_effect: it
                    .change_requests
                    .map(|rule| rule.changed_effect.name().to_owned()),
            })
        };
        let used = project.environments.iter().map(|it| (true, it));
        let left = project.left_environments.iter().map(|it| (false, it));
        used.chain(left).map(row).collect()
    }

    pub(crate) fn into_environment(self) -> Result<(EnvironmentName, ProjectEnvironment), DbError> {
        let rule = |approvals| {
            let changed_effect = self.changed_effect.as_deref().and_then(ChangedEffect::from_name);
            json::narrow(approvals, "a number of approvals").map(|required_approvals| ChangeRequestRule {
                required_approvals,
                changed_effect: changed_effect.unwrap_or_default(),
            })
        };
        let strategy = self.default_strategy.as_deref();
        let environment = ProjectEnvironment {
            change_requests: self.required_approvals.map(rule).transpose()?,
            default_strategy: strategy
                .map(|text| json::from_text(text, "a strategy"))
                .transpose()?,
        };
        Ok((self.environment.into(), environment))
    }
}

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = environments, treat_none_as_default_value = false)]
pub(crate) struct EnvironmentRow {
    name: String,
    kind: String,
    sort_order: i64,
    enabled: bool,
    protected: bool,
    required_approvals: Option<i64>,
}

impl EnvironmentRow {
    pub(crate) fn new(environment: &Environment) -> Self {
        Self {
            name: environment.name.to_string(),
            kind: environment.kind.clone(),
            sort_order: environment.sort_order.into(),
            enabled: environment.enabled,
            protected: environment.protected,
            required_approvals: environment.required_approvals.map(Into::into),
        }
    }

    pub(crate) fn into_environment(self) -> Result<Environment, DbError> {
        let approvals = self.required_approvals;
        Ok(Environment {
            name: self.name.into(),
            kind: self.kind,
            sort_order: json::narrow(self.sort_order, "a sort order")?,
            enabled: self.enabled,
            protected: self.protected,
            required_approvals: approvals
                .map(|it| json::narrow(it, "a number of approvals"))
                .transpose()?,
        })
    }
}
