//! Adding usage in PostgreSQL: each statement takes all its rows as arrays.

use std::collections::BTreeMap;

use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{Array, BigInt, Text};
use vexil_metrics::Count;

use super::{AddUsage, NewRow, NewVariant, Series, SeriesId};

impl AddUsage for PgConnection {
    fn add_series(&mut self, last: &BTreeMap<Series<'_>, i64>) -> QueryResult<Vec<SeriesId>> {
        sql_query(
            "insert into usage_series as old (flag, application, environment, last_reported)
             select * from unnest($1, $2, $3, $4) as new (flag, application, environment, last_reported)
             on conflict (flag, application, environment)
             do update set last_reported = greatest(old.last_reported, excluded.last_reported)
             returning id, flag, application, environment",
        )
        .bind::<Array<Text>, _>(last.keys().map(|(flag, _, _)| *flag).collect::<Vec<_>>())
        .bind::<Array<Text>, _>(
            last.keys()
                .map(|(_, application, _)| *application)
                .collect::<Vec<_>>(),
        )
        .bind::<Array<Text>, _>(
            last.keys()
                .map(|(_, _, environment)| *environment)
                .collect::<Vec<_>>(),
        )
        .bind::<Array<BigInt>, _>(last.values().copied().collect::<Vec<_>>())
        .load(self)
    }

    fn add_rows(&mut self, rows: &[NewRow]) -> QueryResult<()> {
        let column = |of: fn(&NewRow) -> i64| rows.iter().map(of).collect::<Vec<_>>();
        sql_query(
            "insert into usage as old (series, width, starts_at, yes_count, no_count)
             select * from unnest($1, $2, $3, $4, $5)
             on conflict (series, width, starts_at)
             do update set yes_count = least(old.yes_count + excluded.yes_count, $6),
                           no_count = least(old.no_count + excluded.no_count, $6)",
        )
        .bind::<Array<BigInt>, _>(column(|row| row.series))
        .bind::<Array<BigInt>, _>(column(|row| row.width))
        .bind::<Array<BigInt>, _>(column(|row| row.starts_at))
        .bind::<Array<BigInt>, _>(column(|row| row.yes))
        .bind::<Array<BigInt>, _>(column(|row| row.no))
        .bind::<BigInt, _>(super::stored(Count::MAX))
        .execute(self)
        .map(drop)
    }

    fn add_variants(&mut self, variants: &[NewVariant<'_>]) -> QueryResult<()> {
        let column = |of: fn(&NewVariant<'_>) -> i64| variants.iter().map(of).collect::<Vec<_>>();
        sql_query(
            "insert into usage_variants as old (series, width, starts_at, variant, times)
             select * from unnest($1, $2, $3, $4, $5)
             on conflict (series, width, starts_at, variant)
             do update set times = least(old.times + excluded.times, $6)",
        )
        .bind::<Array<BigInt>, _>(column(|it| it.series))
        .bind::<Array<BigInt>, _>(column(|it| it.width))
        .bind::<Array<BigInt>, _>(column(|it| it.starts_at))
        .bind::<Array<Text>, _>(variants.iter().map(|it| it.variant).collect::<Vec<_>>())
        .bind::<Array<BigInt>, _>(column(|it| it.times))
        .bind::<BigInt, _>(super::stored(Count::MAX))
        .execute(self)
        .map(drop)
    }
}
