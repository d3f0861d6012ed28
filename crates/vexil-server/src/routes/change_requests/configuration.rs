//! Where a project's changes go through change requests.

use actix_web::HttpResponse;
use actix_web::web::{Data, Path};
use vexil_admin_api::change_requests::RuleCommand;
use vexil_domain::{EnvironmentName, ProjectId};

use super::no_content;
use crate::app::App;
use crate::auth::Authorized;
use crate::body::JsonBody;
use crate::operations::Error;
use crate::operations::change_requests::{rules_of, set_rule};
use crate::permission::{Read, UpdateProject};
use crate::routes::ApiError;
use crate::routes::Route;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get("/api/admin/projects/{project}/change-requests/config", get),
        Route::put(
            "/api/admin/projects/{project}/environments/{environment}/change-requests/config",
            put,
        ),
    ]
}

async fn get(
    _who: Authorized<Read>,
    app: Data<App>,
    project: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let project = ProjectId::from(project.into_inner());
    let rules = rules_of(&app.serving().snapshot, &project)?;
    Ok(HttpResponse::Ok().json(rules))
}

async fn put(
    who: Authorized<UpdateProject>,
    app: Data<App>,
    path: Path<(String, String)>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let (project, environment) = path.into_inner();
    let (project, environment) = (ProjectId::from(project), EnvironmentName::from(environment));
    let command = RuleCommand::read(&body.value).map_err(Error::from)?;
    app.edit(&who.actor, move |tx| {
        set_rule(tx, &project, &environment, command)
    })
    .await?;
    Ok(no_content())
}
