//! The audit log.

use actix_web::HttpResponse;
use actix_web::web::Data;
use serde_json::json;
use serde_json::value::RawValue;
use time::{Duration, OffsetDateTime};
use vexil_admin_api::event::{EventDocument, EventGroup, FoundEvent};
use vexil_change_request::ChangeRequestId;
use vexil_client_api::json::Problem;
use vexil_domain::{ActorId, EnvironmentName, FlagName, ProjectId};
use vexil_service::App;
use vexil_service::operations::Error;
use vexil_service::operations::audit::{label, summary};
use vexil_store::{Event, EventFilter, EventId, Page};

use super::query::Parameters;
use crate::routes::ApiError;
use crate::routes::asked::Asked;
use crate::routes::paths::AnyFlagPath;

/// How many events a list holds.
const NEWEST: u64 = 100;
/// The longest text that events are searched for, in bytes.
const LONGEST_TEXT: usize = 1000;

/// The newest events, of a project where one is named.
pub(crate) async fn list(asked: Asked, app: Data<App>) -> Result<HttpResponse, ApiError> {
    let mut given = Parameters::read(&asked.query);
    let project = given.one("project").map(ProjectId::from);
    let project = given.finish(project).map_err(Error::from)?;
    let filter = EventFilter {
        projects: project.into_iter().collect(),
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
pub(crate) async fn search(asked: Asked, app: Data<App>) -> Result<HttpResponse, ApiError> {
    let filter = read_filter(&asked.query).map_err(Error::from)?;
    let page = app.read(move |store| store.events(&filter)).await?;
    let found: Vec<FoundEvent<'_>> = page.items.iter().map(found).collect();
    Ok(HttpResponse::Ok().json(json!({ "events": found, "total": page.total })))
}

fn read_filter(query: &str) -> Result<EventFilter, Vec<Problem>> {
    let mut given = Parameters::read(query);
    let filter = EventFilter {
        ids: numbers(&mut given, "id", EventId),
        kinds: given.any_of("type"),
        projects: given.any_of("project").into_iter().map(ProjectId::from).collect(),
        environments: given
            .any_of("environment")
            .into_iter()
            .map(EnvironmentName::from)
            .collect(),
        flags: given.any_of("feature").into_iter().map(FlagName::from).collect(),
        actors: numbers(&mut given, "createdBy", ActorId),
        change_requests: numbers(&mut given, "groupId", ChangeRequestId),
        texts: texts(&mut given),
        from: day(&mut given, "from"),
        before: day(&mut given, "to").map(|day| day.saturating_add(Duration::DAY)),
        offset: u64::from(given.offset()),
        limit: Some(u64::from(given.limit())),
    };
    given.finish(filter)
}

/// What is named by numbers, such as `IS_ANY_OF:1,2`.
fn numbers<T>(given: &mut Parameters, name: &str, of: fn(i64) -> T) -> Vec<T> {
    let texts = given.any_of(name);
    let numbers: Result<Vec<i64>, _> = texts.iter().map(|text| text.parse::<i64>()).collect();
    if let Ok(numbers) = numbers {
        return numbers.into_iter().map(of).collect();
    }
    given.refuse(name, "must name by numbers", &texts.join(","));
    Vec::new()
}

/// What the documents of an event are to contain: the text, or the text as JSON writes it within quotes.
fn texts(given: &mut Parameters) -> Vec<String> {
    let Some(text) = given.one("query") else {
        return Vec::new();
    };
    if text.len() > LONGEST_TEXT {
        let must = format!("must have at most {LONGEST_TEXT} bytes");
        given.refuse("query", &must, &format!("{} bytes", text.len()));
        return Vec::new();
    }
    let quoted = serde_json::Value::from(text.as_str()).to_string();
    let written = quoted
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
        .filter(|written| *written != text)
        .map(str::to_owned);
    [Some(text), written].into_iter().flatten().collect()
}

/// The midnight that begins a day such as `IS:2026-11-27`.
fn day(given: &mut Parameters, name: &str) -> Option<OffsetDateTime> {
    let text = given.any_of(name).pop()?;
    Some(given.date(name, &text)?.midnight().assume_utc())
}

fn shown(page: &Page<Event>) -> Vec<EventDocument<'_>> {
    page.items.iter().map(document).collect()
}

fn found(event: &Event) -> FoundEvent<'_> {
    FoundEvent {
        event: document(event),
        label: label(&event.event.kind),
        summary: summary(&event.event),
    }
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
