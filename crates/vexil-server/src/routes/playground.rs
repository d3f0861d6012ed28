//! `POST /api/admin/playground…`: what flags evaluate to, now or with a change request applied.

use actix_web::web::{Data, Query};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use time::OffsetDateTime;
use vexil_admin_api::playground::{
    AdvancedQuestion, ChangeRequestQuestion, Projects, ResultForm, SimpleQuestion,
};
use vexil_change_request::{ChangeRequest, ChangeRequestId, Outcome, overlay};

use crate::app::App;
use crate::operations::Error;
use crate::operations::change_requests::blocked;
use crate::operations::playground::{EnvironmentView, Question, Terms};
use crate::routes::ApiError;
use crate::routes::bodies::Body;
use crate::routes::paths::AnyRequestPath;
use crate::routes::reply::Streamed;
use crate::serving_state::ServingState;

#[derive(Deserialize)]
pub(crate) struct FormQuery {
    #[serde(rename = "strategyResult")]
    strategy_result: Option<String>,
}

impl FormQuery {
    fn form(&self, otherwise: ResultForm) -> Result<ResultForm, Error> {
        let Some(name) = &self.strategy_result else {
            return Ok(otherwise);
        };
        ResultForm::from_name(name).ok_or_else(|| {
            Error::invalid(format!(
                "The query parameter strategyResult is `{name}`; it must be documented or object."
            ))
        })
    }
}

/// Evaluates the flags of a change request's project, in its environment, as if it were applied.
pub(crate) async fn change_request(
    app: Data<App>,
    AnyRequestPath { id }: AnyRequestPath,
    query: Query<FormQuery>,
    Body(question): Body<ChangeRequestQuestion>,
) -> Result<Streamed, ApiError> {
    let form = query.form(ResultForm::Documented)?;
    let (serving, request) = find(&app, id).await?;
    let now = app.now();
    let (request, outcome, stage) = app
        .question(move |_| {
            let outcome = preview(now, &serving, &request)?;
            let stage = EnvironmentView::proposed(&serving, &request.environment, &outcome.proposed);
            Ok((request, outcome, stage))
        })
        .await?;
    let environments = json!([request.environment.as_str()]);
    let projects = json!([request.project.as_str()]);
    let input = format!(
        r#"{{"environments":{environments},"projects":{projects},"context":{}}}"#,
        question.sent
    );
    let warnings = warnings(question.context.invalid, &outcome);
    let terms = Terms {
        projects: Projects::These(vec![request.project.clone()]),
        matrix: question.context.matrix,
        form,
        now,
        seed: app.seed(),
    };
    let ask = Question::about_one(stage, terms, &app.limits)?;
    respond(&app, ask, input, warnings)
}

/// The change request of an id, with the serving state to judge it in.
pub(super) async fn find(
    app: &App,
    id: ChangeRequestId,
) -> Result<(std::sync::Arc<ServingState>, ChangeRequest), ApiError> {
    let missing = || Error::NotFound(format!("There is no change request with the id `{id}`."));
    let request = app
        .read(move |store| store.change_request(id))
        .await?
        .ok_or_else(missing)?;
    Ok((app.serving(), request))
}

/// The configuration with the change request applied. Nothing is kept of it.
pub(super) fn preview(
    now: OffsetDateTime,
    serving: &ServingState,
    request: &ChangeRequest,
) -> Result<Outcome, Error> {
    if request.state.is_closed() {
        return Err(Error::invalid(format!(
            "Change request {} is {} and cannot be previewed; only open ones can: Draft, In review, Approved, Scheduled.",
            request.id, request.state
        )));
    }
    let outcome = overlay(&serving.snapshot, &request.scope(now), &request.changes);
    match blocked(request, &outcome) {
        Some(error) => Err(error),
        None => Ok(outcome),
    }
}

/// What is to be warned of, if anything.
pub(super) fn warnings(invalid: Vec<String>, outcome: &Outcome) -> Option<Value> {
    let conflicts: Vec<Value> = outcome
        .stale()
        .map(|issue| json!({ "changeId": issue.change.0, "code": issue.code.name(), "message": issue.message }))
        .collect();
    let mut warnings = Map::new();
    if !invalid.is_empty() {
        warnings.insert("invalidContextProperties".to_owned(), json!(invalid));
    }
    if !conflicts.is_empty() {
        warnings.insert("changeRequestConflicts".to_owned(), json!(conflicts));
    }
    (!warnings.is_empty()).then_some(Value::Object(warnings))
}

/// Evaluates flags as they are, in several environments, for every combination of context values.
pub(crate) async fn advanced(
    app: Data<App>,
    query: Query<FormQuery>,
    Body(question): Body<AdvancedQuestion>,
) -> Result<Streamed, ApiError> {
    let form = query.form(ResultForm::Object)?;
    let serving = app.serving();
    let terms = Terms {
        projects: question.projects,
        matrix: question.context.matrix,
        form,
        now: app.now(),
        seed: app.seed(),
    };
    let ask = Question::about_current(&serving, &question.environments, terms, &app.limits)?;
    let warnings = invalid_properties(question.context.invalid);
    respond(&app, ask, Value::Object(question.echo).to_string(), warnings)
}

/// Evaluates flags as they are, in one environment, for one context.
pub(crate) async fn simple(
    app: Data<App>,
    query: Query<FormQuery>,
    Body(question): Body<SimpleQuestion>,
) -> Result<Streamed, ApiError> {
    let form = query.form(ResultForm::Object)?;
    let terms = Terms {
        projects: question.projects,
        matrix: question.context.matrix,
        form,
        now: app.now(),
        seed: app.seed(),
    };
    let names = [question.environment];
    let ask = Question::about_current(&app.serving(), &names, terms, &app.limits)?;
    let input = Value::Object(question.echo).to_string();
    stream(&app, move |sink| ask.answer_simple(&input, sink))
}

fn invalid_properties(invalid: Vec<String>) -> Option<Value> {
    (!invalid.is_empty()).then(|| json!({ "invalidContextProperties": invalid }))
}

/// Answers the question.
fn respond(
    app: &App,
    question: Question,
    input: String,
    warnings: Option<Value>,
) -> Result<Streamed, ApiError> {
    let warnings = warnings.map(|warnings| warnings.to_string());
    stream(app, move |sink| {
        question.answer(&input, warnings.as_deref(), sink);
    })
}

/// Streams what `write` writes, while it writes.
fn stream(
    app: &App,
    write: impl FnOnce(&mut dyn FnMut(Vec<u8>) -> bool) + Send + 'static,
) -> Result<Streamed, ApiError> {
    Ok(Streamed(app.stream(write)?))
}
