//! `POST /api/admin/playground/…/proof`: what changes do to every context there is.

use actix_web::HttpResponse;
use actix_web::web::Data;
use serde_json::{Map, Value, json};
use vexil_admin_api::playground::{ProofQuestion, TwoEnvironments};

use super::bodies::Body;
use super::playground_diff::sides;
use crate::app::App;
use crate::operations::Error;
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

/// How two environments differ, for every context.
pub(crate) async fn environments(
    app: Data<App>,
    Body((environments, question)): Body<(TwoEnvironments, ProofQuestion)>,
) -> Result<HttpResponse, ApiError> {
    let (serving, now) = (app.serving(), app.now());
    let document = app
        .question(move |budget| {
            let TwoEnvironments {
                before,
                after,
                project,
            } = environments;
            for name in [&before, &after] {
                if !serving.snapshot.environments.contains_key(name) {
                    return Err(Error::NotFound(format!(
                        "There is no environment named \"{name}\"."
                    )));
                }
            }
            let mut head = Map::new();
            head.insert("before".to_owned(), json!({ "environment": before.as_str() }));
            head.insert("after".to_owned(), json!({ "environment": after.as_str() }));
            let project_name = project.as_ref().map(|project| Value::from(project.as_str()));
            head.insert("project".to_owned(), project_name.unwrap_or_default());
            let sides = compare::environments(&serving.snapshot, &before, &after, project.as_ref());
            Ok(sides.proof(&question, now, budget, head).1)
        })
        .await?;
    Ok(HttpResponse::Ok().json(document))
}
