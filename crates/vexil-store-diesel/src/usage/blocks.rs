//! Blocks of usage: found by their keys, and put back with more in them. Only whoever has locked folding does so.

use std::collections::BTreeMap;

use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{BigInt, Binary, Text};
use vexil_metrics::{Block, Width};

use crate::connection::AnyConnection;
use crate::error::DbError;

/// Flag, start, environment, application.
pub(super) type BlockKey<'a> = (&'a str, i64, &'a str, &'a str);

/// How many blocks go into one statement.
const AT_ONCE: usize = 2_000;

#[derive(QueryableByName)]
struct BlockRow {
    #[diesel(sql_type = Text)]
    flag: String,
    #[diesel(sql_type = BigInt)]
    starts_at: i64,
    #[diesel(sql_type = Text)]
    environment: String,
    #[diesel(sql_type = Text)]
    application: String,
    #[diesel(sql_type = Binary)]
    counts: Vec<u8>,
}

/// Adds to blocks of a width.
pub(super) fn add(
    connection: &mut AnyConnection,
    width: Width,
    new: BTreeMap<BlockKey<'_>, Block>,
) -> Result<(), DbError> {
    let mut new: Vec<(BlockKey<'_>, Block)> = new.into_iter().collect();
    for some in new.chunks_mut(AT_ONCE) {
        let keys: Vec<BlockKey<'_>> = some.iter().map(|(key, _)| *key).collect();
        for row in load(connection, width, &keys)? {
            let key = (
                row.flag.as_str(),
                row.starts_at,
                row.environment.as_str(),
                row.application.as_str(),
            );
            let place = some.binary_search_by(|(known, _)| known.cmp(&key));
            if let Ok(Some((_, block))) = place.map(|place| some.get_mut(place)) {
                block.merge(&Block::decode(&row.counts)?);
            }
        }
        let rows: Vec<(BlockKey<'_>, Vec<u8>)> =
            some.iter().map(|(key, block)| (*key, block.encode())).collect();
        store(connection, width, &rows)?;
    }
    Ok(())
}

fn load(
    connection: &mut AnyConnection,
    width: Width,
    keys: &[BlockKey<'_>],
) -> Result<Vec<BlockRow>, DbError> {
    match connection {
        #[cfg(feature = "postgres")]
        AnyConnection::Postgres(own) => {
            use diesel::sql_types::Array;

            let query = sql_query(
                "select flag, starts_at, environment, application, counts
                 from unnest($1, $2, $3, $4) as wanted (flag, starts_at, environment, application)
                 join usage_blocks using (flag, starts_at, environment, application)
                 where width = $5",
            );
            Ok(query
                .bind::<Array<Text>, _>(keys.iter().map(|key| key.0).collect::<Vec<_>>())
                .bind::<Array<BigInt>, _>(keys.iter().map(|key| key.1).collect::<Vec<_>>())
                .bind::<Array<Text>, _>(keys.iter().map(|key| key.2).collect::<Vec<_>>())
                .bind::<Array<Text>, _>(keys.iter().map(|key| key.3).collect::<Vec<_>>())
                .bind::<BigInt, _>(width.seconds())
                .load(own)?)
        }
        #[cfg(feature = "sqlite")]
        AnyConnection::Sqlite(own) => {
            // a cross join keeps the order: first what is wanted, then the block by its key
            let query = sql_query(
                "select flag, starts_at, environment, application, counts from json_each(?1) as wanted
                 cross join usage_blocks
                 where flag = wanted.value ->> 0 and width = ?2 and starts_at = wanted.value ->> 1
                   and environment = wanted.value ->> 2 and application = wanted.value ->> 3",
            );
            Ok(query
                .bind::<Text, _>(crate::json::to_text(keys, "keys of usage")?)
                .bind::<BigInt, _>(width.seconds())
                .load(own)?)
        }
    }
}

fn store(
    connection: &mut AnyConnection,
    width: Width,
    rows: &[(BlockKey<'_>, Vec<u8>)],
) -> Result<(), DbError> {
    match connection {
        #[cfg(feature = "postgres")]
        AnyConnection::Postgres(own) => {
            use diesel::sql_types::Array;

            let query = sql_query(
                "insert into usage_blocks (flag, width, starts_at, environment, application, counts)
                 select flag, $6, starts_at, environment, application, counts
                 from unnest($1, $2, $3, $4, $5) as new (flag, starts_at, environment, application, counts)
                 on conflict (flag, width, starts_at, environment, application) do update set counts = excluded.counts",
            );
            query
                .bind::<Array<Text>, _>(rows.iter().map(|(key, _)| key.0).collect::<Vec<_>>())
                .bind::<Array<BigInt>, _>(rows.iter().map(|(key, _)| key.1).collect::<Vec<_>>())
                .bind::<Array<Text>, _>(rows.iter().map(|(key, _)| key.2).collect::<Vec<_>>())
                .bind::<Array<Text>, _>(rows.iter().map(|(key, _)| key.3).collect::<Vec<_>>())
                .bind::<Array<Binary>, _>(
                    rows.iter()
                        .map(|(_, counts)| counts.as_slice())
                        .collect::<Vec<_>>(),
                )
                .bind::<BigInt, _>(width.seconds())
                .execute(own)?;
        }
        #[cfg(feature = "sqlite")]
        AnyConnection::Sqlite(own) => {
            use crate::schema::usage_blocks;

            for ((flag, starts_at, environment, application), counts) in rows {
                let row = (
                    usage_blocks::flag.eq(flag),
                    usage_blocks::width.eq(width.seconds()),
                    usage_blocks::starts_at.eq(starts_at),
                    usage_blocks::environment.eq(environment),
                    usage_blocks::application.eq(application),
                    usage_blocks::counts.eq(counts),
                );
                diesel::replace_into(usage_blocks::table)
                    .values(row)
                    .execute(own)?;
            }
        }
    }
    Ok(())
}
