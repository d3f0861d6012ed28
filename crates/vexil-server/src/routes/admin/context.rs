//! What constraints can be about and flags can be for: context fields and feature types.

use actix_web::HttpResponse;
use actix_web::web::{Data, Path};
use serde_json::json;
use vexil_admin_api::context_field::{BUILT_IN, ContextField, ContextFieldListItem};
use vexil_admin_api::feature_type;
use vexil_admin_api::segment::StrategyPosition;
use vexil_admin_api::strategy_fields::read_constraint;
use vexil_change_request::validate;
use vexil_client_api::json::{Node, Problems};
use vexil_domain::{ActivationStrategy, Snapshot};

use super::segments::position;
use crate::app::App;
use crate::auth::Authorized;
use crate::body::JsonBody;
use crate::operations::Error;
use crate::operations::segments::{check_content, count_uses, strategies};
use crate::permission::Read;
use crate::routes::ApiError;
use crate::routes::Route;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get("/api/admin/context", list),
        Route::get("/api/admin/context/{field}", read),
        Route::get("/api/admin/context/{field}/strategies", uses),
        Route::get("/api/admin/feature-types", feature_types),
        Route::post("/api/admin/constraints/validate", validate_constraint),
    ]
}

async fn list(_who: Authorized<Read>, app: Data<App>) -> Result<HttpResponse, ApiError> {
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

async fn read(_who: Authorized<Read>, name: Path<String>) -> Result<HttpResponse, ApiError> {
    let field = BUILT_IN.iter().find(|field| field.name == name.as_str());
    match field {
        Some(field) => Ok(HttpResponse::Ok().json(field)),
        None => Err(Error::NotFound(format!("Could not find context field \"{name}\"")).into()),
    }
}

/// The strategies with a constraint on a field, which can be any property.
async fn uses(_who: Authorized<Read>, app: Data<App>, name: Path<String>) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let found = strategies(&serving.snapshot).filter(|found| is_about(found.strategy, &name));
    let positions: Vec<StrategyPosition<'_>> = found.map(position).collect();
    Ok(HttpResponse::Ok().json(json!({ "strategies": positions })))
}

async fn feature_types(_who: Authorized<Read>) -> Result<HttpResponse, ApiError> {
    Ok(HttpResponse::Ok().json(json!({ "version": 1, "types": feature_type::ALL })))
}

/// Whether a constraint says something that can be decided.
async fn validate_constraint(_who: Authorized<Read>, body: JsonBody) -> Result<HttpResponse, ApiError> {
    let mut problems = Problems::new();
    let constraint = read_constraint(&Node::body(&body.value), &mut problems);
    let constraint = problems.finish(constraint).map_err(Error::from)?;
    check_content(&validate::constraint("", &constraint))?;
    Ok(HttpResponse::NoContent().finish())
}
