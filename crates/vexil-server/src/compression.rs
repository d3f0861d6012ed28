//! Answers in the form that the client takes: compressed with gzip, or plain. Every client knows gzip, and it needs
//! little memory for each reader. Brotli is offered where an answer is made once and kept.

use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderValue, VARY};
use actix_web::middleware::Next;
use actix_web::web::{Bytes, Data};
use actix_web::{Error, ResponseError};
use flate2::Compression;
use vexil_service::App;
use vexil_service::memory::Held;
use vexil_service::operations::RETRY_BUSY;
use vexil_service::packing::gzip;

use crate::accept_encoding::Accepted;
use crate::routes::{ApiError, request_id};

/// Smaller answers are sent as they are, in bytes.
const WORTH_IT: usize = 1 << 10;
/// Larger ones are compressed on a thread of their own, in bytes.
const SHORT: usize = 16 << 10;

/// Compresses what is worth it. Answers that are in some form already stay as they are, and so do those that are
/// streamed: whoever writes them knows what the client takes.
pub(crate) async fn compress<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let accepted = Accepted::of(request.headers());
    if accepted == Accepted::Neither {
        let refused = ApiError::NotAcceptable {
            offered: "plain or compressed with gzip",
        };
        let (request, _) = request.into_parts();
        let mut answer = refused.error_response();
        request_id::send_back(&request, answer.headers_mut());
        return Ok(ServiceResponse::new(request, answer));
    }
    let response = next.call(request).await?.map_into_boxed_body();
    if response.headers().contains_key(CONTENT_ENCODING) || !is_text(response.headers()) {
        return Ok(response);
    }
    let (request, response) = response.into_parts();
    let (mut response, body) = response.into_parts();
    let body = match body.try_into_bytes() {
        Ok(body) => body,
        Err(streamed) => return Ok(ServiceResponse::new(request, response.set_body(streamed))),
    };
    if body.len() < WORTH_IT {
        return Ok(ServiceResponse::new(
            request,
            response.set_body(BoxBody::new(body)),
        ));
    }
    let app = request.app_data::<Data<App>>().cloned();
    let held = match &app {
        // those that are kept anyway take no room of their own
        Some(app) if response.extensions().get::<Kept>().is_none() => room(app, body.len())?,
        _ => Held::default(),
    };
    response
        .headers_mut()
        .append(VARY, HeaderValue::from_static("Accept-Encoding"));
    let body = match (accepted, app) {
        (Accepted::Gzip, Some(app)) => {
            let encoded = HeaderValue::from_static("gzip");
            response.headers_mut().insert(CONTENT_ENCODING, encoded);
            compressed(&app, body).await?
        }
        _ => body,
    };
    let body = BoxBody::new(HeldBody { body, _held: held });
    Ok(ServiceResponse::new(request, response.set_body(body)))
}

/// Says of an answer, in its extensions, that its text is kept for others too.
pub(crate) struct Kept;

/// Room for an answer until it is taken.
pub(crate) fn room(app: &App, bytes: usize) -> Result<Held, ApiError> {
    let busy = || vexil_service::operations::Error::Busy {
        doing: "other large answers",
        retry_after: RETRY_BUSY,
    };
    Ok(app.memory.answers.try_take(bytes).ok_or_else(busy)?)
}

/// A body that takes room until it is handed over.
struct HeldBody {
    body: Bytes,
    _held: Held,
}

impl MessageBody for HeldBody {
    type Error = <Bytes as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        Pin::new(&mut self.body).poll_next(context)
    }
}

async fn compressed(app: &App, body: Bytes) -> Result<Bytes, ApiError> {
    if body.len() <= SHORT {
        return Ok(gzip(&body, Compression::fast()));
    }
    Ok(app.pack(move || gzip(&body, Compression::fast())).await?)
}

fn is_text(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    kind.is_some_and(|kind| kind.starts_with("application/json") || kind.starts_with("text/"))
}
