//! The answer to paths that lead nowhere.

use actix_web::HttpRequest;

use super::ApiError;
use crate::operations::Error;

/// Answers every path that no route has.
pub(super) async fn not_found(request: HttpRequest) -> Result<&'static str, ApiError> {
    Err(no_route(request.path()))
}

/// 404 for a path that leads nowhere.
pub(super) fn no_route(path: &str) -> ApiError {
    Error::NotFound(format!(
        "The path you were looking for ({path}) is not available."
    ))
    .into()
}
