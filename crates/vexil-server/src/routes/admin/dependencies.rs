//! Dependencies of flags on other flags.

use actix_web::HttpResponse;
use actix_web::web::Data;
use vexil_domain::Dependency;
use vexil_service::App;
use vexil_service::operations::direct::find_flag;
use vexil_service::operations::paths::FlagPath;
use vexil_service::operations::{dependencies, projects};

use super::done;
use crate::routes::ApiError;
use crate::routes::auth::Caller;
use crate::routes::bodies::Body;
use crate::routes::paths::{Named, ParentPath, ProjectPath};

pub(crate) async fn add(
    who: Caller,
    app: Data<App>,
    Named(child): Named<FlagPath>,
    Body(dependency): Body<Dependency>,
) -> Result<HttpResponse, ApiError> {
    let edited = app.edit(&who.actor, move |tx| dependencies::add(tx, &child, &dependency));
    edited.await?;
    Ok(done())
}

pub(crate) async fn remove_all(
    who: Caller,
    app: Data<App>,
    Named(child): Named<FlagPath>,
) -> Result<HttpResponse, ApiError> {
    let edited = app.edit(&who.actor, move |tx| dependencies::remove(tx, &child, None));
    edited.await?;
    Ok(done())
}

pub(crate) async fn remove(
    who: Caller,
    app: Data<App>,
    ParentPath {
        project,
        flag,
        parent,
    }: ParentPath,
) -> Result<HttpResponse, ApiError> {
    let child = FlagPath { project, flag };
    let edited = app.edit(&who.actor, move |tx| {
        dependencies::remove(tx, &child, Some(&parent))
    });
    edited.await?;
    Ok(done())
}

/// The flags that a flag could depend on.
pub(crate) async fn candidates(
    app: Data<App>,
    Named(child): Named<FlagPath>,
) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    find_flag(&serving.snapshot, child.project.as_str(), child.flag.as_str())?;
    Ok(HttpResponse::Ok().json(dependencies::candidates(&serving.snapshot, &child)))
}

/// The names of all variants that a flag can have, in any environment.
pub(crate) async fn variants(app: Data<App>, Named(flag): Named<FlagPath>) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    find_flag(&serving.snapshot, flag.project.as_str(), flag.flag.as_str())?;
    Ok(HttpResponse::Ok().json(dependencies::variant_names(&serving.snapshot, &flag)))
}

/// Whether any live flag of a project depends on another.
pub(crate) async fn exist(
    app: Data<App>,
    ProjectPath { project }: ProjectPath,
) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    projects::find(&serving.snapshot, project.as_str())?;
    Ok(HttpResponse::Ok().json(dependencies::exist(&serving.snapshot, &project)))
}
