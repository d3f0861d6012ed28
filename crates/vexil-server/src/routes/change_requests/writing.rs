//! Proposing changes, and moving change requests from state to state.

use actix_web::HttpResponse;
use actix_web::web::{Data, Path};
use vexil_admin_api::change_requests::{ChangeRequestDocument, Proposal, StateCommand};
use vexil_change_request::{ChangeRequest, State};
use vexil_domain::{EnvironmentName, ProjectId};

use super::{change_of, request_of};
use crate::app::App;
use crate::auth::Authorized;
use crate::body::JsonBody;
use crate::operations::Error;
use crate::operations::change_requests::reading::{self, in_state};
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

/// The request as the edit leaves it.
fn shown(tx: &Transaction<'_>, request: &ChangeRequest) -> Result<ChangeRequestDocument, Error> {
    let scheduled = tx
        .change_requests(&in_state(&request.project, State::Scheduled))?
        .items;
    reading::whole(&tx.snapshot, request, &scheduled, tx.now)
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
        let request = operations::add_changes(tx, &identity, &project, &environment, &proposals)?;
        shown(tx, &request)
    };
    Ok(HttpResponse::Ok().json(app.edit(&who.actor, edit).await?))
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
        let request = operations::edit_change(tx, &identity, &project, id, change, &proposal)?;
        shown(tx, &request)
    };
    Ok(HttpResponse::Ok().json(app.edit(&who.actor, edit).await?))
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
    let edit = move |tx: &mut Transaction<'_>| {
        let request = operations::change_state(tx, &identity, &project, id, &command)?;
        shown(tx, &request)
    };
    Ok(HttpResponse::Ok().json(app.edit(&who.actor, edit).await?))
}
