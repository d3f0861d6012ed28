//! Usage, read back: the last hour of a flag, its history, and flags that nobody knows.

use std::collections::BTreeMap;

use actix_web::HttpResponse;
use actix_web::web::Data;
use time::OffsetDateTime;
use vexil_admin_api::usage::{FeatureUsage, FlagMinutes, FlagsMinutes, RawUsage, UnknownFlags};
use vexil_domain::FlagName;
use vexil_metrics::{
    Rows, Width, by_minute, hourly, hourly_start, last_hour, last_hour_start, minutes_start,
};
use vexil_service::App;
use vexil_service::operations::{Error, projects};
use vexil_store::{Applications, Reported, UsageQuery};
use vexil_values::Number;

use crate::routes::ApiError;
use crate::routes::applications::Page;
use crate::routes::asked::Asked;
use crate::routes::bodies::Body;
use crate::routes::entity_tag;
use crate::routes::paths::{ProjectPath, ReportedFlagPath};

/// The usage of a flag in the last hour, and who has used it.
pub(crate) async fn feature_usage(
    app: Data<App>,
    ReportedFlagPath { name }: ReportedFlagPath,
    asked: Asked,
) -> Result<HttpResponse, ApiError> {
    let flag = flag_name(name)?;
    let now = app.now();
    let wanted = UsageQuery {
        flags: vec![flag.clone()],
        width: Width::Minute,
        since: last_hour_start(now),
        applications: Applications::Together,
    };
    let (rows, applications) = app
        .read(move |store| store.usage_and_applications(&wanted))
        .await?;
    if applications.is_empty() && !app.serving().snapshot.flags.contains_key(&flag) {
        return Err(no_usage(&flag).into());
    }
    entity_tag::document(
        &asked.headers,
        &FeatureUsage::new(flag.as_str(), &last_hour(now, &rows), &applications),
    )
}

/// The usage of a flag hour by hour.
pub(crate) async fn raw_usage(
    app: Data<App>,
    ReportedFlagPath { name }: ReportedFlagPath,
    asked: Asked,
) -> Result<HttpResponse, ApiError> {
    let hours = hours_back(&asked.query);
    let now = app.now();
    let rows = match flag_name(name.clone()) {
        Ok(flag) => {
            let wanted = UsageQuery {
                flags: vec![flag],
                width: Width::Hour,
                since: hourly_start(now, hours),
                applications: Applications::Apart,
            };
            app.read(move |store| store.usage(&wanted)).await?
        }
        Err(_) => Rows::default(),
    };
    entity_tag::document(&asked.headers, &RawUsage::new(&name, &hourly(now, hours, &rows)))
}

/// The usage of a flag minute by minute.
pub(crate) async fn flag_minutes(
    app: Data<App>,
    ReportedFlagPath { name }: ReportedFlagPath,
    asked: Asked,
) -> Result<HttpResponse, ApiError> {
    let flag = flag_name(name)?;
    let body = flag_document(&app, &flag, last_minutes(&asked.query)?).await?;
    Ok(entity_tag::answer(&asked.headers, HttpResponse::Ok(), body))
}

/// The document of a flag's last minutes.
pub(super) async fn flag_document(app: &App, flag: &FlagName, last: u32) -> Result<Vec<u8>, Error> {
    let now = app.now();
    let wanted = minutes_of(vec![flag.clone()], now, last, Applications::Apart);
    let (rows, reported) = app
        .read(move |store| store.usage_and_applications(&wanted))
        .await?;
    if reported.is_empty() && !app.serving().snapshot.flags.contains_key(flag) {
        return Err(no_usage(flag));
    }
    let usage = by_minute(now, last, &rows);
    let document = FlagMinutes::new(flag.as_str(), minutes_start(now, last), last, &usage);
    serde_json::to_vec(&document).map_err(Error::internal)
}

/// The usage of the flags that are named, minute by minute.
pub(crate) async fn flags_minutes(
    app: Data<App>,
    Body(flags): Body<Vec<FlagName>>,
    asked: Asked,
) -> Result<HttpResponse, ApiError> {
    const MOST: usize = 500;
    let last = last_minutes(&asked.query)?;
    if flags.len() > MOST {
        return Err(Error::invalid(format!("Ask for at most {MOST} flags at once.")).into());
    }
    several_flags_minutes(&app, &asked, flags, last).await
}

/// The usage of all live flags of a project, minute by minute.
pub(crate) async fn project_minutes(
    app: Data<App>,
    ProjectPath { project }: ProjectPath,
    asked: Asked,
) -> Result<HttpResponse, ApiError> {
    let last = last_minutes(&asked.query)?;
    let serving = app.serving();
    let project = projects::find(&serving.snapshot, project.as_str())?;
    let own = serving.snapshot.flags.values();
    let live = own.filter(|flag| flag.project == project.id && !flag.is_archived());
    let flags = live.map(|flag| flag.name.clone()).collect();
    several_flags_minutes(&app, &asked, flags, last).await
}

async fn several_flags_minutes(
    app: &App,
    asked: &Asked,
    flags: Vec<FlagName>,
    last: u32,
) -> Result<HttpResponse, ApiError> {
    let now = app.now();
    let wanted = minutes_of(flags, now, last, Applications::Together);
    let rows = app.read(move |store| store.usage(&wanted)).await?;
    let usage: BTreeMap<FlagName, _> = rows
        .by_flag()
        .into_iter()
        .map(|(flag, rows)| (flag, by_minute(now, last, &rows)))
        .collect();
    let lines = usage.iter().map(|(flag, usage)| (flag, usage.as_slice()));
    entity_tag::document(
        &asked.headers,
        &FlagsMinutes::new(minutes_start(now, last), last, lines),
    )
}

/// The last minutes of flags.
fn minutes_of(
    flags: Vec<FlagName>,
    now: OffsetDateTime,
    last: u32,
    applications: Applications,
) -> UsageQuery {
    UsageQuery {
        applications,
        flags,
        width: Width::Minute,
        since: minutes_start(now, last),
    }
}

/// How many minutes `last` asks for.
pub(super) fn last_minutes(query: &str) -> Result<u32, Error> {
    number_in(query, "last", "minutes", 60, 120)
}

/// The number that a parameter of a query asks for: 1 to `most`, or `default` where it is not said.
pub(super) fn number_in(query: &str, name: &str, of: &str, default: u32, most: u32) -> Result<u32, Error> {
    let mut values = vexil_client_api::query::pairs(query).filter(|(known, _)| known == name);
    let text = match (values.next(), values.next()) {
        (None, _) => return Ok(default),
        (Some((_, text)), None) => text,
        (Some(_), Some(_)) => String::new(),
    };
    let number = text
        .parse::<u32>()
        .ok()
        .filter(|number| (1..=most).contains(number));
    number.ok_or_else(|| {
        Error::invalid(format!(
            "The query parameter `{name}` must be one number of {of} from 1 to {most}."
        ))
    })
}

/// Names that were reported although no flag has them, from `offset` on, at most `limit`.
pub(crate) async fn unknown_flags(app: Data<App>, asked: Asked) -> Result<HttpResponse, ApiError> {
    let page = Page::of(&asked.query)?;
    let reported = app.read(|store| store.reported_by(&Reported::Unknown)).await?;
    let mut unknown = UnknownFlags::default();
    let by_flag = reported.chunk_by(|a, b| a.flag == b.flag);
    for by in by_flag.skip(page.offset).take(page.limit).flatten() {
        unknown.add(&by.flag, &by.application, &by.environment, by.last);
    }
    entity_tag::document(&asked.headers, &unknown)
}

/// The name as a flag or a report can have it: without NUL characters, which databases refuse.
pub(super) fn flag_name(name: String) -> Result<FlagName, Error> {
    let flag = FlagName::from(name);
    if flag.as_str().contains('\0') {
        Err(no_usage(&flag))
    } else {
        Ok(flag)
    }
}

fn no_usage(flag: &FlagName) -> Error {
    Error::NotFound(format!(
        "There is no flag named \"{flag}\", and no application has reported one."
    ))
}

/// How many hours `hoursBack` asks for: 1 to 48, a part of an hour counting as a whole one; 24 for
/// everything else.
fn hours_back(query: &str) -> u32 {
    const DEFAULT: u32 = 24;
    const MOST: u32 = 48;
    let mut values = vexil_client_api::query::pairs(query).filter(|(name, _)| name == "hoursBack");
    let (Some((_, text)), None) = (values.next(), values.next()) else {
        return DEFAULT;
    };
    let Some(hours) = Number::parse(&text).map(Number::get) else {
        return DEFAULT;
    };
    (1..=MOST)
        .find(|&most| (1.0..=f64::from(most)).contains(&hours))
        .unwrap_or(DEFAULT)
}
