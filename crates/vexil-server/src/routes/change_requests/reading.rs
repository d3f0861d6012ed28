//! Reading change requests.

use actix_web::HttpResponse;
use actix_web::web::{Data, Path, Query};
use vexil_admin_api::change_requests::{ChangeRequestDocument, ScheduledQuery, SearchQuery};
use vexil_change_request::State;
use vexil_domain::{FlagName, ProjectId};

use super::request_of;
use crate::app::App;
use crate::auth::Authorized;
use crate::operations::Error;
use crate::operations::change_requests::reading::{self, Requests};
use crate::operations::change_requests::{Identity, find_project, no_request};
use crate::permission::Read;
use crate::routes::ApiError;
use crate::routes::Route;

/// The pairs of a query, in order.
type Pairs = Query<Vec<(String, String)>>;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get("/api/admin/projects/{project}/change-requests", list),
        Route::get("/api/admin/projects/{project}/change-requests/count", count),
        Route::get("/api/admin/projects/{project}/change-requests/pending", pending),
        Route::get(
            "/api/admin/projects/{project}/change-requests/pending/{feature}",
            pending_for,
        ),
        Route::get(
            "/api/admin/projects/{project}/change-requests/actionable",
            actionable,
        ),
        Route::get(
            "/api/admin/projects/{project}/change-requests/scheduled",
            scheduled,
        ),
        Route::get("/api/admin/projects/{project}/change-requests/{id}", one),
        Route::get("/api/admin/search/change-requests", search),
    ]
}

/// The project of a path, which must be there.
fn project_of(app: &App, name: String) -> Result<ProjectId, Error> {
    let project = ProjectId::from(name);
    find_project(&app.serving().snapshot, &project)?;
    Ok(project)
}

async fn list(
    _who: Authorized<Read>,
    app: Data<App>,
    project: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let filter = reading::newest(&project_of(&app, project.into_inner())?);
    let page = app.read(move |store| store.change_requests(&filter)).await?;
    let serving = app.serving();
    let items = app
        .compute(move || reading::listed(&serving.snapshot, &page.items))
        .await??;
    Ok(HttpResponse::Ok().json(items))
}

async fn count(
    _who: Authorized<Read>,
    app: Data<App>,
    project: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let project = project_of(&app, project.into_inner())?;
    let counts = app.read(move |store| reading::count(store, &project)).await?;
    Ok(HttpResponse::Ok().json(counts))
}

async fn pending(
    who: Authorized<Read>,
    app: Data<App>,
    project: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let project = project_of(&app, project.into_inner())?;
    let filter = reading::pending_of(&project, who.actor.id);
    let requests = app.read(move |store| Requests::read(store, &filter)).await?;
    items(&app, requests).await
}

async fn pending_for(
    _who: Authorized<Read>,
    app: Data<App>,
    path: Path<(String, String)>,
) -> Result<HttpResponse, ApiError> {
    let (project, flag) = path.into_inner();
    let filter = reading::pending_for(&project_of(&app, project)?, &FlagName::from(flag));
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

async fn actionable(
    who: Authorized<Read>,
    app: Data<App>,
    project: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let filter = reading::open(&project_of(&app, project.into_inner())?);
    let page = app.read(move |store| store.change_requests(&filter)).await?;
    Ok(HttpResponse::Ok().json(reading::actionable(&page.items, &Identity::from(&who))))
}

async fn scheduled(
    _who: Authorized<Read>,
    app: Data<App>,
    project: Path<String>,
    query: Pairs,
) -> Result<HttpResponse, ApiError> {
    let query = ScheduledQuery::read(&query);
    let filter = reading::in_state(&project_of(&app, project.into_inner())?, State::Scheduled);
    let page = app.read(move |store| store.change_requests(&filter)).await?;
    Ok(HttpResponse::Ok().json(reading::scheduled(&page.items, &query)))
}

async fn one(
    _who: Authorized<Read>,
    app: Data<App>,
    path: Path<(String, String)>,
) -> Result<HttpResponse, ApiError> {
    let (project, id) = request_of(path.into_inner())?;
    let wanted = project.clone();
    let requests = app
        .read(move |store| Requests::read_one(store, &wanted, id))
        .await?;
    let document = whole(&app, requests).await?;
    Ok(HttpResponse::Ok().json(document.ok_or_else(|| no_request(id, &project))?))
}

async fn search(_who: Authorized<Read>, app: Data<App>, query: Pairs) -> Result<HttpResponse, ApiError> {
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
        Some(reading::whole(
            &serving.snapshot,
            request,
            &requests.scheduled,
            now,
        ))
    };
    Ok(app.compute(work).await?.transpose()?)
}
