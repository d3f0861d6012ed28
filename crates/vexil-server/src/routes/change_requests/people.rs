//! What people say of a change request: title, reviewers, comments.

use actix_web::HttpResponse;
use actix_web::web::{Data, Path};
use vexil_admin_api::change_requests::{
    ReviewerDocument, ReviewersDocument, read_comment, read_reviewers, read_title,
};
use vexil_domain::{Actor, EnvironmentName, ProjectId};

use super::{no_content, request_of};
use crate::app::App;
use crate::auth::Authorized;
use crate::body::JsonBody;
use crate::operations::Error;
use crate::operations::change_requests::{self as operations, Identity, no_request};
use crate::permission::Read;
use crate::routes::ApiError;
use crate::routes::Route;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::put("/api/admin/projects/{project}/change-requests/{id}/title", rename),
        Route::get(
            "/api/admin/projects/{project}/change-requests/{id}/approvers",
            reviewers,
        ),
        Route::put(
            "/api/admin/projects/{project}/change-requests/{id}/approvers",
            request_reviewers,
        ),
        Route::get(
            "/api/admin/projects/{project}/change-requests/available-reviewers/{environment}",
            available,
        ),
        Route::post(
            "/api/admin/projects/{project}/change-requests/{id}/comments",
            comment,
        ),
    ]
}

async fn rename(
    who: Authorized<Read>,
    app: Data<App>,
    path: Path<(String, String)>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let (project, id) = request_of(path.into_inner())?;
    let title = read_title(&body.value).map_err(Error::from)?;
    let identity = Identity::from(&who);
    app.edit(&who.actor, move |tx| {
        operations::rename(tx, &identity, &project, id, &title)
    })
    .await?;
    Ok(no_content())
}

async fn comment(
    who: Authorized<Read>,
    app: Data<App>,
    path: Path<(String, String)>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let (project, id) = request_of(path.into_inner())?;
    let text = read_comment(&body.value).map_err(Error::from)?;
    let identity = Identity::from(&who);
    app.edit(&who.actor, move |tx| {
        operations::comment(tx, &identity, &project, id, &text)
    })
    .await?;
    Ok(no_content())
}

async fn reviewers(
    _who: Authorized<Read>,
    app: Data<App>,
    path: Path<(String, String)>,
) -> Result<HttpResponse, ApiError> {
    let (project, id) = request_of(path.into_inner())?;
    let found = app.read(move |store| store.change_request(id)).await?;
    let request = found
        .filter(|request| request.project == project)
        .ok_or_else(|| no_request(id, &project))?;
    Ok(shown(&operations::requested_reviewers(&app.serving(), &request)))
}

async fn request_reviewers(
    who: Authorized<Read>,
    app: Data<App>,
    path: Path<(String, String)>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let (project, id) = request_of(path.into_inner())?;
    let reviewers = read_reviewers(&body.value).map_err(Error::from)?;
    let identity = Identity::from(&who);
    app.edit(&who.actor, move |tx| {
        operations::request_reviewers(tx, &identity, &project, id, &reviewers)
    })
    .await?;
    Ok(no_content())
}

async fn available(
    _who: Authorized<Read>,
    app: Data<App>,
    path: Path<(String, String)>,
) -> Result<HttpResponse, ApiError> {
    let (project, environment) = path.into_inner();
    let (project, environment) = (ProjectId::from(project), EnvironmentName::from(environment));
    let people = operations::available_reviewers(&app.serving(), &project, &environment)?;
    Ok(shown(&people))
}

fn shown(people: &[Actor]) -> HttpResponse {
    let reviewers = people.iter().map(ReviewerDocument::from).collect();
    HttpResponse::Ok().json(ReviewersDocument { reviewers })
}
