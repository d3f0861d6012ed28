//! The answer to paths that lead nowhere.

use actix_web::{HttpRequest, HttpResponse, ResponseError};
use vexil_service::operations::Error;

use super::{ApiError, request_id};

/// Answers every path that no route has.
pub(super) async fn not_found(request: HttpRequest) -> HttpResponse {
    let mut answer = no_route(request.path()).error_response();
    request_id::send_back(&request, answer.headers_mut());
    answer
}

/// 404 for a path that leads nowhere.
pub(super) fn no_route(path: &str) -> ApiError {
    Error::NotFound(format!(
        "The path you were looking for ({path}) is not available."
    ))
    .into()
}
