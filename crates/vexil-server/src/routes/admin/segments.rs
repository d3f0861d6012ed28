//! Segments.

use actix_web::HttpResponse;
use actix_web::http::header::LOCATION;
use actix_web::web::Data;
use serde_json::json;
use vexil_access::Permission;
use vexil_admin_api::segment::{
    ChangeRequestReference, ProposedPosition, SegmentDocument, SegmentForm, SegmentListItem,
    SegmentsOfStrategy, StrategyPosition,
};
use vexil_domain::{ProjectId, Segment, SegmentId, Snapshot};
use vexil_service::App;
use vexil_service::operations::Error;
use vexil_service::operations::segments::{self, ProposedUse, Stands};
use vexil_service::permission::Place;

use crate::routes::ApiError;
use crate::routes::auth::Caller;
use crate::routes::bodies::{self, Body, FreeSegmentName};
use crate::routes::body::JsonBody;
use crate::routes::paths::{AnyStrategyPath, SegmentPath};

pub(crate) async fn list(app: Data<App>) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let mut segments: Vec<_> = serving.snapshot.segments.values().collect();
    segments.sort_by(|a, b| (&a.name, a.id).cmp(&(&b.name, b.id)));
    let items: Vec<SegmentListItem<'_>> = segments
        .into_iter()
        .map(|segment| item(&serving.snapshot, segment))
        .collect();
    Ok(HttpResponse::Ok().json(json!({ "segments": items })))
}

fn item<'a>(snapshot: &Snapshot, segment: &'a Segment) -> SegmentListItem<'a> {
    let (used_in_projects, used_in_features) =
        segments::count_uses(snapshot, |strategy| strategy.segments.contains(&segment.id));
    SegmentListItem {
        segment: SegmentDocument::of(segment),
        used_in_projects,
        used_in_features,
    }
}

pub(crate) async fn create(
    who: Caller,
    app: Data<App>,
    Body(form): Body<SegmentForm>,
) -> Result<HttpResponse, ApiError> {
    demand(&who, Permission::CreateSegment, form.project.as_ref())?;
    let segment = app
        .edit(&who.actor, move |tx| segments::create(tx, &form))
        .await?;
    let location = format!("segments/{}", segment.id);
    Ok(HttpResponse::Created()
        .insert_header((LOCATION, location))
        .json(SegmentDocument::of(&segment)))
}

/// A segment of a project is for who sees the project, and may do it for all projects or for this one.
fn demand(who: &Caller, in_all: Permission, project: Option<&ProjectId>) -> Result<(), Error> {
    match project {
        None => who.demand(&[in_all], &Place::default()),
        Some(project) => who.demand_in(
            &[in_all, Permission::UpdateProjectSegment],
            &Place::of_project(project),
        ),
    }
}

/// Whether a segment could be created under a name.
pub(crate) async fn validate(
    app: Data<App>,
    Body(FreeSegmentName(name)): Body<FreeSegmentName>,
) -> Result<HttpResponse, ApiError> {
    segments::check_free(&app.serving().snapshot, &name)?;
    Ok(HttpResponse::NoContent().finish())
}

pub(crate) async fn read(app: Data<App>, SegmentPath { id }: SegmentPath) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let segment = segments::find(&serving.snapshot, id)?;
    Ok(HttpResponse::Ok().json(SegmentDocument::of(segment)))
}

pub(crate) async fn replace(
    who: Caller,
    app: Data<App>,
    SegmentPath { id }: SegmentPath,
    Body(form): Body<SegmentForm>,
) -> Result<HttpResponse, ApiError> {
    let earlier = segments::find(&app.serving().snapshot, id)?.project.clone();
    for project in [earlier.as_ref(), form.project.as_ref()] {
        demand(&who, Permission::UpdateSegment, project)?;
    }
    app.edit(&who.actor, move |tx| segments::edit(tx, id, &form))
        .await?;
    Ok(HttpResponse::NoContent().finish())
}

pub(crate) async fn remove(
    who: Caller,
    app: Data<App>,
    SegmentPath { id }: SegmentPath,
) -> Result<HttpResponse, ApiError> {
    let project = segments::find(&app.serving().snapshot, id)?.project.clone();
    demand(&who, Permission::DeleteSegment, project.as_ref())?;
    app.edit(&who.actor, move |tx| segments::remove(tx, id)).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Which strategies use a segment, and which would once an open change request is applied.
pub(crate) async fn uses(app: Data<App>, SegmentPath { id }: SegmentPath) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    segments::find(&serving.snapshot, id)?;
    let used = segments::strategies(&serving.snapshot).filter(|found| found.strategy.segments.contains(&id));
    let strategies: Vec<StrategyPosition<'_>> = used.map(position).collect();
    let open = app
        .read(|store| store.change_requests(&segments::open_filter()))
        .await?
        .items;
    let proposed = segments::proposed_uses(&open, id);
    let proposed: Vec<ProposedPosition<'_>> = proposed
        .iter()
        .map(|proposed| proposed_position(&serving.snapshot, proposed))
        .collect();
    let answer = json!({ "strategies": strategies, "changeRequestStrategies": proposed });
    Ok(HttpResponse::Ok().json(answer))
}

pub(super) fn position(found: Stands<'_>) -> StrategyPosition<'_> {
    StrategyPosition {
        id: Some(found.strategy.id.as_str()),
        project_id: found.flag.project.as_str(),
        feature_name: found.flag.name.as_str(),
        strategy_name: &found.strategy.name,
        environment: found.environment.as_str(),
    }
}

fn proposed_position<'a>(snapshot: &'a Snapshot, proposed: &ProposedUse<'a>) -> ProposedPosition<'a> {
    let request = proposed.request;
    let live = || {
        let id = proposed.strategy?;
        segments::strategies(snapshot).find(|found| found.strategy.id.as_str() == id)
    };
    let kind = proposed
        .kind
        .or_else(|| live().map(|found| found.strategy.name.as_str()));
    ProposedPosition {
        position: StrategyPosition {
            id: proposed.strategy,
            project_id: request.project.as_str(),
            feature_name: proposed.flag,
            strategy_name: kind.unwrap_or_default(),
            environment: request.environment.as_str(),
        },
        change_request: ChangeRequestReference {
            id: request.id.0,
            title: request.title.as_deref(),
        },
    }
}

/// The segments that a strategy uses.
pub(crate) async fn of_strategy(
    app: Data<App>,
    AnyStrategyPath { strategy: id }: AnyStrategyPath,
) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let found = segments::strategies(&serving.snapshot).find(|found| found.strategy.id == id);
    let ids = found.map_or(&[] as &[SegmentId], |found| &found.strategy.segments);
    let segments = ids.iter().filter_map(|id| serving.snapshot.segments.get(id));
    let segments: Vec<SegmentDocument<'_>> = segments.map(|segment| SegmentDocument::of(segment)).collect();
    Ok(HttpResponse::Ok().json(json!({ "segments": segments })))
}

/// Lets a strategy use exactly these segments.
pub(crate) async fn assign(who: Caller, app: Data<App>, body: JsonBody) -> Result<HttpResponse, ApiError> {
    let wanted: SegmentsOfStrategy = bodies::read(&body)?;
    let place = Place {
        project: Some(wanted.project.as_str().into()),
        environment: Some(wanted.environment.as_str().into()),
    };
    who.demand_in(&[Permission::UpdateFeatureStrategy], &place)?;
    let location = format!("strategies/{}", wanted.strategy);
    app.edit(&who.actor, move |tx| segments::assign(tx, &wanted))
        .await?;
    let mut answer = HttpResponse::Created();
    if let Ok(location) = actix_web::http::header::HeaderValue::from_str(&location) {
        answer.insert_header((LOCATION, location));
    }
    Ok(answer.json(body.value))
}
