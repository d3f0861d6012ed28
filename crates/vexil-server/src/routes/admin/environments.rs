//! Environments.

use actix_web::HttpResponse;
use actix_web::web::{Data, Path};
use serde_json::json;
use vexil_admin_api::environment::{
    EnvironmentDocument, EnvironmentForm, EnvironmentListItem, EnvironmentOfProject, read_places,
};
use vexil_domain::EnvironmentName;

use super::done;
use crate::app::App;
use crate::auth::Authorized;
use crate::body::JsonBody;
use crate::operations::Error;
use crate::operations::environments;
use crate::permission::{Read, RunInstance};
use crate::routes::ApiError;
use crate::routes::Route;
use crate::serving_state::ServingState;

pub(super) fn routes() -> Vec<Route> {
    const ONE: &str = "/api/admin/environments/{name}";
    vec![
        Route::get("/api/admin/environments", list),
        Route::post("/api/admin/environments", create),
        Route::put("/api/admin/environments/sort-order", reorder),
        Route::put("/api/admin/environments/update/{name}", replace),
        Route::get("/api/admin/environments/project/{project}", of_project),
        Route::get(ONE, read),
        Route::delete(ONE, remove),
        Route::post("/api/admin/environments/{name}/on", on),
        Route::post("/api/admin/environments/{name}/off", off),
    ]
}

async fn list(_who: Authorized<Read>, app: Data<App>) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let item = |environment| {
        let name = environment_name(environment);
        EnvironmentListItem {
            environment: EnvironmentDocument::of(environment),
            project_count: serving
                .snapshot
                .projects
                .values()
                .filter(|project| project.environments.contains_key(name))
                .count(),
            api_token_count: count_tokens(&serving, name, None),
            enabled_toggle_count: count_enabled(&serving, name, None),
        }
    };
    let items: Vec<EnvironmentListItem<'_>> = environments::in_order(&serving.snapshot)
        .into_iter()
        .map(item)
        .collect();
    Ok(HttpResponse::Ok().json(json!({ "version": 1, "environments": items })))
}

fn environment_name(environment: &vexil_domain::Environment) -> &EnvironmentName {
    &environment.name
}

/// How many live flags, of a project where one is named, are on in an environment.
fn count_enabled(serving: &ServingState, environment: &EnvironmentName, project: Option<&str>) -> usize {
    let on = serving.snapshot.flags.values().filter(|flag| {
        !flag.is_archived()
            && project.is_none_or(|project| flag.project.as_str() == project)
            && flag
                .environments
                .get(environment)
                .is_some_and(|settings| settings.enabled)
    });
    on.count()
}

/// How many tokens are for an environment, and for a project where one is named.
fn count_tokens(serving: &ServingState, environment: &EnvironmentName, project: Option<&str>) -> usize {
    let fitting = serving.tokens.values().filter(|token| {
        let for_project = |project: &str| {
            token.projects.is_empty() || token.projects.iter().any(|id| id.as_str() == project)
        };
        token.environment.as_ref() == Some(environment) && project.is_none_or(for_project)
    });
    fitting.count()
}

/// All environments, as a project sees them.
async fn of_project(
    _who: Authorized<Read>,
    app: Data<App>,
    project: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let id = project.as_str();
    let project = serving.snapshot.projects.get(id);
    let item = |environment| {
        let name = environment_name(environment);
        EnvironmentOfProject {
            environment: EnvironmentDocument::of(environment),
            project_api_token_count: count_tokens(&serving, name, Some(id)),
            project_enabled_toggle_count: count_enabled(&serving, name, Some(id)),
            visible: project.is_some_and(|project| project.environments.contains_key(name)),
        }
    };
    let items: Vec<EnvironmentOfProject<'_>> = environments::in_order(&serving.snapshot)
        .into_iter()
        .map(item)
        .collect();
    Ok(HttpResponse::Ok().json(json!({ "version": 1, "environments": items })))
}

async fn read(_who: Authorized<Read>, app: Data<App>, name: Path<String>) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let environment = environments::find(&serving.snapshot, &name)?;
    Ok(HttpResponse::Ok().json(EnvironmentDocument::of(environment)))
}

async fn create(
    who: Authorized<RunInstance>,
    app: Data<App>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let (name, form) = EnvironmentForm::read_new(&body.value).map_err(Error::from)?;
    let environment = app
        .edit(&who.actor, move |tx| environments::create(tx, &name, &form))
        .await?;
    Ok(HttpResponse::Created().json(EnvironmentDocument::of(&environment)))
}

async fn replace(
    who: Authorized<RunInstance>,
    app: Data<App>,
    name: Path<String>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let form = EnvironmentForm::read(&body.value).map_err(Error::from)?;
    let environment = app
        .edit(&who.actor, move |tx| environments::edit(tx, &name, &form))
        .await?;
    Ok(HttpResponse::Ok().json(EnvironmentDocument::of(&environment)))
}

async fn remove(
    who: Authorized<RunInstance>,
    app: Data<App>,
    name: Path<String>,
) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |tx| environments::remove(tx, &name))
        .await?;
    Ok(done())
}

async fn on(
    who: Authorized<RunInstance>,
    app: Data<App>,
    name: Path<String>,
) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |tx| environments::set_enabled(tx, &name, true))
        .await?;
    Ok(HttpResponse::NoContent().finish())
}

async fn off(
    who: Authorized<RunInstance>,
    app: Data<App>,
    name: Path<String>,
) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |tx| environments::set_enabled(tx, &name, false))
        .await?;
    Ok(HttpResponse::NoContent().finish())
}

async fn reorder(
    who: Authorized<RunInstance>,
    app: Data<App>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let places = read_places(&body.value).map_err(Error::from)?;
    app.edit(&who.actor, move |tx| environments::reorder(tx, &places))
        .await?;
    Ok(done())
}
