//! OFREP, the protocol by which OpenFeature asks for flags. What is refused has the shape of all errors, and what OFREP says
//! beside it.

use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::{Bytes, Data};
use actix_web::{HttpRequest, HttpResponse};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use vexil_client_api::ofrep::{ErrorCode, EventStream, NO_TARGETING_KEY, read_context, refetch};
use vexil_domain::{Context, EnvironmentRevision};
use vexil_service::operations::frontend::{OneOutcome, one_outcome, outcomes};
use vexil_service::operations::json_text::parse_lenient;
use vexil_service::operations::{Error, reports};
use vexil_service::{App, ById};
use vexil_store::{ApiToken, ApiTokenId};

use crate::routes::ApiError;
use crate::routes::auth::SdkToken;
use crate::routes::body::RawBody;
use crate::routes::entity_tag;
use crate::routes::event_stream::{self, LAST_EVENT_ID, News, OfToken};
use crate::routes::paths::{ChannelPath, ReportedFlagPath};
use crate::routes::visits::visit;

/// Where those listen who ask through OFREP.
const EVENTS: &str = "/ofrep/v1/events/";

/// All flags for a context.
pub(crate) async fn flags(
    token: SdkToken,
    app: Data<App>,
    request: HttpRequest,
    RawBody(body): RawBody,
) -> Result<HttpResponse, ApiError> {
    let context = match context(&app, body).await {
        Ok(context) => context,
        Err((code, error)) => return Ok(failed(None, code, &error.into())),
    };
    let path = format!("{}{EVENTS}{}", app.sign_in.options.base_path, channel(&token.0));
    let streams = [EventStream::at(app.sign_in.options.public_origin(), &path)];
    let text = visit(&token.0, &app, &request, context, |visit| {
        outcomes(visit, &streams)
    })?;
    let mut response = HttpResponse::Ok();
    response.insert_header((CACHE_CONTROL, "no-cache"));
    Ok(entity_tag::answer(request.headers(), response, text))
}

/// One flag for a context.
pub(crate) async fn flag(
    token: SdkToken,
    app: Data<App>,
    ReportedFlagPath { name }: ReportedFlagPath,
    request: HttpRequest,
    RawBody(body): RawBody,
) -> Result<HttpResponse, ApiError> {
    let context = match context(&app, body).await {
        Ok(context) => context,
        Err((code, error)) => return Ok(failed(Some(&name), code, &error.into())),
    };
    let outcome = visit(&token.0, &app, &request, context, |visit| {
        one_outcome(visit, &name)
    })?;
    let (code, error) = match outcome {
        Some(OneOutcome::Decided(text)) => {
            let mut response = HttpResponse::Ok();
            response.insert_header((CACHE_CONTROL, "no-cache"));
            return Ok(entity_tag::answer(request.headers(), response, text));
        }
        Some(OneOutcome::TargetingKeyMissing) => {
            (ErrorCode::TargetingKeyMissing, Error::invalid(NO_TARGETING_KEY))
        }
        None => {
            let message = format!("Could not find feature flag {name}");
            (ErrorCode::FlagNotFound, Error::NotFound(message))
        }
    };
    Ok(failed(Some(&name), code, &error.into()))
}

/// The context that a body spells, or why there is none.
async fn context(app: &App, body: Bytes) -> Result<Context, (ErrorCode, Error)> {
    let length = body.len();
    let read = move |_: &App| {
        let document = if body.is_empty() {
            Value::Object(Map::new())
        } else {
            parse_lenient(&body).map_err(|error| (ErrorCode::ParseError, error))?
        };
        read_context(&document).map_err(|problems| (ErrorCode::InvalidContext, problems.into()))
    };
    match app.parse(length, read).await {
        Ok(context) => context,
        Err(error) => Err((ErrorCode::General, error)),
    }
}

/// A refusal: the shape of all errors, with what OFREP says of it.
fn failed(key: Option<&str>, code: ErrorCode, error: &ApiError) -> HttpResponse {
    let (status, text) = error.plain();
    let mut body: Map<String, Value> = serde_json::from_slice(&text).unwrap_or_default();
    if let Some(key) = key {
        body.insert("key".to_owned(), key.into());
    }
    body.insert(
        "errorCode".to_owned(),
        serde_json::to_value(code).unwrap_or_default(),
    );
    body.insert("errorDetails".to_owned(), error.to_string().into());
    HttpResponse::build(status).json(body)
}

/// Tells those who listen that flags have changed.
pub(crate) async fn events(
    app: Data<App>,
    ChannelPath { channel: asked }: ChannelPath,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let id = asked.split_once('-').and_then(|(id, _)| id.parse::<i64>().ok());
    let credentials = app.credentials();
    let token = id.and_then(|id| credentials.token_by_id(ApiTokenId(id)));
    let token = token.filter(|token| channel(token) == asked).cloned();
    let gone = || Error::NotFound("There is no such stream of events.".to_owned());
    let token = token.ok_or_else(gone)?;
    let environment = reports::environment(&token, &app.serving())?;
    let told = request.headers().get(LAST_EVENT_ID);
    let told = told.and_then(|value| EnvironmentRevision::parse(value.to_str().ok()?));
    let told = told.unwrap_or(environment.revision);
    event_stream::answer(&request, &app.streams, || {
        OfToken::new(&app, &token, Refetch { told })
    })
}

/// The name under which whoever asks with a token can listen without telling it, as pages must: all that can be had by it is
/// that something has changed.
fn channel(token: &ApiToken) -> String {
    let digest = Sha256::new()
        .chain_update(b"OFREP events of ")
        .chain_update(token.secret_hash)
        .finalize();
    let digest: String = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    format!("{}-{digest}", token.id.0)
}

/// Tells that flags are to be asked for again.
struct Refetch {
    /// The revision that was told last.
    told: EnvironmentRevision,
}

impl News for Refetch {
    async fn news(&mut self, app: &App, token: &ApiToken) -> Result<Option<Bytes>, Error> {
        let revision = reports::environment(token, &app.serving())?.revision;
        if revision == self.told {
            return Ok(None);
        }
        self.told = revision;
        let data = refetch(&revision.to_string());
        Ok(Some(
            format!("id: {revision}\nevent: message\ndata: {data}\n\n").into(),
        ))
    }
}
