//! Projects.

use actix_web::HttpResponse;
use actix_web::web::Data;
use serde_json::json;
use vexil_admin_api::project::{EnvironmentAddition, ProjectForm};
use vexil_admin_api::project_document::{ProjectCreated, ProjectListItem, ProjectOverview};
use vexil_admin_api::project_settings::SettingsForm;
use vexil_domain::{EnvironmentName, Project};

use super::{done, environments_of};
use crate::app::App;
use crate::operations::{project_access, project_settings, projects};
use crate::principal::Principal;
use crate::routes::ApiError;
use crate::routes::auth::Caller;
use crate::routes::bodies::{self, Body, DefaultStrategy, Named};
use crate::routes::body::JsonBody;
use crate::routes::paths::{ProjectEnvironmentPath, ProjectPath};
use crate::serving_state::ServingState;

pub(crate) async fn list(app: Data<App>) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let items: Vec<ProjectListItem<'_>> = serving
        .snapshot
        .projects
        .values()
        .map(|project| item(&serving, project))
        .collect();
    Ok(HttpResponse::Ok().json(json!({ "version": 1, "projects": items })))
}

fn item<'a>(serving: &ServingState, project: &'a Project) -> ProjectListItem<'a> {
    let flags = projects::count_flags(&serving.snapshot, &project.id);
    let mode = serving.access.directory.mode(&project.id).name();
    ProjectListItem::of(
        project,
        &flags,
        mode,
        project_settings::count_members(serving, &project.id),
    )
}

pub(crate) async fn create(
    who: Caller,
    app: Data<App>,
    Body(Named(id, form)): Body<Named<Option<String>, ProjectForm>>,
) -> Result<HttpResponse, ApiError> {
    let giver = Principal::clone(&who);
    let project = app
        .edit(&who.actor, move |tx| {
            let project = projects::create(tx, id.as_deref(), &form)?;
            project_access::own(tx, &giver, &project.id);
            Ok(project)
        })
        .await?;
    Ok(HttpResponse::Created().json(ProjectCreated::of(&project)))
}

pub(crate) async fn overview(
    app: Data<App>,
    ProjectPath { project: id }: ProjectPath,
) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let snapshot = &serving.snapshot;
    let project = projects::find(snapshot, id.as_str())?;
    let environments: Vec<&EnvironmentName> = environments_of(snapshot, project)
        .into_iter()
        .map(|environment| &environment.name)
        .collect();
    let flags = projects::count_flags(snapshot, &project.id);
    let settings = serving.access.project(&project.id);
    let members = project_settings::count_members(&serving, &project.id);
    let settings = project_settings::shown(&settings, members);
    Ok(HttpResponse::Ok().json(ProjectOverview::of(project, &environments, &flags, &settings)))
}

/// Sets what there is to set beside the flags.
pub(crate) async fn set(
    who: Caller,
    app: Data<App>,
    ProjectPath { project: id }: ProjectPath,
    Body(form): Body<SettingsForm>,
) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |tx| project_settings::edit(tx, &id, &form))
        .await?;
    Ok(done())
}

pub(crate) async fn replace(
    who: Caller,
    app: Data<App>,
    ProjectPath { project: id }: ProjectPath,
    Body(form): Body<ProjectForm>,
) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |tx| projects::edit(tx, id.as_str(), &form))
        .await?;
    Ok(done())
}

pub(crate) async fn remove(
    who: Caller,
    app: Data<App>,
    ProjectPath { project: id }: ProjectPath,
) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |tx| projects::remove(tx, id.as_str()))
        .await?;
    Ok(done())
}

pub(crate) async fn add_environment(
    who: Caller,
    app: Data<App>,
    ProjectPath { project: id }: ProjectPath,
    Body(addition): Body<EnvironmentAddition>,
) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |tx| {
        projects::add_environment(tx, id.as_str(), &addition)
    })
    .await?;
    Ok(done())
}

pub(crate) async fn remove_environment(
    who: Caller,
    app: Data<App>,
    path: ProjectEnvironmentPath,
) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |tx| {
        projects::remove_environment(tx, path.project.as_str(), &path.environment)
    })
    .await?;
    Ok(done())
}

/// Sets the strategy that flags get when they are switched on without one.
pub(crate) async fn set_default_strategy(
    who: Caller,
    app: Data<App>,
    path: ProjectEnvironmentPath,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let DefaultStrategy(new) = bodies::read(&body)?;
    app.edit(&who.actor, move |tx| {
        projects::set_default_strategy(tx, path.project.as_str(), &path.environment, &new)
    })
    .await?;
    Ok(HttpResponse::Ok().json(body.value))
}
