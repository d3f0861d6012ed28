//! Cross-origin requests: pages may use what front ends ask, given a token, from wherever the operator lets them.

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS, HeaderValue,
    ORIGIN, VARY,
};
use actix_web::middleware::Next;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use vexil_service::App;

/// What front ends ask begins with one of these.
const FRONT_ENDS: [&str; 3] = ["/api/frontend", "/api/proxy", "/ofrep/"];

/// What pages may read of an answer beside its content: which state it is, and when to ask again.
const EXPOSED: &str = "ETag,Retry-After";

/// Whether pages of other origins may ask for a path.
pub(super) fn is_for_pages(path: &str) -> bool {
    FRONT_ENDS.iter().any(|front| path.starts_with(front))
}

/// Says in every answer to a front end, errors too, whether the page that asked may read it.
pub(super) async fn allow_origin(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let app = request.app_data::<Data<App>>();
    let origin = request.headers().get(ORIGIN);
    let origin = origin.and_then(|origin| origin.to_str().ok());
    let allowed = app.and_then(|app| app.front_ends().allowed(origin));
    let allowed = allowed.and_then(|allowed| HeaderValue::from_str(allowed).ok());
    let mut response = next.call(request).await?;
    let headers = response.headers_mut();
    if let Some(allowed) = allowed {
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, allowed);
        headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSED));
    }
    headers.append(VARY, HeaderValue::from_static("Origin"));
    Ok(response)
}

/// Answers a browser that asks whether it may send a request.
pub(crate) async fn preflight(app: Data<App>, request: HttpRequest) -> HttpResponse {
    let mut response = HttpResponse::NoContent();
    response.insert_header((ACCESS_CONTROL_ALLOW_METHODS, "GET,HEAD,PUT,PATCH,POST,DELETE"));
    response.insert_header((ACCESS_CONTROL_MAX_AGE, app.front_ends().max_age.to_string()));
    response.append_header((VARY, ACCESS_CONTROL_REQUEST_HEADERS.as_str()));
    if let Some(asked) = request.headers().get(ACCESS_CONTROL_REQUEST_HEADERS) {
        response.insert_header((ACCESS_CONTROL_ALLOW_HEADERS, asked.clone()));
    }
    response.finish()
}
