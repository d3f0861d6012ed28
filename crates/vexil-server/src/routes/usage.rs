//! Usage, read back: the last hour of a flag, its history, and flags that nobody knows.

use std::collections::BTreeSet;

use actix_web::HttpResponse;
use actix_web::web::Data;
use vexil_admin_api::usage::{FeatureUsage, RawUsage, UnknownFlags};
use vexil_domain::FlagName;
use vexil_metrics::{Rows, Width, hourly, hourly_start, last_hour, last_hour_start};
use vexil_store::{Reported, UsageQuery};

use crate::app::App;
use crate::operations::Error;
use crate::routes::ApiError;
use crate::routes::applications::Page;
use crate::routes::asked::Asked;
use crate::routes::entity_tag;
use crate::routes::paths::ReportedFlagPath;

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
    };
    let (rows, reported) = app
        .read(move |store| {
            let rows = store.usage(&wanted)?;
            Ok((rows, store.reported_by(&Reported::Flags(wanted.flags))?))
        })
        .await?;
    if reported.is_empty() && !app.serving().snapshot.flags.contains_key(&flag) {
        return Err(no_usage(&flag).into());
    }
    let applications: BTreeSet<String> = reported.into_iter().map(|by| by.application).collect();
    let applications: Vec<String> = applications.into_iter().collect();
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
            };
            app.read(move |store| store.usage(&wanted)).await?
        }
        Err(_) => Rows::default(),
    };
    entity_tag::document(&asked.headers, &RawUsage::new(&name, &hourly(now, hours, &rows)))
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
fn flag_name(name: String) -> Result<FlagName, Error> {
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
    let Ok(hours) = text.trim().parse::<f64>() else {
        return DEFAULT;
    };
    (1..=MOST)
        .find(|&most| (1.0..=f64::from(most)).contains(&hours))
        .unwrap_or(DEFAULT)
}
