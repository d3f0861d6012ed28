//! The client API: what SDKs on servers read and report.

use std::sync::Arc;

use actix_web::http::header::{CONTENT_ENCODING, CONTENT_TYPE, ETAG, VARY};
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use vexil_client_api::client_features::{Segments, write_feature};
use vexil_client_api::register::Registered;
use vexil_service::features_cache::{Answer, Form};
use vexil_service::operations::{Error, reports};
use vexil_service::{App, ServedEnvironment};
use vexil_store::{ApiToken, ReportKey};
use vexil_values::Version;

use crate::accept_encoding::best_coding;
use crate::compression::Kept;
use crate::routes::ApiError;
use crate::routes::auth::SdkToken;
use crate::routes::bodies::Body;
use crate::routes::body::{JsonBody, RawBody};
use crate::routes::entity_tag;
use crate::routes::paths::ReportedFlagPath;
use crate::routes::wanted::Wanted;

/// The flags of the token's environment and projects.
pub(crate) async fn features(
    client: SdkToken,
    app: Data<App>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let environment = reports::environment(&client.0, &serving)?;
    let scope = Wanted::of(&request)?.scope(&client.0, &serving, segments(&request)?);
    let answer = environment.answer(scope, Form::Document, false);
    let tag = answer.tag(best_coding(request.headers()));
    if entity_tag::is_known(request.headers(), tag) {
        return Ok(entity_tag::not_modified(tag));
    }
    tell(&app, &request, &environment, &answer).await
}

/// What has changed since the state that the client has, by its entity tag; everything where that is too old.
pub(crate) async fn delta(
    client: SdkToken,
    app: Data<App>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let wanted = Wanted::of(&request)?;
    let serving = app.serving();
    let mut environment = reports::environment(&client.0, &serving)?;
    let mut scope = wanted.scope(&client.0, &serving, Segments::Listed);
    let mut answer = environment.answer(scope.clone(), Form::Hydration, false);
    let known = |answer: &Answer| {
        let known = entity_tag::known(request.headers());
        known.filter_map(|tag| answer.revision_in(tag)).max()
    };
    if let Some(later) = known(&answer).filter(|known| *known > environment.revision) {
        // another server has told it; to go back would undo what was told
        app.catch_up_to(later.number).await?;
        let serving = app.serving();
        environment = reports::environment(&client.0, &serving)?;
        scope = wanted.scope(&client.0, &serving, Segments::Listed);
        answer = environment.answer(scope.clone(), Form::Hydration, false);
    }
    let known = known(&answer);
    if known == Some(environment.revision) {
        return Ok(entity_tag::not_modified(
            answer.tag(best_coding(request.headers())),
        ));
    }
    if let Some(since) = known.filter(|known| environment.history.since(*known).is_some()) {
        answer = environment.answer(scope, Form::Changes { since }, false);
    }
    tell(&app, &request, &environment, &answer).await
}

/// Answers with a text that is made once.
async fn tell(
    app: &App,
    request: &HttpRequest,
    environment: &Arc<ServedEnvironment>,
    answer: &Arc<Answer>,
) -> Result<HttpResponse, ApiError> {
    let coding = best_coding(request.headers());
    let body = environment.text(app.rendering(), answer, coding).await?;
    let mut response = HttpResponse::Ok();
    response
        .insert_header((ETAG, answer.tag(coding)))
        .insert_header((CONTENT_TYPE, entity_tag::JSON));
    response.insert_header((VARY, "Accept-Encoding"));
    if let Some(name) = coding.name() {
        response.insert_header((CONTENT_ENCODING, name));
    }
    let mut response = response.body(body);
    response.extensions_mut().insert(Kept);
    Ok(response)
}

/// One flag.
pub(crate) async fn feature(
    client: SdkToken,
    app: Data<App>,
    ReportedFlagPath { name }: ReportedFlagPath,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let environment = environment(&client, &app)?;
    let projects = &client.0.projects;
    let flag = environment.snapshot.flags.get(name.as_str());
    let flag = flag.filter(|flag| projects.is_empty() || projects.contains(&flag.project));
    let Some(flag) = flag else {
        return Err(Error::NotFound(format!("Could not find feature flag {name}")).into());
    };
    let mut body = Vec::new();
    write_feature(flag, &environment.snapshot, segments(&request)?, &mut body);
    Ok(entity_tag::answer(request.headers(), HttpResponse::Ok(), body))
}

/// An instance of an application has started.
pub(crate) async fn register(
    client: SdkToken,
    app: Data<App>,
    Body(registered): Body<Registered>,
) -> Result<HttpResponse, ApiError> {
    reports::register(&app, &client.0, vec![registered]).await?;
    Ok(HttpResponse::Accepted().finish())
}

/// An SDK reports what it evaluated.
pub(crate) async fn metrics(
    client: SdkToken,
    app: Data<App>,
    body: RawBody,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let key = report_key(&client.0, &request)?;
    reports::take_in(&app, &client.0, body.0, key).await?;
    Ok(HttpResponse::Accepted().finish())
}

/// A proxy reports what SDKs reported to it.
pub(crate) async fn bulk_metrics(
    client: SdkToken,
    app: Data<App>,
    body: JsonBody,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let key = report_key(&client.0, &request)?;
    reports::take_in_bulk(&app, &client.0, body.value, body.text.len(), key).await?;
    Ok(HttpResponse::Accepted().finish())
}

/// What the sender of a report calls it, where it says so.
pub(super) fn report_key(token: &ApiToken, request: &HttpRequest) -> Result<Option<ReportKey>, Error> {
    const KEY: &str = "idempotency-key";
    const LONGEST: usize = 255;
    let Some(value) = request.headers().get(KEY) else {
        return Ok(None);
    };
    match value.to_str() {
        Ok(key) if !key.is_empty() && key.len() <= LONGEST => Ok(Some(reports::report_key(token, key))),
        _ => Err(Error::invalid(format!(
            "The header `Idempotency-Key` must have 1 to {LONGEST} visible ASCII characters."
        ))),
    }
}

fn environment(client: &SdkToken, app: &App) -> Result<Arc<ServedEnvironment>, Error> {
    reports::environment(&client.0, &app.serving())
}

/// Where an SDK wants the constraints of segments: those of specification 4.2.0 or later know
/// segments, the others want them among a strategy's own constraints.
fn segments(request: &HttpRequest) -> Result<Segments, Error> {
    const HEADER: &str = "unleash-client-spec";
    let first_with_segments = Version::of([4, 2, 0], "");
    let Some(header) = request.headers().get(HEADER) else {
        return Ok(Segments::Inlined);
    };
    match header.to_str().ok().and_then(|text| Version::parse(text.trim())) {
        Some(version) if Some(version) >= first_with_segments => Ok(Segments::Listed),
        Some(_) => Ok(Segments::Inlined),
        None => Err(Error::invalid(format!(
            "The header `{HEADER}` must be a semantic version such as 5.1.9."
        ))),
    }
}
