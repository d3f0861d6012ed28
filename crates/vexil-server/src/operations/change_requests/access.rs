//! Who asks, what they may do where, and finding what they ask about.

use std::sync::Arc;

use vexil_change_request::{Caller, ChangeRequest, ChangeRequestId, Permissions};
use vexil_domain::{Actor, EnvironmentName, Project, ProjectEnvironment, ProjectId, Snapshot};

use crate::auth::Admin;
use crate::edit::Draft;
use crate::error::ApiError;

/// Somebody who works with change requests.
#[derive(Debug, Clone)]
pub(crate) struct Identity {
    /// Who it is.
    pub(crate) actor: Actor,
    /// Whether every rule about who may do what is waived.
    pub(crate) admin: bool,
}

impl From<&Admin> for Identity {
    fn from(admin: &Admin) -> Self {
        Self {
            actor: admin.actor.clone(),
            admin: true,
        }
    }
}

impl Identity {
    /// What they may do in an environment of a project.
    pub(crate) fn caller(&self, _project: &ProjectId, _environment: &EnvironmentName) -> Caller {
        Caller {
            actor: self.actor.clone(),
            admin: self.admin,
            permissions: Permissions {
                approve: self.admin,
                apply: self.admin,
            },
        }
    }

    /// What they may do with a change request.
    pub(crate) fn caller_for(&self, request: &ChangeRequest) -> Caller {
        self.caller(&request.project, &request.environment)
    }
}

/// A project, which must be there.
pub(crate) fn find_project<'a>(
    snapshot: &'a Snapshot,
    project: &ProjectId,
) -> Result<&'a Arc<Project>, ApiError> {
    let missing = || ApiError::NotFound(format!("Could not find project with id {project}"));
    snapshot.projects.get(project).ok_or_else(missing)
}

/// The settings of a project in an environment, which it must use.
pub(crate) fn find_environment<'a>(
    snapshot: &'a Snapshot,
    project: &ProjectId,
    environment: &EnvironmentName,
) -> Result<&'a ProjectEnvironment, ApiError> {
    let missing = || {
        ApiError::NotFound(format!(
            "Could not find environment \"{environment}\" in project \"{project}\""
        ))
    };
    find_project(snapshot, project)?
        .environments
        .get(environment)
        .ok_or_else(missing)
}

/// What is answered when a project has no such change request.
pub(crate) fn no_request(id: impl std::fmt::Display, project: &ProjectId) -> ApiError {
    ApiError::NotFound(format!(
        "There is no change request with the id {id} in project \"{project}\"."
    ))
}

/// A change request of a project, which must be there.
pub(crate) fn find_request(
    draft: &Draft<'_>,
    project: &ProjectId,
    id: ChangeRequestId,
) -> Result<ChangeRequest, ApiError> {
    let found = draft.change_request(id)?;
    found
        .filter(|request| request.project == *project)
        .ok_or_else(|| no_request(id, project))
}
