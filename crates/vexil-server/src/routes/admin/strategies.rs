//! Activation strategies of a flag in an environment.

use actix_web::HttpResponse;
use actix_web::web::Data;
use vexil_admin_api::patch::Operation;
use vexil_admin_api::strategy::StrategyListItem;
use vexil_change_request::{NewStrategy, StrategyPlace, StrategyUpdate};
use vexil_service::App;
use vexil_service::operations::paths::{FlagEnvironmentPath, StrategyPath};
use vexil_service::operations::strategies;

use super::done;
use crate::routes::ApiError;
use crate::routes::auth::Caller;
use crate::routes::bodies::Body;
use crate::routes::paths::Named;

pub(crate) async fn list(
    app: Data<App>,
    Named(at): Named<FlagEnvironmentPath>,
) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let strategies = strategies::list(&serving.snapshot, &at)?;
    let items: Vec<StrategyListItem<'_>> = strategies.iter().map(StrategyListItem::of).collect();
    Ok(HttpResponse::Ok().json(items))
}

pub(crate) async fn add(
    who: Caller,
    app: Data<App>,
    Named(at): Named<FlagEnvironmentPath>,
    Body(new): Body<NewStrategy>,
) -> Result<HttpResponse, ApiError> {
    let edited = app.edit(&who.actor, move |tx| strategies::add(tx, &at, &new));
    Ok(HttpResponse::Ok().json(edited.await?))
}

pub(crate) async fn reorder(
    who: Caller,
    app: Data<App>,
    Named(at): Named<FlagEnvironmentPath>,
    Body(places): Body<Vec<StrategyPlace>>,
) -> Result<HttpResponse, ApiError> {
    let edited = app.edit(&who.actor, move |tx| strategies::reorder(tx, &at, &places));
    edited.await?;
    Ok(done())
}

pub(crate) async fn read(app: Data<App>, Named(path): Named<StrategyPath>) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    Ok(HttpResponse::Ok().json(strategies::find(&serving.snapshot, &path)?))
}

pub(crate) async fn replace(
    who: Caller,
    app: Data<App>,
    Named(path): Named<StrategyPath>,
    Body(update): Body<StrategyUpdate>,
) -> Result<HttpResponse, ApiError> {
    let edited = app.edit(&who.actor, move |tx| strategies::replace(tx, &path, &update));
    Ok(HttpResponse::Ok().json(edited.await?))
}

/// Edits a strategy by a JSON Patch of its document.
pub(crate) async fn patch(
    who: Caller,
    app: Data<App>,
    Named(path): Named<StrategyPath>,
    Body(patch): Body<Vec<Operation>>,
) -> Result<HttpResponse, ApiError> {
    let edited = app.edit(&who.actor, move |tx| strategies::patch(tx, &path, &patch));
    Ok(HttpResponse::Ok().json(edited.await?))
}

pub(crate) async fn remove(
    who: Caller,
    app: Data<App>,
    Named(path): Named<StrategyPath>,
) -> Result<HttpResponse, ApiError> {
    let edited = app.edit(&who.actor, move |tx| strategies::remove(tx, &path));
    edited.await?;
    Ok(done())
}
