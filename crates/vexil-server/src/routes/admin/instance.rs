//! What the instance says of itself and of who asks.

use actix_web::HttpResponse;
use actix_web::http::header::CONTENT_TYPE;
use actix_web::web::Data;
use serde_json::{Map, Value, json};
use time::Duration;
use vexil_access::{Permission, Place, Scope};
use vexil_admin_api::timestamp::Timestamp;
use vexil_change_request::validate;
use vexil_domain::Snapshot;
use vexil_service::operations::maintenance::is_on;
use vexil_service::operations::sign_in::MOST_SESSIONS;
use vexil_service::operations::sign_on::put_setting;
use vexil_service::operations::{Error, known_fields, maintenance, users};
use vexil_service::{App, FrontEndOptions, INSTANCE_ID, ORIGINS, Principal};
use vexil_store::TokenKind;

use crate::routes::ApiError;
use crate::routes::asked::Asked;
use crate::routes::auth::Caller;
use crate::routes::bodies::{Body, Enabled, Origins};

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
        "frontendApiOrigins": app.front_ends().origins.clone().unwrap_or_else(|| vec!["*".to_owned()]),
        "emailEnabled": app.sign_in.mailer.is_some(),
        "disablePasswordAuth": !app.takes_passwords(),
        "maintenanceMode": is_on(&app.serving().access.tables.settings),
        "prometheusAPIAvailable": false,
        "impactMetrics": "disabled",
        "maxSessionsCount": MOST_SESSIONS,
        "storiesPageEnabled": false,
        "unleashContext": {},
    });
    Ok(HttpResponse::Ok().json(answer))
}

/// Sets from which pages front ends may ask.
pub(crate) async fn set_origins(
    who: Caller,
    app: Data<App>,
    Body(Origins(origins)): Body<Origins>,
) -> Result<HttpResponse, ApiError> {
    FrontEndOptions::new(&origins, 0).map_err(|error| Error::invalid(format!("Invalid origin: {error}.")))?;
    app.edit(&who.actor, move |tx| {
        put_setting(tx, ORIGINS, Some(origins.join(",")));
        Ok(())
    })
    .await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Whether nothing can be changed for now.
pub(crate) async fn maintenance(app: Data<App>) -> HttpResponse {
    HttpResponse::Ok().json(json!({ "enabled": is_on(&app.serving().access.tables.settings) }))
}

/// Switches that on or off.
pub(crate) async fn set_maintenance(
    who: Caller,
    app: Data<App>,
    Body(Enabled(on)): Body<Enabled>,
) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |tx| {
        maintenance::switch(tx, on);
        Ok(())
    })
    .await?;
    Ok(HttpResponse::NoContent().finish())
}

/// That nothing is sent to anybody.
pub(crate) async fn telemetry() -> HttpResponse {
    HttpResponse::Ok()
        .json(json!({ "versionInfoCollectionEnabled": false, "featureInfoCollectionEnabled": false }))
}

/// How much there is of what.
pub(crate) async fn statistics(app: Data<App>) -> Result<HttpResponse, ApiError> {
    Ok(HttpResponse::Ok().json(counted(&app).await?))
}

/// The same as two rows of CSV (RFC 4180): names, and what they count.
pub(crate) async fn statistics_csv(app: Data<App>) -> Result<HttpResponse, ApiError> {
    let counts = counted(&app).await?;
    let counts = counts.as_object().into_iter().flatten();
    let (names, values): (Vec<_>, Vec<_>) = counts
        .map(|(name, value)| (quoted(name), csv_value(value)))
        .unzip();
    let text = format!("{}\r\n{}\r\n", names.join(","), values.join(","));
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "text/csv; charset=utf-8"))
        .body(text))
}

fn csv_value(value: &Value) -> String {
    match value {
        Value::Number(_) | Value::Bool(_) => value.to_string(),
        Value::String(text) => quoted(text),
        _ => quoted(&value.to_string()),
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

async fn counted(app: &App) -> Result<Value, ApiError> {
    let (serving, now) = (app.serving(), app.now());
    let people = users::with_last_seen(app).await?;
    let seen_within = |days| {
        let seen = people.iter().filter_map(|user| user.seen_at);
        seen.filter(|at| now - *at <= Duration::days(days)).count()
    };
    let tokens = |kind| serving.tokens.values().filter(move |token| token.kind == kind);
    let client = tokens(TokenKind::Client);
    let (backend, client): (Vec<_>, Vec<_>) = client.partition(|token| token.is_called_backend);
    let (snapshot, directory) = (&serving.snapshot, &serving.access.directory);
    let settings = &serving.access.tables.settings;
    let flags = snapshot.flags.values();
    let archived = flags.filter(|flag| flag.is_archived()).count();
    let custom = directory
        .roles()
        .filter(|role| !role.id.is_built_in() && role.kind.is_root());
    let custom: Vec<_> = custom.map(|role| role.id).collect();
    let in_use = people.iter().filter(|user| custom.contains(&user.root_role));
    Ok(json!({
        "timestamp": Timestamp::from(now),
        "instanceId": settings.get(INSTANCE_ID).map(|id| &id.value),
        "versionOSS": SPOKEN,
        "versionEnterprise": "",
        "users": people.len(),
        "serviceAccounts": 0,
        "apiTokens": {
            "admin": tokens(TokenKind::Admin).count(),
            "client": client.len(),
            "backend": backend.len(),
            "frontend": tokens(TokenKind::Frontend).count(),
        },
        "activeUsers": { "last7": seen_within(7), "last30": seen_within(30), "last60": seen_within(60), "last90": seen_within(90) },
        "featureToggles": snapshot.flags.len() - archived,
        "archivedFeatureToggles": archived,
        "projects": snapshot.projects.len(),
        "contextFields": known_fields::all(settings)?.len(),
        "roles": directory.roles().count(),
        "customRootRoles": custom.len(),
        "customRootRolesInUse": in_use.map(|user| user.root_role).collect::<std::collections::BTreeSet<_>>().len(),
        "groups": directory.groups().count(),
        "environments": snapshot.environments.len(),
        "segments": snapshot.segments.len(),
        "strategies": snapshot.strategy_types.len(),
        "SAMLenabled": false,
        "OIDCenabled": app.sign_on_settings().is_some_and(|settings| settings.enabled),
    }))
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
