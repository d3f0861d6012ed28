//! Who reported, and when last: what is folded, and what still lies in the inbox.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use diesel::dsl::max;
use diesel::prelude::*;
use time::OffsetDateTime;
use vexil_domain::{EnvironmentName, FlagName};
use vexil_metrics::MergedRow;
use vexil_store::{LastSeen, Reported, ReportedBy};

use super::cache::InboxCache;
use super::reporters::Series;
use super::unfolded::Unfolded;
use crate::batches::KEYS_AT_ONCE;
use crate::connection::{AnyConnection, each_backend};
use crate::error::DbError;
use crate::instant;
use crate::loading::load_of;
use crate::schema::{flags, usage_reporters};
use crate::short::Short;

type ReporterRow = (String, String, String, i64);

/// Who reported, by flag, environment and application.
pub(crate) fn reported_by(
    connection: &mut AnyConnection,
    cache: &InboxCache,
    whose: &Reported,
) -> Result<Vec<ReportedBy>, DbError> {
    let unfolded = Unfolded::read(connection, cache)?;
    match whose {
        Reported::Flags(names) => {
            let rows = unfolded.of_flags(names)?.into_rows();
            reporters_of(connection, names, &rows)
        }
        Reported::Unknown => {
            let known = known_flags(connection, &unfolded)?;
            let found = unfolded.series(|_| true, |flag| !known.contains(flag))?;
            latest(load_unknown(connection)?, found)
        }
        Reported::Applications(names) => {
            let wanted: HashSet<&str> = names.iter().map(String::as_str).collect();
            let found = unfolded.series(|application| wanted.contains(application), |_| true)?;
            latest(load_of_applications(connection, names)?, found)
        }
    }
}

/// Which applications reported flags, of what is folded.
pub(super) fn applications_of(
    connection: &mut AnyConnection,
    flags: &[FlagName],
) -> Result<BTreeSet<String>, DbError> {
    let applications = usage_reporters::table.select(usage_reporters::application);
    let mut all = Vec::new();
    for names in flags.chunks(KEYS_AT_ONCE) {
        let own: Vec<Short> = each_backend!(connection, |own| match names {
            [only] => applications
                .filter(usage_reporters::flag.eq(only.as_str()))
                .load(own),
            several => applications
                .filter(usage_reporters::flag.eq_any(several.iter().map(FlagName::as_str)))
                .load(own),
        })?;
        all.extend(own);
    }
    // each reports in several environments
    all.sort_unstable();
    all.dedup();
    let text = |name: &Short| name.as_text("an application").map(str::to_owned);
    all.iter().map(text).collect()
}

/// Who reported flags, of which `unfolded` lies in the inbox.
fn reporters_of<'a>(
    connection: &mut AnyConnection,
    flags: &[FlagName],
    unfolded: &[MergedRow<'a>],
) -> Result<Vec<ReportedBy>, DbError> {
    let series = |row: &MergedRow<'a>| ((row.flag, row.environment, row.application), row.minute);
    latest(load_of_flags(connection, flags)?, unfolded.iter().map(series))
}

/// Both together, in order, each once.
fn latest<'a>(
    folded: Vec<ReporterRow>,
    unfolded: impl IntoIterator<Item = (Series<'a>, OffsetDateTime)>,
) -> Result<Vec<ReportedBy>, DbError> {
    let mut last = BTreeMap::<(FlagName, EnvironmentName, String), OffsetDateTime>::new();
    for (flag, environment, application, at) in folded {
        let key = (flag.into(), environment.into(), application);
        last.insert(key, instant::from_stored(at)?);
    }
    for ((flag, environment, application), minute) in unfolded {
        let key = (flag.into(), environment.into(), application.to_owned());
        let latest = last.entry(key).or_insert(minute);
        *latest = minute.max(*latest);
    }
    let by = |((flag, environment, application), last)| ReportedBy {
        flag,
        environment,
        application,
        last,
    };
    Ok(last.into_iter().map(by).collect())
}

/// Flag, environment, application, and when last.
macro_rules! reporters {
    () => {
        usage_reporters::table.select((
            usage_reporters::flag,
            usage_reporters::environment,
            usage_reporters::application,
            usage_reporters::last_reported,
        ))
    };
}

fn load_of_flags(connection: &mut AnyConnection, flags: &[FlagName]) -> Result<Vec<ReporterRow>, DbError> {
    let mut rows = Vec::new();
    for names in flags.chunks(KEYS_AT_ONCE) {
        let names: Vec<&str> = names.iter().map(|name| name.as_str()).collect();
        let own: Vec<ReporterRow> =
            load_of!(connection, reporters!(), usage_reporters::flag, names.as_slice())?;
        rows.extend(own);
    }
    Ok(rows)
}

fn load_unknown(connection: &mut AnyConnection) -> Result<Vec<ReporterRow>, DbError> {
    let known = flags::table.select(flags::name);
    let unknown = reporters!().filter(usage_reporters::flag.ne_all(known));
    Ok(unknown.load(connection)?)
}

fn load_of_applications(
    connection: &mut AnyConnection,
    applications: &[String],
) -> Result<Vec<ReporterRow>, DbError> {
    let mut rows = Vec::new();
    for names in applications.chunks(KEYS_AT_ONCE) {
        let own = reporters!().filter(usage_reporters::application.eq_any(names));
        rows.extend(own.load::<ReporterRow>(connection)?);
    }
    Ok(rows)
}

/// Those of the flags in the inbox that are configured.
fn known_flags(connection: &mut AnyConnection, unfolded: &Unfolded) -> Result<HashSet<String>, DbError> {
    let names: Vec<&str> = unfolded.flags()?.into_iter().collect();
    let mut known = HashSet::new();
    for names in names.chunks(KEYS_AT_ONCE) {
        let found: Vec<String> = flags::table
            .filter(flags::name.eq_any(names))
            .select(flags::name)
            .load(connection)?;
        known.extend(found);
    }
    Ok(known)
}

/// When flags were last reported, by environment.
pub(crate) fn last_seen(
    connection: &mut AnyConnection,
    cache: &InboxCache,
    wanted: Option<&[FlagName]>,
) -> Result<LastSeen, DbError> {
    let unfolded = Unfolded::read(connection, cache)?;
    let mut rows: Vec<(String, String, Option<i64>)> = Vec::new();
    let by_flag = || {
        usage_reporters::table
            .group_by((usage_reporters::flag, usage_reporters::environment))
            .select((
                usage_reporters::flag,
                usage_reporters::environment,
                max(usage_reporters::last_reported),
            ))
    };
    match wanted {
        None => rows = by_flag().load(connection)?,
        Some(names) => {
            for names in names.chunks(KEYS_AT_ONCE) {
                let names: Vec<&str> = names.iter().map(|name| name.as_str()).collect();
                let own: Vec<(String, String, Option<i64>)> =
                    load_of!(connection, by_flag(), usage_reporters::flag, names.as_slice())?;
                rows.extend(own);
            }
        }
    }
    let mut seen = LastSeen::new();
    for (flag, environment, last) in rows {
        if let Some(last) = last {
            seen.insert((flag.into(), environment.into()), instant::from_stored(last)?);
        }
    }
    let found = match wanted {
        Some(names) => unfolded.series_of(names)?,
        None => unfolded.series(|_| true, |_| true)?,
    };
    for ((flag, environment, _), minute) in found {
        let latest = seen.entry((flag.into(), environment.into())).or_insert(minute);
        *latest = minute.max(*latest);
    }
    Ok(seen)
}

/// The applications that reported.
pub(crate) fn reporting_applications(
    connection: &mut AnyConnection,
    cache: &InboxCache,
) -> Result<BTreeSet<String>, DbError> {
    let unfolded = Unfolded::read(connection, cache)?;
    let names: Vec<String> = usage_reporters::table
        .select(usage_reporters::application)
        .distinct()
        .load(connection)?;
    let mut names: BTreeSet<String> = names.into_iter().collect();
    let unfolded = unfolded.applications()?;
    names.extend(unfolded.into_iter().map(str::to_owned));
    Ok(names)
}
