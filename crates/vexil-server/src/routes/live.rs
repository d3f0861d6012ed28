//! `GET /api/admin/live`: that something changed or was used, as it happens, as server-sent events. What it is is asked for
//! by whoever wants to know; nothing but the fact is told here.

use std::time::Duration;

use actix_web::web::{Bytes, Data};
use actix_web::{HttpRequest, HttpResponse};
use tokio::time::{Interval, MissedTickBehavior, interval};
use vexil_service::App;

use crate::routes::ApiError;
use crate::routes::auth::is_still_admitted;
use crate::routes::event_stream::{self, Teller};

/// How often it is looked whether something happened.
const TURN: Duration = Duration::from_secs(1);
/// After so many turns usage is told in any case, since another server may have stored it. Proxies see that somebody is there.
const QUIET: u32 = 15;
/// After so many turns the answer ends and listeners come back.
const LONGEST: u32 = 120;

/// Somebody who listens.
struct Listener {
    app: Data<App>,
    /// Whoever sent it may listen for as long as they may ask.
    request: HttpRequest,
    turns: Interval,
    turn: u32,
    /// The revision and the number of groups of reports that were appended, that were told last.
    told: (u64, u64),
}

/// Tells what happens until the listener leaves.
pub(crate) async fn live(request: HttpRequest, app: Data<App>) -> Result<HttpResponse, ApiError> {
    let mut turns = interval(TURN);
    turns.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let streams = app.streams.clone();
    let told = state(&app);
    event_stream::answer(&request, &streams, || Listener {
        app,
        request: request.clone(),
        turns,
        turn: 0,
        told,
    })
}

fn state(app: &App) -> (u64, u64) {
    (app.serving().revision.sequence, app.usage_writer.appended())
}

impl Teller for Listener {
    /// Ends once it has listened for long enough.
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
            if text.is_empty() {
                continue;
            }
            return is_still_admitted(&self.request).await.then(|| text.into());
        }
    }
}
