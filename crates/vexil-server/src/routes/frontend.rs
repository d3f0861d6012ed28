//! The frontend API: what SDKs in browsers and apps read and report.

use std::net::IpAddr;

use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use vexil_client_api::frontend::context_of_query;
use vexil_client_api::register::Registered;
use vexil_domain::Context;

use crate::app::App;
use crate::operations::frontend::Counting;
use crate::operations::{frontend, reports};
use crate::routes::ApiError;
use crate::routes::auth::SdkToken;
use crate::routes::bodies::Body;
use crate::routes::body::RawBody;
use crate::routes::entity_tag;

/// The flags that are on for the context in the query.
pub(crate) async fn get_flags(
    token: SdkToken,
    app: Data<App>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    answer(&token, &app, &request, context_of_query(request.query_string()))
}

/// The flags that are on for the context in the body.
pub(crate) async fn post_flags(
    token: SdkToken,
    app: Data<App>,
    request: HttpRequest,
    Body(context): Body<Context>,
) -> Result<HttpResponse, ApiError> {
    answer(&token, &app, &request, context)
}

fn answer(
    token: &SdkToken,
    app: &App,
    request: &HttpRequest,
    mut context: Context,
) -> Result<HttpResponse, ApiError> {
    let environment = reports::environment(&token.0, &app.serving())?;
    if context.remote_address.is_none() {
        context.remote_address = remote_address(request);
    }
    let body = frontend::toggles(
        &environment,
        &token.0.projects,
        context,
        app.now(),
        || app.seed(),
        Counting {
            evaluations: &app.numbers().evaluations,
            answers: app.answer_counts().map(|counts| (counts, token.0.id)),
        },
    );
    let mut response = HttpResponse::Ok();
    response.insert_header((CACHE_CONTROL, "no-cache"));
    Ok(entity_tag::answer(request.headers(), response, body))
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
