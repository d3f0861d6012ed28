//! Server-sent events: the head of the answer, and the one way in which streams are held open.

use std::convert::Infallible;
use std::future::Future;
use std::rc::Rc;
use std::time::Duration;

use actix_web::http::Method;
use actix_web::http::header::{ACCEPT, CACHE_CONTROL, CONTENT_TYPE, HeaderName};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse};
use futures_util::stream::unfold;
use tokio::sync::OwnedSemaphorePermit;

use crate::connections::Connection;
use crate::operations::Error;
use crate::routes::ApiError;
use crate::streams::Streams;

/// What tells that somebody is there, and nothing else.
pub(super) const NOTHING_NEW: Bytes = Bytes::from_static(b":\n\n");
/// When somebody who found no place should try again.
const RETRY: Duration = Duration::from_secs(30);
/// Tells proxies to pass on what they get at once.
const UNBUFFERED: HeaderName = HeaderName::from_static("x-accel-buffering");

/// What tells events, one after another.
pub(super) trait Teller: 'static {
    /// What happened next; `None` once there is nothing more to tell.
    fn next(&mut self) -> impl Future<Output = Option<Bytes>>;
}

/// Answers with what a teller tells, until it ends or the peer leaves.
///
/// # Errors
///
/// When the peer does not take events, or too many listen already.
pub(super) fn answer<T: Teller>(
    request: &HttpRequest,
    streams: &Streams,
    teller: impl FnOnce() -> T,
) -> Result<HttpResponse, ApiError> {
    if !takes_events(request) {
        let how = "This answers with server-sent events: ask with `Accept: text/event-stream`.";
        return Err(Error::invalid(how).into());
    }
    let mut answer = HttpResponse::Ok();
    answer
        .insert_header((CONTENT_TYPE, "text/event-stream"))
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header((UNBUFFERED, "no"));
    if request.method() == Method::HEAD {
        return Ok(answer.finish());
    }
    let Some(place) = streams.enter() else {
        // SDKs ask now and then from here on
        return Err(Error::TooManyRequests {
            message: "Too many listen to changes already; ask now and then instead.".to_owned(),
            retry_after: RETRY,
        }
        .into());
    };
    if let Some(connection) = request.conn_data::<Rc<Connection>>() {
        connection.listen();
    }
    let listener: (T, OwnedSemaphorePermit) = (teller(), place);
    let events = unfold(listener, |(mut teller, place)| async {
        let event = teller.next().await?;
        Some((Ok::<Bytes, Infallible>(event), (teller, place)))
    });
    Ok(answer.streaming(events))
}

fn takes_events(request: &HttpRequest) -> bool {
    let accepted = request.headers().get_all(ACCEPT);
    let mut accepted = accepted.filter_map(|value| value.to_str().ok());
    accepted.any(|value| {
        value
            .split(',')
            .filter_map(|item| item.split(';').next())
            .any(|kind| matches!(kind.trim(), "text/event-stream" | "text/*" | "*/*"))
    })
}
