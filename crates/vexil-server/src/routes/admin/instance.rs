//! What the instance says of itself and of who asks.

use actix_web::HttpResponse;
use actix_web::web::Data;
use serde_json::{Map, Value, json};
use vexil_access::{Permission, Place, Scope};
use vexil_admin_api::timestamp::Timestamp;
use vexil_change_request::validate;
use vexil_domain::Snapshot;

use crate::app::App;
use crate::operations::sign_in::MOST_SESSIONS;
use crate::operations::users;
use crate::principal::Principal;
use crate::routes::ApiError;
use crate::routes::asked::Asked;
use crate::routes::auth::Caller;

/// The version of Unleash's API that is spoken, which clients compare; what stands behind it is ours.
const SPOKEN: &str = concat!("8.2.0+vexil.", env!("CARGO_PKG_VERSION"));

/// What the pages of Unleash, and others that read the same, want to know before anything else.
pub(crate) async fn configuration(app: Data<App>, asked: Asked) -> Result<HttpResponse, ApiError> {
    let options = &app.sign_in.options;
    let is_for_unleash = app.is_for_unleash_ui();
    let (environment, kind, enterprise) = if is_for_unleash {
        ("Enterprise", "enterprise", SPOKEN)
    } else {
        ("Vexil", "open-source", "")
    };
    let answer = json!({
        "name": "Vexil",
        "version": SPOKEN,
        "environment": environment,
        "authenticationType": kind,
        "flags": { "EEA": is_for_unleash, "RE": is_for_unleash },
        "versionInfo": { "current": { "oss": SPOKEN, "enterprise": enterprise }, "latest": {}, "isLatest": true },
        "resourceLimits": limits(&app),
        "unleashUrl": asked.own_address,
        "baseUriPath": options.base_path,
        "frontendApiOrigins": ["*"],
        "emailEnabled": app.sign_in.mailer.is_some(),
        "disablePasswordAuth": !app.takes_passwords(),
        "maintenanceMode": false,
        "prometheusAPIAvailable": false,
        "impactMetrics": "disabled",
        "maxSessionsCount": MOST_SESSIONS,
        "storiesPageEnabled": false,
        "unleashContext": {},
    });
    Ok(HttpResponse::Ok().json(answer))
}

/// How many of a kind the pages of Unleash believe there may be, where there is no bound.
const UNBOUNDED: u32 = 1_000_000;

/// Bounds on how much there may be of what.
pub(in crate::routes) fn limits(app: &App) -> Value {
    json!({
        "segmentValues": validate::VALUES_PER_SEGMENT,
        "strategySegments": validate::SEGMENTS_PER_STRATEGY,
        "constraints": validate::CONSTRAINTS_PER_STRATEGY,
        "constraintValues": validate::VALUES_PER_CONSTRAINT,
        "featureEnvironmentStrategies": validate::STRATEGIES_PER_FLAG,
        "playgroundEvaluations": app.limits.evaluations,
        "segments": UNBOUNDED,
        "projects": UNBOUNDED,
        "apiTokens": UNBOUNDED,
        "environments": UNBOUNDED,
        "featureFlags": UNBOUNDED,
        "releaseTemplates": 0,
        "signalEndpoints": 0,
        "signalTokensPerEndpoint": 0,
        "actionSetActions": 0,
        "actionSetsPerProject": 0,
        "actionSetFilters": 0,
        "actionSetFilterValues": 0,
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
