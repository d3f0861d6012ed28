//! `GET /api/client/streaming`: what SDKs on servers are told of changes, as they happen.

use std::sync::Arc;

use actix_web::http::header::HeaderName;
use actix_web::web::{Bytes, Data};
use actix_web::{HttpRequest, HttpResponse};
use tokio::sync::watch;
use vexil_client_api::client_features::Segments;
use vexil_store::ApiToken;

use crate::app::App;
use crate::features_cache::{Form, Scope};
use crate::operations::{Error, reports};
use crate::routes::ApiError;
use crate::routes::auth::SdkToken;
use crate::routes::event_stream::{self, NOTHING_NEW, Teller};
use crate::routes::wanted::Wanted;
use crate::serving_state::ServedEnvironment;

/// The last event that a client got before it lost its connection.
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// Tells an SDK everything, then what changes.
pub(crate) async fn streaming(
    client: SdkToken,
    app: Data<App>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    reports::environment(&client.0, &app.serving())?;
    let wanted = Wanted::of(&request)?;
    let told = request.headers().get(LAST_EVENT_ID);
    let told = told.and_then(|value| value.to_str().ok()).map(str::to_owned);
    event_stream::answer(&request, &app.streams, || FlagTeller {
        bell: app.streams.bell.listen(),
        beats: 0,
        is_new: true,
        secret: client.0.secret_hash,
        app: app.clone(),
        wanted,
        told,
    })
}

/// Tells what leads from what was told to what is.
struct FlagTeller {
    app: Data<App>,
    bell: watch::Receiver<u64>,
    /// How often time had passed when something was told last.
    beats: u64,
    is_new: bool,
    /// Whoever may no longer ask is told nothing more.
    secret: [u8; 32],
    wanted: Wanted,
    /// The id of the last event.
    told: Option<String>,
}

impl Teller for FlagTeller {
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            let beats = *self.bell.borrow_and_update();
            let token = self.token()?;
            match self.news(&token).await {
                Ok(Some(news)) => {
                    self.is_new = false;
                    self.beats = beats;
                    return Some(news);
                }
                Ok(None) if self.is_new || self.beats != beats => {
                    self.is_new = false;
                    self.beats = beats;
                    return Some(NOTHING_NEW);
                }
                // with the environment gone there is nothing more to tell
                Err(Error::NotFound(_)) => return None,
                // too much is to be made for others; there will be another turn
                Ok(None) | Err(_) => {}
            }
            self.bell.changed().await.ok()?;
        }
    }
}

impl FlagTeller {
    /// The token of who listens, while it may be used.
    fn token(&self) -> Option<Arc<ApiToken>> {
        self.app
            .credentials()
            .token(&self.secret, self.app.now())
            .cloned()
    }

    /// What there is to tell.
    async fn news(&mut self, token: &ApiToken) -> Result<Option<Bytes>, Error> {
        let (mut environment, mut scope) = self.seen_by(token)?;
        let mut answer = environment.answer(scope.clone(), Form::Hydration, true);
        let told = self.told.as_ref().and_then(|told| answer.revision_in(told));
        if let Some(told) = told.filter(|told| *told > environment.revision) {
            // another server has told it; to go back would undo what was told
            self.app.catch_up_to(told).await?;
            (environment, scope) = self.seen_by(token)?;
            answer = environment.answer(scope.clone(), Form::Hydration, true);
        }
        if told == Some(environment.revision) {
            return Ok(None);
        }
        if let Some(since) = told.filter(|told| environment.history.since(*told).is_some()) {
            answer = environment.answer(scope, Form::Changes { since }, true);
        }
        let event = environment.text(self.app.rendering(), &answer, false).await?;
        self.told = Some(answer.state());
        Ok(Some(event))
    }

    fn seen_by(&self, token: &ApiToken) -> Result<(Arc<ServedEnvironment>, Scope), Error> {
        let serving = self.app.serving();
        let scope = self.wanted.scope(token, &serving, Segments::Listed);
        Ok((reports::environment(token, &serving)?, scope))
    }
}
