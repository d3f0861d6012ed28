//! The frontend API: what SDKs in browsers and apps read and report.

use std::net::IpAddr;

use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use vexil_client_api::frontend::{context_of_query, read_context};
use vexil_client_api::register::Registered;
use vexil_domain::Context;
use vexil_store::MAX_KEY_BYTES;

use super::{Route, cors};
use crate::app::App;
use crate::auth::Frontend;
use crate::body::{JsonBody, RawBody};
use crate::entity_tag;
use crate::operations::Error;
use crate::operations::{frontend, reports};
use crate::routes::ApiError;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get("/api/frontend", get_flags),
        Route::post("/api/frontend", post_flags),
        Route::options("/api/frontend", cors::preflight),
        Route::post("/api/frontend/client/metrics", metrics),
        Route::options("/api/frontend/client/metrics", cors::preflight),
        Route::post("/api/frontend/client/register", register),
        Route::options("/api/frontend/client/register", cors::preflight),
    ]
}

/// The flags that are on for the context in the query.
async fn get_flags(token: Frontend, app: Data<App>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    answer(&token, &app, &request, context_of_query(request.query_string()))
}

/// The flags that are on for the context in the body.
async fn post_flags(
    token: Frontend,
    app: Data<App>,
    request: HttpRequest,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let context = read_context(&body.value).map_err(Error::from)?;
    answer(&token, &app, &request, context)
}

fn answer(
    token: &Frontend,
    app: &App,
    request: &HttpRequest,
    mut context: Context,
) -> Result<HttpResponse, ApiError> {
    let environment = reports::environment(&token.0, &app.serving())?;
    if context.remote_address.is_none() {
        context.remote_address = remote_address(request);
    }
    let body = frontend::toggles(&environment, &token.0.projects, context, app.now());
    let mut response = HttpResponse::Ok();
    response.insert_header((CACHE_CONTROL, "no-cache"));
    Ok(entity_tag::answer(request, response, body))
}

/// Where the request comes from: the first address that proxies on the way have noted, else the
/// other end of the connection.
fn remote_address(request: &HttpRequest) -> Option<String> {
    let noted = request
        .headers()
        .get("x-forwarded-for")
        .and_then(|value| value.to_str().ok());
    let first = noted.and_then(|list| list.split(',').next()).map(str::trim);
    first
        .and_then(|text| text.parse::<IpAddr>().ok())
        .or_else(|| request.peer_addr().map(|peer| peer.ip()))
        .map(|address| address.to_canonical().to_string())
}

/// An SDK reports what it evaluated.
async fn metrics(token: Frontend, app: Data<App>, body: RawBody) -> Result<HttpResponse, ApiError> {
    reports::take_in(&app, &token.0, &body.0).await?;
    Ok(done())
}

/// An instance of an application has started. Browsers are too many to be kept, so this only checks
/// what they say.
async fn register(_token: Frontend, body: JsonBody) -> Result<HttpResponse, ApiError> {
    Registered::read(&body.value, MAX_KEY_BYTES).map_err(Error::from)?;
    Ok(done())
}

fn done() -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "text/plain; charset=utf-8"))
        .body("OK")
}
