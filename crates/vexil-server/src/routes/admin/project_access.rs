//! Who has which roles and permissions in a project.

use actix_web::HttpResponse;
use actix_web::web::Data;
use vexil_admin_api::project_access::{AccessForm, RoleHolders};
use vexil_admin_api::user::GrantForm;
use vexil_service::operations::change_requests::find_project;
use vexil_service::operations::project_access::{self, Who};
use vexil_service::{App, Principal};

use super::done;
use crate::routes::ApiError;
use crate::routes::auth::Caller;
use crate::routes::bodies::{Body, RoleIds};
use crate::routes::paths::{ProjectGroupPath, ProjectPath, ProjectUserPath};

pub(crate) async fn read(
    app: Data<App>,
    ProjectPath { project }: ProjectPath,
) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    find_project(&serving.snapshot, &project)?;
    Ok(HttpResponse::Ok().json(project_access::document(&serving, &project)))
}

/// Gives exactly these roles, and nobody any other.
pub(crate) async fn replace(
    who: Caller,
    app: Data<App>,
    ProjectPath { project }: ProjectPath,
    Body(holders): Body<Vec<RoleHolders>>,
) -> Result<HttpResponse, ApiError> {
    let giver = Principal::clone(&who);
    app.edit(&who.actor, move |tx| {
        project_access::replace(tx, &giver, &project, &holders)
    })
    .await?;
    Ok(done())
}

/// Gives these roles besides.
pub(crate) async fn add(
    who: Caller,
    app: Data<App>,
    ProjectPath { project }: ProjectPath,
    Body(form): Body<AccessForm>,
) -> Result<HttpResponse, ApiError> {
    let giver = Principal::clone(&who);
    app.edit(&who.actor, move |tx| {
        project_access::add(tx, &giver, &project, &form)
    })
    .await?;
    Ok(done())
}

pub(crate) async fn set_of_user(
    who: Caller,
    app: Data<App>,
    ProjectUserPath { project, id }: ProjectUserPath,
    Body(RoleIds(roles)): Body<RoleIds>,
) -> Result<HttpResponse, ApiError> {
    let giver = Principal::clone(&who);
    app.edit(&who.actor, move |tx| {
        project_access::set(tx, &giver, &project, Who::User(id), &roles)
    })
    .await?;
    Ok(done())
}

pub(crate) async fn clear_of_user(
    who: Caller,
    app: Data<App>,
    ProjectUserPath { project, id }: ProjectUserPath,
) -> Result<HttpResponse, ApiError> {
    let giver = Principal::clone(&who);
    app.edit(&who.actor, move |tx| {
        project_access::set(tx, &giver, &project, Who::User(id), &[])
    })
    .await?;
    Ok(done())
}

pub(crate) async fn set_of_group(
    who: Caller,
    app: Data<App>,
    ProjectGroupPath { project, id }: ProjectGroupPath,
    Body(RoleIds(roles)): Body<RoleIds>,
) -> Result<HttpResponse, ApiError> {
    let giver = Principal::clone(&who);
    app.edit(&who.actor, move |tx| {
        project_access::set(tx, &giver, &project, Who::Group(id), &roles)
    })
    .await?;
    Ok(done())
}

pub(crate) async fn clear_of_group(
    who: Caller,
    app: Data<App>,
    ProjectGroupPath { project, id }: ProjectGroupPath,
) -> Result<HttpResponse, ApiError> {
    let giver = Principal::clone(&who);
    app.edit(&who.actor, move |tx| {
        project_access::set(tx, &giver, &project, Who::Group(id), &[])
    })
    .await?;
    Ok(done())
}

/// Gives a user exactly these single permissions.
pub(crate) async fn grant(
    who: Caller,
    app: Data<App>,
    ProjectUserPath { project, id }: ProjectUserPath,
    Body(wanted): Body<Vec<GrantForm>>,
) -> Result<HttpResponse, ApiError> {
    let giver = Principal::clone(&who);
    app.edit(&who.actor, move |tx| {
        project_access::grant(tx, &giver, &project, id, &wanted)
    })
    .await?;
    Ok(done())
}
