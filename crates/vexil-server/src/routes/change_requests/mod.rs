//! Change requests: the operations below `/api/admin/projects/{project}` and the search over all projects.

mod configuration;
mod people;
mod reading;
mod writing;

use actix_web::HttpResponse;
use vexil_change_request::{ChangeId, ChangeRequestId};
use vexil_domain::ProjectId;

use super::Route;
use crate::operations::Error;
use crate::operations::change_requests::no_request;

pub(super) fn routes() -> Vec<Route> {
    [
        configuration::routes(),
        reading::routes(),
        people::routes(),
        writing::routes(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The project and the change request that a path names. An id that is no number is one that is not there.
fn request_of(path: (String, String)) -> Result<(ProjectId, ChangeRequestId), Error> {
    let (project, id) = path;
    let project = ProjectId::from(project);
    match id.parse() {
        Ok(number) => Ok((project, ChangeRequestId(number))),
        Err(_) => Err(no_request(format_args!("`{id}`"), &project)),
    }
}

/// The same with one of its changes.
fn change_of(path: (String, String, String)) -> Result<(ProjectId, ChangeRequestId, ChangeId), Error> {
    let (project, id, change) = path;
    let (project, id) = request_of((project, id))?;
    match change.parse() {
        Ok(number) => Ok((project, id, ChangeId(number))),
        Err(_) => Err(Error::NotFound(format!(
            "There is no change with the id `{change}` in change request {id}."
        ))),
    }
}

/// Done, and nothing to say.
fn no_content() -> HttpResponse {
    HttpResponse::NoContent().finish()
}
