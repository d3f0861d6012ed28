//! Strategy types.

use actix_web::HttpResponse;
use actix_web::http::header::LOCATION;
use actix_web::web::Data;
use serde_json::json;
use vexil_admin_api::strategy_type::{StrategyTypeDocument, StrategyTypeForm};
use vexil_service::App;
use vexil_service::operations::strategy_types;

use super::done;
use crate::routes::ApiError;
use crate::routes::auth::Caller;
use crate::routes::bodies::{Body, Named};
use crate::routes::paths::StrategyTypePath;

pub(crate) async fn list(app: Data<App>) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let mut types: Vec<_> = serving.snapshot.strategy_types.values().collect();
    types.sort_by_key(|kind| !kind.built_in);
    let types: Vec<StrategyTypeDocument<'_>> = types
        .into_iter()
        .map(|kind| StrategyTypeDocument::of(kind))
        .collect();
    Ok(HttpResponse::Ok().json(json!({ "version": 1, "strategies": types })))
}

pub(crate) async fn create(
    who: Caller,
    app: Data<App>,
    Body(Named(name, form)): Body<Named<String, StrategyTypeForm>>,
) -> Result<HttpResponse, ApiError> {
    let kind = app
        .edit(&who.actor, move |tx| strategy_types::create(tx, &name, &form))
        .await?;
    let location = format!("strategies/{}", kind.name);
    Ok(HttpResponse::Created()
        .insert_header((LOCATION, location))
        .json(StrategyTypeDocument::of(&kind)))
}

pub(crate) async fn read(
    app: Data<App>,
    StrategyTypePath { name }: StrategyTypePath,
) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let kind = strategy_types::find(&serving.snapshot, &name)?;
    Ok(HttpResponse::Ok().json(StrategyTypeDocument::of(kind)))
}

pub(crate) async fn replace(
    who: Caller,
    app: Data<App>,
    StrategyTypePath { name }: StrategyTypePath,
    Body(form): Body<StrategyTypeForm>,
) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |tx| strategy_types::edit(tx, &name, &form))
        .await?;
    Ok(done())
}

pub(crate) async fn remove(
    who: Caller,
    app: Data<App>,
    StrategyTypePath { name }: StrategyTypePath,
) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |tx| strategy_types::remove(tx, &name))
        .await?;
    Ok(done())
}

pub(crate) async fn deprecate(
    who: Caller,
    app: Data<App>,
    StrategyTypePath { name }: StrategyTypePath,
) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |tx| strategy_types::deprecate(tx, &name, true))
        .await?;
    Ok(done())
}

pub(crate) async fn reactivate(
    who: Caller,
    app: Data<App>,
    StrategyTypePath { name }: StrategyTypePath,
) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |tx| strategy_types::deprecate(tx, &name, false))
        .await?;
    Ok(done())
}
