//! Projects.

use std::sync::Arc;

use actix_web::HttpResponse;
use actix_web::web::Data;
use serde_json::{Value, json};
use vexil_admin_api::project::{EnvironmentAddition, ProjectForm};
use vexil_admin_api::project_document::{
    ListedProject, ProjectCreated, ProjectListItem, ProjectOverview, ShownSettings,
};
use vexil_admin_api::project_settings::SettingsForm;
use vexil_domain::{EnvironmentName, Project};
use vexil_service::operations::project_figures::{self, Told};
use vexil_service::operations::{project_access, project_settings, projects};
use vexil_service::{App, Principal, ServingState};

use super::{done, environments_of, flags};
use crate::routes::ApiError;
use crate::routes::auth::Caller;
use crate::routes::bodies::{self, Body, DefaultStrategy, Named};
use crate::routes::body::JsonBody;
use crate::routes::paths::{ProjectEnvironmentPath, ProjectPath};

pub(crate) async fn list(who: Caller, app: Data<App>) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let item = |project: &Arc<Project>| {
        let flags = projects::count_flags(&serving.snapshot, &project.id);
        let told = ListedProject {
            mode: serving.access.directory.mode(&project.id).name(),
            members: project_settings::count_members(&serving, &project.id),
            favorite: who.favors_project(&project.id),
        };
        json!(ProjectListItem::of(project, &flags, &told))
    };
    let items: Vec<Value> = serving.snapshot.projects.values().map(item).collect();
    Ok(HttpResponse::Ok().json(json!({ "version": 1, "projects": items })))
}

pub(crate) async fn create(
    who: Caller,
    app: Data<App>,
    Body(Named(id, form)): Body<Named<Option<String>, ProjectForm>>,
) -> Result<HttpResponse, ApiError> {
    let giver = Principal::clone(&who);
    let (project, mode) = app
        .edit(&who.actor, move |tx| {
            let id = projects::create(tx, id.as_deref(), &form)?.id;
            project_settings::edit(tx, &id, &form.settings)?;
            project_access::own(tx, &giver, &id);
            let mode = tx.access().project(&id).mode.name();
            Ok((projects::find(&tx.snapshot, id.as_str())?.clone(), mode))
        })
        .await?;
    Ok(HttpResponse::Created().json(ProjectCreated::of(&project).with_mode(mode)))
}

pub(crate) async fn overview(
    who: Caller,
    app: Data<App>,
    ProjectPath { project: id }: ProjectPath,
) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let project = projects::find(&serving.snapshot, id.as_str())?;
    // the project is told without what the database does not say just now
    let told = project_figures::told(&app, &serving.snapshot, project).await.ok();
    Ok(HttpResponse::Ok().json(overview_of(&who, &serving, project, told.as_ref())))
}

fn overview_of(who: &Principal, serving: &ServingState, project: &Project, told: Option<&Told>) -> Value {
    let snapshot = &serving.snapshot;
    let environments: Vec<&EnvironmentName> = environments_of(snapshot, project)
        .into_iter()
        .map(|environment| &environment.name)
        .collect();
    let flags = projects::count_flags(snapshot, &project.id);
    let settings = serving.access.project(&project.id);
    let members = project_settings::count_members(serving, &project.id);
    let settings = ShownSettings {
        stats: told.map(|told| project_figures::stats(snapshot, &project.id, told)),
        favorite: who.favors_project(&project.id).unwrap_or_default(),
        updated_at: told.and_then(|told| told.latest),
        ..project_settings::shown(&settings, members)
    };
    json!(ProjectOverview::of(project, &environments, &flags, &settings))
}

/// The project with its flags, and how many of them have outlived their purpose.
pub(crate) async fn health_report(
    who: Caller,
    app: Data<App>,
    ProjectPath { project: id }: ProjectPath,
) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let project = projects::find(&serving.snapshot, id.as_str())?;
    let told = project_figures::told(&app, &serving.snapshot, project).await?;
    let mut report = overview_of(&who, &serving, project, Some(&told));
    let features = flags::listed(&who, &app, &serving, project, |_| true).await?;
    let counts = projects::count_flags(&serving.snapshot, &project.id).rated(0);
    if let Some(report) = report.as_object_mut() {
        for of_the_overview in ["onboardingStatus", "linkTemplates", "featureTypeCounts"] {
            report.remove(of_the_overview);
        }
        report.insert("features".to_owned(), features.into());
        report.insert("activeCount".to_owned(), counts.active_count.into());
        report.insert("staleCount".to_owned(), counts.stale_count.into());
        report.insert(
            "potentiallyStaleCount".to_owned(),
            counts.potentially_stale_count.into(),
        );
    }
    Ok(HttpResponse::Ok().json(report))
}

/// How long its flags took to production.
pub(crate) async fn lead_times(
    app: Data<App>,
    ProjectPath { project: id }: ProjectPath,
) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let project = projects::find(&serving.snapshot, id.as_str())?;
    let told = project_figures::told(&app, &serving.snapshot, project).await?;
    let shown = project_figures::lead_time(&serving.snapshot, &project.id, &told);
    Ok(HttpResponse::Ok().json(shown))
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
    app.edit(&who.actor, move |tx| {
        projects::edit(tx, id.as_str(), &form)?;
        project_settings::edit(tx, &id, &form.settings)
    })
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
