//! Whether the server is alive, and whether it can serve.

use actix_web::HttpResponse;
use actix_web::web::Data;
use serde_json::json;
use vexil_service::App;

use crate::routes::ApiError;

/// The process answers.
pub(crate) async fn health() -> HttpResponse {
    HttpResponse::Ok().json(json!({ "health": "GOOD" }))
}

/// The database answers too, and what is written to it now would be found again.
pub(crate) async fn ready(app: Data<App>) -> Result<HttpResponse, ApiError> {
    app.check().await?;
    Ok(HttpResponse::Ok().json(json!({ "health": "GOOD" })))
}
