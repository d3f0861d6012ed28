//! What the instance says of itself and of who asks.

use actix_web::HttpResponse;
use actix_web::web::Data;
use serde_json::json;
use vexil_change_request::validate;

use crate::app::App;
use crate::auth::Admin;
use crate::error::ApiError;
use crate::routes::Route;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get("/api/admin/ui-config", configuration),
        Route::get("/api/admin/user", user),
    ]
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

async fn configuration(_admin: Admin, app: Data<App>) -> Result<HttpResponse, ApiError> {
    let answer = json!({
        "name": "Vexil",
        "version": VERSION,
        "environment": "Vexil",
        "authenticationType": "none",
        "flags": {},
        "versionInfo": { "current": { "oss": VERSION, "enterprise": "" }, "latest": {}, "isLatest": true },
        "resourceLimits": {
            "segmentValues": validate::VALUES_PER_SEGMENT,
            "strategySegments": validate::SEGMENTS_PER_STRATEGY,
            "constraints": validate::CONSTRAINTS_PER_STRATEGY,
            "constraintValues": validate::VALUES_PER_CONSTRAINT,
            "featureEnvironmentStrategies": validate::STRATEGIES_PER_FLAG,
            "playgroundEvaluations": app.limits.evaluations,
        },
    });
    Ok(HttpResponse::Ok().json(answer))
}

/// Who asks: a token that may do everything.
async fn user(admin: Admin) -> Result<HttpResponse, ApiError> {
    let answer = json!({
        "user": { "id": admin.actor.id.0, "username": admin.actor.name, "isAPI": true, "permissions": ["ADMIN"] },
        "permissions": [{ "permission": "ADMIN" }],
        "feedback": [],
        "splash": {},
    });
    Ok(HttpResponse::Ok().json(answer))
}
