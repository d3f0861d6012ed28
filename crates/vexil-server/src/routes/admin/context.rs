//! What constraints can be about and flags can be for: context fields and feature types.

use actix_web::HttpResponse;
use actix_web::web::{Data, Query};
use serde::Deserialize;
use serde_json::json;
use vexil_admin_api::context_field::{BUILT_IN, ContextField, ContextFieldListItem};
use vexil_admin_api::feature_type;
use vexil_admin_api::segment::StrategyPosition;
use vexil_change_request::validate;
use vexil_domain::{ActivationStrategy, ProjectId, Snapshot};
use vexil_service::App;
use vexil_service::operations::Error;
use vexil_service::operations::change_requests::find_project;
use vexil_service::operations::segments::{check_content, count_uses, strategies};

use super::segments::position;
use crate::routes::ApiError;
use crate::routes::bodies::Body;
use crate::routes::paths::{ContextFieldPath, ProjectFieldPath, ProjectPath};
use vexil_domain::Constraint;

pub(crate) async fn list(app: Data<App>) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let fields: Vec<ContextFieldListItem> = BUILT_IN
        .iter()
        .map(|field| item(&serving.snapshot, *field))
        .collect();
    Ok(HttpResponse::Ok().json(fields))
}

fn item(snapshot: &Snapshot, field: ContextField) -> ContextFieldListItem {
    let (used_in_projects, used_in_features) =
        count_uses(snapshot, |strategy| is_about(strategy, field.name));
    ContextFieldListItem {
        field,
        used_in_projects,
        used_in_features,
    }
}

fn is_about(strategy: &ActivationStrategy, field: &str) -> bool {
    strategy
        .constraints
        .iter()
        .any(|constraint| constraint.context_name == field)
}

#[derive(Deserialize)]
pub(crate) struct Included {
    include: Option<String>,
}

/// The context fields of a project: it has none of its own; with `?include=root` those that every application knows.
pub(crate) async fn of_project(
    app: Data<App>,
    ProjectPath { project }: ProjectPath,
    included: Query<Included>,
) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    find_project(&serving.snapshot, &project)?;
    let all = match included.include.as_deref() {
        None | Some("project") => false,
        Some("root") => true,
        Some(other) => {
            let message = format!("The query parameter include is `{other}`; it must be root or project.");
            return Err(Error::invalid(message).into());
        }
    };
    let known = BUILT_IN.iter().filter(|_| all);
    let fields: Vec<ContextFieldListItem> = known.map(|field| item(&serving.snapshot, *field)).collect();
    Ok(HttpResponse::Ok().json(fields))
}

pub(crate) async fn read(ContextFieldPath { field }: ContextFieldPath) -> Result<HttpResponse, ApiError> {
    shown(&field)
}

/// A context field that a project can use: those that every application knows are there for all.
pub(crate) async fn read_in_project(
    app: Data<App>,
    ProjectFieldPath { project, field }: ProjectFieldPath,
) -> Result<HttpResponse, ApiError> {
    find_project(&app.serving().snapshot, &project)?;
    shown(&field)
}

fn shown(name: &str) -> Result<HttpResponse, ApiError> {
    let field = BUILT_IN.iter().find(|field| field.name == name);
    match field {
        Some(field) => Ok(HttpResponse::Ok().json(field)),
        None => Err(Error::NotFound(format!("Could not find context field \"{name}\"")).into()),
    }
}

/// The strategies with a constraint on a field, which can be any property.
pub(crate) async fn uses(
    app: Data<App>,
    ContextFieldPath { field: name }: ContextFieldPath,
) -> Result<HttpResponse, ApiError> {
    Ok(used(&app.serving().snapshot, &name, None))
}

/// The same of a project.
pub(crate) async fn uses_in_project(
    app: Data<App>,
    ProjectFieldPath { project, field }: ProjectFieldPath,
) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    find_project(&serving.snapshot, &project)?;
    Ok(used(&serving.snapshot, &field, Some(&project)))
}

fn used(snapshot: &Snapshot, field: &str, project: Option<&ProjectId>) -> HttpResponse {
    let found = strategies(snapshot).filter(|found| is_about(found.strategy, field));
    let found = found.filter(|found| project.is_none_or(|project| found.flag.project == *project));
    let positions: Vec<StrategyPosition<'_>> = found.map(position).collect();
    HttpResponse::Ok().json(json!({ "strategies": positions }))
}

pub(crate) async fn feature_types() -> Result<HttpResponse, ApiError> {
    Ok(HttpResponse::Ok().json(json!({ "version": 1, "types": feature_type::ALL })))
}

/// Whether a constraint says something that can be decided.
pub(crate) async fn validate_constraint(
    Body(constraint): Body<Constraint>,
) -> Result<HttpResponse, ApiError> {
    check_content(&validate::constraint("", &constraint))?;
    Ok(HttpResponse::NoContent().finish())
}
