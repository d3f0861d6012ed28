//! Whether the server is alive, and whether it can serve.

use actix_web::HttpResponse;
use actix_web::web::Data;
use serde_json::json;

use super::Route;
use crate::app::App;
use crate::routes::ApiError;

pub(super) fn routes() -> Vec<Route> {
    vec![Route::get("/health", health), Route::get("/ready", ready)]
}

/// The process answers.
async fn health() -> HttpResponse {
    HttpResponse::Ok().json(json!({ "health": "GOOD" }))
}

/// The database answers too.
async fn ready(app: Data<App>) -> Result<HttpResponse, ApiError> {
    app.read(|store| store.revision()).await?;
    Ok(HttpResponse::Ok().json(json!({ "health": "GOOD" })))
}
