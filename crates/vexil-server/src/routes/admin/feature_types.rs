//! What flags can be for, and how long such flags are expected to live.

use actix_web::HttpResponse;
use actix_web::web::Data;
use serde_json::json;
use vexil_admin_api::feature_type::LifetimeForm;
use vexil_service::App;
use vexil_service::operations::{known_lifetimes, lifetimes};

use crate::routes::ApiError;
use crate::routes::auth::Caller;
use crate::routes::bodies::Body;
use crate::routes::paths::FeatureTypePath;

pub(crate) async fn list(app: Data<App>) -> Result<HttpResponse, ApiError> {
    let types = known_lifetimes::types(&app.serving().access.tables.settings)?;
    Ok(HttpResponse::Ok().json(json!({ "version": 1, "types": types })))
}

pub(crate) async fn set_lifetime(
    who: Caller,
    app: Data<App>,
    FeatureTypePath { kind }: FeatureTypePath,
    Body(form): Body<LifetimeForm>,
) -> Result<HttpResponse, ApiError> {
    let edit = app.edit(&who.actor, move |tx| lifetimes::set(tx, &kind, &form));
    Ok(HttpResponse::Ok().json(edit.await?))
}
