//! `POST /api/admin/playground/…/proof`: what changes do to every context there is.

use actix_web::HttpResponse;
use actix_web::web::Data;
use serde_json::{Map, Value, json};
use vexil_admin_api::playground::{ProofQuestion, TwoSides};

use super::bodies::Body;
use super::playground_diff::sides;
use crate::app::App;
use crate::operations::compare;
use crate::routes::ApiError;
use crate::routes::paths::AnyRequestPath;

/// What a change request does to every context.
pub(crate) async fn change_request(
    app: Data<App>,
    AnyRequestPath { id }: AnyRequestPath,
    Body(question): Body<ProofQuestion>,
) -> Result<HttpResponse, ApiError> {
    let (sides, head, _) = sides(&app, id).await?;
    let now = app.now();
    let document = app
        .question(move |budget| Ok(sides.proof(&question, now, budget, head).1))
        .await?;
    Ok(HttpResponse::Ok().json(document))
}

/// How two environments or states differ, for every context.
pub(crate) async fn two_sides(
    app: Data<App>,
    Body((sides, question)): Body<(TwoSides, ProofQuestion)>,
) -> Result<HttpResponse, ApiError> {
    let (serving, now) = (app.serving(), app.now());
    let document = app
        .question(move |budget| {
            let compared = compare::asked(&serving.snapshot, &sides, now)?;
            let head = [("before", &compared.before), ("after", &compared.after)];
            let head =
                head.map(|(name, side)| (name.to_owned(), json!({ "environment": side.name.as_str() })));
            let mut head: Map<String, Value> = head.into_iter().collect();
            let project = sides
                .project
                .as_ref()
                .map(|project| Value::from(project.as_str()));
            head.insert("project".to_owned(), project.unwrap_or_default());
            Ok(compared.proof(&question, now, budget, head).1)
        })
        .await?;
    Ok(HttpResponse::Ok().json(document))
}
