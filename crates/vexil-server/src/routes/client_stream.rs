//! `GET /api/client/streaming`: what SDKs on servers are told of changes, as they happen.

use std::sync::Arc;

use actix_web::web::{Bytes, Data};
use actix_web::{HttpRequest, HttpResponse};
use vexil_client_api::client_features::Segments;
use vexil_service::features_cache::{Form, Scope};
use vexil_service::operations::{Error, reports};
use vexil_service::{App, Coding, ServedEnvironment};
use vexil_store::ApiToken;

use crate::routes::ApiError;
use crate::routes::auth::SdkToken;
use crate::routes::event_stream::{self, LAST_EVENT_ID, News, OfToken};
use crate::routes::wanted::Wanted;

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
    let flags = Flags { wanted, told };
    event_stream::answer(&request, &app.streams, || OfToken::new(&app, &client.0, flags))
}

/// Tells what leads from the flags that were told to those that are.
struct Flags {
    wanted: Wanted,
    /// The id of the last event.
    told: Option<String>,
}

impl News for Flags {
    async fn news(&mut self, app: &App, token: &ApiToken) -> Result<Option<Bytes>, Error> {
        let (mut environment, mut scope) = self.seen_by(app, token)?;
        let mut answer = environment.answer(scope.clone(), Form::Hydration, true);
        let told = self.told.as_ref().and_then(|told| answer.revision_in(told));
        if let Some(told) = told.filter(|told| *told > environment.revision) {
            // another server has told it; to go back would undo what was told
            Box::pin(app.catch_up_to(told.number)).await?;
            (environment, scope) = self.seen_by(app, token)?;
            answer = environment.answer(scope.clone(), Form::Hydration, true);
        }
        if told == Some(environment.revision) {
            return Ok(None);
        }
        if let Some(since) = told.filter(|told| environment.history.since(*told).is_some()) {
            answer = environment.answer(scope, Form::Changes { since }, true);
        }
        let event = match answer.made(Coding::Plain) {
            Some(event) => event,
            // in a box, since most streams never do this
            None => Box::pin(environment.text(app.rendering(), &answer, Coding::Plain)).await?,
        };
        self.told = Some(answer.state());
        Ok(Some(event))
    }
}

impl Flags {
    fn seen_by(&self, app: &App, token: &ApiToken) -> Result<(Arc<ServedEnvironment>, Scope), Error> {
        let serving = app.serving();
        let scope = self.wanted.scope(token, &serving, Segments::Listed);
        Ok((reports::environment(token, &serving)?, scope))
    }
}
