//! Paths whose percent codes cannot be read are refused before anything is looked up.

use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::{Error, ResponseError};
use vexil_service::operations;

use super::{ApiError, request_id};

/// Refuses a path with a broken percent code, or whose text is no UTF-8.
pub(super) async fn check<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    if is_readable(request.uri().path()) {
        return Ok(next.call(request).await?.map_into_left_body());
    }
    let error = ApiError::from(operations::Error::invalid(
        "The path holds a percent code that is broken, or that is no UTF-8.",
    ));
    let (request, _) = request.into_parts();
    let mut answer = error.error_response();
    request_id::send_back(&request, answer.headers_mut());
    Ok(ServiceResponse::new(request, answer).map_into_right_body())
}

fn is_readable(path: &str) -> bool {
    if !path.contains('%') {
        return true;
    }
    let mut bytes = Vec::with_capacity(path.len());
    let mut pieces = path.split('%');
    bytes.extend_from_slice(pieces.next().unwrap_or_default().as_bytes());
    for piece in pieces {
        let Some((code, rest)) = piece.split_at_checked(2) else {
            return false;
        };
        let Some(byte) = hexadecimal(code) else {
            return false;
        };
        bytes.push(byte);
        bytes.extend_from_slice(rest.as_bytes());
    }
    std::str::from_utf8(&bytes).is_ok()
}

/// The byte that two digits spell; unlike the parser of numbers, this takes no sign.
fn hexadecimal(code: &str) -> Option<u8> {
    if code.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        u8::from_str_radix(code, 16).ok()
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::is_readable;

    #[test]
    fn broken_percent_codes_and_broken_text_are_unreadable() {
        for path in ["/a", "/a%2Fb", "/%E2%82%AC", "/%25zz", "/a+b"] {
            assert!(is_readable(path), "{path}");
        }
        for path in ["/%", "/%2", "/%zz", "/%E0%A4%A", "/%FF", "/%+1", "/%C3/%A4"] {
            assert!(!is_readable(path), "{path}");
        }
    }
}
