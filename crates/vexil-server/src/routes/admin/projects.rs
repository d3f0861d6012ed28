//! Projects.

use actix_web::HttpResponse;
use actix_web::web::{Data, Path};
use serde_json::json;
use vexil_admin_api::project::{
    EnvironmentAddition, ProjectCreated, ProjectForm, ProjectListItem, ProjectOverview, read_default_strategy,
};
use vexil_domain::{EnvironmentName, Project, Snapshot};

use super::{done, environments_of};
use crate::app::App;
use crate::auth::Authorized;
use crate::body::JsonBody;
use crate::operations::Error;
use crate::operations::projects;
use crate::permission::{CreateProject, DeleteProject, Read, UpdateProject};
use crate::routes::ApiError;
use crate::routes::Route;

pub(super) fn routes() -> Vec<Route> {
    const ONE: &str = "/api/admin/projects/{project}";
    vec![
        Route::get("/api/admin/projects", list),
        Route::post("/api/admin/projects", create),
        Route::get(ONE, overview),
        Route::put(ONE, replace),
        Route::delete(ONE, remove),
        Route::get("/api/admin/projects/{project}/overview", overview),
        Route::post("/api/admin/projects/{project}/environments", add_environment),
        Route::delete(
            "/api/admin/projects/{project}/environments/{environment}",
            remove_environment,
        ),
        Route::post(
            "/api/admin/projects/{project}/environments/{environment}/default-strategy",
            set_default_strategy,
        ),
    ]
}

async fn list(_who: Authorized<Read>, app: Data<App>) -> Result<HttpResponse, ApiError> {
    let snapshot = &app.serving().snapshot;
    let items: Vec<ProjectListItem<'_>> = snapshot
        .projects
        .values()
        .map(|project| item(snapshot, project))
        .collect();
    Ok(HttpResponse::Ok().json(json!({ "version": 1, "projects": items })))
}

fn item<'a>(snapshot: &Snapshot, project: &'a Project) -> ProjectListItem<'a> {
    ProjectListItem::of(project, &projects::count_flags(snapshot, &project.id))
}

async fn create(
    who: Authorized<CreateProject>,
    app: Data<App>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let (id, form) = ProjectForm::read_new(&body.value).map_err(Error::from)?;
    let project = app
        .edit(&who.actor, move |tx| projects::create(tx, &id, &form))
        .await?;
    Ok(HttpResponse::Created().json(ProjectCreated::of(&project)))
}

async fn overview(
    _who: Authorized<Read>,
    app: Data<App>,
    id: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let snapshot = &app.serving().snapshot;
    let project = projects::find(snapshot, &id)?;
    let environments: Vec<&EnvironmentName> = environments_of(snapshot, project)
        .into_iter()
        .map(|environment| &environment.name)
        .collect();
    let flags = projects::count_flags(snapshot, &project.id);
    Ok(HttpResponse::Ok().json(ProjectOverview::of(project, &environments, &flags)))
}

async fn replace(
    who: Authorized<UpdateProject>,
    app: Data<App>,
    id: Path<String>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let form = ProjectForm::read(&body.value).map_err(Error::from)?;
    app.edit(&who.actor, move |tx| projects::edit(tx, &id, &form))
        .await?;
    Ok(done())
}

async fn remove(
    who: Authorized<DeleteProject>,
    app: Data<App>,
    id: Path<String>,
) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |tx| projects::remove(tx, &id)).await?;
    Ok(done())
}

async fn add_environment(
    who: Authorized<UpdateProject>,
    app: Data<App>,
    id: Path<String>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let addition = EnvironmentAddition::read(&body.value).map_err(Error::from)?;
    app.edit(&who.actor, move |tx| {
        projects::add_environment(tx, &id, &addition)
    })
    .await?;
    Ok(done())
}

async fn remove_environment(
    who: Authorized<UpdateProject>,
    app: Data<App>,
    path: Path<(String, String)>,
) -> Result<HttpResponse, ApiError> {
    let (id, name) = path.into_inner();
    let name = EnvironmentName::from(name);
    app.edit(&who.actor, move |tx| projects::remove_environment(tx, &id, &name))
        .await?;
    Ok(done())
}

/// Sets the strategy that flags get when they are switched on without one.
async fn set_default_strategy(
    who: Authorized<UpdateProject>,
    app: Data<App>,
    path: Path<(String, String)>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let (id, name) = path.into_inner();
    let name = EnvironmentName::from(name);
    let new = read_default_strategy(&body.value).map_err(Error::from)?;
    app.edit(&who.actor, move |tx| {
        projects::set_default_strategy(tx, &id, &name, &new)
    })
    .await?;
    Ok(HttpResponse::Ok().json(body.value))
}
