//! Instances that registered.

use std::collections::BTreeMap;

use diesel::dsl::case_when;
use diesel::prelude::*;
use diesel::upsert::excluded;
use time::OffsetDateTime;
use vexil_store::{Instance, InstanceKey, Registration};

use crate::connection::{AnyConnection, each_backend};
use crate::error::Failure;
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
    fn new(it: &Registration, first_seen: OffsetDateTime) -> Result<Self, Failure> {
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

    fn into_instance(self) -> Result<Instance, Failure> {
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

/// Notes registrations. They go in by key, so that two writers cannot wait for each other.
pub(crate) fn register(connection: &mut AnyConnection, new: &[Registration]) -> Result<(), Failure> {
    let mut by_key = BTreeMap::<&InstanceKey, (Registration, OffsetDateTime)>::new();
    for it in new {
        let (last, _) = by_key.entry(&it.key).or_insert_with(|| (it.clone(), it.seen_at));
        let seen_at = last.seen_at.max(it.seen_at);
        *last = it.clone();
        last.seen_at = seen_at;
    }
    for (registration, first_seen) in by_key.values() {
        let row = InstanceRow::new(registration, *first_seen)?;
        let later = || {
            let new_is_later = instances::seen_at.lt(excluded(instances::seen_at));
            case_when(new_is_later, excluded(instances::seen_at)).otherwise(instances::seen_at)
        };
        each_backend!(connection, |own| diesel::insert_into(instances::table)
            .values(&row)
            .on_conflict((
                instances::application,
                instances::environment,
                instances::instance
            ))
            .do_update()
            .set((
                instances::sdk_version.eq(excluded(instances::sdk_version)),
                instances::strategies.eq(excluded(instances::strategies)),
                instances::started.eq(excluded(instances::started)),
                instances::report_interval.eq(excluded(instances::report_interval)),
                instances::seen_at.eq(later()),
            ))
            .execute(own))?;
    }
    Ok(())
}

/// Reads the instances of one application, or of all, by key.
pub(crate) fn instances(
    connection: &mut AnyConnection,
    application: Option<&str>,
) -> Result<Vec<Instance>, Failure> {
    let mut query = instances::table.select(InstanceRow::as_select()).into_boxed();
    if let Some(name) = application {
        query = query.filter(instances::application.eq(name));
    }
    let rows: Vec<InstanceRow> = query
        .order((
            instances::application,
            instances::environment,
            instances::instance,
        ))
        .load(connection)?;
    rows.into_iter().map(InstanceRow::into_instance).collect()
}

/// Forgets the instances last heard of before an instant.
pub(crate) fn purge(connection: &mut AnyConnection, before: OffsetDateTime) -> Result<u64, Failure> {
    let old = instances::seen_at.lt(instant::to_stored(before));
    let deleted = diesel::delete(instances::table.filter(old)).execute(connection)?;
    Ok(u64::try_from(deleted).unwrap_or(u64::MAX))
}
