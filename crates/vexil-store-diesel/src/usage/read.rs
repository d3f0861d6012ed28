//! Reading usage: what is folded, and what still lies in the inbox.

use diesel::prelude::*;
use vexil_metrics::{Block, MergedRow, Rows, SeriesKey, Width};
use vexil_store::{ReportedBy, UsageQuery};

use super::cache::InboxCache;
use super::reported::reporters_of;
use super::unfolded::Unfolded;
use crate::batches::KEYS_AT_ONCE;
use crate::connection::AnyConnection;
use crate::error::DbError;
use crate::instant;
use crate::loading::load_of;
use crate::schema::usage_blocks;

/// Reads counts of flags.
pub(crate) fn select(
    connection: &mut AnyConnection,
    cache: &InboxCache,
    wanted: &UsageQuery,
) -> Result<Rows, DbError> {
    let unfolded = Unfolded::read(connection, cache)?;
    let unfolded = unfolded.of_flags(&wanted.flags)?.into_rows();
    rows_of(connection, wanted, &unfolded)
}

/// Reads counts of flags, and who reported them.
pub(crate) fn select_with_reporters(
    connection: &mut AnyConnection,
    cache: &InboxCache,
    wanted: &UsageQuery,
) -> Result<(Rows, Vec<ReportedBy>), DbError> {
    let unfolded = Unfolded::read(connection, cache)?;
    let unfolded = unfolded.of_flags(&wanted.flags)?.into_rows();
    let rows = rows_of(connection, wanted, &unfolded)?;
    Ok((rows, reporters_of(connection, &wanted.flags, &unfolded)?))
}

fn rows_of(
    connection: &mut AnyConnection,
    wanted: &UsageQuery,
    unfolded: &[MergedRow<'_>],
) -> Result<Rows, DbError> {
    let mut rows = Rows::default();
    let names: Vec<&str> = wanted.flags.iter().map(|flag| flag.as_str()).collect();
    for names in names.chunks(KEYS_AT_ONCE) {
        for width in Width::ALL.into_iter().filter(|width| *width <= wanted.width) {
            add_blocks(connection, width, names, wanted, &mut rows)?;
        }
    }
    for row in unfolded {
        if wanted.width.floor(row.minute) >= wanted.since {
            rows.add_row(row, wanted.width);
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
        let counts = Block::decode(&counts)?;
        let line = rows.line(SeriesKey {
            flag: flag.into(),
            environment: environment.into(),
            application,
        });
        for (slot, counts) in counts.slots() {
            let start = wanted.width.floor(width.slot_start(block, slot));
            if start >= wanted.since {
                line.add(start, counts);
            }
        }
    }
    Ok(())
}
