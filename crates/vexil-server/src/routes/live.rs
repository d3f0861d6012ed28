//! `GET /api/admin/live`: that something changed or was used, as it happens, as server-sent events. What it is is asked for
//! by whoever wants to know; nothing but the fact is told here.

use std::convert::Infallible;
use std::time::Duration;

use actix_web::http::header::{ACCEPT, CACHE_CONTROL, CONTENT_TYPE, HeaderName};
use actix_web::web::{Bytes, Data};
use actix_web::{HttpRequest, HttpResponse};
use futures_util::stream::unfold;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Interval, MissedTickBehavior, interval};

use crate::app::App;
use crate::operations::Error;
use crate::routes::ApiError;

/// How often it is looked whether something happened.
const TURN: Duration = Duration::from_secs(1);
/// After so many turns usage is told in any case, since another server may have stored it. Proxies see that somebody is there.
const QUIET: u32 = 15;
/// After so many turns the answer ends and listeners come back: whoever may no longer listen is turned away then.
const LONGEST: u32 = 120;
/// When a listener that found no place should try again.
const RETRY: Duration = Duration::from_secs(30);

/// Tells proxies to pass on what they get at once.
const UNBUFFERED: HeaderName = HeaderName::from_static("x-accel-buffering");

/// Somebody who listens.
struct Listener {
    app: Data<App>,
    turns: Interval,
    turn: u32,
    /// The revision and the number of groups of reports that were appended, that were told last.
    told: (u64, u64),
    _place: OwnedSemaphorePermit,
}

/// Tells what happens until the listener leaves.
pub(crate) async fn live(request: HttpRequest, app: Data<App>) -> Result<HttpResponse, ApiError> {
    if !takes_events(&request) {
        return Err(Error::invalid(
            "This answers with server-sent events: ask with `Accept: text/event-stream`.",
        )
        .into());
    }
    let Some(place) = app.listeners.enter() else {
        return Err(Error::Busy {
            doing: "other pages that listen",
            retry_after: RETRY,
        }
        .into());
    };
    let mut turns = interval(TURN);
    turns.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let told = state(&app);
    let listener = Listener {
        app,
        turns,
        turn: 0,
        told,
        _place: place,
    };
    let events = unfold(listener, |mut listener| async {
        let event = listener.next().await?;
        Some((Ok::<Bytes, Infallible>(event), listener))
    });
    let mut answer = HttpResponse::Ok();
    answer
        .insert_header((CONTENT_TYPE, "text/event-stream"))
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header((UNBUFFERED, "no"));
    Ok(answer.streaming(events))
}

fn takes_events(request: &HttpRequest) -> bool {
    let accepted = request.headers().get_all(ACCEPT);
    let mut accepted = accepted.filter_map(|value| value.to_str().ok());
    accepted.any(|value| value.contains("text/event-stream") || value.contains("*/*"))
}

fn state(app: &App) -> (u64, u64) {
    (app.serving().revision.sequence, app.usage_writer.appended())
}

impl Listener {
    /// What happened next; `None` once it has listened for long enough.
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            self.turns.tick().await;
            self.turn += 1;
            if self.turn > LONGEST {
                return None;
            }
            let now = state(&self.app);
            let mut text = String::new();
            if self.turn == 1 {
                text.push_str("retry: 1000\n\n");
            }
            if now.0 != self.told.0 {
                text.push_str(&format!("event: change\ndata: {}\n\n", now.0));
            }
            if now.1 != self.told.1 || self.turn.is_multiple_of(QUIET) {
                text.push_str("event: usage\ndata: {}\n\n");
            }
            self.told = now;
            if !text.is_empty() {
                return Some(text.into());
            }
        }
    }
}
