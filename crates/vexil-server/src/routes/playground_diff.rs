//! `POST /api/admin/playground/change-request/{id}/diff…`: what a change request would change, and why.

use actix_web::HttpResponse;
use actix_web::http::header::ContentType;
use actix_web::web::Data;
use serde_json::{Map, Value, json};
use time::OffsetDateTime;
use vexil_admin_api::playground::{DiffQuestion, ExplainQuestion, PlaygroundWarnings, SEED_BOUND};
use vexil_change_request::{ChangeRequest, Outcome};
use vexil_client_api::query::pairs;
use vexil_domain::Context;
use vexil_service::operations::Error;
use vexil_service::operations::diff::{BeforeAfter, Draw};
use vexil_service::operations::environment_view::EnvironmentView;
use vexil_service::operations::playground::preview;
use vexil_service::operations::signed_effects::effect_of;
use vexil_service::{App, ServingState};

use super::playground::find;
use crate::routes::ApiError;
use crate::routes::asked::Asked;
use crate::routes::bodies::Body;
use crate::routes::paths::AnyRequestPath;
use vexil_change_request::ChangeRequestId;

/// Compares the environment of a change request as it is with how it would be.
pub(crate) async fn diff(
    app: Data<App>,
    AnyRequestPath { id }: AnyRequestPath,
    asked: Asked,
    Body(question): Body<DiffQuestion>,
) -> Result<HttpResponse, ApiError> {
    let of_recent = asks_for_recent(&asked.query)?;
    let (sides, head, outcome) = sides(&app, id).await?;
    let recent = of_recent.then(|| recent(&app, &sides)).transpose()?;
    let warnings = PlaygroundWarnings::of_changes(question.invalid.clone(), &outcome);
    let draw = draw(&app, &question);
    let limit = app.limits.evaluations;
    let mut head = head;
    head.insert("input".to_owned(), input(&question));
    let text = app
        .question(move |budget| {
            if let Some(contexts) = recent {
                head.insert("recent".to_owned(), sides.hits(&contexts, draw, budget)?);
            }
            sides.diff(&question, draw, limit, budget, &head, &warnings)
        })
        .await?;
    Ok(HttpResponse::Ok().content_type(ContentType::json()).body(text))
}

/// Whether the contexts for which front ends have asked lately are to be tried: `contexts=recent`.
fn asks_for_recent(query: &str) -> Result<bool, Error> {
    let mut asked = pairs(query).filter(|(name, _)| name == "contexts");
    match (asked.next(), asked.next()) {
        (None, _) => Ok(false),
        (Some((_, value)), None) if value == "recent" => Ok(true),
        _ => Err(Error::invalid(
            "The query parameter `contexts` must be `recent`, once.",
        )),
    }
}

/// Those contexts.
fn recent(app: &App, sides: &BeforeAfter) -> Result<Vec<Context>, Error> {
    if !app.recent_contexts.is_on() {
        return Err(Error::invalid(
            "No contexts are kept here: name the fields to keep in RECENT_CONTEXT_FIELDS.",
        ));
    }
    let environment = sides.before.name.as_str();
    Ok(app.recent_contexts.of_last_hour(environment, app.now()))
}

/// Explains one cell of a difference, before and after.
pub(crate) async fn explain(
    app: Data<App>,
    AnyRequestPath { id }: AnyRequestPath,
    Body(question): Body<ExplainQuestion>,
) -> Result<HttpResponse, ApiError> {
    let (sides, _, _) = sides(&app, id).await?;
    let draw = draw(&app, &question.diff);
    let answer = app
        .question(move |budget| sides.explain(&question, draw, budget))
        .await?;
    Ok(HttpResponse::Ok().json(answer))
}

/// Both sides of a change request, and what the answer says of it.
pub(super) async fn sides(
    app: &App,
    id: ChangeRequestId,
) -> Result<(BeforeAfter, Map<String, Value>, Outcome), ApiError> {
    let (serving, request) = find(app, id).await?;
    let now = app.now();
    Ok(app.question(move |_| both(now, &serving, &request)).await?)
}

/// The same with all other environments that it reaches, and with the digest of what somebody approves who reads it.
pub(super) async fn sides_everywhere(
    app: &App,
    id: ChangeRequestId,
) -> Result<(BeforeAfter, Map<String, Value>, Outcome), ApiError> {
    let (serving, request) = find(app, id).await?;
    let now = app.now();
    let work = move |_: &_| {
        let (mut sides, mut head, outcome) = both(now, &serving, &request)?;
        let environment = &request.environment;
        sides.elsewhere = EnvironmentView::elsewhere(&serving, environment, &outcome.proposed);
        let signed = effect_of(&serving, &request, &serving.snapshot, now).signed;
        head.insert("approves".to_owned(), json!(signed.digest.as_str()));
        Ok((sides, head, outcome))
    };
    Ok(app.question(work).await?)
}

/// The same, where it may take long.
fn both(
    now: OffsetDateTime,
    serving: &ServingState,
    request: &ChangeRequest,
) -> Result<(BeforeAfter, Map<String, Value>, Outcome), Error> {
    let outcome = preview(serving, request, now)?;
    let sides = BeforeAfter {
        before: EnvironmentView::current(serving, &request.environment),
        after: EnvironmentView::proposed(serving, &request.environment, &outcome.proposed),
        project: request.project.clone(),
        elsewhere: Vec::new(),
    };
    let mut head = Map::new();
    head.insert("changeRequest".to_owned(), json!(request.id.0));
    head.insert("environment".to_owned(), json!(request.environment.as_str()));
    head.insert("project".to_owned(), json!(request.project.as_str()));
    Ok((sides, head, outcome))
}

/// The question as it was asked.
pub(super) fn input(question: &DiffQuestion) -> Value {
    let mut input = Map::new();
    if let Some(context) = &question.context {
        input.insert("context".to_owned(), context.clone());
    }
    input.insert("suggest".to_owned(), json!(question.suggest));
    if let Some(population) = question.population {
        input.insert(
            "population".to_owned(),
            json!({ "size": population.size, "seed": population.seed }),
        );
    }
    Value::Object(input)
}

/// Time and chance as they were asked for, else the present and a new seed.
pub(super) fn draw(app: &App, question: &DiffQuestion) -> Draw {
    Draw {
        now: question.now.unwrap_or_else(|| app.now()),
        seed: question.seed.unwrap_or_else(|| app.seed() % SEED_BOUND),
    }
}
