//! Cross-origin requests: pages of any origin may use the frontend API, given a token.

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS, HeaderMap,
    HeaderValue, VARY,
};
use actix_web::middleware::Next;
use actix_web::{HttpRequest, HttpResponse};

/// Says in every answer of the frontend API, errors too, that any origin may read it.
pub(super) async fn allow_any_origin(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let mut response = next.call(request).await?;
    allow(response.headers_mut());
    Ok(response)
}

fn allow(headers: &mut HeaderMap) {
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("ETag"));
    headers.append(VARY, HeaderValue::from_static("Origin"));
}

/// Answers a browser that asks whether it may send a request.
pub(crate) async fn preflight(request: HttpRequest) -> HttpResponse {
    let mut response = HttpResponse::NoContent();
    response.insert_header((ACCESS_CONTROL_ALLOW_METHODS, "GET,HEAD,PUT,PATCH,POST,DELETE"));
    response.insert_header((ACCESS_CONTROL_MAX_AGE, "86400"));
    response.append_header((VARY, ACCESS_CONTROL_REQUEST_HEADERS.as_str()));
    if let Some(asked) = request.headers().get(ACCESS_CONTROL_REQUEST_HEADERS) {
        response.insert_header((ACCESS_CONTROL_ALLOW_HEADERS, asked.clone()));
    }
    response.finish()
}
