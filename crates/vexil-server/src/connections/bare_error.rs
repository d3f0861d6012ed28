//! Refusals of requests that never reach a handler. The HTTP library sends them without a body; here they
//! get the one shape of all errors.

use std::fmt::Write;

use crate::routes::ApiError;

/// A refusal without a body, at the end of what is to be sent.
pub(super) struct Found {
    /// Where it begins.
    pub(super) start: usize,
    /// What is to be sent in its place.
    pub(super) text: Vec<u8>,
}

/// A refusal is not longer than this, in bytes.
const LONGEST: usize = 200;

/// Finds a refusal without a body. No handler answers without one, so it is the HTTP library's.
pub(super) fn find(bytes: &[u8]) -> Option<Found> {
    const REFUSED: &[u8] = b"HTTP/1.1 4";
    const EMPTY: &[u8] = b"content-length: 0\r\n";
    if !bytes.ends_with(b"\r\n\r\n") {
        return None;
    }
    let tail = bytes.len().saturating_sub(LONGEST);
    let tail_bytes = bytes.get(tail..)?;
    let start = tail_bytes
        .windows(REFUSED.len())
        .rposition(|window| window == REFUSED)?;
    let head = tail_bytes.get(start..)?;
    if !head
        .windows(EMPTY.len())
        .any(|window| window.eq_ignore_ascii_case(EMPTY))
    {
        return None;
    }
    let error = match head.get(9..12)? {
        b"400" => ApiError::HeadUnreadable,
        b"408" => ApiError::TooSlow,
        b"431" => ApiError::HeadTooLarge,
        _ => return None,
    };
    Some(Found {
        start: tail + start,
        text: text(&error),
    })
}

/// What somebody is told whose request comes too slowly.
pub(super) fn too_slow() -> Vec<u8> {
    text(&ApiError::TooSlow)
}

/// The whole answer.
fn text(error: &ApiError) -> Vec<u8> {
    let (status, body) = error.plain();
    let mut head = String::new();
    // writing to memory does not fail
    let _ = write!(
        head,
        "HTTP/1.1 {} {}\r\ncontent-type: application/json\r\nx-content-type-options: nosniff\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        status.as_u16(),
        status.canonical_reason().unwrap_or_default(),
        body.len()
    );
    [head.into_bytes(), body].concat()
}

#[cfg(test)]
mod tests;
