//! Links of flags, and flags that are done.

use actix_web::HttpResponse;
use actix_web::web::Data;
use vexil_admin_api::flag_upkeep::{CompletionForm, FlagLinkForm};
use vexil_service::App;
use vexil_service::operations::flag_upkeep;
use vexil_service::operations::paths::FlagPath;

use super::done;
use crate::routes::ApiError;
use crate::routes::auth::Caller;
use crate::routes::bodies::Body;
use crate::routes::paths::{FlagLinkPath, Named};

pub(crate) async fn add_link(
    who: Caller,
    app: Data<App>,
    Named(FlagPath { project, flag }): Named<FlagPath>,
    Body(form): Body<FlagLinkForm>,
) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |tx| {
        flag_upkeep::add_link(tx, &project, &flag, &form)
    })
    .await?;
    Ok(HttpResponse::NoContent().finish())
}

pub(crate) async fn change_link(
    who: Caller,
    app: Data<App>,
    path: FlagLinkPath,
    Body(form): Body<FlagLinkForm>,
) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |tx| {
        flag_upkeep::change_link(tx, &path.project, &path.flag, &path.link, &form)
    })
    .await?;
    Ok(HttpResponse::NoContent().finish())
}

pub(crate) async fn remove_link(
    who: Caller,
    app: Data<App>,
    path: FlagLinkPath,
) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |tx| {
        flag_upkeep::remove_link(tx, &path.project, &path.flag, &path.link)
    })
    .await?;
    Ok(HttpResponse::NoContent().finish())
}

pub(crate) async fn complete(
    who: Caller,
    app: Data<App>,
    Named(FlagPath { project, flag }): Named<FlagPath>,
    Body(form): Body<CompletionForm>,
) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |tx| {
        flag_upkeep::complete(tx, &project, &flag, &form)
    })
    .await?;
    Ok(done())
}

pub(crate) async fn uncomplete(
    who: Caller,
    app: Data<App>,
    Named(FlagPath { project, flag }): Named<FlagPath>,
) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |tx| flag_upkeep::uncomplete(tx, &project, &flag))
        .await?;
    Ok(done())
}
