//! Archived flags: listed, revived, deleted.

use actix_web::HttpResponse;
use actix_web::web::{Data, Path};
use serde_json::json;
use vexil_admin_api::flag::read_flag_names;
use vexil_admin_api::flag_document::{FlagSummary, children};
use vexil_domain::{FlagName, ProjectId};

use super::done;
use crate::app::App;
use crate::auth::Authorized;
use crate::body::JsonBody;
use crate::operations::Error;
use crate::operations::direct::WriteAccess;
use crate::operations::flags;
use crate::permission::{DeleteFeature, Read, UpdateFeature};
use crate::routes::ApiError;
use crate::routes::Route;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get("/api/admin/archive/features", list),
        Route::get("/api/admin/archive/features/{project}", list_of_project),
        Route::post("/api/admin/archive/revive/{feature}", revive),
        Route::delete("/api/admin/archive/{feature}", delete),
        Route::post("/api/admin/projects/{project}/archive", archive_all),
        Route::post("/api/admin/projects/{project}/archive/validate", validate),
        Route::post("/api/admin/projects/{project}/revive", revive_all),
        Route::post("/api/admin/projects/{project}/delete", delete_all),
    ]
}

async fn list(_who: Authorized<Read>, app: Data<App>) -> Result<HttpResponse, ApiError> {
    Ok(archived(&app, None))
}

async fn list_of_project(
    _who: Authorized<Read>,
    app: Data<App>,
    project: Path<String>,
) -> Result<HttpResponse, ApiError> {
    Ok(archived(&app, Some(&project)))
}

fn archived(app: &App, project: Option<&str>) -> HttpResponse {
    let serving = app.serving();
    let wanted =
        serving.snapshot.flags.values().filter(|flag| {
            flag.is_archived() && project.is_none_or(|project| flag.project.as_str() == project)
        });
    let features: Vec<FlagSummary<'_>> = wanted.map(|flag| FlagSummary::of(flag)).collect();
    HttpResponse::Ok().json(json!({ "version": 2, "features": features }))
}

async fn revive(
    who: Authorized<UpdateFeature>,
    app: Data<App>,
    name: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let name = FlagName::from(name.into_inner());
    let edited = app.edit(&who.actor, move |tx| {
        if !tx.snapshot.flags.contains_key(&name) {
            return Err(Error::NotFound(format!("There's no feature named \"{name}\".")));
        }
        flags::revive(tx, std::slice::from_ref(&name))
    });
    edited.await?;
    Ok(done())
}

async fn delete(
    who: Authorized<DeleteFeature>,
    app: Data<App>,
    name: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let name = FlagName::from(name.into_inner());
    app.edit(&who.actor, move |tx| {
        flags::delete(tx, std::slice::from_ref(&name))
    })
    .await?;
    Ok(done())
}

async fn archive_all(
    who: Authorized<DeleteFeature>,
    app: Data<App>,
    project: Path<String>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let project = ProjectId::from(project.into_inner());
    let names = read_flag_names(&body.value).map_err(Error::from)?;
    let editor = WriteAccess::from(&who);
    app.edit(&who.actor, move |tx| {
        flags::archive_all(tx, editor, &project, &names)
    })
    .await?;
    Ok(HttpResponse::Accepted().finish())
}

/// Which of the flags have children that would stay, and whether any depends on a flag that is gone.
async fn validate(
    _who: Authorized<DeleteFeature>,
    app: Data<App>,
    _project: Path<String>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let names = read_flag_names(&body.value).map_err(Error::from)?;
    let snapshot = &app.serving().snapshot;
    let has_child = |name: &&FlagName| children(snapshot, name).any(|child| !names.contains(&child.name));
    let parents: Vec<&str> = names.iter().filter(has_child).map(FlagName::as_str).collect();
    let deleted = names
        .iter()
        .filter_map(|name| snapshot.flags.get(name))
        .any(|flag| {
            flag.dependencies
                .iter()
                .any(|dependency| !snapshot.flags.contains_key(&dependency.parent))
        });
    let answer = json!({ "parentsWithChildFeatures": parents, "hasDeletedDependencies": deleted });
    Ok(HttpResponse::Ok().json(answer))
}

async fn revive_all(
    who: Authorized<UpdateFeature>,
    app: Data<App>,
    project: Path<String>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let project = ProjectId::from(project.into_inner());
    let names = read_flag_names(&body.value).map_err(Error::from)?;
    app.edit(&who.actor, move |tx| flags::revive_all(tx, &project, &names))
        .await?;
    Ok(done())
}

async fn delete_all(
    who: Authorized<DeleteFeature>,
    app: Data<App>,
    project: Path<String>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let project = ProjectId::from(project.into_inner());
    let names = read_flag_names(&body.value).map_err(Error::from)?;
    app.edit(&who.actor, move |tx| flags::delete_all(tx, &project, &names))
        .await?;
    Ok(done())
}
