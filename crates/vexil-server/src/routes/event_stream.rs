//! Server-sent events: the one way in which something is told as it happens.

use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::io;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Duration;

use actix_web::body::{BodySize, MessageBody};
use actix_web::http::header::{ACCEPT, CACHE_CONTROL, CONTENT_TYPE, HeaderName};
use actix_web::http::{Method, Version};
use actix_web::web::{Bytes, Data};
use actix_web::{HttpRequest, HttpResponse};
use futures_util::future::{Either, select};
use futures_util::stream::unfold;
use tokio::sync::{OwnedSemaphorePermit, watch};
use vexil_service::operations::Error;
use vexil_service::{App, Streams};
use vexil_store::ApiToken;

use crate::accept_encoding::is_refusal;
use crate::connections::{Connection, Wire};
use crate::routes::ApiError;

/// The last event that a client got before it lost its connection.
pub(super) const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
/// What tells that somebody is there, and nothing else.
pub(super) const NOTHING_NEW: Bytes = Bytes::from_static(b":\n\n");
/// Events up to this many bytes are sent in one piece.
const SHORT: usize = 16 << 10;
/// When somebody who found no place should try again.
const RETRY: Duration = Duration::from_secs(30);
/// Tells proxies to pass on what they get at once.
const UNBUFFERED: HeaderName = HeaderName::from_static("x-accel-buffering");

/// What tells events, one after another.
pub(super) trait Teller: Unpin + 'static {
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
    let listener = (teller(), place);
    match request.conn_data::<Rc<Connection>>() {
        // chunks are known from HTTP/1.1 on
        Some(connection) if request.version() == Version::HTTP_11 => {
            connection.listen();
            let body = LeftToTeller {
                connection: Rc::clone(connection),
                listener: Some(listener),
            };
            Ok(answer.body(body))
        }
        _ => {
            let events = unfold(listener, |(mut teller, place)| async {
                let event = teller.next().await?;
                Some((Ok::<Bytes, Infallible>(event), (teller, place)))
            });
            Ok(answer.streaming(events))
        }
    }
}

/// The body of an answer that a teller sends itself: nothing of it passes the HTTP library.
struct LeftToTeller<T> {
    connection: Rc<Connection>,
    listener: Option<(T, OwnedSemaphorePermit)>,
}

impl<T: Teller> MessageBody for LeftToTeller<T> {
    type Error = Infallible;

    fn size(&self) -> BodySize {
        BodySize::Stream
    }

    /// Is asked for the first time when the head of the answer is written, and has nothing ever.
    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Bytes, Infallible>>> {
        if let Some((teller, place)) = self.listener.take() {
            self.connection.leave_to(move |stream, listed| {
                actix_web::rt::spawn(tell(Wire::new(stream, listed), teller, place));
            });
        }
        Poll::Pending
    }
}

/// Sends what a teller tells, as chunks, until either end has had enough.
async fn tell<T: Teller>(mut wire: Wire, mut teller: T, place: OwnedSemaphorePermit) {
    loop {
        let event = {
            let next = pin!(teller.next());
            match select(next, poll_fn(|context| wire.poll_gone(context))).await {
                Either::Left((event, _)) => event,
                Either::Right(_) => return,
            }
        };
        let Some(event) = event else {
            break;
        };
        let mut chunk = format!("{:x}\r\n", event.len()).into_bytes();
        let sent = if event.len() <= SHORT {
            chunk.extend_from_slice(&event);
            chunk.extend_from_slice(b"\r\n");
            wire.send(&chunk).await
        } else {
            sent_in_parts(&mut wire, [&chunk, &event, b"\r\n"]).await
        };
        if sent.is_err() {
            return;
        }
    }
    // whoever is gone needs no end
    let _ = wire.send(b"0\r\n\r\n").await;
    drop(place);
}

/// What is long is not copied for each who listens.
async fn sent_in_parts(wire: &mut Wire, parts: [&[u8]; 3]) -> io::Result<()> {
    for part in parts {
        wire.send(part).await?;
    }
    Ok(())
}

/// Whether a request takes events: by the most exact kind that it names (RFC 9110, section 12.5.1). One without the header
/// takes whatever there is.
fn takes_events(request: &HttpRequest) -> bool {
    if !request.headers().contains_key(ACCEPT) {
        return true;
    }
    let accepted = request.headers().get_all(ACCEPT);
    let accepted = accepted.filter_map(|value| value.to_str().ok());
    let items: Vec<_> = accepted
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .collect();
    let wanted = |kind: &str| {
        let mut items = items.iter().map(|item| item.split(';').map(str::trim));
        let mut parameters = items.find_map(|mut parts| {
            let named = parts.next()?;
            named.eq_ignore_ascii_case(kind).then_some(parts)
        })?;
        Some(!parameters.any(is_refusal))
    };
    let kinds = ["text/event-stream", "text/*", "*/*"];
    kinds.into_iter().find_map(wanted).unwrap_or_default()
}

/// What is to be told to those who listen with a token.
pub(super) trait News: Unpin + 'static {
    /// What there is to tell since the last time; `None` when there is nothing.
    fn news(&mut self, app: &App, token: &ApiToken) -> impl Future<Output = Result<Option<Bytes>, Error>>;
}

/// Tells news each time the bell rings, for as long as the token may be used.
pub(super) struct OfToken<N> {
    app: Data<App>,
    bell: watch::Receiver<u64>,
    /// How often time had passed when something was told last.
    beats: u64,
    is_new: bool,
    secret: [u8; 32],
    news: N,
}

impl<N: News> OfToken<N> {
    /// Tells news to whoever has a token.
    pub(super) fn new(app: &Data<App>, token: &ApiToken, news: N) -> Self {
        Self {
            bell: app.streams.bell.listen(),
            app: app.clone(),
            beats: 0,
            is_new: true,
            secret: token.secret_hash,
            news,
        }
    }
}

impl<N: News> Teller for OfToken<N> {
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            let beats = *self.bell.borrow_and_update();
            let credentials = self.app.credentials();
            let token = credentials.token(&self.secret, self.app.now())?.clone();
            drop(credentials);
            let told = match self.news.news(&self.app, &token).await {
                Ok(Some(news)) => Some(news),
                Ok(None) => (self.is_new || self.beats != beats).then_some(NOTHING_NEW),
                // with the environment gone there is nothing more to tell
                Err(Error::NotFound(_)) => return None,
                // too much is to be made for others; there will be another turn
                Err(_) => None,
            };
            if told.is_some() {
                self.is_new = false;
                self.beats = beats;
                return told;
            }
            self.bell.changed().await.ok()?;
        }
    }
}
