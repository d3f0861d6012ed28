//! Adding usage in SQLite: each statement takes all its rows as one JSON text.

use std::collections::BTreeMap;

use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{BigInt, Text};
use serde::Serialize;
use vexil_metrics::Count;

use super::{AddUsage, NewRow, NewVariant, Series, SeriesId};

impl AddUsage for SqliteConnection {
    fn add_series(&mut self, last: &BTreeMap<Series<'_>, i64>) -> QueryResult<Vec<SeriesId>> {
        sql_query(
            "insert into usage_series as old (flag, application, environment, last_reported)
             select value ->> 0, value ->> 1, value ->> 2, value ->> 3 from json_each(?1) where true
             on conflict (flag, application, environment)
             do update set last_reported = max(old.last_reported, excluded.last_reported)
             returning id, flag, application, environment",
        )
        .bind::<Text, _>(rows(last.iter().map(
            |((flag, application, environment), last)| (flag, application, environment, last),
        ))?)
        .load(self)
    }

    fn add_rows(&mut self, new: &[NewRow]) -> QueryResult<()> {
        sql_query(
            "insert into usage as old (series, width, starts_at, yes_count, no_count)
             select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 from json_each(?1) where true
             on conflict (series, width, starts_at)
             do update set yes_count = min(old.yes_count + excluded.yes_count, ?2),
                           no_count = min(old.no_count + excluded.no_count, ?2)",
        )
        .bind::<Text, _>(rows(new.iter().map(|row| (row.series, row.width, row.starts_at, row.yes, row.no)))?)
        .bind::<BigInt, _>(super::stored(Count::MAX))
        .execute(self)
        .map(drop)
    }

    fn add_variants(&mut self, variants: &[NewVariant<'_>]) -> QueryResult<()> {
        sql_query(
            "insert into usage_variants as old (series, width, starts_at, variant, times)
             select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 from json_each(?1) where true
             on conflict (series, width, starts_at, variant)
             do update set times = min(old.times + excluded.times, ?2)",
        )
        .bind::<Text, _>(rows(
            variants.iter().map(|it| (it.series, it.width, it.starts_at, it.variant, it.times)),
        )?)
        .bind::<BigInt, _>(super::stored(Count::MAX))
        .execute(self)
        .map(drop)
    }
}

/// Rows as a JSON array of arrays.
fn rows<T: Serialize>(rows: impl Iterator<Item = T>) -> QueryResult<String> {
    serde_json::to_string(&rows.collect::<Vec<_>>())
        .map_err(|error| diesel::result::Error::SerializationError(error.into()))
}
