//! What people mark for themselves.

use actix_web::HttpResponse;
use actix_web::web::Data;
use vexil_service::App;
use vexil_service::operations::favorites::{mark_flag, mark_project};
use vexil_service::operations::paths::FlagPath;

use super::account::own;
use super::done;
use crate::routes::ApiError;
use crate::routes::auth::Caller;
use crate::routes::paths::{Named, ProjectPath};

pub(crate) async fn add_flag(
    who: Caller,
    app: Data<App>,
    path: Named<FlagPath>,
) -> Result<HttpResponse, ApiError> {
    flag(&who, &app, path, true).await
}

pub(crate) async fn remove_flag(
    who: Caller,
    app: Data<App>,
    path: Named<FlagPath>,
) -> Result<HttpResponse, ApiError> {
    flag(&who, &app, path, false).await
}

async fn flag(who: &Caller, app: &App, path: Named<FlagPath>, on: bool) -> Result<HttpResponse, ApiError> {
    let (user, Named(FlagPath { project, flag })) = (own(who)?, path);
    app.edit(&who.actor, move |tx| mark_flag(tx, user, &project, &flag, on))
        .await?;
    Ok(done())
}

pub(crate) async fn add_project(
    who: Caller,
    app: Data<App>,
    path: ProjectPath,
) -> Result<HttpResponse, ApiError> {
    project(&who, &app, path, true).await
}

pub(crate) async fn remove_project(
    who: Caller,
    app: Data<App>,
    path: ProjectPath,
) -> Result<HttpResponse, ApiError> {
    project(&who, &app, path, false).await
}

async fn project(
    who: &Caller,
    app: &App,
    ProjectPath { project }: ProjectPath,
    on: bool,
) -> Result<HttpResponse, ApiError> {
    let user = own(who)?;
    app.edit(&who.actor, move |tx| mark_project(tx, user, &project, on))
        .await?;
    Ok(done())
}
