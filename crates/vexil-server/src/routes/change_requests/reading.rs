//! Reading change requests.

use actix_web::HttpResponse;
use actix_web::web::{Data, Query};
use vexil_admin_api::change_requests::{ChangeRequestDocument, ScheduledQuery, SearchQuery};
use vexil_change_request::State;
use vexil_domain::{Actor, ProjectId};
use vexil_service::App;
use vexil_service::operations::Error;
use vexil_service::operations::change_requests::reading::{self, Requests};
use vexil_service::operations::change_requests::{Identity, find_project, may, no_request};
use vexil_service::operations::paths::FlagPath;

use crate::routes::ApiError;
use crate::routes::auth::Caller;
use crate::routes::paths::{Named, ProjectPath, RequestPath};

/// The pairs of a query, in order.
type Pairs = Query<Vec<(String, String)>>;

/// The project of a path, which must be there.
fn project_of(app: &App, project: ProjectId) -> Result<ProjectId, Error> {
    find_project(&app.serving().snapshot, &project)?;
    Ok(project)
}

pub(crate) async fn list(
    app: Data<App>,
    ProjectPath { project }: ProjectPath,
) -> Result<HttpResponse, ApiError> {
    let filter = reading::newest(&project_of(&app, project)?);
    let page = app.read(move |store| store.change_requests(&filter)).await?;
    let serving = app.serving();
    let items = app
        .compute(move || reading::listed(&serving.snapshot, &page.items))
        .await??;
    Ok(HttpResponse::Ok().json(items))
}

pub(crate) async fn count(
    app: Data<App>,
    ProjectPath { project }: ProjectPath,
) -> Result<HttpResponse, ApiError> {
    let project = project_of(&app, project)?;
    let counts = app.read(move |store| reading::count(store, &project)).await?;
    Ok(HttpResponse::Ok().json(counts))
}

pub(crate) async fn pending(
    who: Caller,
    app: Data<App>,
    ProjectPath { project }: ProjectPath,
) -> Result<HttpResponse, ApiError> {
    let project = project_of(&app, project)?;
    let filter = reading::pending_of(&project, who.actor.id);
    let requests = app.read(move |store| Requests::read(store, &filter)).await?;
    items(&app, requests).await
}

pub(crate) async fn pending_for(
    app: Data<App>,
    Named(FlagPath { project, flag }): Named<FlagPath>,
) -> Result<HttpResponse, ApiError> {
    let filter = reading::pending_for(&project_of(&app, project)?, &flag);
    let requests = app.read(move |store| Requests::read(store, &filter)).await?;
    items(&app, requests).await
}

/// The requests as items of a list, worked out where that may take long.
async fn items(app: &App, requests: Requests) -> Result<HttpResponse, ApiError> {
    let (serving, now) = (app.serving(), app.now());
    let items = app
        .compute(move || requests.items(&serving.snapshot, now))
        .await??;
    Ok(HttpResponse::Ok().json(items))
}

pub(crate) async fn actionable(
    who: Caller,
    app: Data<App>,
    ProjectPath { project }: ProjectPath,
) -> Result<HttpResponse, ApiError> {
    let filter = reading::open(&project_of(&app, project)?);
    let page = app.read(move |store| store.change_requests(&filter)).await?;
    Ok(HttpResponse::Ok().json(reading::actionable(&page.items, &Identity::from(&*who))))
}

pub(crate) async fn scheduled(
    app: Data<App>,
    ProjectPath { project }: ProjectPath,
    query: Pairs,
) -> Result<HttpResponse, ApiError> {
    let query = ScheduledQuery::read(&query);
    let filter = reading::in_state(&project_of(&app, project)?, State::Scheduled);
    let page = app.read(move |store| store.change_requests(&filter)).await?;
    Ok(HttpResponse::Ok().json(reading::scheduled(&page.items, &query)))
}

pub(crate) async fn one(who: Caller, app: Data<App>, path: RequestPath) -> Result<HttpResponse, ApiError> {
    one_for(&who.actor, &app, path).await
}

/// One, with what somebody may do with it.
pub(in crate::routes) async fn one_for(
    actor: &Actor,
    app: &App,
    RequestPath { project, id }: RequestPath,
) -> Result<HttpResponse, ApiError> {
    let wanted = project.clone();
    let requests = app
        .read(move |store| Requests::read_one(store, &wanted, id))
        .await?;
    let missing = || no_request(id, &project);
    let request = requests.asked.first().cloned().ok_or_else(missing)?;
    let document = whole(app, requests).await?.ok_or_else(missing)?;
    let (serving, now, actor) = (app.serving(), app.now(), actor.clone());
    let mut may = app
        .compute(move || may::shown(&serving, &actor, &request, now))
        .await?;
    let mut shown = serde_json::to_value(document).map_err(Error::internal)?;
    if let Some(object) = shown.as_object_mut() {
        object.append(&mut may);
    }
    Ok(HttpResponse::Ok().json(shown))
}

pub(crate) async fn search(app: Data<App>, query: Pairs) -> Result<HttpResponse, ApiError> {
    let filter = reading::searched(&SearchQuery::read(&query).map_err(Error::from)?);
    let page = app.read(move |store| store.change_requests(&filter)).await?;
    Ok(HttpResponse::Ok().json(reading::found(&app.serving().snapshot, &page)))
}

/// The request that was asked for, with everything that stands against its changes, worked out where that
/// may take long.
pub(super) async fn whole(app: &App, requests: Requests) -> Result<Option<ChangeRequestDocument>, ApiError> {
    let (serving, now) = (app.serving(), app.now());
    let work = move || {
        let request = requests.asked.first()?;
        Some(reading::whole(&serving, request, &requests, now))
    };
    Ok(app.compute(work).await?.transpose()?)
}
