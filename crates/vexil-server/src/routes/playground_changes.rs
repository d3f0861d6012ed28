//! `POST /api/admin/playground/changes/…`: what changes that nobody has made or proposed yet would do, and why.

use actix_web::HttpResponse;
use actix_web::http::header::ContentType;
use actix_web::web::Data;
use serde_json::{Map, json};
use vexil_admin_api::playground::{
    DiffQuestion, ExplainQuestion, PlaygroundWarnings, ProofQuestion, ProposedChanges,
};
use vexil_change_request::{Outcome, Scope};
use vexil_service::operations::change_requests::propose;
use vexil_service::operations::diff::BeforeAfter;
use vexil_service::operations::environment_view::EnvironmentView;
use vexil_service::{App, Principal};

use super::auth::Caller;
use super::bodies::Body;
use super::playground_diff::{draw, input};
use super::playground_proof::answer_of;
use super::reply::Reply;
use crate::accept_encoding::Accepted;
use crate::routes::ApiError;

/// Compares an environment as it is with how the changes of the body would make it.
pub(crate) async fn diff(
    who: Caller,
    app: Data<App>,
    Body((draft, question)): Body<(ProposedChanges, DiffQuestion)>,
) -> Result<HttpResponse, ApiError> {
    let mut head = Map::new();
    head.insert("environment".to_owned(), json!(draft.environment.as_str()));
    head.insert("project".to_owned(), json!(draft.project.as_str()));
    head.insert("input".to_owned(), input(&question));
    let (sides, outcome) = sides(&app, &who, draft, false).await?;
    let warnings = PlaygroundWarnings::of_changes(question.invalid.clone(), &outcome);
    let draw = draw(&app, &question);
    let limit = app.limits.evaluations;
    let text = app
        .question(move |budget| sides.diff(&question, draw, limit, budget, &head, &warnings))
        .await?;
    Ok(HttpResponse::Ok().content_type(ContentType::json()).body(text))
}

/// Proves what the changes of the body do to every context.
pub(crate) async fn proof(
    who: Caller,
    app: Data<App>,
    accepted: Accepted,
    Body((draft, question)): Body<(ProposedChanges, ProofQuestion)>,
) -> Result<Reply, ApiError> {
    let mut head = Map::new();
    head.insert("environment".to_owned(), json!(draft.environment.as_str()));
    head.insert("project".to_owned(), json!(draft.project.as_str()));
    let (sides, outcome) = sides(&app, &who, draft, true).await?;
    answer_of(&app, accepted, question, head, sides, &outcome).await
}

/// Explains one cell of that difference, before and after.
pub(crate) async fn explain(
    who: Caller,
    app: Data<App>,
    Body((draft, question)): Body<(ProposedChanges, ExplainQuestion)>,
) -> Result<HttpResponse, ApiError> {
    let (sides, _) = sides(&app, &who, draft, false).await?;
    let draw = draw(&app, &question.diff);
    let answer = app
        .question(move |budget| sides.explain(&question, draw, budget))
        .await?;
    Ok(HttpResponse::Ok().json(answer))
}

/// Both sides; `is_everywhere` asks for other environments that the changes reach as well.
async fn sides(
    app: &App,
    who: &Principal,
    draft: ProposedChanges,
    is_everywhere: bool,
) -> Result<(BeforeAfter, Outcome), ApiError> {
    let (serving, now, actor) = (app.serving(), app.now(), who.actor.clone());
    let sides = app.question(move |_| {
        let ProposedChanges {
            project,
            environment,
            proposals,
        } = draft;
        let scope = Scope {
            project,
            environment,
            request: None,
            now,
        };
        let outcome = propose(&serving.snapshot, &scope, &actor, &proposals)?;
        let elsewhere = match is_everywhere {
            true => EnvironmentView::elsewhere(&serving, &scope.environment, &outcome.proposed),
            false => Vec::new(),
        };
        let sides = BeforeAfter {
            before: EnvironmentView::current(&serving, &scope.environment),
            after: EnvironmentView::proposed(&serving, &scope.environment, &outcome.proposed),
            project: scope.project,
            elsewhere,
        };
        Ok((sides, outcome))
    });
    Ok(sides.await?)
}
