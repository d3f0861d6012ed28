//! Proposing changes, and moving change requests from state to state.

use actix_web::HttpResponse;
use actix_web::web::{Data, Path};
use vexil_admin_api::change_requests::{Proposal, StateCommand};
use vexil_change_request::{ChangeRequest, State};
use vexil_domain::{EnvironmentName, ProjectId};

use super::reading::whole;
use super::{change_of, request_of};
use crate::app::App;
use crate::auth::Authorized;
use crate::body::JsonBody;
use crate::operations::Error;
use crate::operations::change_requests::reading::{Requests, in_state};
use crate::operations::change_requests::{self as operations, Identity};
use crate::permission::Read;
use crate::routes::ApiError;
use crate::routes::Route;
use crate::transaction::Transaction;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::post(
            "/api/admin/projects/{project}/environments/{environment}/change-requests",
            add,
        ),
        Route::delete("/api/admin/projects/{project}/change-requests/{id}", discard),
        Route::put(
            "/api/admin/projects/{project}/change-requests/{id}/state",
            change_state,
        ),
        Route::put(
            "/api/admin/projects/{project}/change-requests/{id}/changes/{change}",
            edit,
        ),
        Route::delete(
            "/api/admin/projects/{project}/change-requests/{id}/changes/{change}",
            discard_change,
        ),
    ]
}

/// The request as an edit left it.
async fn shown(app: &App, request: ChangeRequest) -> Result<HttpResponse, ApiError> {
    let scheduled = in_state(&request.project, State::Scheduled);
    let scheduled = app
        .read(move |store| store.change_requests(&scheduled))
        .await?
        .items;
    let asked = vec![request];
    Ok(HttpResponse::Ok().json(whole(app, Requests { asked, scheduled }).await?))
}

async fn add(
    who: Authorized<Read>,
    app: Data<App>,
    path: Path<(String, String)>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let (project, environment) = path.into_inner();
    let (project, environment) = (ProjectId::from(project), EnvironmentName::from(environment));
    let proposals = Proposal::one_or_many(&body.value).map_err(Error::from)?;
    let identity = Identity::from(&who);
    let edit = move |tx: &mut Transaction<'_>| {
        operations::add_changes(tx, &identity, &project, &environment, &proposals)
    };
    shown(&app, app.edit(&who.actor, edit).await?).await
}

async fn edit(
    who: Authorized<Read>,
    app: Data<App>,
    path: Path<(String, String, String)>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let (project, id, change) = change_of(path.into_inner())?;
    let proposal = Proposal::one(&body.value).map_err(Error::from)?;
    let identity = Identity::from(&who);
    let edit = move |tx: &mut Transaction<'_>| {
        operations::edit_change(tx, &identity, &project, id, change, &proposal)
    };
    shown(&app, app.edit(&who.actor, edit).await?).await
}

async fn discard_change(
    who: Authorized<Read>,
    app: Data<App>,
    path: Path<(String, String, String)>,
) -> Result<HttpResponse, ApiError> {
    let (project, id, change) = change_of(path.into_inner())?;
    let identity = Identity::from(&who);
    app.edit(&who.actor, move |tx| {
        operations::discard_change(tx, &identity, &project, id, change)
    })
    .await?;
    Ok(HttpResponse::Ok().finish())
}

async fn discard(
    who: Authorized<Read>,
    app: Data<App>,
    path: Path<(String, String)>,
) -> Result<HttpResponse, ApiError> {
    let (project, id) = request_of(path.into_inner())?;
    let identity = Identity::from(&who);
    app.edit(&who.actor, move |tx| {
        operations::discard(tx, &identity, &project, id)
    })
    .await?;
    Ok(HttpResponse::Ok().finish())
}

async fn change_state(
    who: Authorized<Read>,
    app: Data<App>,
    path: Path<(String, String)>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let (project, id) = request_of(path.into_inner())?;
    let command = StateCommand::read(&body.value).map_err(Error::from)?;
    let identity = Identity::from(&who);
    let edit =
        move |tx: &mut Transaction<'_>| operations::change_state(tx, &identity, &project, id, &command);
    shown(&app, app.edit(&who.actor, edit).await?).await
}
