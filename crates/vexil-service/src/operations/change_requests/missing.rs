//! What is answered where something is not there.

use vexil_domain::ProjectId;

use crate::operations::Error;

/// What is answered when there is no such project, or it is not there for whoever asks.
#[must_use]
pub fn no_project(project: &ProjectId) -> Error {
    Error::NotFound(format!("Could not find project with id {project}"))
}

/// What is answered when a project has no such change request.
pub fn no_request(id: impl std::fmt::Display, project: &ProjectId) -> Error {
    Error::NotFound(format!(
        "There is no change request with the id {id} in project \"{project}\"."
    ))
}
