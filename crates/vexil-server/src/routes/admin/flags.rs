//! Flags of a project.

use std::collections::BTreeMap;

use actix_web::HttpResponse;
use actix_web::web::{Data, Query};
use serde::Deserialize;
use serde_json::{Value, json};
use time::OffsetDateTime;
use vexil_admin_api::flag::{CloneFlag, FlagEdit, NewFlag};
use vexil_admin_api::flag_document::{FlagDetail, FlagSummary, RecentUsage, ToldOfFlag};
use vexil_admin_api::flag_list::{FlagListItem, ListedUsage};
use vexil_admin_api::patch::Operation;
use vexil_client_api::json::Problem;
use vexil_domain::{EnvironmentName, FeatureFlag, FlagName, Project, Tag};
use vexil_metrics::{Width, last_hour, last_hour_start};
use vexil_service::operations::Error;
use vexil_service::operations::direct::{find_flag, find_live_flag};
use vexil_service::operations::flag_search::{LastSeen, lifecycle_of};
use vexil_service::operations::flags;
use vexil_service::operations::move_flag::move_flag;
use vexil_service::operations::paths::FlagPath;
use vexil_service::operations::project_settings::check_names;
use vexil_service::operations::projects;
use vexil_service::permission::Place;
use vexil_service::{App, Principal, Reader, ServingState};
use vexil_store::{Applications, StoreError, UsageQuery};

use super::query::Parameters;
use super::{done, environments_of};
use crate::routes::ApiError;
use crate::routes::asked::Asked;
use crate::routes::auth::Caller;
use crate::routes::bodies::{Body, FreeFlagName, NewProject, Stale};
use crate::routes::paths::{Named, ProjectPath};

/// The live flags of a project, those with a tag and a beginning of their names where these are asked for. A project
/// that is not there has none.
pub(crate) async fn list(
    who: Caller,
    asked: Asked,
    app: Data<App>,
    ProjectPath { project }: ProjectPath,
) -> Result<HttpResponse, ApiError> {
    let wanted = Narrowed::read(&asked.query).map_err(Error::from)?;
    let serving = app.serving();
    let project = projects::find(&serving.snapshot, project.as_str())?;
    let features = listed(&who, &app, &serving, project, |flag| wanted.holds(flag)).await?;
    Ok(HttpResponse::Ok().json(json!({ "version": 2, "features": features })))
}

/// Which flags of a project are asked for.
struct Narrowed {
    /// Those with one of these tags; all when empty.
    tags: Vec<Tag>,
    /// How their names begin, whatever the case of letters.
    prefix: String,
}

impl Narrowed {
    fn read(query: &str) -> Result<Self, Vec<Problem>> {
        let mut given = Parameters::read(query);
        let prefix = given.one("namePrefix").unwrap_or_default().to_lowercase();
        let tags = given.tags("tag");
        given.finish(Self { tags, prefix })
    }

    fn holds(&self, flag: &FeatureFlag) -> bool {
        let is_tagged = self.tags.is_empty() || self.tags.iter().any(|tag| flag.tags.contains(tag));
        is_tagged && flag.name.as_str().to_lowercase().starts_with(&self.prefix)
    }
}

/// The live flags of a project that are `wanted`, as lists show them to whoever asks.
pub(super) async fn listed(
    who: &Principal,
    app: &App,
    serving: &ServingState,
    project: &Project,
    wanted: impl Fn(&FeatureFlag) -> bool,
) -> Result<Vec<Value>, ApiError> {
    let environments = environments_of(&serving.snapshot, project);
    let live: Vec<&FeatureFlag> = serving
        .snapshot
        .flags
        .values()
        .map(AsRef::as_ref)
        .filter(|flag| flag.project == project.id && !flag.is_archived() && wanted(flag))
        .collect();
    let names: Vec<FlagName> = live.iter().map(|flag| flag.name.clone()).collect();
    let last_seen = last_seen(app.read(move |store| store.last_seen(Some(&names))).await?);
    let shown = live.into_iter().map(|flag| {
        let of_flag = last_seen.get(&flag.name);
        let favorite = who.favors_flag(&flag.name).unwrap_or_default();
        json!(FlagListItem::of(flag, &environments, favorite, |environment| {
            ListedUsage {
                last_seen: of_flag.and_then(|seen| seen.get(environment)).copied(),
                counts: None,
                change_requests: None,
            }
        }))
    });
    Ok(shown.collect())
}

/// When flags were last reported, by environment.
pub(super) fn last_seen(reported: vexil_store::LastSeen) -> LastSeen {
    let mut by_flag = LastSeen::new();
    for ((flag, environment), last) in reported {
        by_flag.entry(flag).or_default().insert(environment, last);
    }
    by_flag
}

pub(crate) async fn create(
    who: Caller,
    app: Data<App>,
    ProjectPath { project }: ProjectPath,
    Body(new): Body<NewFlag>,
) -> Result<HttpResponse, ApiError> {
    let flag = app
        .edit(&who.actor, move |tx| flags::create(tx, &project, &new))
        .await?;
    Ok(HttpResponse::Created().json(FlagSummary::of(&flag)))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DetailQuery {
    variant_environments: Option<String>,
}

/// A live flag with everything that belongs to it.
pub(crate) async fn read(
    who: Caller,
    app: Data<App>,
    Named(path): Named<FlagPath>,
    query: Query<DetailQuery>,
) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let flag = find_live_flag(&serving.snapshot, path.project.as_str(), path.flag.as_str())?;
    let (name, now) = (flag.name.clone(), app.now());
    let usage = app.read(move |store| recent_usage(store, &name, now)).await?;
    let project = serving.snapshot.projects.get(&flag.project);
    let environments = project
        .map(|project| environments_of(&serving.snapshot, project))
        .unwrap_or_default();
    let seen = usage
        .iter()
        .filter_map(|(name, usage)| Some((name.clone(), usage.last_seen?)));
    let seen = LastSeen::from([(flag.name.clone(), seen.collect())]);
    let told = ToldOfFlag {
        lifecycle: lifecycle_of(&serving.snapshot, &seen, flag),
        usage,
        with_variants: query.variant_environments.as_deref() == Some("true"),
        favorite: who.favors_flag(&flag.name),
    };
    let detail = FlagDetail::of(flag, &serving.snapshot, &environments, &told);
    Ok(HttpResponse::Ok().json(detail))
}

/// How far a flag, live or archived, has come.
pub(crate) async fn lifecycle(
    app: Data<App>,
    Named(FlagPath { project, flag: name }): Named<FlagPath>,
) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let flag = find_flag(&serving.snapshot, project.as_str(), name.as_str())?;
    let reported = app.read(move |store| store.last_seen(Some(&[name]))).await?;
    let stage = lifecycle_of(&serving.snapshot, &last_seen(reported), flag);
    Ok(HttpResponse::Ok().json([stage]))
}

fn recent_usage(
    store: Reader<'_>,
    flag: &FlagName,
    now: OffsetDateTime,
) -> Result<BTreeMap<EnvironmentName, RecentUsage>, StoreError> {
    let mut recent = BTreeMap::<EnvironmentName, RecentUsage>::new();
    for ((_, environment), last) in store.last_seen(Some(std::slice::from_ref(flag)))? {
        recent.entry(environment).or_default().last_seen = Some(last);
    }
    let wanted = UsageQuery {
        flags: vec![flag.clone()],
        width: Width::Minute,
        since: last_hour_start(now),
        applications: Applications::Together,
    };
    for usage in last_hour(now, &store.usage(&wanted)?) {
        let entry = recent.entry(usage.environment).or_default();
        (entry.yes, entry.no) = (usage.counts.yes.get(), usage.counts.no.get());
    }
    Ok(recent)
}

pub(crate) async fn replace(
    who: Caller,
    app: Data<App>,
    Named(FlagPath { project, flag: name }): Named<FlagPath>,
    Body(edit): Body<FlagEdit>,
) -> Result<HttpResponse, ApiError> {
    let flag = app
        .edit(&who.actor, move |tx| flags::edit(tx, &project, &name, &edit))
        .await?;
    Ok(HttpResponse::Ok().json(FlagSummary::of(&flag)))
}

/// Edits a flag by a JSON Patch of what it says of itself.
pub(crate) async fn patch(
    who: Caller,
    app: Data<App>,
    Named(FlagPath { project, flag: name }): Named<FlagPath>,
    Body(patch): Body<Vec<Operation>>,
) -> Result<HttpResponse, ApiError> {
    let edited = app.edit(&who.actor, move |tx| flags::patch(tx, &project, &name, &patch));
    Ok(HttpResponse::Ok().json(FlagSummary::of(&edited.await?)))
}

pub(crate) async fn archive(
    who: Caller,
    app: Data<App>,
    Named(FlagPath { project, flag: name }): Named<FlagPath>,
) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |tx| flags::archive(tx, &project, &name))
        .await?;
    Ok(HttpResponse::Accepted().finish())
}

/// Moves a flag to another project.
pub(crate) async fn change_project(
    who: Caller,
    app: Data<App>,
    Named(FlagPath { project, flag: name }): Named<FlagPath>,
    Body(NewProject(to)): Body<NewProject>,
) -> Result<HttpResponse, ApiError> {
    let by = Principal::clone(&who);
    app.edit(&who.actor, move |tx| move_flag(tx, &by, &project, &name, &to))
        .await?;
    Ok(done())
}

pub(crate) async fn clone(
    who: Caller,
    app: Data<App>,
    Named(FlagPath { project, flag: name }): Named<FlagPath>,
    Body(like): Body<CloneFlag>,
) -> Result<HttpResponse, ApiError> {
    let flag = app
        .edit(&who.actor, move |tx| flags::clone(tx, &project, &name, &like))
        .await?;
    Ok(HttpResponse::Created().json(FlagSummary::of(&flag)))
}

pub(crate) async fn mark_stale(
    who: Caller,
    app: Data<App>,
    ProjectPath { project }: ProjectPath,
    Body(Stale { flags: names, stale }): Body<Stale>,
) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |tx| {
        flags::mark_stale(tx, &project, &names, stale)
    })
    .await?;
    Ok(HttpResponse::Accepted().finish())
}

/// Whether a flag could be created under a name.
pub(crate) async fn validate(
    who: Caller,
    app: Data<App>,
    Body(FreeFlagName { name, project }): Body<FreeFlagName>,
) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    flags::check_free(&serving.snapshot, name.as_str())?;
    if let Some(project) = project {
        who.demand_sight(&Place::of_project(&project))?;
        projects::find(&serving.snapshot, project.as_str())?;
        check_names(&serving, &project, &[&name])?;
    }
    Ok(done())
}
