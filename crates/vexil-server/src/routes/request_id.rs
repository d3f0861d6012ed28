//! What a client calls its request: it is sent back, and stands in the log where the request fails.

use actix_web::HttpRequest;
use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// Longer ones are passed over, in bytes.
const LONGEST: usize = 128;

/// What the client calls its request, where that is short and plain.
pub(super) fn of(request: &HttpRequest) -> Option<&str> {
    header(request)?.to_str().ok()
}

/// Sends it back with an answer.
pub(crate) fn send_back(request: &HttpRequest, answer: &mut HeaderMap) {
    if let Some(id) = header(request) {
        answer.insert(REQUEST_ID, id.clone());
    }
}

fn header(request: &HttpRequest) -> Option<&HeaderValue> {
    let value = request.headers().get(&REQUEST_ID)?;
    let length = value.to_str().ok()?.len();
    (1..=LONGEST).contains(&length).then_some(value)
}
