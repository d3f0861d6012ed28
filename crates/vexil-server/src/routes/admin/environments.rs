//! Environments.

use actix_web::HttpResponse;
use actix_web::web::{Data, Path};
use serde_json::json;
use vexil_domain::EnvironmentName;
use vexil_wire::admin::environment::{
    EnvironmentDocument, EnvironmentForm, EnvironmentListItem, EnvironmentOfProject, read_places,
};

use super::done;
use crate::app::App;
use crate::auth::May;
use crate::body::JsonBody;
use crate::demand::{Read, RunInstance};
use crate::error::ApiError;
use crate::operations::environments;
use crate::routes::Route;
use crate::world::World;

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

async fn list(_who: May<Read>, app: Data<App>) -> Result<HttpResponse, ApiError> {
    let world = app.world();
    let item = |environment| {
        let name = environment_name(environment);
        EnvironmentListItem {
            environment: EnvironmentDocument::of(environment),
            project_count: world
                .snapshot
                .projects
                .values()
                .filter(|project| project.environments.contains_key(name))
                .count(),
            api_token_count: count_tokens(&world, name, None),
            enabled_toggle_count: count_enabled(&world, name, None),
        }
    };
    let items: Vec<EnvironmentListItem<'_>> = environments::in_order(&world.snapshot)
        .into_iter()
        .map(item)
        .collect();
    Ok(HttpResponse::Ok().json(json!({ "version": 1, "environments": items })))
}

fn environment_name(environment: &vexil_domain::Environment) -> &EnvironmentName {
    &environment.name
}

/// How many live flags, of a project where one is named, are on in an environment.
fn count_enabled(world: &World, environment: &EnvironmentName, project: Option<&str>) -> usize {
    let on = world.snapshot.flags.values().filter(|flag| {
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
fn count_tokens(world: &World, environment: &EnvironmentName, project: Option<&str>) -> usize {
    let fitting = world.tokens.values().filter(|token| {
        let for_project = |project: &str| {
            token.projects.is_empty() || token.projects.iter().any(|id| id.as_str() == project)
        };
        token.environment.as_ref() == Some(environment) && project.is_none_or(for_project)
    });
    fitting.count()
}

/// All environments, as a project sees them.
async fn of_project(
    _who: May<Read>,
    app: Data<App>,
    project: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let world = app.world();
    let id = project.as_str();
    let project = world.snapshot.projects.get(id);
    let item = |environment| {
        let name = environment_name(environment);
        EnvironmentOfProject {
            environment: EnvironmentDocument::of(environment),
            project_api_token_count: count_tokens(&world, name, Some(id)),
            project_enabled_toggle_count: count_enabled(&world, name, Some(id)),
            visible: project.is_some_and(|project| project.environments.contains_key(name)),
        }
    };
    let items: Vec<EnvironmentOfProject<'_>> = environments::in_order(&world.snapshot)
        .into_iter()
        .map(item)
        .collect();
    Ok(HttpResponse::Ok().json(json!({ "version": 1, "environments": items })))
}

async fn read(_who: May<Read>, app: Data<App>, name: Path<String>) -> Result<HttpResponse, ApiError> {
    let world = app.world();
    let environment = environments::find(&world.snapshot, &name)?;
    Ok(HttpResponse::Ok().json(EnvironmentDocument::of(environment)))
}

async fn create(who: May<RunInstance>, app: Data<App>, body: JsonBody) -> Result<HttpResponse, ApiError> {
    let (name, form) = EnvironmentForm::read_new(&body.value).map_err(ApiError::invalid)?;
    let environment = app
        .edit(&who.actor, move |draft| environments::create(draft, &name, &form))
        .await?;
    Ok(HttpResponse::Created().json(EnvironmentDocument::of(&environment)))
}

async fn replace(
    who: May<RunInstance>,
    app: Data<App>,
    name: Path<String>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let form = EnvironmentForm::read(&body.value).map_err(ApiError::invalid)?;
    let environment = app
        .edit(&who.actor, move |draft| environments::edit(draft, &name, &form))
        .await?;
    Ok(HttpResponse::Ok().json(EnvironmentDocument::of(&environment)))
}

async fn remove(who: May<RunInstance>, app: Data<App>, name: Path<String>) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |draft| environments::remove(draft, &name))
        .await?;
    Ok(done())
}

async fn on(who: May<RunInstance>, app: Data<App>, name: Path<String>) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |draft| {
        environments::set_enabled(draft, &name, true)
    })
    .await?;
    Ok(HttpResponse::NoContent().finish())
}

async fn off(who: May<RunInstance>, app: Data<App>, name: Path<String>) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |draft| {
        environments::set_enabled(draft, &name, false)
    })
    .await?;
    Ok(HttpResponse::NoContent().finish())
}

async fn reorder(who: May<RunInstance>, app: Data<App>, body: JsonBody) -> Result<HttpResponse, ApiError> {
    let places = read_places(&body.value).map_err(ApiError::invalid)?;
    app.edit(&who.actor, move |draft| environments::reorder(draft, &places))
        .await?;
    Ok(done())
}
