//! The frontend API: what SDKs in browsers and apps read and report.

use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use vexil_client_api::frontend::context_of_query;
use vexil_client_api::register::Registered;
use vexil_domain::Context;
use vexil_service::App;
use vexil_service::operations::frontend::{Visit, all_toggles, toggle, toggles};
use vexil_service::operations::{Error, reports};

use crate::routes::ApiError;
use crate::routes::auth::SdkToken;
use crate::routes::bodies::Body;
use crate::routes::body::RawBody;
use crate::routes::entity_tag;
use crate::routes::paths::ReportedFlagPath;
use crate::routes::visits::visit;

/// The flags that are on for the context in the query.
pub(crate) async fn get_flags(
    token: SdkToken,
    app: Data<App>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let context = context_of_query(request.query_string());
    answer(&token, &app, &request, context, |visit| Ok(toggles(visit)))
}

/// The flags that are on for the context in the body.
pub(crate) async fn post_flags(
    token: SdkToken,
    app: Data<App>,
    request: HttpRequest,
    Body(context): Body<Context>,
) -> Result<HttpResponse, ApiError> {
    answer(&token, &app, &request, context, |visit| Ok(toggles(visit)))
}

/// All flags, on or off, for the context in the query.
pub(crate) async fn get_all_flags(
    token: SdkToken,
    app: Data<App>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let context = context_of_query(request.query_string());
    answer(&token, &app, &request, context, |visit| Ok(all_toggles(visit)))
}

/// All flags, on or off, for the context in the body.
pub(crate) async fn post_all_flags(
    token: SdkToken,
    app: Data<App>,
    request: HttpRequest,
    Body(context): Body<Context>,
) -> Result<HttpResponse, ApiError> {
    answer(&token, &app, &request, context, |visit| Ok(all_toggles(visit)))
}

/// One flag for the context in the query.
pub(crate) async fn get_flag(
    token: SdkToken,
    app: Data<App>,
    ReportedFlagPath { name }: ReportedFlagPath,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let context = context_of_query(request.query_string());
    answer(&token, &app, &request, context, |visit| one(visit, &name))
}

/// One flag for the context in the body.
pub(crate) async fn post_flag(
    token: SdkToken,
    app: Data<App>,
    ReportedFlagPath { name }: ReportedFlagPath,
    request: HttpRequest,
    Body(context): Body<Context>,
) -> Result<HttpResponse, ApiError> {
    answer(&token, &app, &request, context, |visit| one(visit, &name))
}

fn one(visit: &Visit<'_>, name: &str) -> Result<Vec<u8>, Error> {
    toggle(visit, name).ok_or_else(|| Error::NotFound(format!("Could not find feature flag {name}")))
}

fn answer(
    token: &SdkToken,
    app: &App,
    request: &HttpRequest,
    context: Context,
    write: impl FnOnce(&Visit<'_>) -> Result<Vec<u8>, Error>,
) -> Result<HttpResponse, ApiError> {
    let body = visit(&token.0, app, request, context, write)??;
    let mut response = HttpResponse::Ok();
    response.insert_header((CACHE_CONTROL, "no-cache"));
    Ok(entity_tag::answer(request.headers(), response, body))
}
/// An SDK reports what it evaluated.
pub(crate) async fn metrics(
    token: SdkToken,
    app: Data<App>,
    body: RawBody,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let key = super::client::report_key(&token.0, &request)?;
    reports::take_in(&app, &token.0, body.0, key).await?;
    Ok(done())
}

/// An instance of an application has started. Browsers are too many to be kept, so this only checks
/// what they say.
pub(crate) async fn register(_checked: Body<Registered>) -> Result<HttpResponse, ApiError> {
    Ok(done())
}

fn done() -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "text/plain; charset=utf-8"))
        .body("OK")
}
