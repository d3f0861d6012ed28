//! `POST /api/admin/playground/…/proof`: what changes do to every context there is.

use actix_web::HttpResponse;
use actix_web::http::header::ContentType;
use actix_web::web::Data;
use serde_json::{Map, Value, json};
use vexil_admin_api::playground::{PlaygroundWarnings, ProofQuestion, TwoSides};
use vexil_budget::Budget;
use vexil_change_request::Outcome;
use vexil_service::App;
use vexil_service::operations::diff::BeforeAfter;
use vexil_service::operations::proof::{Asked, ProofText};
use vexil_service::operations::{Error, compare};

use super::bodies::Body;
use super::playground::stream;
use super::playground_diff::sides_everywhere;
use super::reply::Reply;
use crate::accept_encoding::Accepted;
use crate::compression::room;
use crate::routes::ApiError;
use crate::routes::paths::AnyRequestPath;

/// What a change request does to every context.
pub(crate) async fn change_request(
    app: Data<App>,
    accepted: Accepted,
    AnyRequestPath { id }: AnyRequestPath,
    Body(question): Body<ProofQuestion>,
) -> Result<Reply, ApiError> {
    let (sides, head, outcome) = sides_everywhere(&app, id).await?;
    answer_of(&app, accepted, question, head, sides, &outcome).await
}

/// Proves what lies between two sides, and answers.
pub(super) async fn answer_of(
    app: &App,
    accepted: Accepted,
    question: ProofQuestion,
    head: Map<String, Value>,
    sides: BeforeAfter,
    outcome: &Outcome,
) -> Result<Reply, ApiError> {
    let now = app.now();
    let warnings = PlaygroundWarnings::of_changes(Vec::new(), outcome);
    let prove = move |budget: &Budget| {
        let asked = Asked {
            question: &question,
            now,
            head: &head,
            warnings: &warnings,
        };
        sides.proof_text(asked, budget)
    };
    answer(app, accepted, prove).await
}

/// How two environments or states differ, for every context.
pub(crate) async fn two_sides(
    app: Data<App>,
    accepted: Accepted,
    Body((sides, question)): Body<(TwoSides, ProofQuestion)>,
) -> Result<Reply, ApiError> {
    let (serving, now) = (app.serving(), app.now());
    let prove = move |budget: &Budget| {
        let compared = compare::asked(&serving.snapshot, &sides, now)?;
        let projects = [&sides.before, &sides.after].map(|flags| flags.project.as_ref());
        let both = projects[0].filter(|first| projects[1] == Some(first));
        let mut head = Map::new();
        for (name, side, project) in [
            ("before", &compared.before, projects[0]),
            ("after", &compared.after, projects[1]),
        ] {
            let mut told = json!({ "environment": side.name.as_str() });
            if let (None, Some(own), Some(told)) = (both, project, told.as_object_mut()) {
                told.insert("project".to_owned(), json!(own.as_str()));
            }
            head.insert(name.to_owned(), told);
        }
        head.insert(
            "project".to_owned(),
            both.map_or(Value::Null, |both| json!(both.as_str())),
        );
        let asked = Asked {
            question: &question,
            now,
            head: &head,
            warnings: &PlaygroundWarnings::default(),
        };
        compared.proof_text(asked, budget)
    };
    answer(&app, accepted, prove).await
}

/// Proves, and answers with the whole text where it is short. A long one is sent while it is read, and takes its
/// room among the answers until then.
async fn answer(
    app: &App,
    accepted: Accepted,
    prove: impl FnOnce(&Budget) -> Result<ProofText, Error> + Send + 'static,
) -> Result<Reply, ApiError> {
    let text = app.question(prove).await?;
    if let Some(short) = text.short() {
        let mut whole = HttpResponse::Ok();
        return Ok(Reply::of(whole.content_type(ContentType::json()).body(short)));
    }
    let held = room(app, text.held())?;
    let streamed = stream(app, accepted, move |sink| {
        text.write(sink);
        drop(held);
    })?;
    Ok(Reply::of(streamed))
}

#[cfg(test)]
mod tests;
