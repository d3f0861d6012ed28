//! Instances that registered.

use std::collections::{BTreeMap, BTreeSet};

use diesel::dsl::case_when;
use diesel::prelude::*;
use diesel::upsert::excluded;
use time::OffsetDateTime;
use vexil_store::{Instance, InstanceKey, Registration};

use crate::batches::KEYS_AT_ONCE;
use crate::connection::{AnyConnection, each_backend};
use crate::error::DbError;
use crate::schema::instances;
use crate::{instant, json};

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = instances, treat_none_as_default_value = false)]
struct InstanceRow {
    application: String,
    environment: String,
    instance: String,
    sdk_version: Option<String>,
    strategies: String,
    started: Option<i64>,
    report_interval: Option<i64>,
    seen_at: i64,
    first_seen: i64,
}

impl InstanceRow {
    fn new(it: &Registration, first_seen: OffsetDateTime) -> Result<Self, DbError> {
        Ok(Self {
            application: it.key.application.clone(),
            environment: it.key.environment.to_string(),
            instance: it.key.instance.clone(),
            sdk_version: it.sdk_version.clone(),
            strategies: json::to_text(&it.strategies, "a list of strategy names")?,
            started: it.started.map(instant::to_stored),
            report_interval: it.interval.map(Into::into),
            seen_at: instant::to_stored(it.seen_at),
            first_seen: instant::to_stored(first_seen),
        })
    }

    fn into_instance(self) -> Result<Instance, DbError> {
        let interval = self.report_interval;
        let registration = Registration {
            key: InstanceKey {
                application: self.application,
                environment: self.environment.into(),
                instance: self.instance,
            },
            sdk_version: self.sdk_version,
            strategies: json::from_text(&self.strategies, "a list of strategy names")?,
            started: instant::from_optional(self.started)?,
            interval: interval.map(|it| json::narrow(it, "an interval")).transpose()?,
            seen_at: instant::from_stored(self.seen_at)?,
        };
        Ok(Instance {
            registration,
            first_seen: instant::from_stored(self.first_seen)?,
        })
    }
}

/// An empty list, as it is stored.
const NO_STRATEGIES: &str = "[]";

/// What a registration says in a column where a condition holds of it, what is known where not.
macro_rules! known_unless {
    ($column:ident, $method:ident ( $($argument:expr)? )) => {
        case_when(
            excluded(instances::$column).$method($($argument)?),
            excluded(instances::$column),
        )
        .otherwise(instances::$column)
    };
}

/// What a registration says in a column, or what is known.
macro_rules! said_or_known {
    ($column:ident) => {
        known_unless!($column, is_not_null())
    };
}

/// Notes registrations. They go in by key, so that two writers cannot wait for each other.
pub(crate) fn register(connection: &mut AnyConnection, new: &[Registration]) -> Result<(), DbError> {
    let mut by_key = BTreeMap::<&InstanceKey, (Registration, OffsetDateTime)>::new();
    for it in new {
        match by_key.get_mut(&it.key) {
            Some((known, _)) => known.update(it),
            None => drop(by_key.insert(&it.key, (it.clone(), it.seen_at))),
        }
    }
    for (registration, first_seen) in by_key.values() {
        let row = InstanceRow::new(registration, *first_seen)?;
        each_backend!(connection, |own| diesel::insert_into(instances::table)
            .values(&row)
            .on_conflict((
                instances::application,
                instances::environment,
                instances::instance
            ))
            .do_update()
            .set((
                instances::sdk_version.eq(said_or_known!(sdk_version)),
                instances::strategies.eq(known_unless!(strategies, ne(NO_STRATEGIES))),
                instances::started.eq(said_or_known!(started)),
                instances::report_interval.eq(said_or_known!(report_interval)),
                instances::seen_at.eq(known_unless!(seen_at, gt(instances::seen_at))),
            ))
            .execute(own))?;
    }
    Ok(())
}

/// Reads the instances of applications, by key.
pub(crate) fn instances(
    connection: &mut AnyConnection,
    applications: &[String],
) -> Result<Vec<Instance>, DbError> {
    let mut all = Vec::new();
    for names in applications.chunks(KEYS_AT_ONCE) {
        let rows: Vec<InstanceRow> = instances::table
            .select(InstanceRow::as_select())
            .filter(instances::application.eq_any(names))
            .load(connection)?;
        for row in rows {
            all.push(row.into_instance()?);
        }
    }
    all.sort_by(|a, b| a.registration.key.cmp(&b.registration.key));
    Ok(all)
}

/// The applications of which an instance registered.
pub(crate) fn names(connection: &mut AnyConnection) -> Result<BTreeSet<String>, DbError> {
    let names: Vec<String> = instances::table
        .select(instances::application)
        .distinct()
        .load(connection)?;
    Ok(names.into_iter().collect())
}

/// Forgets the instances last heard of before an instant.
pub(crate) fn purge(connection: &mut AnyConnection, before: OffsetDateTime) -> Result<u64, DbError> {
    let old = instances::seen_at.lt(instant::to_stored(before));
    let deleted = diesel::delete(instances::table.filter(old)).execute(connection)?;
    Ok(u64::try_from(deleted).unwrap_or(u64::MAX))
}
