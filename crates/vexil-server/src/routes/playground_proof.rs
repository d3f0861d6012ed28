//! `POST /api/admin/playground/…/proof`: what changes do to every context there is.

use actix_web::HttpResponse;
use actix_web::web::Data;
use serde_json::{Map, Value, json};
use vexil_admin_api::playground::ProofQuestion;
use vexil_client_api::json::{Node, Problem, Problems};
use vexil_domain::{EnvironmentName, ProjectId};

use super::bodies::{Body, ReadBody};
use super::body::JsonBody;
use super::playground_diff::sides;
use crate::app::App;
use crate::operations::Error;
use crate::operations::compare;
use crate::routes::ApiError;
use crate::routes::paths::AnyRequestPath;

/// Two environments to compare.
pub(crate) struct TwoEnvironments {
    before: EnvironmentName,
    after: EnvironmentName,
    project: Option<ProjectId>,
}

/// The members `before`, `after` and `project` of a body.
impl ReadBody for TwoEnvironments {
    fn read(body: &JsonBody) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::new();
        let node = Node::body(&body.value);
        if node.object(&mut problems).is_none() {
            return problems.finish(None);
        }
        let mut side = |name: &str| {
            let side = node.get(name);
            side.object(&mut problems)?;
            side.get("environment").nullable().non_empty_text(&mut problems)
        };
        let (before, after) = (side("before"), side("after"));
        let project = node.get("project").nullable();
        let project = if project.is_absent() {
            None
        } else {
            project.non_empty_text(&mut problems)
        };
        let both = before.zip(after).map(|(before, after)| Self {
            before: before.into(),
            after: after.into(),
            project: project.map(ProjectId::from),
        });
        problems.finish(both)
    }
}

impl ReadBody for ProofQuestion {
    fn read(body: &JsonBody) -> Result<Self, Vec<Problem>> {
        Self::read(&body.value)
    }
}

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
