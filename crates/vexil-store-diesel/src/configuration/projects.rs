//! Reading projects with their environments.

use std::collections::BTreeMap;
use std::sync::Arc;

use diesel::prelude::*;
use vexil_domain::{Project, ProjectId};

use super::rows::{ProjectEnvironmentRow, ProjectRow};
use crate::connection::AnyConnection;
use crate::error::DbError;
use crate::loading::load_rows;

/// Reads the projects with these ids, or all.
pub(super) fn load(
    connection: &mut AnyConnection,
    ids: Option<&[String]>,
) -> Result<BTreeMap<ProjectId, Arc<Project>>, DbError> {
    let mut all = BTreeMap::new();
    for row in load_rows!(connection, projects::id, ProjectRow, ids)? {
        let project = row.into_project()?;
        all.insert(project.id.clone(), project);
    }
    let rows = load_rows!(
        connection,
        project_environments::project,
        ProjectEnvironmentRow,
        ids
    )?;
    for row in rows {
        if let Some(project) = all.get_mut(row.project.as_str()) {
            let in_use = row.in_use;
            let (name, environment) = row.into_environment()?;
            let all = if in_use {
                &mut project.environments
            } else {
                &mut project.left_environments
            };
            all.insert(name, environment);
        }
    }
    Ok(all
        .into_iter()
        .map(|(id, project)| (id, Arc::new(project)))
        .collect())
}
