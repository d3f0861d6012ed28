//! What people say of a change request: title, reviewers, comments.

use actix_web::HttpResponse;
use actix_web::web::Data;
use vexil_admin_api::change_requests::{ReviewerDocument, ReviewersDocument};
use vexil_domain::Actor;
use vexil_service::App;
use vexil_service::operations::change_requests::{self as operations, Identity, no_request};

use super::no_content;
use crate::routes::ApiError;
use crate::routes::auth::Caller;
use crate::routes::bodies::{Body, Comment, Title};
use crate::routes::paths::{ProjectEnvironmentPath, RequestPath};
use vexil_domain::ActorId;

pub(crate) async fn rename(
    who: Caller,
    app: Data<App>,
    RequestPath { project, id }: RequestPath,
    Body(Title(title)): Body<Title>,
) -> Result<HttpResponse, ApiError> {
    let identity = Identity::from(&*who);
    app.edit(&who.actor, move |tx| {
        operations::rename(tx, &identity, &project, id, &title)
    })
    .await?;
    Ok(no_content())
}

pub(crate) async fn comment(
    who: Caller,
    app: Data<App>,
    RequestPath { project, id }: RequestPath,
    Body(Comment(text)): Body<Comment>,
) -> Result<HttpResponse, ApiError> {
    let identity = Identity::from(&*who);
    app.edit(&who.actor, move |tx| {
        operations::comment(tx, &identity, &project, id, &text)
    })
    .await?;
    Ok(no_content())
}

pub(crate) async fn reviewers(
    app: Data<App>,
    RequestPath { project, id }: RequestPath,
) -> Result<HttpResponse, ApiError> {
    let found = app.read(move |store| store.change_request(id)).await?;
    let request = found
        .filter(|request| request.project == project)
        .ok_or_else(|| no_request(id, &project))?;
    Ok(shown(&operations::requested_reviewers(&app.serving(), &request)))
}

pub(crate) async fn request_reviewers(
    who: Caller,
    app: Data<App>,
    RequestPath { project, id }: RequestPath,
    Body(reviewers): Body<Vec<ActorId>>,
) -> Result<HttpResponse, ApiError> {
    let identity = Identity::from(&*who);
    app.edit(&who.actor, move |tx| {
        operations::request_reviewers(tx, &identity, &project, id, &reviewers)
    })
    .await?;
    Ok(no_content())
}

pub(crate) async fn available(
    app: Data<App>,
    ProjectEnvironmentPath { project, environment }: ProjectEnvironmentPath,
) -> Result<HttpResponse, ApiError> {
    let people = operations::available_reviewers(&app.serving(), &project, &environment)?;
    Ok(shown(&people))
}

fn shown(people: &[Actor]) -> HttpResponse {
    let reviewers = people.iter().map(ReviewerDocument::from).collect();
    HttpResponse::Ok().json(ReviewersDocument { reviewers })
}
