//! `POST /api/admin/playground…`: what flags evaluate to, now or with a change request applied.

use std::sync::Arc;

use actix_web::web::{Data, Query};
use serde::Deserialize;
use vexil_admin_api::playground::{
    AdvancedQuestion, ChangeRequestQuestion, PieceSink, PlaygroundContext, PlaygroundWarnings, ResultForm,
    SimpleQuestion,
};
use vexil_change_request::{ChangeRequest, ChangeRequestId};
use vexil_service::operations::Error;
use vexil_service::operations::playground::{Question, Settings};
use vexil_service::packing::GzipPieces;
use vexil_service::{App, ServingState};

use crate::accept_encoding::Accepted;
use crate::routes::ApiError;
use crate::routes::bodies::Body;
use crate::routes::paths::AnyRequestPath;
use crate::routes::reply::Streamed;

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
    accepted: Accepted,
    AnyRequestPath { id }: AnyRequestPath,
    query: Query<FormQuery>,
    Body(question): Body<ChangeRequestQuestion>,
) -> Result<Streamed, ApiError> {
    let usual = if app.is_for_unleash_ui() {
        ResultForm::Object
    } else {
        ResultForm::Documented
    };
    let settings = settings(&app, query.form(usual)?);
    let (serving, request) = find(&app, id).await?;
    let input = question.input(&request.environment, &request.project);
    let PlaygroundContext { matrix, invalid, .. } = question.context;
    let limits = app.limits;
    let made = app.question(move |_| Question::proposed(&serving, &request, matrix, settings, &limits));
    let (question, outcome) = made.await?;
    let warnings = PlaygroundWarnings::of_changes(invalid, &outcome);
    stream(&app, accepted, move |sink| {
        question.answer(&input, &warnings, sink)
    })
}

/// The change request of an id, with the serving state to judge it in.
pub(super) async fn find(
    app: &App,
    id: ChangeRequestId,
) -> Result<(Arc<ServingState>, ChangeRequest), ApiError> {
    let missing = || Error::NotFound(format!("There is no change request with the id `{id}`."));
    let request = app
        .read(move |store| store.change_request(id))
        .await?
        .ok_or_else(missing)?;
    Ok((app.serving(), request))
}

/// Evaluates flags as they are, in several environments, for every combination of context values.
pub(crate) async fn advanced(
    app: Data<App>,
    accepted: Accepted,
    query: Query<FormQuery>,
    Body(question): Body<AdvancedQuestion>,
) -> Result<Streamed, ApiError> {
    let settings = settings(&app, query.form(ResultForm::Object)?);
    let serving = app.serving();
    let warnings = PlaygroundWarnings::of_context(question.context.invalid);
    let (environments, projects) = (question.environments, question.projects);
    let matrix = question.context.matrix;
    let asked = Question::current(&serving, &environments, projects, matrix, settings, &app.limits)?;
    let input = question.input;
    stream(&app, accepted, move |sink| asked.answer(&input, &warnings, sink))
}

/// Evaluates flags as they are, in one environment, for one context.
pub(crate) async fn simple(
    app: Data<App>,
    accepted: Accepted,
    query: Query<FormQuery>,
    Body(question): Body<SimpleQuestion>,
) -> Result<Streamed, ApiError> {
    let settings = settings(&app, query.form(ResultForm::Object)?);
    let serving = app.serving();
    let (environment, projects) = (question.environment, question.projects);
    let matrix = question.context.matrix;
    let asked = Question::current(&serving, &[environment], projects, matrix, settings, &app.limits)?;
    let input = question.input;
    stream(&app, accepted, move |sink| asked.answer_simple(&input, sink))
}

fn settings(app: &App, form: ResultForm) -> Settings {
    Settings {
        form,
        now: app.now(),
        seed: app.seed(),
    }
}

/// Streams what `write` writes, while it writes, in the form that the client takes.
pub(super) fn stream(
    app: &App,
    accepted: Accepted,
    write: impl FnOnce(&mut PieceSink<'_>) + Send + 'static,
) -> Result<Streamed, ApiError> {
    let is_packed = accepted == Accepted::Gzip;
    let reader = if is_packed {
        app.stream(move |sink| {
            let mut packer = GzipPieces::default();
            write(&mut |piece: Vec<u8>| packer.write(&piece).is_none_or(&mut *sink));
            sink(packer.finish());
        })?
    } else {
        app.stream(write)?
    };
    Ok(Streamed { reader, is_packed })
}
