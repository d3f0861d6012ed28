//! Which keys each commit touched: written with the commit, read by who follows.

use std::collections::BTreeSet;

use diesel::prelude::*;
use vexil_domain::Write;
use vexil_store::{Commit, CommitId, FOLLOWED_COMMITS, Revision};

use crate::connection::{AnyConnection, insert_all};
use crate::error::DbError;
use crate::json;
use crate::schema::change_log;

/// The kinds of rows, as they are stored.
mod kind {
    pub(super) const COMMIT: &str = "commit";
    pub(super) const PROJECT: &str = "project";
    pub(super) const ENVIRONMENT: &str = "environment";
    pub(super) const FLAG: &str = "flag";
    pub(super) const SEGMENT: &str = "segment";
    pub(super) const STRATEGY_TYPE: &str = "strategy_type";
    pub(super) const TAG_TYPE: &str = "tag_type";
    pub(super) const TOKEN: &str = "token";
    pub(super) const USER: &str = "user";
    /// Roles, groups and settings, which are read whole.
    pub(super) const ACCESS: &str = "access";
}

#[derive(Debug, Insertable)]
#[diesel(table_name = change_log)]
struct LogRow {
    sequence: i64,
    kind: &'static str,
    key: String,
}

/// The keys that some commits touched.
#[derive(Debug, Default)]
pub(crate) struct Touched {
    pub(crate) projects: BTreeSet<String>,
    pub(crate) environments: BTreeSet<String>,
    pub(crate) flags: BTreeSet<String>,
    pub(crate) segments: BTreeSet<i64>,
    pub(crate) strategy_types: BTreeSet<String>,
    pub(crate) tag_types: BTreeSet<String>,
    pub(crate) tokens: BTreeSet<i64>,
    pub(crate) users: BTreeSet<i64>,
    pub(crate) access: bool,
}

/// Notes what a commit touched, and forgets commits that are too old to be followed.
pub(crate) fn write(connection: &mut AnyConnection, edit: &Commit, sequence: i64) -> Result<(), DbError> {
    let delta = &edit.delta;
    let keys = [
        (kind::COMMIT, [id_key(edit.id)].into()),
        (kind::PROJECT, keys(&delta.projects, |it| it.id.to_string())),
        (
            kind::ENVIRONMENT,
            keys(&delta.environments, |it| it.name.to_string()),
        ),
        (kind::FLAG, keys(&delta.flags, |it| it.name.to_string())),
        (kind::SEGMENT, keys(&delta.segments, |it| it.id.to_string())),
        (
            kind::STRATEGY_TYPE,
            keys(&delta.strategy_types, |it| it.name.clone()),
        ),
        (kind::TAG_TYPE, keys(&delta.tag_types, |it| it.name.clone())),
        (kind::TOKEN, numbers(&edit.tokens, |id| id.0, |it| it.id.0)),
        (kind::USER, numbers(&edit.users, |id| id.0, |it| it.id.0)),
        (
            kind::ACCESS,
            (!edit.access.is_empty()).then(String::new).into_iter().collect(),
        ),
    ];
    let row = |kind| move |key| LogRow { sequence, kind, key };
    let rows: Vec<LogRow> = keys
        .into_iter()
        .flat_map(|(kind, keys): (_, BTreeSet<String>)| keys.into_iter().map(row(kind)))
        .collect();
    insert_all!(connection, change_log, rows)?;
    let followed = i64::try_from(FOLLOWED_COMMITS).unwrap_or(i64::MAX);
    let forgotten = change_log::table.filter(change_log::sequence.lt(sequence.saturating_sub(followed)));
    diesel::delete(forgotten).execute(connection)?;
    Ok(())
}

fn keys<K: ToString, V>(writes: &[Write<K, V>], of_value: impl Fn(&V) -> String) -> BTreeSet<String> {
    let key = |write: &Write<K, V>| match write {
        Write::Upsert(value) => of_value(value),
        Write::Delete(key) => key.to_string(),
    };
    writes.iter().map(key).collect()
}

fn numbers<K, V>(
    writes: &[Write<K, V>],
    of_key: impl Fn(&K) -> i64,
    of_value: impl Fn(&V) -> i64,
) -> BTreeSet<String> {
    let key = |write: &Write<K, V>| match write {
        Write::Upsert(value) => of_value(value).to_string(),
        Write::Delete(key) => of_key(key).to_string(),
    };
    writes.iter().map(key).collect()
}

fn id_key(id: CommitId) -> String {
    format!("{:032x}", id.0)
}

/// The keys that the commits after `sequence` touched; `None` where not all of them are told here.
pub(crate) fn touched_since(
    connection: &mut AnyConnection,
    sequence: u64,
    revision: Revision,
) -> Result<Option<Touched>, DbError> {
    let Some((sequence, commits)) = followed(sequence, revision) else {
        return Ok(None);
    };
    if commits == 0 {
        return Ok(Some(Touched::default()));
    }
    let rows: Vec<(String, String)> = change_log::table
        .filter(change_log::sequence.gt(sequence))
        .select((change_log::kind, change_log::key))
        .load(connection)?;
    let mut touched = Touched::default();
    let mut told = 0;
    for (kind, key) in rows {
        match kind.as_str() {
            kind::COMMIT => told += 1,
            kind::PROJECT => drop(touched.projects.insert(key)),
            kind::ENVIRONMENT => drop(touched.environments.insert(key)),
            kind::FLAG => drop(touched.flags.insert(key)),
            kind::SEGMENT => drop(touched.segments.insert(number(&key)?)),
            kind::STRATEGY_TYPE => drop(touched.strategy_types.insert(key)),
            kind::TAG_TYPE => drop(touched.tag_types.insert(key)),
            kind::TOKEN => drop(touched.tokens.insert(number(&key)?)),
            kind::USER => drop(touched.users.insert(number(&key)?)),
            kind::ACCESS => touched.access = true,
            other => return Err(json::corrupt("a change log", format!("`{other}` in it"))),
        }
    }
    Ok((told == commits).then_some(touched))
}

/// The tokens, users, roles, groups and settings that the commits after `sequence` touched; `None` where that is
/// not known.
pub(crate) fn credentials_since(
    connection: &mut AnyConnection,
    sequence: u64,
    revision: Revision,
) -> Result<Option<Touched>, DbError> {
    let Some((sequence, commits)) = followed(sequence, revision) else {
        return Ok(None);
    };
    if commits == 0 {
        return Ok(Some(Touched::default()));
    }
    let later = change_log::table.filter(change_log::sequence.gt(sequence));
    let told: i64 = later
        .filter(change_log::kind.eq(kind::COMMIT))
        .count()
        .get_result(connection)?;
    if told != commits {
        return Ok(None);
    }
    // as literals: a bound value would not match the partial index
    let rows: Vec<(String, String)> = later
        .filter(diesel::dsl::sql::<diesel::sql_types::Bool>(
            "kind in ('token', 'user', 'access')",
        ))
        .select((change_log::kind, change_log::key))
        .load(connection)?;
    let mut touched = Touched::default();
    for (kind, key) in rows {
        match kind.as_str() {
            kind::TOKEN => drop(touched.tokens.insert(number(&key)?)),
            kind::USER => drop(touched.users.insert(number(&key)?)),
            _ => touched.access = true,
        }
    }
    Ok(Some(touched))
}

/// The sequence as it is stored, and how many commits came after it, if those can be told.
fn followed(sequence: u64, revision: Revision) -> Option<(i64, i64)> {
    let commits = revision.sequence.checked_sub(sequence)?;
    if commits > FOLLOWED_COMMITS {
        return None;
    }
    i64::try_from(sequence).ok().zip(i64::try_from(commits).ok())
}

fn number(key: &str) -> Result<i64, DbError> {
    key.parse::<i64>()
        .map_err(|error| json::corrupt("an id in the change log", error))
}

/// The mark of the commit that made a sequence, where it is known.
pub(crate) fn mark_of(connection: &mut AnyConnection, sequence: u64) -> Result<Option<u32>, DbError> {
    if sequence == 0 {
        return Ok(Some(0));
    }
    let Ok(sequence) = i64::try_from(sequence) else {
        return Ok(None);
    };
    let key: Option<String> = change_log::table
        .filter(change_log::sequence.eq(sequence))
        .filter(change_log::kind.eq(kind::COMMIT))
        .select(change_log::key)
        .get_result(connection)
        .optional()?;
    key.map(|key| {
        u128::from_str_radix(&key, 16)
            .map(|id| CommitId(id).mark())
            .map_err(|error| json::corrupt("the id of a commit", error))
    })
    .transpose()
}

/// Whether the commit that made `sequence` has this id.
pub(crate) fn is_of(connection: &mut AnyConnection, sequence: u64, id: CommitId) -> Result<bool, DbError> {
    let Ok(sequence) = i64::try_from(sequence) else {
        return Ok(false);
    };
    let found: i64 = change_log::table
        .filter(change_log::sequence.eq(sequence))
        .filter(change_log::kind.eq(kind::COMMIT))
        .filter(change_log::key.eq(id_key(id)))
        .count()
        .get_result(connection)?;
    Ok(found > 0)
}
