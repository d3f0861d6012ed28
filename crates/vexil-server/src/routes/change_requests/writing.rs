//! Proposing changes, and moving change requests from state to state.

use actix_web::HttpResponse;
use actix_web::web::Data;
use vexil_admin_api::change_requests::{Proposal, StateCommand};
use vexil_change_request::{ChangeRequest, State};
use vexil_service::operations::change_requests::reading::{Requests, in_state};
use vexil_service::operations::change_requests::{self as operations, Identity, Moved};
use vexil_service::{App, Transaction};

use super::reading::whole;
use crate::routes::ApiError;
use crate::routes::auth::Caller;
use crate::routes::bodies::{Body, OneProposal};
use crate::routes::paths::{ChangePath, ProjectEnvironmentPath, RequestPath};

/// The request as an edit left it.
async fn shown(app: &App, request: ChangeRequest) -> Result<HttpResponse, ApiError> {
    let scheduled = in_state(&request.project, State::Scheduled);
    let scheduled = app
        .read(move |store| store.change_requests(&scheduled))
        .await?
        .items;
    let requests = Requests {
        asked: vec![request],
        scheduled,
        proposed: None,
    };
    Ok(HttpResponse::Ok().json(whole(app, requests).await?))
}

pub(crate) async fn add(
    who: Caller,
    app: Data<App>,
    ProjectEnvironmentPath { project, environment }: ProjectEnvironmentPath,
    Body(proposals): Body<Vec<Proposal>>,
) -> Result<HttpResponse, ApiError> {
    let identity = Identity::from(&*who);
    let edit = move |tx: &mut Transaction<'_>| {
        operations::add_changes(tx, &identity, &project, &environment, &proposals)
    };
    shown(&app, app.edit(&who.actor, edit).await?).await
}

pub(crate) async fn edit(
    who: Caller,
    app: Data<App>,
    ChangePath { project, id, change }: ChangePath,
    Body(OneProposal(proposal)): Body<OneProposal>,
) -> Result<HttpResponse, ApiError> {
    let identity = Identity::from(&*who);
    let edit = move |tx: &mut Transaction<'_>| {
        operations::edit_change(tx, &identity, &project, id, change, &proposal)
    };
    shown(&app, app.edit(&who.actor, edit).await?).await
}

pub(crate) async fn discard_change(
    who: Caller,
    app: Data<App>,
    ChangePath { project, id, change }: ChangePath,
) -> Result<HttpResponse, ApiError> {
    let identity = Identity::from(&*who);
    app.edit(&who.actor, move |tx| {
        operations::discard_change(tx, &identity, &project, id, change)
    })
    .await?;
    Ok(HttpResponse::Ok().finish())
}

pub(crate) async fn discard(
    who: Caller,
    app: Data<App>,
    RequestPath { project, id }: RequestPath,
) -> Result<HttpResponse, ApiError> {
    let identity = Identity::from(&*who);
    app.edit(&who.actor, move |tx| {
        operations::discard(tx, &identity, &project, id)
    })
    .await?;
    Ok(HttpResponse::Ok().finish())
}

pub(crate) async fn change_state(
    who: Caller,
    app: Data<App>,
    RequestPath { project, id }: RequestPath,
    Body(command): Body<StateCommand>,
) -> Result<HttpResponse, ApiError> {
    let identity = Identity::from(&*who);
    let edit =
        move |tx: &mut Transaction<'_>| operations::change_state(tx, &identity, &project, id, &command);
    match app.edit(&who.actor, edit).await? {
        Moved::There(request) => shown(&app, *request).await,
        Moved::Back(why) => Err(why.into()),
    }
}
