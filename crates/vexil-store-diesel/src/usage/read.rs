//! Reading usage: what is folded, and what still lies in the inbox.

use std::collections::{BTreeMap, BTreeSet};

use diesel::dsl::max;
use diesel::prelude::*;
use time::OffsetDateTime;
use vexil_domain::{EnvironmentName, FlagName};
use vexil_metrics::{Block, Rows, UsageKey, Width};
use vexil_store::{LastSeen, Reported, ReportedBy, UsageQuery};

use super::cache::{InboxCache, InboxRow};
use super::inbox::InboxState;
use crate::batches::KEYS_AT_ONCE;
use crate::connection::AnyConnection;
use crate::error::DbError;
use crate::instant;
use crate::loading::load_of;
use crate::schema::{flags, usage_blocks, usage_reporters};

/// What lies in the inbox, as of this transaction.
struct Inbox {
    rows: Vec<InboxRow>,
    /// The last flag that is folded of what is under way.
    folded: Option<String>,
}

impl Inbox {
    fn read(connection: &mut AnyConnection, cache: &InboxCache) -> Result<Self, DbError> {
        let state = InboxState::read(connection)?;
        Ok(Self {
            rows: cache.rows(connection, &state)?,
            folded: state.under_way.map(|(_, flag)| flag),
        })
    }

    /// Whether a flag is folded already, as far as a row is concerned.
    fn is_folded(&self, row: &InboxRow, flag: &str) -> bool {
        row.under_way && self.folded.as_deref().is_some_and(|folded| flag <= folded)
    }

    /// Calls `each` with flag, environment, application and minute of everything.
    fn for_each(&self, mut each: impl FnMut(&str, &str, &str, OffsetDateTime)) -> Result<(), DbError> {
        for row in &self.rows {
            for section in row.counts.packed().sections() {
                let section = section?;
                for entry in section.entries() {
                    each(
                        entry?.flag,
                        section.environment,
                        section.application,
                        section.minute(),
                    );
                }
            }
        }
        Ok(())
    }
}

/// Reads counts of flags.
pub(crate) fn select(
    connection: &mut AnyConnection,
    cache: &InboxCache,
    wanted: &UsageQuery,
) -> Result<Rows, DbError> {
    let inbox = Inbox::read(connection, cache)?;
    let mut rows = Rows::default();
    let names: Vec<&str> = wanted.flags.iter().map(|flag| flag.as_str()).collect();
    for names in names.chunks(KEYS_AT_ONCE) {
        for width in Width::ALL.into_iter().filter(|width| *width <= wanted.width) {
            add_blocks(connection, width, names, wanted, &mut rows)?;
        }
    }
    for flag in &wanted.flags {
        for row in &inbox.rows {
            if inbox.is_folded(row, flag.as_str()) {
                continue;
            }
            for (section, entry) in row.counts.of_flag(flag.as_str())? {
                let start = wanted.width.floor(section.minute());
                if start < wanted.since {
                    continue;
                }
                let key = UsageKey {
                    flag: flag.clone(),
                    environment: section.environment.into(),
                    application: section.application.to_owned(),
                    start,
                };
                rows.add(key, &entry.counts()?);
            }
        }
    }
    Ok(rows)
}

/// Adds what blocks of a width hold.
fn add_blocks(
    connection: &mut AnyConnection,
    width: Width,
    names: &[&str],
    wanted: &UsageQuery,
    rows: &mut Rows,
) -> Result<(), DbError> {
    // the first block that may hold something of what is wanted
    let (first, _) = width.block(wanted.since);
    let first = instant::to_stored(first);
    let all = usage_blocks::table
        .filter(usage_blocks::width.eq(width.seconds()))
        .filter(usage_blocks::starts_at.ge(first))
        .select((
            usage_blocks::flag,
            usage_blocks::starts_at,
            usage_blocks::environment,
            usage_blocks::application,
            usage_blocks::counts,
        ));
    let blocks: Vec<(String, i64, String, String, Vec<u8>)> =
        load_of!(connection, all, usage_blocks::flag, names)?;
    for (flag, starts_at, environment, application, counts) in blocks {
        let block = instant::from_stored(starts_at)?;
        let mut key = UsageKey {
            flag: flag.into(),
            environment: environment.into(),
            application,
            start: block,
        };
        for (slot, counts) in Block::decode(&counts)?.slots() {
            let start = wanted.width.floor(width.slot_start(block, slot));
            if start >= wanted.since {
                key.start = start;
                rows.add(key.clone(), &counts);
            }
        }
    }
    Ok(())
}

type ReporterRow = (String, String, String, i64);

/// Who reported, by flag, environment and application.
pub(crate) fn reported_by(
    connection: &mut AnyConnection,
    cache: &InboxCache,
    whose: &Reported,
) -> Result<Vec<ReportedBy>, DbError> {
    let inbox = Inbox::read(connection, cache)?;
    let mut last = BTreeMap::<(FlagName, EnvironmentName, String), OffsetDateTime>::new();
    for (flag, environment, application, at) in load_reporters(connection, whose)? {
        let key = (flag.into(), environment.into(), application);
        last.insert(key, instant::from_stored(at)?);
    }
    let known = match whose {
        Reported::Unknown => known_flags(connection, &inbox)?,
        _ => BTreeSet::new(),
    };
    inbox.for_each(|flag, environment, application, minute| {
        let wanted = match whose {
            Reported::Unknown => !known.contains(flag),
            Reported::Flags(names) => names.iter().any(|name| name.as_str() == flag),
            Reported::Applications(names) => names.iter().any(|name| name == application),
        };
        if wanted {
            let key = (flag.into(), environment.into(), application.to_owned());
            let latest = last.entry(key).or_insert(minute);
            *latest = minute.max(*latest);
        }
    })?;
    let by = |((flag, environment, application), last)| ReportedBy {
        flag,
        environment,
        application,
        last,
    };
    Ok(last.into_iter().map(by).collect())
}

fn load_reporters(connection: &mut AnyConnection, whose: &Reported) -> Result<Vec<ReporterRow>, DbError> {
    let all = || {
        usage_reporters::table.select((
            usage_reporters::flag,
            usage_reporters::environment,
            usage_reporters::application,
            usage_reporters::last_reported,
        ))
    };
    let mut rows = Vec::new();
    match whose {
        Reported::Unknown => {
            let known = flags::table.select(flags::name);
            rows = all()
                .filter(usage_reporters::flag.ne_all(known))
                .load(connection)?;
        }
        Reported::Flags(names) => {
            for names in names.chunks(KEYS_AT_ONCE) {
                let names: Vec<&str> = names.iter().map(|name| name.as_str()).collect();
                let own: Vec<ReporterRow> =
                    load_of!(connection, all(), usage_reporters::flag, names.as_slice())?;
                rows.extend(own);
            }
        }
        Reported::Applications(names) => {
            for names in names.chunks(KEYS_AT_ONCE) {
                let own = all().filter(usage_reporters::application.eq_any(names));
                rows.extend(own.load::<ReporterRow>(connection)?);
            }
        }
    }
    Ok(rows)
}

/// Those of the flags in the inbox that are configured.
fn known_flags(connection: &mut AnyConnection, inbox: &Inbox) -> Result<BTreeSet<String>, DbError> {
    let mut names = BTreeSet::new();
    inbox.for_each(|flag, _, _, _| {
        if !names.contains(flag) {
            names.insert(flag.to_owned());
        }
    })?;
    let names: Vec<String> = names.into_iter().collect();
    let mut known = BTreeSet::new();
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
    let inbox = Inbox::read(connection, cache)?;
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
    inbox.for_each(|flag, environment, _, minute| {
        if wanted.is_none_or(|wanted| wanted.iter().any(|name| name.as_str() == flag)) {
            let latest = seen.entry((flag.into(), environment.into())).or_insert(minute);
            *latest = minute.max(*latest);
        }
    })?;
    Ok(seen)
}

/// The applications that reported.
pub(crate) fn reporting_applications(
    connection: &mut AnyConnection,
    cache: &InboxCache,
) -> Result<BTreeSet<String>, DbError> {
    let inbox = Inbox::read(connection, cache)?;
    let names: Vec<String> = usage_reporters::table
        .select(usage_reporters::application)
        .distinct()
        .load(connection)?;
    let mut names: BTreeSet<String> = names.into_iter().collect();
    inbox.for_each(|_, _, application, _| {
        if !names.contains(application) {
            names.insert(application.to_owned());
        }
    })?;
    Ok(names)
}
