//! `POST /api/admin/playground/changes/…`: what changes that nobody has made or proposed yet would do, and why.

use actix_web::HttpResponse;
use actix_web::http::header::ContentType;
use actix_web::web::Data;
use serde_json::{Map, json};
use vexil_admin_api::change_requests::Proposal;
use vexil_admin_api::playground::{DiffQuestion, ExplainQuestion, PlaygroundWarnings, ProofQuestion};
use vexil_change_request::{Outcome, Scope};
use vexil_client_api::json::{Node, Problem, Problems};
use vexil_domain::{EnvironmentName, ProjectId};

use super::auth::Caller;
use super::bodies::{Body, ReadBody};
use super::body::JsonBody;
use super::playground_diff::{draw, input};
use crate::app::App;
use crate::operations::change_requests::propose;
use crate::operations::diff::BeforeAfter;
use crate::operations::environment_view::EnvironmentView;
use crate::principal::Principal;
use crate::routes::ApiError;

/// Where changes would be made, and which.
pub(crate) struct Draft {
    project: ProjectId,
    environment: EnvironmentName,
    proposals: Vec<Proposal>,
}

/// The members `project`, `environment` and `changes` of a body.
impl ReadBody for Draft {
    fn read(body: &JsonBody) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::new();
        let node = Node::body(&body.value);
        if node.object(&mut problems).is_none() {
            return problems.finish(None);
        }
        let project = node.get("project").nullable().non_empty_text(&mut problems);
        let environment = node.get("environment").nullable().non_empty_text(&mut problems);
        let proposals = Proposal::listed(&node.get("changes"), &mut problems);
        let draft = project.zip(environment).map(|(project, environment)| Self {
            project: project.into(),
            environment: environment.into(),
            proposals,
        });
        problems.finish(draft)
    }
}

/// Compares an environment as it is with how the changes of the body would make it.
pub(crate) async fn diff(
    who: Caller,
    app: Data<App>,
    Body((draft, question)): Body<(Draft, DiffQuestion)>,
) -> Result<HttpResponse, ApiError> {
    let mut head = Map::new();
    head.insert("environment".to_owned(), json!(draft.environment.as_str()));
    head.insert("project".to_owned(), json!(draft.project.as_str()));
    head.insert("input".to_owned(), input(&question));
    let (sides, outcome) = sides(&app, &who, draft).await?;
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
    Body((draft, question)): Body<(Draft, ProofQuestion)>,
) -> Result<HttpResponse, ApiError> {
    let mut head = Map::new();
    head.insert("environment".to_owned(), json!(draft.environment.as_str()));
    head.insert("project".to_owned(), json!(draft.project.as_str()));
    let (sides, _) = sides(&app, &who, draft).await?;
    let now = app.now();
    let document = app
        .question(move |budget| Ok(sides.proof(&question, now, budget, head).1))
        .await?;
    Ok(HttpResponse::Ok().json(document))
}

/// Explains one cell of that difference, before and after.
pub(crate) async fn explain(
    who: Caller,
    app: Data<App>,
    Body((draft, question)): Body<(Draft, ExplainQuestion)>,
) -> Result<HttpResponse, ApiError> {
    let (sides, _) = sides(&app, &who, draft).await?;
    let draw = draw(&app, &question.diff);
    let answer = app
        .question(move |budget| sides.explain(&question, draw, budget))
        .await?;
    Ok(HttpResponse::Ok().json(answer))
}

async fn sides(app: &App, who: &Principal, draft: Draft) -> Result<(BeforeAfter, Outcome), ApiError> {
    let (serving, now, actor) = (app.serving(), app.now(), who.actor.clone());
    let sides = app.question(move |_| {
        let Draft {
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
        let sides = BeforeAfter {
            before: EnvironmentView::current(&serving, &scope.environment),
            after: EnvironmentView::proposed(&serving, &scope.environment, &outcome.proposed),
            project: scope.project,
        };
        Ok((sides, outcome))
    });
    Ok(sides.await?)
}
