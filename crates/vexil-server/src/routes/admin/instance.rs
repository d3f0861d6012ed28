//! What the instance says of itself and of who asks.

use actix_web::HttpResponse;
use actix_web::web::Data;
use serde_json::{Value, json};
use vexil_change_request::validate;

use crate::app::App;
use crate::operations::users;
use crate::permission::role_permissions;
use crate::principal::Principal;
use crate::routes::ApiError;
use crate::routes::auth::Caller;

const VERSION: &str = env!("CARGO_PKG_VERSION");

pub(crate) async fn configuration(app: Data<App>) -> Result<HttpResponse, ApiError> {
    let answer = json!({
        "name": "Vexil",
        "version": VERSION,
        "environment": "Vexil",
        "authenticationType": "none",
        "flags": {},
        "versionInfo": { "current": { "oss": VERSION, "enterprise": "" }, "latest": {}, "isLatest": true },
        "resourceLimits": limits(&app),
    });
    Ok(HttpResponse::Ok().json(answer))
}

/// Bounds on how much there may be of what.
pub(in crate::routes) fn limits(app: &App) -> Value {
    json!({
        "segmentValues": validate::VALUES_PER_SEGMENT,
        "strategySegments": validate::SEGMENTS_PER_STRATEGY,
        "constraints": validate::CONSTRAINTS_PER_STRATEGY,
        "constraintValues": validate::VALUES_PER_CONSTRAINT,
        "featureEnvironmentStrategies": validate::STRATEGIES_PER_FLAG,
        "playgroundEvaluations": app.limits.evaluations,
    })
}

/// Who asks, and what they may do.
pub(crate) async fn user(who: Caller) -> Result<HttpResponse, ApiError> {
    let shown = match &who.user {
        Some(user) => json!(users::document(user)),
        None => json!({
            "id": who.actor.id.0, "username": who.actor.name, "isAPI": true, "permissions": ["ADMIN"],
        }),
    };
    let answer = json!({ "user": shown, "permissions": permissions(&who), "feedback": [], "splash": {} });
    Ok(HttpResponse::Ok().json(answer))
}

/// What somebody may do: everywhere, in a project, in an environment of it.
pub(in crate::routes) fn permissions(who: &Principal) -> Vec<Value> {
    let mut permissions: Vec<Value> = role_permissions(who.role)
        .into_iter()
        .map(|permission| json!({ "permission": permission }))
        .collect();
    let grants = who.user.iter().flat_map(|user| &user.grants);
    permissions.extend(grants.map(|grant| {
        let mut shown = json!({ "project": grant.project.as_str(), "permission": grant.permission.name() });
        if let (Some(object), Some(environment)) = (shown.as_object_mut(), &grant.environment) {
            object.insert("environment".to_owned(), environment.as_str().into());
        }
        shown
    }));
    permissions
}
