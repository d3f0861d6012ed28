//! Usage: many rows added at once, few read.

#[cfg(feature = "postgres")]
mod postgres;
#[cfg(feature = "sqlite")]
mod sqlite;

use std::collections::BTreeMap;

use diesel::dsl::{exists, not, sql};
use diesel::expression::SqlLiteral;
use diesel::prelude::*;
use diesel::sql_types::Bool;
use time::OffsetDateTime;
use vexil_domain::{EnvironmentName, FlagName};
use vexil_metrics::{Batch, Count, Counts, Retention, UsageKey, Width};
use vexil_store::{FlagUsage, Reported, ReportedBy};

use crate::batches::KEYS_AT_ONCE;
use crate::connection::{AnyConnection, each_backend};
use crate::error::Failure;
use crate::schema::{flags, usage, usage_series, usage_variants};
use crate::{instant, json};

/// Who reports what: flag, application, environment.
type Series<'a> = (&'a str, &'a str, &'a str);

/// A row as it is added, and its series.
struct NewRow {
    series: i64,
    width: i64,
    starts_at: i64,
    yes: i64,
    no: i64,
}

/// Counts of one variant as they are added.
struct NewVariant<'a> {
    series: i64,
    width: i64,
    starts_at: i64,
    variant: &'a str,
    times: i64,
}

/// How rows that exist are added to, in the fastest way of a database. Everything comes in the
/// order of its key, so that two writers cannot wait for each other.
trait AddUsage {
    /// Notes when each series was last reported, and tells the ids in the order of `last`.
    fn add_series(&mut self, last: &BTreeMap<Series<'_>, i64>) -> QueryResult<Vec<SeriesId>>;
    /// Adds counts to rows.
    fn add_rows(&mut self, rows: &[NewRow]) -> QueryResult<()>;
    /// Adds counts of variants.
    fn add_variants(&mut self, variants: &[NewVariant<'_>]) -> QueryResult<()>;
}

/// The id of a series.
#[derive(QueryableByName)]
struct SeriesId {
    #[diesel(sql_type = diesel::sql_types::BigInt)]
    id: i64,
    #[diesel(sql_type = diesel::sql_types::Text)]
    flag: String,
    #[diesel(sql_type = diesel::sql_types::Text)]
    application: String,
    #[diesel(sql_type = diesel::sql_types::Text)]
    environment: String,
}

/// Adds a batch.
pub(crate) fn add(connection: &mut AnyConnection, batch: &Batch) -> Result<(), Failure> {
    if batch.is_empty() {
        return Ok(());
    }
    each_backend!(connection, |own| add_with(own, batch))
}

fn add_with(connection: &mut impl AddUsage, batch: &Batch) -> Result<(), Failure> {
    let mut last = BTreeMap::<Series<'_>, i64>::new();
    for (key, _) in batch.iter() {
        let start = instant::to_stored(key.start);
        let latest = last.entry(series(key)).or_insert(start);
        *latest = start.max(*latest);
    }
    let known = connection.add_series(&last)?;
    let ids: BTreeMap<Series<'_>, i64> = known
        .iter()
        .map(|it| ((&*it.flag, &*it.application, &*it.environment), it.id))
        .collect();

    let mut rows = Vec::with_capacity(batch.len());
    let mut variants = Vec::new();
    for (key, counts) in batch.iter() {
        let Some(&series) = ids.get(&series(key)) else {
            return Err(json::corrupt("usage", "a series has no id"));
        };
        let (width, starts_at) = (key.width.seconds(), instant::to_stored(key.start));
        rows.push(NewRow {
            series,
            width,
            starts_at,
            yes: stored(counts.yes),
            no: stored(counts.no),
        });
        variants.extend(counts.variants.iter().map(|(variant, &times)| NewVariant {
            series,
            width,
            starts_at,
            variant,
            times: stored(times),
        }));
    }
    rows.sort_unstable_by_key(|row| (row.series, row.width, row.starts_at));
    variants.sort_unstable_by_key(|it| (it.series, it.width, it.starts_at, it.variant));
    connection.add_rows(&rows)?;
    if !variants.is_empty() {
        connection.add_variants(&variants)?;
    }
    Ok(())
}

fn series(key: &UsageKey) -> Series<'_> {
    (key.flag.as_str(), &key.application, key.environment.as_str())
}

fn stored(count: Count) -> i64 {
    i64::try_from(count.get()).unwrap_or(i64::MAX)
}

fn counted(number: i64) -> Result<Count, Failure> {
    json::narrow(number, "a count").map(Count::new)
}

/// Reads the rows of one flag: first its series, then what belongs to them. In one statement, a
/// database that knows nothing yet of its tables may begin at the wrong end.
pub(crate) fn select(connection: &mut AnyConnection, wanted: &FlagUsage) -> Result<Batch, Failure> {
    let series: Vec<(i64, String, String)> = usage_series::table
        .filter(usage_series::flag.eq(wanted.flag.as_str()))
        .select((
            usage_series::id,
            usage_series::application,
            usage_series::environment,
        ))
        .load(connection)?;
    let by_id: BTreeMap<i64, (String, EnvironmentName)> = series
        .into_iter()
        .map(|(id, application, environment)| (id, (application, environment.into())))
        .collect();
    let ids: Vec<i64> = by_id.keys().copied().collect();
    let mut batch = Batch::default();
    for ids in ids.chunks(KEYS_AT_ONCE) {
        for (series, start, yes, no) in load_rows(connection, wanted, ids)? {
            let counts = Counts {
                yes: counted(yes)?,
                no: counted(no)?,
                variants: BTreeMap::new(),
            };
            batch.add_row(key(wanted, &by_id, series, start)?, &counts);
        }
        for (series, start, variant, times) in load_variants(connection, wanted, ids)? {
            batch.add_variant(key(wanted, &by_id, series, start)?, variant, counted(times)?);
        }
    }
    Ok(batch)
}

fn key(
    wanted: &FlagUsage,
    by_id: &BTreeMap<i64, (String, EnvironmentName)>,
    series: i64,
    start: i64,
) -> Result<UsageKey, Failure> {
    let (application, environment) = by_id
        .get(&series)
        .ok_or_else(|| json::corrupt("usage", "a row has no series"))?;
    Ok(UsageKey {
        flag: wanted.flag.clone(),
        application: application.clone(),
        environment: environment.clone(),
        width: wanted.width,
        start: instant::from_stored(start)?,
    })
}

fn load_rows(
    connection: &mut AnyConnection,
    wanted: &FlagUsage,
    series: &[i64],
) -> QueryResult<Vec<(i64, i64, i64, i64)>> {
    usage::table
        .filter(usage::series.eq_any(series))
        .filter(usage::width.eq(wanted.width.seconds()))
        .filter(usage::starts_at.ge(instant::to_stored_up(wanted.since)))
        .select((usage::series, usage::starts_at, usage::yes_count, usage::no_count))
        .load(connection)
}

fn load_variants(
    connection: &mut AnyConnection,
    wanted: &FlagUsage,
    series: &[i64],
) -> QueryResult<Vec<(i64, i64, String, i64)>> {
    usage_variants::table
        .filter(usage_variants::series.eq_any(series))
        .filter(usage_variants::width.eq(wanted.width.seconds()))
        .filter(usage_variants::starts_at.ge(instant::to_stored_up(wanted.since)))
        .select((
            usage_variants::series,
            usage_variants::starts_at,
            usage_variants::variant,
            usage_variants::times,
        ))
        .load(connection)
}

/// Who reported, by flag, application and environment.
pub(crate) fn reported_by(
    connection: &mut AnyConnection,
    whose: &Reported,
) -> Result<Vec<ReportedBy>, Failure> {
    let mut query = usage_series::table
        .select((
            usage_series::flag,
            usage_series::application,
            usage_series::environment,
            usage_series::last_reported,
        ))
        .into_boxed();
    match whose {
        Reported::Everything => {}
        Reported::Flag(flag) => query = query.filter(usage_series::flag.eq(flag.as_str())),
        Reported::Unknown => {
            query = query.filter(usage_series::flag.ne_all(flags::table.select(flags::name)));
        }
    }
    let rows: Vec<(String, String, String, i64)> = query
        .order((
            usage_series::flag,
            usage_series::application,
            usage_series::environment,
        ))
        .load(connection)?;
    let by = |(flag, application, environment, last): (String, String, String, i64)| {
        Ok(ReportedBy {
            flag: FlagName::from(flag),
            application,
            environment: environment.into(),
            last: instant::from_stored(last)?,
        })
    };
    rows.into_iter().map(by).collect()
}

/// Deletes rows that are no longer kept, and the series that have none left.
pub(crate) fn purge(
    connection: &mut AnyConnection,
    now: OffsetDateTime,
    retention: &Retention,
) -> Result<u64, Failure> {
    lock_out_writers(connection)?;
    let mut deleted = 0;
    for width in Width::ALL {
        let limit = instant::to_stored(retention.limit(width, now));
        let rows = usage::table
            .filter(of_width(width))
            .filter(usage::starts_at.le(limit));
        deleted += diesel::delete(rows).execute(connection)?;
        let rows = usage_variants::table
            .filter(of_width(width))
            .filter(usage_variants::starts_at.le(limit));
        diesel::delete(rows).execute(connection)?;
    }
    let last_kept = instant::to_stored(retention.limit(Width::Minute, now));
    let rows = usage::table.filter(usage::series.eq(usage_series::id));
    let empty = usage_series::table
        .filter(usage_series::last_reported.le(last_kept))
        .filter(not(exists(rows)));
    diesel::delete(empty).execute(connection)?;
    Ok(u64::try_from(deleted).unwrap_or(u64::MAX))
}

/// The condition of the partial indexes on age, which a bound value would not match.
fn of_width(width: Width) -> SqlLiteral<Bool> {
    sql::<Bool>(match width {
        Width::Minute => "width = 60",
        Width::Hour => "width = 3600",
    })
}

/// A series must not go while somebody adds rows to it. In SQLite one transaction writes at a time.
fn lock_out_writers(connection: &mut AnyConnection) -> QueryResult<()> {
    match connection {
        #[cfg(feature = "postgres")]
        AnyConnection::Postgres(own) => {
            use diesel::connection::SimpleConnection;
            own.batch_execute("lock table usage_series in share row exclusive mode")
        }
        #[cfg(feature = "sqlite")]
        AnyConnection::Sqlite(_) => Ok(()),
    }
}
