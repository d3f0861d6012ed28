//! Change requests: the operations below `/api/admin/projects/{project}` and the search over all projects.

pub(crate) mod configuration;
pub(crate) mod people;
pub(crate) mod reading;
pub(crate) mod writing;

use actix_web::HttpResponse;

/// Done, and nothing to say.
fn no_content() -> HttpResponse {
    HttpResponse::NoContent().finish()
}
