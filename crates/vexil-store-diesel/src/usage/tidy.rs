//! Old counts: minutes become part of hours, hours of days, and days go, some hundreds at a time.

use std::collections::BTreeMap;

use diesel::prelude::*;
use time::OffsetDateTime;
use vexil_metrics::{Block, Retention, Width};
use vexil_store::REPORT_KEYS_KEPT;

use super::blocks;
use super::inbox::lock_folding;
use crate::connection::AnyConnection;
use crate::error::DbError;
use crate::instant;
use crate::schema::{usage_blocks, usage_report_keys, usage_reporters, usage_writers};

/// How many blocks are dealt with in a step.
const BLOCKS: i64 = 500;

/// For how long a process that appends nothing is remembered: much longer than it tries to append a batch again.
const WRITERS_KEPT: time::Duration = time::Duration::days(2);

type BlockRow = (String, i64, String, String, Vec<u8>);

/// Makes a step, and says whether there is more to do.
pub(crate) fn tidy(
    connection: &mut AnyConnection,
    now: OffsetDateTime,
    retention: &Retention,
) -> Result<bool, DbError> {
    if !lock_folding(connection, false)? {
        return Ok(false);
    }
    for width in Width::ALL {
        let old = load_old(connection, width, retention.limit(width, now))?;
        if !old.is_empty() {
            make_longer(connection, width, &old, retention.end(now))?;
            delete(connection, width, &old)?;
            return Ok(true);
        }
    }
    let gone = instant::to_stored(retention.end(now));
    diesel::delete(usage_reporters::table.filter(usage_reporters::last_reported.le(gone)))
        .execute(connection)?;
    let forgotten = instant::to_stored(now.saturating_sub(REPORT_KEYS_KEPT));
    diesel::delete(usage_report_keys::table.filter(usage_report_keys::stored_at.le(forgotten)))
        .execute(connection)?;
    let idle = instant::to_stored(now.saturating_sub(WRITERS_KEPT));
    let gone = usage_writers::table
        .filter(usage_writers::seen_at.le(idle))
        .filter(usage_writers::folded.eq(usage_writers::appended));
    diesel::delete(gone).execute(connection)?;
    Ok(false)
}

/// Some of the blocks that end at or before an instant, the oldest first.
fn load_old(
    connection: &mut AnyConnection,
    width: Width,
    limit: OffsetDateTime,
) -> Result<Vec<BlockRow>, DbError> {
    let last_start = instant::to_stored(limit.saturating_sub(width.block_length()));
    Ok(usage_blocks::table
        .filter(usage_blocks::width.eq(width.seconds()))
        .filter(usage_blocks::starts_at.le(last_start))
        .order(usage_blocks::starts_at)
        .limit(BLOCKS)
        .select((
            usage_blocks::flag,
            usage_blocks::starts_at,
            usage_blocks::environment,
            usage_blocks::application,
            usage_blocks::counts,
        ))
        .load(connection)?)
}

/// Adds blocks to those of the next longer width, but for what ended before `gone`.
fn make_longer(
    connection: &mut AnyConnection,
    width: Width,
    old: &[BlockRow],
    gone: OffsetDateTime,
) -> Result<(), DbError> {
    let Some(longer) = width.longer() else {
        return Ok(());
    };
    let mut new = BTreeMap::<_, Block>::new();
    for (flag, starts_at, environment, application, counts) in old {
        let start = instant::from_stored(*starts_at)?;
        if start.saturating_add(width.block_length()) <= gone {
            continue;
        }
        let block = Block::decode(counts)?;
        let (longer_start, slot) = longer.block(start);
        let key = (
            flag.as_str(),
            instant::to_stored(longer_start),
            environment.as_str(),
            application.as_str(),
        );
        new.entry(key).or_default().add_all(slot, &block);
    }
    blocks::add(connection, longer, new)
}

fn delete(connection: &mut AnyConnection, width: Width, old: &[BlockRow]) -> Result<(), DbError> {
    for (flag, starts_at, environment, application, _) in old {
        let row = usage_blocks::table
            .filter(usage_blocks::flag.eq(flag))
            .filter(usage_blocks::width.eq(width.seconds()))
            .filter(usage_blocks::starts_at.eq(starts_at))
            .filter(usage_blocks::environment.eq(environment))
            .filter(usage_blocks::application.eq(application));
        diesel::delete(row).execute(connection)?;
    }
    Ok(())
}
