//! Who reported what, and when last.

use std::collections::BTreeMap;

use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::Text;

use crate::connection::AnyConnection;
use crate::error::DbError;

/// Flag, environment, application.
pub(super) type Series<'a> = (&'a str, &'a str, &'a str);

/// Notes when each was last reported. Only whoever has locked folding does so.
pub(super) fn note(connection: &mut AnyConnection, last: &BTreeMap<Series<'_>, i64>) -> Result<(), DbError> {
    match connection {
        #[cfg(feature = "postgres")]
        AnyConnection::Postgres(own) => {
            use diesel::sql_types::{Array, BigInt};

            let query = sql_query(
                "insert into usage_reporters as old (flag, environment, application, last_reported)
                 select * from unnest($1, $2, $3, $4)
                 on conflict (flag, environment, application) do update set last_reported = excluded.last_reported
                 where old.last_reported < excluded.last_reported",
            );
            query
                .bind::<Array<Text>, _>(last.keys().map(|key| key.0).collect::<Vec<_>>())
                .bind::<Array<Text>, _>(last.keys().map(|key| key.1).collect::<Vec<_>>())
                .bind::<Array<Text>, _>(last.keys().map(|key| key.2).collect::<Vec<_>>())
                .bind::<Array<BigInt>, _>(last.values().copied().collect::<Vec<_>>())
                .execute(own)?;
        }
        #[cfg(feature = "sqlite")]
        AnyConnection::Sqlite(own) => {
            let rows: Vec<_> = last
                .iter()
                .map(|((flag, environment, application), last)| (flag, environment, application, last))
                .collect();
            let query = sql_query(
                "insert into usage_reporters as old (flag, environment, application, last_reported)
                 select value ->> 0, value ->> 1, value ->> 2, value ->> 3 from json_each(?1) where true
                 on conflict (flag, environment, application) do update set last_reported = excluded.last_reported
                 where old.last_reported < excluded.last_reported",
            );
            query
                .bind::<Text, _>(crate::json::to_text(&rows, "who reported")?)
                .execute(own)?;
        }
    }
    Ok(())
}
