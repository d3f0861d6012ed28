//! Dependencies of flags on other flags.

use std::collections::BTreeSet;

use actix_web::HttpResponse;
use actix_web::web::{Data, Path};
use vexil_admin_api::dependency::read_dependency;
use vexil_admin_api::flag_document::children;
use vexil_change_request::Change;
use vexil_domain::{FlagName, ProjectId};

use super::done;
use crate::app::App;
use crate::auth::Authorized;
use crate::body::JsonBody;
use crate::operations::Error;
use crate::operations::direct::{EditScope, WriteAccess, find_live_flag};
use crate::permission::{Read, UpdateFeatureDependency};
use crate::routes::ApiError;
use crate::routes::Route;
use crate::transaction::Transaction;

pub(super) fn routes() -> Vec<Route> {
    const ALL: &str = "/api/admin/projects/{project}/features/{feature}/dependencies";
    vec![
        Route::post(ALL, add),
        Route::delete(ALL, remove_all),
        Route::delete(
            "/api/admin/projects/{project}/features/{feature}/dependencies/{parent}",
            remove,
        ),
        Route::get(
            "/api/admin/projects/{project}/features/{feature}/parents",
            candidates,
        ),
        Route::get(
            "/api/admin/projects/{project}/features/{feature}/parent-variants",
            variants,
        ),
        Route::get("/api/admin/projects/{project}/dependencies", exist),
    ]
}

async fn add(
    who: Authorized<UpdateFeatureDependency>,
    app: Data<App>,
    path: Path<(String, String)>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let dependency = read_dependency(&body.value).map_err(Error::from)?;
    edit(&who, &app, path.into_inner(), move |tx| {
        let parent = tx.snapshot.flags.get(&dependency.parent);
        if parent.is_none_or(|parent| parent.is_archived()) {
            let message = format!("No active feature {} exists", dependency.parent);
            return Err(Error::InvalidOperation(message));
        }
        Ok(Change::AddDependency(dependency.clone()))
    })
    .await
}

async fn remove_all(
    who: Authorized<UpdateFeatureDependency>,
    app: Data<App>,
    path: Path<(String, String)>,
) -> Result<HttpResponse, ApiError> {
    edit(&who, &app, path.into_inner(), |_| {
        Ok(Change::DeleteDependency { parent: None })
    })
    .await
}

async fn remove(
    who: Authorized<UpdateFeatureDependency>,
    app: Data<App>,
    path: Path<(String, String, String)>,
) -> Result<HttpResponse, ApiError> {
    let (project, child, parent) = path.into_inner();
    let parent = FlagName::from(parent);
    let change = move |_: &Transaction<'_>| {
        Ok(Change::DeleteDependency {
            parent: Some(parent.clone()),
        })
    };
    edit(&who, &app, (project, child), change).await
}

async fn edit<D>(
    who: &Authorized<D>,
    app: &App,
    (project, child): (String, String),
    change: impl Fn(&Transaction<'_>) -> Result<Change, Error> + Send + 'static,
) -> Result<HttpResponse, ApiError> {
    let (project, child) = (ProjectId::from(project), FlagName::from(child));
    let editor = WriteAccess::from(who);
    let edited = app.edit(&who.actor, move |tx| {
        find_live_flag(&tx.snapshot, project.as_str(), child.as_str())?;
        let change = change(tx)?;
        editor.change_flag(tx, &EditScope::everywhere(&project), &child, change)
    });
    edited.await?;
    Ok(done())
}

/// The flags that a flag could depend on: those of its project that depend on none themselves.
async fn candidates(
    _who: Authorized<Read>,
    app: Data<App>,
    path: Path<(String, String)>,
) -> Result<HttpResponse, ApiError> {
    let (project, child) = path.into_inner();
    let serving = app.serving();
    let is_flag = serving.snapshot.flags.contains_key(child.as_str());
    let is_parent = children(&serving.snapshot, &FlagName::from(child.as_str()))
        .next()
        .is_some();
    if !is_flag || is_parent {
        return Ok(HttpResponse::Ok().json([(); 0]));
    }
    let candidates = serving.snapshot.flags.values().filter(|flag| {
        let other = flag.name.as_str() != child && flag.project.as_str() == project;
        other && !flag.is_archived() && flag.dependencies.is_empty()
    });
    let names: Vec<&str> = candidates.map(|flag| flag.name.as_str()).collect();
    Ok(HttpResponse::Ok().json(names))
}

/// The names of all variants that a flag can have, in any environment.
async fn variants(
    _who: Authorized<Read>,
    app: Data<App>,
    path: Path<(String, String)>,
) -> Result<HttpResponse, ApiError> {
    let (project, name) = path.into_inner();
    let serving = app.serving();
    let flag = serving
        .snapshot
        .flags
        .get(name.as_str())
        .filter(|flag| flag.project.as_str() == project);
    let settings = flag.into_iter().flat_map(|flag| flag.environments.values());
    let variants = settings.flat_map(|settings| {
        settings
            .strategies
            .iter()
            .flat_map(|strategy| &strategy.variants)
            .chain(&settings.variants)
    });
    let names: BTreeSet<&str> = variants.map(|variant| variant.name.as_str()).collect();
    Ok(HttpResponse::Ok().json(names))
}

/// Whether any live flag of a project depends on another.
async fn exist(
    _who: Authorized<Read>,
    app: Data<App>,
    project: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let exist = serving.snapshot.flags.values().any(|flag| {
        flag.project.as_str() == project.as_str() && !flag.is_archived() && !flag.dependencies.is_empty()
    });
    Ok(HttpResponse::Ok().json(exist))
}
