//! Variants of a flag itself.

use actix_web::HttpResponse;
use actix_web::web::Data;
use serde_json::json;
use vexil_admin_api::patch::Operation;
use vexil_admin_api::variants::VariantsForm;
use vexil_domain::Variant;
use vexil_service::App;
use vexil_service::operations::paths::{FlagEnvironmentPath, FlagPath};
use vexil_service::operations::variants;

use crate::routes::ApiError;
use crate::routes::auth::Caller;
use crate::routes::bodies::Body;
use crate::routes::paths::Named;

pub(crate) async fn list(
    app: Data<App>,
    Named(at): Named<FlagEnvironmentPath>,
) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    Ok(shown(variants::list(&serving.snapshot, &at)?))
}

fn shown(variants: &[Variant]) -> HttpResponse {
    HttpResponse::Ok().json(json!({ "version": 1, "variants": variants }))
}

pub(crate) async fn replace(
    who: Caller,
    app: Data<App>,
    Named(at): Named<FlagEnvironmentPath>,
    Body(all): Body<Vec<Variant>>,
) -> Result<HttpResponse, ApiError> {
    let edited = app.edit(&who.actor, move |tx| variants::replace(tx, &at, &all));
    Ok(shown(&edited.await?))
}

/// Edits them by a JSON Patch of their list.
pub(crate) async fn patch(
    who: Caller,
    app: Data<App>,
    Named(at): Named<FlagEnvironmentPath>,
    Body(patch): Body<Vec<Operation>>,
) -> Result<HttpResponse, ApiError> {
    let edited = app.edit(&who.actor, move |tx| variants::patch(tx, &at, &patch));
    Ok(shown(&edited.await?))
}

/// The same ones in several environments.
pub(crate) async fn replace_all(
    who: Caller,
    app: Data<App>,
    Named(path): Named<FlagPath>,
    Body(form): Body<VariantsForm>,
) -> Result<HttpResponse, ApiError> {
    let actor = who.actor.clone();
    let edited = app.edit(&actor, move |tx| variants::replace_all(tx, &who, &path, &form));
    Ok(shown(&edited.await?))
}
