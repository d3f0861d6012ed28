//! What pages show first: one's own projects and flags, how a project is, who has done something.

use std::collections::BTreeMap;

use actix_web::HttpResponse;
use actix_web::web::Data;
use serde_json::{Value, json};
use time::Duration;
use vexil_access::{Permission, Place, RoleId};
use vexil_admin_api::timestamp::Timestamp;
use vexil_domain::{FeatureFlag, Project, ProjectId, Snapshot};
use vexil_service::operations::audit::summary;
use vexil_service::operations::flag_search::{LastSeen, Stage, stage_of};
use vexil_service::operations::tokens::is_of_project;
use vexil_service::operations::{project_settings, projects, roles, users};
use vexil_service::{App, Principal, ServingState, system, token_actor, user_actor};
use vexil_store::{Event, EventFilter, TokenKind, User};

use super::flags::last_seen;
use crate::routes::ApiError;
use crate::routes::auth::Caller;
use crate::routes::paths::ProjectPath;

/// How many events a project's activity is counted from, at most.
const ACTIVITY: u64 = 1_000;
/// For how long it is told.
const TOLD: Duration = Duration::days(365);
/// How many of the newest events are shown.
const LATEST: u64 = 10;

/// The projects and flags of whoever asks, and whom they may turn to.
pub(crate) async fn personal(who: Caller, app: Data<App>) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let own = |flag: &&FeatureFlag| {
        let is_creator = flag.created_by.as_ref().is_some_and(|by| by.id == who.actor.id);
        is_creator || who.favors_flag(&flag.name) == Some(true)
    };
    let mut flags: Vec<&FeatureFlag> = live_flags(&serving.snapshot).filter(own).collect();
    flags.sort_by_key(|flag| std::cmp::Reverse(flag.created_at));
    let flags = flags.into_iter().map(
        |flag| json!({ "name": flag.name.as_str(), "type": &*flag.kind, "project": flag.project.as_str() }),
    );
    let directory = &serving.access.directory;
    let admins = serving
        .users
        .iter()
        .filter(|user| Principal::of_user(user, directory).is_admin());
    let projects = own_projects(&who, &serving.snapshot);
    let mut owners: BTreeMap<i64, Value> = BTreeMap::new();
    for project in &projects {
        owners.extend(owners_of(&serving, &project.id));
    }
    Ok(HttpResponse::Ok().json(json!({
        "projects": projects.into_iter().map(|project| tile(&serving, project)).collect::<Vec<_>>(),
        "flags": flags.collect::<Vec<_>>(),
        "projectOwners": owners.into_values().collect::<Vec<_>>(),
        "admins": admins.map(|user| admin(user)).collect::<Vec<_>>(),
    })))
}

fn admin(user: &User) -> Value {
    let mut shown = users::named(user);
    if let Some(shown) = shown.as_object_mut() {
        shown.insert("imageUrl".to_owned(), "".into());
    }
    shown
}

fn live_flags(snapshot: &Snapshot) -> impl Iterator<Item = &FeatureFlag> {
    snapshot
        .flags
        .values()
        .map(AsRef::as_ref)
        .filter(|flag| !flag.is_archived())
}

/// The projects in which somebody was given something or may make flags; all that they see where there is none.
pub(super) fn own_projects<'a>(who: &Principal, snapshot: &'a Snapshot) -> Vec<&'a Project> {
    let seen = snapshot.projects.values().map(AsRef::as_ref);
    let seen: Vec<&Project> = seen.filter(|project| who.rights.sees(&project.id)).collect();
    let is_own = |project: &&Project| {
        who.rights.is_member(&project.id)
            || who
                .rights
                .may(Permission::CreateFeature, Place::Project(&project.id))
    };
    let own: Vec<&Project> = seen.iter().copied().filter(is_own).collect();
    if own.is_empty() { seen } else { own }
}

fn tile(serving: &ServingState, project: &Project) -> Value {
    let flags = projects::count_flags(&serving.snapshot, &project.id);
    let debt = flags.technical_debt().min(100);
    json!({
        "id": project.id.as_str(),
        "name": project.name,
        "health": 100 - debt,
        "technicalDebt": debt,
        "memberCount": project_settings::count_members(serving, &project.id),
        "featureCount": flags.total(),
    })
}

/// The people who own a project, by id.
fn owners_of(serving: &ServingState, project: &ProjectId) -> BTreeMap<i64, Value> {
    let owner = (project.clone(), RoleId::OWNER);
    let owners = serving
        .users
        .iter()
        .filter(|user| user.project_roles.contains(&owner));
    let shown = owners.map(|user| {
        let name = user
            .name
            .as_ref()
            .or(user.username.as_ref())
            .or(user.email.as_ref());
        (
            user.id.0,
            json!({ "ownerType": "user", "name": name, "email": user.email, "imageUrl": "" }),
        )
    });
    shown.collect()
}

/// One of these projects: what happened last, who owns it, the roles of whoever asks.
pub(crate) async fn personal_project(
    who: Caller,
    app: Data<App>,
    ProjectPath { project: id }: ProjectPath,
) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let project = projects::find(&serving.snapshot, id.as_str())?;
    let filter = EventFilter {
        projects: vec![id.clone()],
        // not what an earlier project of the name did
        from: Some(project.created_at),
        limit: Some(LATEST),
        ..EventFilter::default()
    };
    let latest = app.read(move |store| store.events(&filter)).await?.items;
    let flags = projects::count_flags(&serving.snapshot, &project.id);
    let (total, debt) = (flags.total(), flags.technical_debt().min(100));
    let mut owners: Vec<Value> = owners_of(&serving, &project.id).into_values().collect();
    if owners.is_empty() {
        owners.push(json!({ "ownerType": "system" }));
    }
    let roles = who.rights.roles_in(&project.id).into_iter();
    let status = if total == 0 {
        "onboarding-started"
    } else {
        "onboarded"
    };
    Ok(HttpResponse::Ok().json(json!({
        "latestEvents": latest.iter().map(happened).collect::<Vec<_>>(),
        "onboardingStatus": { "status": status },
        "owners": owners,
        "roles": roles.map(|role| roles::short_document(role)).collect::<Vec<_>>(),
        "insights": {
            "avgHealthCurrentWindow": null,
            "avgHealthPastWindow": null,
            "totalFlags": total,
            "potentiallyStaleFlags": flags.potentially_stale,
            "staleFlags": flags.stale,
            "activeFlags": total - flags.aged(),
            "technicalDebt": debt,
            "health": 100 - debt,
        },
    })))
}

fn happened(event: &Event) -> Value {
    json!({
        "id": event.id.0,
        "createdAt": Timestamp::from(event.event.created_at),
        "createdBy": event.event.actor.name,
        "createdByImageUrl": "",
        "summary": summary(&event.event),
    })
}

/// How a project is: what belongs to it, how much happens, how far its flags have come.
pub(crate) async fn status(
    app: Data<App>,
    ProjectPath { project: id }: ProjectPath,
) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let project = projects::find(&serving.snapshot, id.as_str())?;
    let filter = EventFilter {
        projects: vec![id.clone()],
        from: Some(project.created_at.max(app.now() - TOLD)),
        limit: Some(ACTIVITY),
        ..EventFilter::default()
    };
    let told = app.read(move |store| Ok((store.events(&filter)?.items, store.last_seen(None)?)));
    let (events, reported) = told.await?;
    let mut days = BTreeMap::<String, u64>::new();
    for event in events {
        *days.entry(event.event.created_at.date().to_string()).or_default() += 1;
    }
    let own = serving.snapshot.flags.values().map(AsRef::as_ref);
    let own: Vec<&FeatureFlag> = own.filter(|flag| flag.project == id).collect();
    let stages = count_stages(&serving.snapshot, &last_seen(reported), own.iter().copied());
    let recently = app.now() - Duration::days(30);
    let archived = own
        .iter()
        .filter(|flag| flag.archived_at.is_some_and(|at| at >= recently));
    let stage = |stage: Stage| {
        // nobody notes when a flag came from one stage to the next
        json!({ "averageDays": null, "currentFlags": stages.get(stage.name()).copied().unwrap_or_default() })
    };
    let flags = projects::count_flags(&serving.snapshot, &project.id);
    let debt = flags.technical_debt().min(100);
    let sdk_tokens = serving
        .tokens
        .values()
        .filter(|token| token.kind != TokenKind::Admin);
    let segments = serving.snapshot.segments.values();
    Ok(HttpResponse::Ok().json(json!({
        "resources": {
            "members": project_settings::count_members(&serving, &id),
            "apiTokens": sdk_tokens.filter(|token| is_of_project(token, &id)).count(),
            "segments": segments.filter(|segment| segment.project.as_ref() == Some(&id)).count(),
        },
        "activityCountByDate": days.into_iter().map(|(date, count)| json!({ "date": date, "count": count })).collect::<Vec<_>>(),
        "health": { "current": 100 - debt },
        "technicalDebt": { "current": debt },
        "lifecycleSummary": {
            "initial": stage(Stage::Initial),
            "preLive": stage(Stage::PreLive),
            "live": stage(Stage::Live),
            "completed": stage(Stage::Completed),
            "archived": {
                "currentFlags": stages.get(Stage::Archived.name()).copied().unwrap_or_default(),
                "last30Days": archived.count(),
            },
        },
        "staleFlags": { "total": flags.aged() },
    })))
}

fn count_stages<'a>(
    snapshot: &Snapshot,
    last_seen: &LastSeen,
    flags: impl Iterator<Item = &'a FeatureFlag>,
) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for flag in flags {
        *counts
            .entry(stage_of(snapshot, last_seen, flag).name())
            .or_default() += 1;
    }
    counts
}

/// How many flags have come how far.
pub(crate) async fn stages(who: Caller, app: Data<App>) -> Result<HttpResponse, ApiError> {
    let reported = app.read(|store| store.last_seen(None)).await?;
    let serving = app.serving();
    let flags = serving.snapshot.flags.values().map(AsRef::as_ref);
    let flags = flags.filter(|flag: &&FeatureFlag| who.rights.sees(&flag.project));
    let counts = count_stages(&serving.snapshot, &last_seen(reported), flags);
    let count = |stage: Stage| counts.get(stage.name()).copied().unwrap_or_default();
    Ok(HttpResponse::Ok().json(json!({
        "initial": count(Stage::Initial),
        "preLive": count(Stage::PreLive),
        "live": count(Stage::Live),
        "completed": count(Stage::Completed),
        "archived": count(Stage::Archived),
    })))
}

/// Everybody who may be named in the audit log: the server itself, admin tokens, users.
pub(crate) async fn event_creators(app: Data<App>) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let tokens = serving
        .tokens
        .values()
        .filter(|token| token.kind == TokenKind::Admin);
    let tokens = tokens.map(|token| token_actor(token));
    let people = serving.users.iter().map(|user| user_actor(user));
    let all = std::iter::once(system()).chain(tokens).chain(people);
    let all: BTreeMap<i64, String> = all.map(|actor| (actor.id.0, actor.name)).collect();
    Ok(HttpResponse::Ok().json(named(all)))
}

/// Whoever created a flag of the project that is still there.
pub(crate) async fn flag_creators(
    app: Data<App>,
    ProjectPath { project: id }: ProjectPath,
) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    projects::find(&serving.snapshot, id.as_str())?;
    let flags = serving.snapshot.flags.values().filter(|flag| flag.project == id);
    let creators: BTreeMap<i64, String> = flags
        .filter_map(|flag| flag.created_by.as_ref())
        .map(|actor| (actor.id.0, actor.name.clone()))
        .collect();
    Ok(HttpResponse::Ok().json(named(creators)))
}

fn named(all: impl IntoIterator<Item = (i64, String)>) -> Vec<Value> {
    let one = |(id, name)| json!({ "id": id, "name": name });
    all.into_iter().map(one).collect()
}
