//! Where a project's changes go through change requests.

use actix_web::HttpResponse;
use actix_web::web::Data;
use vexil_admin_api::change_requests::RuleCommand;
use vexil_service::App;
use vexil_service::operations::change_requests::{rules_of, set_rule};

use super::no_content;
use crate::routes::ApiError;
use crate::routes::auth::Caller;
use crate::routes::bodies::Body;
use crate::routes::paths::{ProjectEnvironmentPath, ProjectPath};

pub(crate) async fn get(
    app: Data<App>,
    ProjectPath { project }: ProjectPath,
) -> Result<HttpResponse, ApiError> {
    let rules = rules_of(&app.serving().snapshot, &project)?;
    Ok(HttpResponse::Ok().json(rules))
}

pub(crate) async fn put(
    who: Caller,
    app: Data<App>,
    ProjectEnvironmentPath { project, environment }: ProjectEnvironmentPath,
    Body(command): Body<RuleCommand>,
) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |tx| {
        set_rule(tx, &project, &environment, command)
    })
    .await?;
    Ok(no_content())
}
