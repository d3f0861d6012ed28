//! Archived flags: listed, revived, deleted.

use actix_web::HttpResponse;
use actix_web::web::Data;
use serde_json::json;
use vexil_admin_api::flag_document::FlagSummary;
use vexil_domain::{FlagName, ProjectId};
use vexil_service::App;
use vexil_service::operations::{flags, projects};

use super::done;
use crate::routes::ApiError;
use crate::routes::auth::Caller;
use crate::routes::bodies::Body;
use crate::routes::paths::{AnyFlagPath, ProjectPath};

pub(crate) async fn list(app: Data<App>) -> Result<HttpResponse, ApiError> {
    Ok(archived(&app, None))
}

pub(crate) async fn list_of_project(
    app: Data<App>,
    ProjectPath { project }: ProjectPath,
) -> Result<HttpResponse, ApiError> {
    projects::find(&app.serving().snapshot, project.as_str())?;
    Ok(archived(&app, Some(&project)))
}

fn archived(app: &App, project: Option<&ProjectId>) -> HttpResponse {
    let serving = app.serving();
    let features: Vec<_> = flags::archived(&serving.snapshot, project)
        .map(FlagSummary::of)
        .collect();
    HttpResponse::Ok().json(json!({ "version": 2, "features": features }))
}

pub(crate) async fn revive(
    who: Caller,
    app: Data<App>,
    AnyFlagPath { flag }: AnyFlagPath,
) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |tx| flags::revive_one(tx, &flag))
        .await?;
    Ok(done())
}

pub(crate) async fn delete(
    who: Caller,
    app: Data<App>,
    AnyFlagPath { flag }: AnyFlagPath,
) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |tx| {
        flags::delete(tx, std::slice::from_ref(&flag))
    })
    .await?;
    Ok(done())
}

pub(crate) async fn archive_all(
    who: Caller,
    app: Data<App>,
    ProjectPath { project }: ProjectPath,
    Body(names): Body<Vec<FlagName>>,
) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |tx| flags::archive_all(tx, &project, &names))
        .await?;
    Ok(HttpResponse::Accepted().finish())
}

/// Which of the flags have children that would stay, and whether archiving takes dependencies away.
pub(crate) async fn validate(
    app: Data<App>,
    ProjectPath { project }: ProjectPath,
    Body(names): Body<Vec<FlagName>>,
) -> Result<HttpResponse, ApiError> {
    let snapshot = &app.serving().snapshot;
    projects::find(snapshot, project.as_str())?;
    let answer = json!({
        "parentsWithChildFeatures": flags::with_children_left(snapshot, &names),
        "hasDeletedDependencies": flags::lose_dependencies(snapshot, &names),
    });
    Ok(HttpResponse::Ok().json(answer))
}

pub(crate) async fn revive_all(
    who: Caller,
    app: Data<App>,
    ProjectPath { project }: ProjectPath,
    Body(names): Body<Vec<FlagName>>,
) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |tx| flags::revive_all(tx, &project, &names))
        .await?;
    Ok(done())
}

pub(crate) async fn delete_all(
    who: Caller,
    app: Data<App>,
    ProjectPath { project }: ProjectPath,
    Body(names): Body<Vec<FlagName>>,
) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |tx| flags::delete_all(tx, &project, &names))
        .await?;
    Ok(done())
}
