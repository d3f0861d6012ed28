//! The audit log.

use std::collections::HashMap;

use actix_web::HttpResponse;
use actix_web::web::Data;
use serde_json::json;
use serde_json::value::RawValue;
use time::macros::format_description;
use time::{Date, Duration, OffsetDateTime};
use vexil_admin_api::event::{EventDocument, EventGroup};
use vexil_client_api::json::Problems;
use vexil_domain::{ActorId, EnvironmentName, FlagName, ProjectId};
use vexil_store::{Event, EventFilter, Page};

use super::query::{Parameters, read_limit, read_offset, wanted};
use crate::app::App;
use crate::operations::Error;
use crate::routes::ApiError;
use crate::routes::paths::AnyFlagPath;

/// How many events a list holds.
const NEWEST: u64 = 100;

/// The newest events, of a project where one is named.
pub(crate) async fn list(app: Data<App>, query: Parameters) -> Result<HttpResponse, ApiError> {
    let projects = query
        .get("project")
        .map(|project| vec![ProjectId::from(project.as_str())]);
    let filter = EventFilter {
        projects: projects.unwrap_or_default(),
        limit: Some(NEWEST),
        ..EventFilter::default()
    };
    let page = app.read(move |store| store.events(&filter)).await?;
    let answer = json!({ "version": 1, "events": shown(&page), "totalEvents": page.total });
    Ok(HttpResponse::Ok().json(answer))
}

/// The newest events of a flag.
pub(crate) async fn of_flag(
    app: Data<App>,
    AnyFlagPath { flag: name }: AnyFlagPath,
) -> Result<HttpResponse, ApiError> {
    let filter = EventFilter {
        flags: vec![name.clone()],
        limit: Some(NEWEST),
        ..EventFilter::default()
    };
    let page = app.read(move |store| store.events(&filter)).await?;
    let events = shown(&page);
    let answer = json!({
        "version": 1,
        "toggleName": name.as_str(),
        "events": events,
        "totalEvents": page.total,
    });
    Ok(HttpResponse::Ok().json(answer))
}

/// Events that match a query such as `type=IS:feature-created&project=IS_ANY_OF:shop,default`.
pub(crate) async fn search(app: Data<App>, query: Parameters) -> Result<HttpResponse, ApiError> {
    let filter = read_filter(&query)?;
    let page = app.read(move |store| store.events(&filter)).await?;
    Ok(HttpResponse::Ok().json(json!({ "events": shown(&page), "total": page.total })))
}

fn read_filter(query: &HashMap<String, String>) -> Result<EventFilter, Error> {
    let mut problems = Problems::new();
    let actors = wanted(query, "createdBy").values;
    let filter = EventFilter {
        kinds: wanted(query, "type").values,
        projects: wanted(query, "project")
            .values
            .into_iter()
            .map(ProjectId::from)
            .collect(),
        environments: wanted(query, "environment")
            .values
            .into_iter()
            .map(EnvironmentName::from)
            .collect(),
        flags: wanted(query, "feature")
            .values
            .into_iter()
            .map(FlagName::from)
            .collect(),
        actors: actors
            .iter()
            .filter_map(|id| id.parse().ok())
            .map(ActorId)
            .collect(),
        change_request: None,
        from: day(query, "from", &mut problems),
        before: day(query, "to", &mut problems).map(|day| day.saturating_add(Duration::DAY)),
        offset: u64::from(read_offset(query)),
        limit: Some(u64::from(read_limit(query))),
    };
    if filter.actors.len() < actors.len() {
        problems.add(
            "/query/createdBy",
            "The `/query/createdBy` property must name actors by their numbers.",
        );
    }
    problems.finish(Some(filter)).map_err(Error::from)
}

fn day(query: &HashMap<String, String>, name: &str, problems: &mut Problems) -> Option<OffsetDateTime> {
    let text = wanted(query, name).values.pop()?;
    let date = Date::parse(&text, format_description!("[year]-[month]-[day]"));
    match date {
        Ok(date) => Some(date.midnight().assume_utc()),
        Err(_) => {
            let path = format!("/query/{name}");
            let message =
                format!("The `{path}` property must be a day such as 2026-11-27. You sent \"{text}\".");
            problems.add(path, message);
            None
        }
    }
}

fn shown(page: &Page<Event>) -> Vec<EventDocument<'_>> {
    page.items.iter().map(document).collect()
}

fn document(event: &Event) -> EventDocument<'_> {
    let it = &event.event;
    EventDocument {
        id: event.id.0,
        kind: &it.kind,
        created_by: &it.actor.name,
        created_at: it.created_at.into(),
        created_by_user_id: it.actor.id.0,
        data: it.data.as_deref().and_then(raw),
        pre_data: it.pre_data.as_deref().and_then(raw),
        tags: [],
        feature_name: it.flag.as_ref().map(|name| name.as_str()),
        project: it.project.as_ref().map(|id| id.as_str()),
        environment: it.environment.as_ref().map(|name| name.as_str()),
        group: it.change_request.map(|id| EventGroup {
            group_type: "change-request",
            group_id: id.to_string(),
        }),
    }
}

fn raw(text: &str) -> Option<&RawValue> {
    serde_json::from_str(text).ok()
}
