//! The client API: what SDKs on servers read and report.

use std::sync::Arc;

use actix_web::http::header::{CONTENT_ENCODING, CONTENT_TYPE, ETAG, VARY};
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use vexil_client_api::client_features::{Segments, write_feature};
use vexil_client_api::register::Registered;
use vexil_domain::ProjectId;
use vexil_store::{ApiToken, ReportKey};

use crate::app::App;
use crate::compression::{Accepted, Kept};
use crate::features_cache::Scope;
use crate::operations::Error;
use crate::operations::reports;
use crate::routes::ApiError;
use crate::routes::auth::SdkToken;
use crate::routes::bodies::Body;
use crate::routes::body::{JsonBody, RawBody};
use crate::routes::entity_tag;
use crate::routes::paths::ReportedFlagPath;
use crate::serving_state::{ServedEnvironment, ServingState};

/// The flags of the token's environment and projects.
pub(crate) async fn features(
    client: SdkToken,
    app: Data<App>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let environment = reports::environment(&client.0, &serving)?;
    let scope = scope(&client, &serving, &request)?;
    let answer = environment
        .answers
        .get(scope, &environment.name, environment.revision);
    if answer
        .tag
        .to_str()
        .is_ok_and(|tag| entity_tag::is_known(request.headers(), tag))
    {
        return Ok(entity_tag::not_modified(&answer.tag));
    }
    let gzip = Accepted::of(request.headers()) == Accepted::Gzip;
    let tag = answer.tag.clone();
    let body = match answer.made(gzip) {
        Some(body) => body,
        None => {
            environment
                .answers
                .make(app.rendering(), &answer, &environment.snapshot, gzip)
                .await?
        }
    };
    let mut response = HttpResponse::Ok();
    response
        .insert_header((ETAG, tag))
        .insert_header((CONTENT_TYPE, entity_tag::JSON));
    response.insert_header((VARY, "Accept-Encoding"));
    if gzip {
        response.insert_header((CONTENT_ENCODING, "gzip"));
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
    reports::take_in_bulk(&app, &client.0, body, key).await?;
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

/// What a request may see and asks for. The projects of a token win over those of the query. Projects that
/// do not exist have no flags; each other one counts once.
fn scope(client: &SdkToken, serving: &ServingState, request: &HttpRequest) -> Result<Scope, Error> {
    let mut asked = Vec::new();
    let mut is_narrowed = false;
    let mut name_prefix = None;
    for (name, value) in vexil_client_api::query::pairs(request.query_string()) {
        match name.as_str() {
            "project" | "project[]" if client.0.projects.is_empty() => {
                is_narrowed = true;
                asked.push(ProjectId::from(value));
            }
            "namePrefix" if value.is_empty() || name_prefix.is_some() => {
                return Err(Error::invalid(
                    "The query parameter `namePrefix` must be one text that is not empty.",
                ));
            }
            "namePrefix" => name_prefix = Some(value),
            _ => {}
        }
    }
    asked.extend(client.0.projects.iter().cloned());
    let is_limited = !asked.is_empty();
    asked.retain(|project| serving.snapshot.projects.contains_key(project));
    asked.sort_unstable();
    asked.dedup();
    Ok(Scope {
        projects: is_limited.then_some(asked),
        is_narrowed: is_narrowed || name_prefix.is_some(),
        name_prefix,
        segments: segments(request)?,
    })
}

/// Where an SDK wants the constraints of segments: those of specification 4.2.0 or later know
/// segments, the others want them among a strategy's own constraints.
fn segments(request: &HttpRequest) -> Result<Segments, Error> {
    const HEADER: &str = "unleash-client-spec";
    const FIRST_WITH_SEGMENTS: semver::Version = semver::Version::new(4, 2, 0);
    let Some(header) = request.headers().get(HEADER) else {
        return Ok(Segments::Inlined);
    };
    match header
        .to_str()
        .ok()
        .and_then(|text| semver::Version::parse(text.trim()).ok())
    {
        Some(version) if version >= FIRST_WITH_SEGMENTS => Ok(Segments::Listed),
        Some(_) => Ok(Segments::Inlined),
        None => Err(Error::invalid(format!(
            "The header `{HEADER}` must be a semantic version such as 5.1.9."
        ))),
    }
}
