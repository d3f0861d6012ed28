//! Where applications run: by environment, by instance, and those of a project.

use std::collections::{BTreeMap, BTreeSet};

use actix_web::HttpResponse;
use actix_web::web::Data;
use serde_json::{Value, json};
use time::OffsetDateTime;
use vexil_admin_api::applications::{Application, Instance, is_front_end};
use vexil_admin_api::timestamp::Timestamp;
use vexil_domain::{EnvironmentName, ProjectId, Snapshot};
use vexil_service::App;
use vexil_service::operations::applications::{details, names};
use vexil_service::operations::{known_applications, projects};

use super::applications::{Page, find};
use crate::routes::ApiError;
use crate::routes::asked::Asked;
use crate::routes::paths::{ApplicationEnvironmentPath, ApplicationPath, ProjectPath};

/// Where an application runs, and what it asks for that is not there.
pub(crate) async fn overview(
    app: Data<App>,
    ApplicationPath { application: name }: ApplicationPath,
) -> Result<HttpResponse, ApiError> {
    let application = find(&app, &name).await?;
    let serving = app.serving();
    let snapshot = &serving.snapshot;
    let reported = application.reported.keys();
    let known = reported.clone().filter_map(|name| snapshot.flags.get(name));
    let projects: BTreeSet<&str> = known.map(|flag| flag.project.as_str()).collect();
    let strategies: BTreeSet<&str> = application
        .instances
        .iter()
        .flat_map(|instance| &instance.strategies)
        .map(String::as_str)
        .filter(|name| !snapshot.strategy_types.contains_key(*name))
        .collect();
    let environments = environments_of(&application);
    let environments: Vec<Value> = environments
        .into_iter()
        .map(|name| environment(name, &application, snapshot))
        .collect();
    Ok(HttpResponse::Ok().json(json!({
        "projects": projects,
        "featureCount": reported.len(),
        "environments": environments,
        "issues": { "missingStrategies": strategies },
    })))
}

/// Which SDKs are outdated: which versions there are is asked of nobody, so none is said to be.
pub(crate) async fn outdated() -> Result<HttpResponse, ApiError> {
    Ok(HttpResponse::Ok().json(json!({ "sdks": [] })))
}

/// The same of those that report the flags of a project.
pub(crate) async fn outdated_of_project(
    app: Data<App>,
    ProjectPath { project: id }: ProjectPath,
) -> Result<HttpResponse, ApiError> {
    projects::find(&app.serving().snapshot, id.as_str())?;
    outdated().await
}

/// The environments from which an application registered or reported.
fn environments_of(application: &Application) -> BTreeSet<&EnvironmentName> {
    let registered = application.instances.iter().map(|instance| &instance.environment);
    registered
        .chain(application.reported.values().flatten())
        .collect()
}

fn environment(name: &EnvironmentName, application: &Application, snapshot: &Snapshot) -> Value {
    let here: Vec<&Instance> = application
        .instances
        .iter()
        .filter(|instance| instance.environment == *name)
        .collect();
    let sdks: BTreeSet<&str> = here.iter().filter_map(|it| it.sdk_version.as_deref()).collect();
    let (front, back): (Vec<&str>, Vec<&str>) = sdks.iter().copied().partition(|sdk| is_front_end(sdk));
    let missing = application
        .reported
        .iter()
        .filter(|(flag, environments)| environments.contains(name) && !snapshot.flags.contains_key(*flag));
    let last = here
        .iter()
        .map(|it| it.last_seen)
        .max()
        .or(application.last_report);
    json!({
        "name": name.as_str(),
        "instanceCount": here.len(),
        "sdks": sdks,
        "frontendSdks": front,
        "backendSdks": back,
        "lastSeen": last.map(Timestamp::from),
        "issues": {
            "missingFeatures": missing.map(|(flag, _)| flag.as_str()).collect::<Vec<_>>(),
            // which versions are old is not known here
            "outdatedSdks": [],
        },
    })
}

/// The instances of an application in an environment, as they registered.
pub(crate) async fn instances(
    app: Data<App>,
    path: ApplicationEnvironmentPath,
) -> Result<HttpResponse, ApiError> {
    let application = find(&app, &path.application).await?;
    let here = application.instances.iter();
    let shown: Vec<Value> = here
        .filter(|instance| instance.environment == path.environment)
        .map(|instance| {
            json!({
                "instanceId": instance.id,
                // addresses are not kept
                "clientIp": null,
                "sdkVersion": instance.sdk_version,
                "lastSeen": Timestamp::from(instance.last_seen),
            })
        })
        .collect();
    Ok(HttpResponse::Ok().json(json!({ "instances": shown })))
}

/// The applications that have reported flags of a project.
pub(crate) async fn of_project(
    app: Data<App>,
    ProjectPath { project: id }: ProjectPath,
    asked: Asked,
) -> Result<HttpResponse, ApiError> {
    let page = Page::of(&asked.query)?;
    let serving = app.serving();
    projects::find(&serving.snapshot, id.as_str())?;
    let kept = known_applications::all(&serving.access.tables.settings)?;
    let known = app
        .read(move |store| {
            let names: Vec<String> = names(store, &kept)?.into_iter().collect();
            details(store, &kept, &names)
        })
        .await?;
    let found: Vec<Value> = known
        .iter()
        .filter(|(name, _)| name.to_lowercase().contains(&page.wanted))
        .filter_map(|(name, application)| in_project(name, application, &id, &serving.snapshot))
        .collect();
    let total = found.len();
    let shown = page.part_of(found);
    Ok(HttpResponse::Ok().json(json!({ "applications": shown, "total": total })))
}

fn in_project(name: &str, application: &Application, id: &ProjectId, snapshot: &Snapshot) -> Option<Value> {
    let reported = application.reported.iter().filter(|(flag, _)| {
        let flag = snapshot.flags.get(*flag);
        flag.is_some_and(|flag| flag.project == *id)
    });
    let environments: BTreeSet<&str> = reported
        .flat_map(|(_, environments)| environments)
        .map(|name| name.as_str())
        .collect();
    if environments.is_empty() {
        return None;
    }
    let here = || {
        application
            .instances
            .iter()
            .filter(|instance| environments.contains(instance.environment.as_str()))
    };
    let mut sdks: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for version in here().filter_map(|instance| instance.sdk_version.as_deref()) {
        let (sdk, version) = version.split_once(':').unwrap_or((version, ""));
        sdks.entry(sdk).or_default().insert(version);
    }
    let latest: Option<OffsetDateTime> = here().map(|it| it.last_seen).chain(application.last_report).max();
    Some(json!({
        "name": name,
        "environments": environments,
        "instances": here().map(|instance| instance.id.as_str()).collect::<BTreeSet<_>>(),
        "sdks": sdks.into_iter().map(|(name, versions)| json!({ "name": name, "versions": versions })).collect::<Vec<_>>(),
        "lastSeen": latest.map(Timestamp::from),
    }))
}
