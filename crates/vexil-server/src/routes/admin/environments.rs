//! Environments.

use actix_web::HttpResponse;
use actix_web::web::Data;
use serde_json::json;
use vexil_admin_api::environment::{
    EnvironmentDocument, EnvironmentForm, EnvironmentListItem, EnvironmentOfProject,
};
use vexil_domain::EnvironmentName;
use vexil_service::operations::{environments, projects};
use vexil_service::{App, ServingState};

use super::done;
use crate::routes::ApiError;
use crate::routes::auth::Caller;
use crate::routes::bodies::{Body, FreeEnvironmentName, Named};
use crate::routes::paths::{EnvironmentPath, ProjectPath};
use std::collections::BTreeMap;
use vexil_domain::ProjectId;

pub(crate) async fn list(app: Data<App>) -> Result<HttpResponse, ApiError> {
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
fn count_enabled(
    serving: &ServingState,
    environment: &EnvironmentName,
    project: Option<&ProjectId>,
) -> usize {
    let on = serving.snapshot.flags.values().filter(|flag| {
        !flag.is_archived()
            && project.is_none_or(|project| flag.project == *project)
            && flag
                .environments
                .get(environment)
                .is_some_and(|settings| settings.enabled)
    });
    on.count()
}

/// How many tokens are for an environment, and for a project where one is named.
fn count_tokens(serving: &ServingState, environment: &EnvironmentName, project: Option<&ProjectId>) -> usize {
    let fitting = serving.tokens.values().filter(|token| {
        let for_project = |project: &ProjectId| token.projects.is_empty() || token.projects.contains(project);
        token.environment.as_ref() == Some(environment) && project.is_none_or(for_project)
    });
    fitting.count()
}

/// All environments, as a project sees them.
pub(crate) async fn of_project(
    app: Data<App>,
    ProjectPath { project: id }: ProjectPath,
) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let project = projects::find(&serving.snapshot, id.as_str())?;
    let item = |environment| {
        let name = environment_name(environment);
        EnvironmentOfProject {
            environment: EnvironmentDocument::of(environment),
            project_api_token_count: count_tokens(&serving, name, Some(&id)),
            project_enabled_toggle_count: count_enabled(&serving, name, Some(&id)),
            default_strategy: project
                .environments
                .get(name)
                .and_then(|own| own.default_strategy.as_ref()),
            visible: project.environments.contains_key(name),
        }
    };
    let items: Vec<EnvironmentOfProject<'_>> = environments::in_order(&serving.snapshot)
        .into_iter()
        .map(item)
        .collect();
    Ok(HttpResponse::Ok().json(json!({ "version": 1, "environments": items })))
}

pub(crate) async fn read(
    app: Data<App>,
    EnvironmentPath { environment: name }: EnvironmentPath,
) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let environment = environments::find(&serving.snapshot, name.as_str())?;
    Ok(HttpResponse::Ok().json(EnvironmentDocument::of(environment)))
}

/// Whether an environment could be created under a name.
pub(crate) async fn validate(
    app: Data<App>,
    Body(FreeEnvironmentName(name)): Body<FreeEnvironmentName>,
) -> Result<HttpResponse, ApiError> {
    environments::check_free(&app.serving().snapshot, &name)?;
    Ok(done())
}

pub(crate) async fn create(
    who: Caller,
    app: Data<App>,
    Body(Named(name, form)): Body<Named<EnvironmentName, EnvironmentForm>>,
) -> Result<HttpResponse, ApiError> {
    let environment = app
        .edit(&who.actor, move |tx| environments::create(tx, &name, &form))
        .await?;
    Ok(HttpResponse::Created().json(EnvironmentDocument::of(&environment)))
}

pub(crate) async fn replace(
    who: Caller,
    app: Data<App>,
    EnvironmentPath { environment: name }: EnvironmentPath,
    Body(form): Body<EnvironmentForm>,
) -> Result<HttpResponse, ApiError> {
    let environment = app
        .edit(&who.actor, move |tx| environments::edit(tx, name.as_str(), &form))
        .await?;
    Ok(HttpResponse::Ok().json(EnvironmentDocument::of(&environment)))
}

pub(crate) async fn remove(
    who: Caller,
    app: Data<App>,
    EnvironmentPath { environment: name }: EnvironmentPath,
) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |tx| environments::remove(tx, name.as_str()))
        .await?;
    Ok(done())
}

pub(crate) async fn on(
    who: Caller,
    app: Data<App>,
    EnvironmentPath { environment: name }: EnvironmentPath,
) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |tx| {
        environments::set_enabled(tx, name.as_str(), true)
    })
    .await?;
    Ok(HttpResponse::NoContent().finish())
}

pub(crate) async fn off(
    who: Caller,
    app: Data<App>,
    EnvironmentPath { environment: name }: EnvironmentPath,
) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |tx| {
        environments::set_enabled(tx, name.as_str(), false)
    })
    .await?;
    Ok(HttpResponse::NoContent().finish())
}

pub(crate) async fn reorder(
    who: Caller,
    app: Data<App>,
    Body(places): Body<BTreeMap<EnvironmentName, i32>>,
) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |tx| environments::reorder(tx, &places))
        .await?;
    Ok(done())
}
