//! Counts are tied to names: those of a flag or an environment go when it goes.

use std::collections::BTreeSet;

use diesel::prelude::*;
use vexil_domain::{SnapshotDelta, Write};

use super::inbox::{InboxState, load, lock_folding};
use crate::batches::delete_keys;
use crate::connection::AnyConnection;
use crate::error::DbError;
use crate::schema::{usage_folding, usage_inbox};

/// How many rows of the inbox are looked at at a time.
const ROWS: i64 = 100;

/// Deletes the counts of what an edit removes, in its transaction.
pub(crate) fn let_go(connection: &mut AnyConnection, delta: &SnapshotDelta) -> Result<(), DbError> {
    let flags = removed(&delta.flags);
    let environments = removed(&delta.environments);
    if flags.is_empty() && environments.is_empty() {
        return Ok(());
    }
    lock_folding(connection, true)?;
    let names: Vec<&String> = flags.iter().collect();
    delete_keys!(connection, usage_blocks::flag, names)?;
    delete_keys!(connection, usage_reporters::flag, names)?;
    let names: Vec<&String> = environments.iter().collect();
    delete_keys!(connection, usage_blocks::environment, names)?;
    delete_keys!(connection, usage_reporters::environment, names)?;
    delete_keys!(connection, instances::environment, names)?;
    let keep = |flag: &str, environment: &str| !flags.contains(flag) && !environments.contains(environment);
    let state = InboxState::read(connection)?;
    let mut rewritten = false;
    for (&writer, &appended) in &state.appended {
        let mut after = state.folded_of(writer);
        while after < appended {
            let through = appended.min(after + ROWS);
            for (number, counts) in load(connection, writer, after, through)? {
                if let Some(kept) = counts.retain(keep)? {
                    let row = usage_inbox::table
                        .filter(usage_inbox::writer.eq(writer))
                        .filter(usage_inbox::number.eq(number));
                    diesel::update(row)
                        .set(usage_inbox::counts.eq(kept.as_bytes()))
                        .execute(connection)?;
                    rewritten = true;
                }
            }
            after = through;
        }
    }
    if rewritten {
        diesel::update(usage_folding::table)
            .set(usage_folding::edition.eq(usage_folding::edition + 1))
            .execute(connection)?;
    }
    Ok(())
}

fn removed<K: ToString, V>(writes: &[Write<K, V>]) -> BTreeSet<String> {
    let gone = |write: &Write<K, V>| match write {
        Write::Delete(key) => Some(key.to_string()),
        Write::Upsert(_) => None,
    };
    writes.iter().filter_map(gone).collect()
}
