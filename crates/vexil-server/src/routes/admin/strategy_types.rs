//! Strategy types.

use actix_web::HttpResponse;
use actix_web::http::header::LOCATION;
use actix_web::web::{Data, Path};
use serde_json::json;
use vexil_admin_api::strategy_type::{StrategyTypeDocument, StrategyTypeForm};

use super::done;
use crate::app::App;
use crate::auth::Authorized;
use crate::body::JsonBody;
use crate::operations::Error;
use crate::operations::strategy_types;
use crate::permission::{CreateStrategy, DeleteStrategy, Read, UpdateStrategy};
use crate::routes::ApiError;
use crate::routes::Route;

pub(super) fn routes() -> Vec<Route> {
    const ONE: &str = "/api/admin/strategies/{name}";
    vec![
        Route::get("/api/admin/strategies", list),
        Route::post("/api/admin/strategies", create),
        Route::get(ONE, read),
        Route::put(ONE, replace),
        Route::delete(ONE, remove),
        Route::post("/api/admin/strategies/{name}/deprecate", deprecate),
        Route::post("/api/admin/strategies/{name}/reactivate", reactivate),
    ]
}

async fn list(_who: Authorized<Read>, app: Data<App>) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let mut types: Vec<_> = serving.snapshot.strategy_types.values().collect();
    types.sort_by_key(|kind| !kind.built_in);
    let types: Vec<StrategyTypeDocument<'_>> = types
        .into_iter()
        .map(|kind| StrategyTypeDocument::of(kind))
        .collect();
    Ok(HttpResponse::Ok().json(json!({ "version": 1, "strategies": types })))
}

async fn create(
    who: Authorized<CreateStrategy>,
    app: Data<App>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let (name, form) = StrategyTypeForm::read_new(&body.value).map_err(Error::from)?;
    let kind = app
        .edit(&who.actor, move |tx| strategy_types::create(tx, &name, &form))
        .await?;
    let location = format!("strategies/{}", kind.name);
    Ok(HttpResponse::Created()
        .insert_header((LOCATION, location))
        .json(StrategyTypeDocument::of(&kind)))
}

async fn read(_who: Authorized<Read>, app: Data<App>, name: Path<String>) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let kind = strategy_types::find(&serving.snapshot, &name)?;
    Ok(HttpResponse::Ok().json(StrategyTypeDocument::of(kind)))
}

async fn replace(
    who: Authorized<UpdateStrategy>,
    app: Data<App>,
    name: Path<String>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let form = StrategyTypeForm::read(&body.value).map_err(Error::from)?;
    app.edit(&who.actor, move |tx| strategy_types::edit(tx, &name, &form))
        .await?;
    Ok(done())
}

async fn remove(
    who: Authorized<DeleteStrategy>,
    app: Data<App>,
    name: Path<String>,
) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |tx| strategy_types::remove(tx, &name))
        .await?;
    Ok(done())
}

async fn deprecate(
    who: Authorized<UpdateStrategy>,
    app: Data<App>,
    name: Path<String>,
) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |tx| strategy_types::deprecate(tx, &name, true))
        .await?;
    Ok(done())
}

async fn reactivate(
    who: Authorized<UpdateStrategy>,
    app: Data<App>,
    name: Path<String>,
) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |tx| strategy_types::deprecate(tx, &name, false))
        .await?;
    Ok(done())
}
