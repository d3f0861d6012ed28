//! Reading the configuration: all of it, or the values of some keys.

mod flags;
mod lots;
mod projects;
pub(crate) mod rows;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use diesel::prelude::*;
use vexil_access::UserId;
use vexil_domain::{
    Environment, EnvironmentName, EnvironmentRevision, Segment, SegmentId, Snapshot, SnapshotDelta,
    StrategyType, TagType, Write,
};
use vexil_store::{ApiTokenId, Changes, Counters, CredentialChanges, EnvironmentRevisions, Loaded, Revision};

use self::rows::{EnvironmentRow, SegmentRow, StateRow, StrategyTypeRow, TagTypeRow};
use crate::batches::KEYS_AT_ONCE;
use crate::change_log::{self, Touched};
use crate::connection::AnyConnection;
use crate::error::DbError;
use crate::loading::load_rows;
use crate::schema::{environment_revisions, store_state};
use crate::{access, json, tokens, users};

/// Reads everything that a server keeps in memory.
pub(crate) fn load(connection: &mut AnyConnection) -> Result<Loaded, DbError> {
    let (revision, counters) = state(connection)?;
    Ok(Loaded {
        revision,
        counters,
        snapshot: Snapshot {
            projects: projects::load(connection, None)?,
            environments: load_environments(connection, None)?,
            flags: flags::load(connection, None)?,
            segments: load_segments(connection, None)?,
            strategy_types: load_strategy_types(connection, None)?,
            tag_types: load_tag_types(connection, None)?,
        },
        environments: load_revisions(connection)?,
        tokens: tokens::load(connection, None)?,
        users: users::load(connection, None)?,
        access: access::load(connection)?,
    })
}

/// Reads what changed since a state; `None` where that cannot be told.
pub(crate) fn changes_since(
    connection: &mut AnyConnection,
    sequence: u64,
) -> Result<Option<Changes>, DbError> {
    let (revision, counters) = state(connection)?;
    let Some(touched) = change_log::touched_since(connection, sequence, revision)? else {
        return Ok(None);
    };
    let delta = SnapshotDelta {
        projects: writes(connection, &touched.projects, Into::into, projects::load)?,
        environments: writes(connection, &touched.environments, Into::into, load_environments)?,
        flags: writes(connection, &touched.flags, Into::into, flags::load)?,
        segments: writes(connection, &touched.segments, SegmentId, load_segments)?,
        strategy_types: writes(
            connection,
            &touched.strategy_types,
            Into::into,
            load_strategy_types,
        )?,
        tag_types: writes(connection, &touched.tag_types, Into::into, load_tag_types)?,
    };
    Ok(Some(Changes {
        since: change_log::mark_of(connection, sequence)?,
        revision,
        counters,
        delta,
        environments: load_revisions(connection)?,
        credentials: credentials(connection, revision, &touched)?,
    }))
}

/// Reads how those who may come in changed since a state; `None` where that cannot be told.
pub(crate) fn credentials_since(
    connection: &mut AnyConnection,
    sequence: u64,
) -> Result<Option<CredentialChanges>, DbError> {
    let revision = revision(connection)?;
    match change_log::credentials_since(connection, sequence, revision)? {
        Some(touched) => credentials(connection, revision, &touched).map(Some),
        None => Ok(None),
    }
}

fn credentials(
    connection: &mut AnyConnection,
    revision: Revision,
    touched: &Touched,
) -> Result<CredentialChanges, DbError> {
    Ok(CredentialChanges {
        sequence: revision.sequence,
        tokens: writes(connection, &touched.tokens, ApiTokenId, tokens::load)?,
        users: writes(connection, &touched.users, UserId, users::load)?,
        access: touched.access.then(|| access::load(connection)).transpose()?,
    })
}

/// The present values of keys; keys without a value are gone.
fn writes<S: Clone, K: Ord, V>(
    connection: &mut AnyConnection,
    keys: &BTreeSet<S>,
    key_of: impl Fn(S) -> K,
    load: impl Fn(&mut AnyConnection, Option<&[S]>) -> Result<BTreeMap<K, Arc<V>>, DbError>,
) -> Result<Vec<Write<K, V>>, DbError> {
    let mut writes = Vec::with_capacity(keys.len());
    let keys: Vec<S> = keys.iter().cloned().collect();
    for keys in keys.chunks(KEYS_AT_ONCE) {
        let mut values = load(connection, Some(keys))?;
        for key in keys {
            let key = key_of(key.clone());
            writes.push(match values.remove(&key) {
                Some(value) => Write::Upsert(value),
                None => Write::Delete(key),
            });
        }
    }
    Ok(writes)
}

/// Reads which state the store is in.
pub(crate) fn revision(connection: &mut AnyConnection) -> Result<Revision, DbError> {
    Ok(state(connection)?.0)
}

fn state(connection: &mut AnyConnection) -> Result<(Revision, Counters), DbError> {
    // it is the only row; a limit, which `first` binds, would make SQLite prepare the statement anew each time
    let row: StateRow = store_state::table
        .select(StateRow::as_select())
        .get_result(connection)?;
    let revision = Revision {
        sequence: json::narrow(row.sequence, "a revision")?,
        configuration: json::narrow(row.configuration, "a revision")?,
        mark: json::narrow(row.mark, "the mark of a revision")?,
    };
    Ok((revision, row.counters()))
}

fn load_environments(
    connection: &mut AnyConnection,
    names: Option<&[String]>,
) -> Result<BTreeMap<EnvironmentName, Arc<Environment>>, DbError> {
    let rows = load_rows!(connection, environments::name, EnvironmentRow, names)?;
    keyed(rows, EnvironmentRow::into_environment, |it| it.name.clone())
}

fn load_segments(
    connection: &mut AnyConnection,
    ids: Option<&[i64]>,
) -> Result<BTreeMap<SegmentId, Arc<Segment>>, DbError> {
    let rows = load_rows!(connection, segments::id, SegmentRow, ids)?;
    keyed(rows, SegmentRow::into_segment, |it| it.id)
}

fn load_strategy_types(
    connection: &mut AnyConnection,
    names: Option<&[String]>,
) -> Result<BTreeMap<String, Arc<StrategyType>>, DbError> {
    let rows = load_rows!(connection, strategy_types::name, StrategyTypeRow, names)?;
    keyed(rows, StrategyTypeRow::into_strategy_type, |it| it.name.clone())
}

fn load_tag_types(
    connection: &mut AnyConnection,
    names: Option<&[String]>,
) -> Result<BTreeMap<String, Arc<TagType>>, DbError> {
    let rows = load_rows!(connection, tag_types::name, TagTypeRow, names)?;
    keyed(rows, TagTypeRow::into_tag_type, |it| it.name.clone())
}

fn load_revisions(connection: &mut AnyConnection) -> Result<EnvironmentRevisions, DbError> {
    let rows: Vec<(String, i64, i64)> = environment_revisions::table.load(connection)?;
    let read = |(name, number, mark): (String, i64, i64)| {
        let revision = EnvironmentRevision {
            number: json::narrow(number, "a revision")?,
            mark: json::narrow(mark, "the mark of a revision")?,
        };
        Ok((name.into(), revision))
    };
    rows.into_iter().map(read).collect()
}

fn keyed<R, K: Ord, V>(
    rows: Vec<R>,
    read: impl Fn(R) -> Result<V, DbError>,
    key_of: impl Fn(&V) -> K,
) -> Result<BTreeMap<K, Arc<V>>, DbError> {
    let values = rows.into_iter().map(read);
    values
        .map(|value| value.map(|value| (key_of(&value), Arc::new(value))))
        .collect()
}
