//! Flags of a project.

use std::collections::BTreeMap;

use actix_web::HttpResponse;
use actix_web::web::{Data, Path, Query};
use serde::Deserialize;
use serde_json::json;
use time::OffsetDateTime;
use vexil_admin_api::flag::{CloneFlag, FlagEdit, NewFlag, read_free_name, read_stale};
use vexil_admin_api::flag_document::{FlagDetail, FlagSummary, RecentUsage};
use vexil_admin_api::flag_list::{FlagListItem, ListedUsage};
use vexil_admin_api::patch::{PatchError, apply_patch, read_patch};
use vexil_client_api::json::Node;
use vexil_domain::{EnvironmentName, FlagName, ProjectId};
use vexil_metrics::{Width, last_hour, last_hour_start};
use vexil_store::{FlagUsage, Reported, ReportedBy, Store, StoreError};

use super::{done, environments_of};
use crate::app::App;
use crate::auth::Authorized;
use crate::body::JsonBody;
use crate::operations::Error;
use crate::operations::direct::{WriteAccess, find_flag, find_live_flag};
use crate::operations::flags;
use crate::permission::{CreateFeature, DeleteFeature, Read, UpdateFeature};
use crate::routes::ApiError;
use crate::routes::Route;

pub(super) fn routes() -> Vec<Route> {
    const ONE: &str = "/api/admin/projects/{project}/features/{feature}";
    vec![
        Route::get("/api/admin/projects/{project}/features", list),
        Route::post("/api/admin/projects/{project}/features", create),
        Route::get(ONE, read),
        Route::put(ONE, replace),
        Route::patch(ONE, patch),
        Route::delete(ONE, archive),
        Route::post("/api/admin/projects/{project}/features/{feature}/clone", clone),
        Route::post("/api/admin/projects/{project}/stale", mark_stale),
        Route::post("/api/admin/features/validate", validate),
    ]
}

/// The live flags of a project. A project that is not there has none.
async fn list(
    _who: Authorized<Read>,
    app: Data<App>,
    project: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let Some(project) = serving.snapshot.projects.get(project.as_str()) else {
        return Ok(HttpResponse::Ok().json(json!({ "version": 2, "features": [] })));
    };
    let last_seen = last_seen(app.read(|store| store.reported_by(&Reported::Everything)).await?);
    let environments = environments_of(&serving.snapshot, project);
    let live = serving
        .snapshot
        .flags
        .values()
        .filter(|flag| flag.project == project.id && !flag.is_archived());
    let features: Vec<FlagListItem<'_>> = live
        .map(|flag| {
            let of_flag = last_seen.get(&flag.name);
            FlagListItem::of(flag, &environments, |environment| ListedUsage {
                last_seen: of_flag.and_then(|seen| seen.get(environment)).copied(),
                change_requests: None,
            })
        })
        .collect();
    Ok(HttpResponse::Ok().json(json!({ "version": 2, "features": features })))
}

/// When flags were last reported, by environment.
pub(super) type LastSeen = BTreeMap<FlagName, BTreeMap<EnvironmentName, OffsetDateTime>>;

pub(super) fn last_seen(reported: Vec<ReportedBy>) -> LastSeen {
    let mut by_flag = LastSeen::new();
    for by in reported {
        let last = by_flag
            .entry(by.flag)
            .or_default()
            .entry(by.environment)
            .or_insert(by.last);
        *last = by.last.max(*last);
    }
    by_flag
}

async fn create(
    who: Authorized<CreateFeature>,
    app: Data<App>,
    project: Path<String>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let project = ProjectId::from(project.into_inner());
    let new = NewFlag::read(&body.value).map_err(Error::from)?;
    let flag = app
        .edit(&who.actor, move |tx| flags::create(tx, &project, &new))
        .await?;
    Ok(HttpResponse::Created().json(FlagSummary::of(&flag)))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct DetailQuery {
    variant_environments: Option<String>,
}

/// A live flag with everything that belongs to it.
async fn read(
    _who: Authorized<Read>,
    app: Data<App>,
    path: Path<(String, String)>,
    query: Query<DetailQuery>,
) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let flag = find_live_flag(&serving.snapshot, &path.0, &path.1)?;
    let (name, now) = (flag.name.clone(), app.now());
    let usage = app.read(move |store| recent_usage(store, &name, now)).await?;
    let project = serving.snapshot.projects.get(&flag.project);
    let environments = project
        .map(|project| environments_of(&serving.snapshot, project))
        .unwrap_or_default();
    let with_variants = query.variant_environments.as_deref() == Some("true");
    let detail = FlagDetail::of(flag, &serving.snapshot, &environments, &usage, with_variants);
    Ok(HttpResponse::Ok().json(detail))
}

fn recent_usage(
    store: &dyn Store,
    flag: &FlagName,
    now: OffsetDateTime,
) -> Result<BTreeMap<EnvironmentName, RecentUsage>, StoreError> {
    let mut recent = BTreeMap::<EnvironmentName, RecentUsage>::new();
    for by in store.reported_by(&Reported::Flag(flag.clone()))? {
        let last_seen = &mut recent.entry(by.environment).or_default().last_seen;
        *last_seen = (*last_seen).max(Some(by.last));
    }
    let wanted = FlagUsage {
        flag: flag.clone(),
        width: Width::Minute,
        since: last_hour_start(now),
    };
    for usage in last_hour(now, &store.usage(&wanted)?) {
        let entry = recent.entry(usage.environment).or_default();
        (entry.yes, entry.no) = (usage.counts.yes.get(), usage.counts.no.get());
    }
    Ok(recent)
}

async fn replace(
    who: Authorized<UpdateFeature>,
    app: Data<App>,
    path: Path<(String, String)>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let (project, name) = path.into_inner();
    let (project, name) = (ProjectId::from(project), FlagName::from(name));
    let editor = WriteAccess::from(&who);
    let edit = FlagEdit::read(&Node::body(&body.value)).map_err(Error::from)?;
    let flag = app
        .edit(&who.actor, move |tx| {
            flags::edit(tx, editor, &project, &name, &edit)
        })
        .await?;
    Ok(HttpResponse::Ok().json(FlagSummary::of(&flag)))
}

/// Edits a flag by a JSON Patch of what it says of itself.
async fn patch(
    who: Authorized<UpdateFeature>,
    app: Data<App>,
    path: Path<(String, String)>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let (project, name) = path.into_inner();
    let (project, name) = (ProjectId::from(project), FlagName::from(name));
    let editor = WriteAccess::from(&who);
    let patch = read_patch(&body.value).map_err(Error::from)?;
    let edited = app.edit(&who.actor, move |tx| {
        let flag = find_flag(&tx.snapshot, project.as_str(), name.as_str())?;
        let document = to_document(&FlagSummary::of(flag))?;
        let document = apply_patch(&document, &patch).map_err(unpatched)?;
        let edit = FlagEdit::read(&Node::root(&document, "")).map_err(Error::from)?;
        flags::edit(tx, editor, &project, &name, &edit)
    });
    Ok(HttpResponse::Ok().json(FlagSummary::of(&edited.await?)))
}

/// A document as JSON, to be patched.
pub(super) fn to_document(value: &impl serde::Serialize) -> Result<serde_json::Value, Error> {
    serde_json::to_value(value).map_err(Error::internal)
}

/// The answer to a patch that does not fit.
pub(super) fn unpatched(error: PatchError) -> Error {
    match error {
        PatchError::Unfit(problem) => Error::from(vec![problem]),
        PatchError::TestFailed { .. } => Error::Conflict(format!("The patch was not applied: {error}.")),
        _ => Error::invalid(format!("The patch was not applied: {error}.")),
    }
}

async fn archive(
    who: Authorized<DeleteFeature>,
    app: Data<App>,
    path: Path<(String, String)>,
) -> Result<HttpResponse, ApiError> {
    let (project, name) = path.into_inner();
    let (project, name) = (ProjectId::from(project), FlagName::from(name));
    let editor = WriteAccess::from(&who);
    app.edit(&who.actor, move |tx| flags::archive(tx, editor, &project, &name))
        .await?;
    Ok(HttpResponse::Accepted().finish())
}

async fn clone(
    who: Authorized<CreateFeature>,
    app: Data<App>,
    path: Path<(String, String)>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let (project, name) = path.into_inner();
    let (project, name) = (ProjectId::from(project), FlagName::from(name));
    let like = CloneFlag::read(&body.value).map_err(Error::from)?;
    let flag = app
        .edit(&who.actor, move |tx| flags::clone(tx, &project, &name, &like))
        .await?;
    Ok(HttpResponse::Created().json(FlagSummary::of(&flag)))
}

async fn mark_stale(
    who: Authorized<UpdateFeature>,
    app: Data<App>,
    project: Path<String>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let project = ProjectId::from(project.into_inner());
    let (names, stale) = read_stale(&body.value).map_err(Error::from)?;
    app.edit(&who.actor, move |tx| {
        flags::mark_stale(tx, &project, &names, stale)
    })
    .await?;
    Ok(HttpResponse::Accepted().finish())
}

/// Whether a flag could be created under a name.
async fn validate(_who: Authorized<Read>, app: Data<App>, body: JsonBody) -> Result<HttpResponse, ApiError> {
    let name = read_free_name(&body.value).map_err(Error::from)?;
    flags::check_free(&app.serving().snapshot, name.as_str())?;
    Ok(done())
}
