//! Entity tags: whether a client has the current answer already.

use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_TYPE, ETAG, HeaderMap, HeaderValue, IF_NONE_MATCH, VARY};
use actix_web::{HttpResponse, HttpResponseBuilder};
use foldhash::fast::FixedState;
use serde::Serialize;
use std::hash::BuildHasher;
use vexil_service::operations::Error;

use crate::routes::ApiError;

/// Whether `If-None-Match` names the tag, weakly compared (RFC 9110, section 13.1.2): a list of
/// quoted tags, or `*`.
pub(crate) fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    let wanted = opaque(tag);
    known(headers).any(|item| item == "*" || opaque(item) == wanted)
}

/// A tag without the mark of a weak one.
fn opaque(tag: &str) -> &str {
    tag.strip_prefix("W/").unwrap_or(tag)
}

/// The tags that `If-None-Match` lists.
pub(crate) fn known(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    headers
        .get_all(IF_NONE_MATCH)
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim)
}

/// The answer to a client that has the current one. It says as the whole answer does of what it depends on (RFC 9110,
/// section 15.4.5): caches keep what this one says.
pub(crate) fn not_modified(tag: &str) -> HttpResponse {
    HttpResponse::build(StatusCode::NOT_MODIFIED)
        .insert_header((ETAG, tag))
        .insert_header((VARY, HeaderValue::from_static("Accept-Encoding")))
        .finish()
}

/// Answers with a JSON text, tagged by what is in it.
pub(crate) fn answer(headers: &HeaderMap, mut response: HttpResponseBuilder, body: Vec<u8>) -> HttpResponse {
    let hash = FixedState::with_seed(0).hash_one(body.as_slice());
    let Ok(tag) = HeaderValue::try_from(format!("W/\"{:x}-{hash:016x}\"", body.len())) else {
        return response.content_type(JSON).body(body);
    };
    if tag.to_str().is_ok_and(|text| is_known(headers, text)) {
        return response
            .status(StatusCode::NOT_MODIFIED)
            .insert_header((ETAG, tag))
            .insert_header((VARY, HeaderValue::from_static("Accept-Encoding")))
            .finish();
    }
    response
        .insert_header((ETAG, tag))
        .insert_header((CONTENT_TYPE, JSON))
        .body(body)
}

/// Answers 200 with a document, tagged by what is in it.
pub(crate) fn document(headers: &HeaderMap, document: &impl Serialize) -> Result<HttpResponse, ApiError> {
    let body = serde_json::to_vec(document).map_err(Error::internal)?;
    Ok(answer(headers, HttpResponse::Ok(), body))
}

/// The content type of all documents.
pub(crate) const JSON: &str = "application/json";

#[cfg(test)]
mod tests;
