//! What the instance says of itself and of who asks.

use actix_web::HttpResponse;
use actix_web::web::Data;
use serde_json::{Map, Value, json};
use vexil_access::{Permission, Place, Scope};
use vexil_admin_api::timestamp::Timestamp;
use vexil_change_request::validate;
use vexil_domain::Snapshot;

use crate::app::App;
use crate::operations::users;
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
pub(crate) async fn user(who: Caller, app: Data<App>) -> Result<HttpResponse, ApiError> {
    let permissions = permissions(&who, &app.serving().snapshot);
    let shown = match &who.user {
        Some(user) => json!(users::document(user)),
        None => json!({
            "id": who.actor.id.0, "username": who.actor.name, "isAPI": true, "permissions": ["ADMIN"],
        }),
    };
    let user = who.user.as_ref();
    let feedback = user.into_iter().flat_map(|user| {
        user.feedback.iter().map(|(name, feedback)| {
            json!({
                "feedbackId": name,
                "neverShow": feedback.never_show,
                "given": feedback.given_at.map(Timestamp::from),
                "userId": user.id.0,
            })
        })
    });
    let closed = user.into_iter().flat_map(|user| &user.closed_notices);
    let closed: Map<String, Value> = closed.map(|name| (name.clone(), Value::Bool(true))).collect();
    let answer = json!({
        "user": shown,
        "permissions": permissions,
        "feedback": feedback.collect::<Vec<_>>(),
        "splash": closed,
    });
    Ok(HttpResponse::Ok().json(answer))
}

/// What somebody may do: everywhere, in a project, in all its environments at once, in one of them.
pub(in crate::routes) fn permissions(who: &Principal, snapshot: &Snapshot) -> Vec<Value> {
    if who.is_admin() {
        return vec![json!({ "permission": Permission::Admin.name() })];
    }
    let rights = &who.rights;
    let everywhere = rights.all_in(Place::Instance);
    let mut shown: Vec<Value> = everywhere
        .iter()
        .map(|permission| json!({ "permission": permission.name() }))
        .collect();
    for project in snapshot.projects.values() {
        let of_project = |permission: &Permission| permission.scope() != Scope::Instance;
        let id = project.id.as_str();
        let in_project = rights.all_in(Place::Project(&project.id));
        shown.extend(
            in_project
                .iter()
                .filter(of_project)
                .map(|permission| json!({ "project": id, "permission": permission.name() })),
        );
        for environment in project.environments.keys() {
            let here = rights.all_in(Place::Environment(&project.id, environment));
            let by_environment = here
                .iter()
                .filter(|permission| permission.scope() == Scope::Environment);
            shown.extend(by_environment.map(|permission| {
                json!({ "project": id, "environment": environment.as_str(), "permission": permission.name() })
            }));
        }
    }
    shown
}
