//! Carrying out an edit: only what it changes is written.

use std::collections::BTreeSet;

use diesel::prelude::*;
use vexil_domain::{
    Environment, EnvironmentName, FeatureFlag, FlagName, Project, ProjectId, Segment, SegmentId,
    StrategyType, TagType, Write,
};
use vexil_store::{Commit, CommitError, Revision};

use crate::batches::{delete_keys, last_write_wins};
use crate::configuration::rows::{
    DependencyRow, EnvironmentRow, FlagEnvironmentRow, FlagRow, ProjectEnvironmentRow, ProjectRow,
    SegmentRow, StrategyRow, StrategyTypeRow, TagTypeRow,
};
use crate::connection::{AnyConnection, insert_all};
use crate::error::DbError;
use crate::schema::{environment_revisions, store_state};
use crate::{
    access, change_log, change_requests, configuration, events, migrate, sign_ins, tokens, usage, users,
};

/// Carries out an edit.
pub(crate) fn commit(connection: &mut AnyConnection, edit: &Commit) -> Result<Revision, DbError> {
    advance_revision(connection, edit)?;
    let delta = &edit.delta;
    put_projects(connection, &delta.projects)?;
    put_environments(connection, &delta.environments)?;
    put_flags(connection, &delta.flags)?;
    put_segments(connection, &delta.segments)?;
    put_strategy_types(connection, &delta.strategy_types)?;
    put_tag_types(connection, &delta.tag_types)?;
    change_requests::put(connection, &edit.change_requests)?;
    tokens::put(connection, &edit.tokens)?;
    users::put(connection, &edit.users)?;
    access::put(connection, &edit.access)?;
    sign_ins::put_sessions(connection, &edit.sessions)?;
    sign_ins::put_links(connection, &edit.links)?;
    events::append(connection, &edit.events)?;
    usage::let_go(connection, delta)?;
    let revision = configuration::revision(connection)?;
    let sequence = i64::try_from(revision.sequence).unwrap_or(i64::MAX);
    put_revisions(connection, edit, sequence)?;
    change_log::write(connection, edit, sequence)?;
    Ok(revision)
}

/// Why the state was not as the edit expects it.
fn why_refused(connection: &mut AnyConnection, edit: &Commit) -> Result<DbError, DbError> {
    migrate::check(connection)?;
    Ok(DbError::Refused(CommitError::Stale {
        expected: edit.expected,
        current: configuration::revision(connection)?,
    }))
}

/// Keeps others from committing until the transaction ends.
pub(crate) fn lock_state(connection: &mut AnyConnection) -> Result<(), DbError> {
    let same = store_state::sequence.eq(store_state::sequence);
    diesel::update(store_state::table).set(same).execute(connection)?;
    Ok(())
}

/// Whether an edit was carried out.
pub(crate) fn was_carried_out(connection: &mut AnyConnection, edit: &Commit) -> Result<bool, DbError> {
    match edit.expected.checked_add(1) {
        Some(sequence) => change_log::is_of(connection, sequence, edit.id),
        None => Ok(false),
    }
}

/// Notes where SDKs are told something else from now on.
fn put_revisions(connection: &mut AnyConnection, edit: &Commit, sequence: i64) -> Result<(), DbError> {
    let removed = edit.delta.environments.iter().filter_map(|write| match write {
        Write::Delete(name) => Some(name.to_string()),
        Write::Upsert(_) => None,
    });
    let changed: BTreeSet<String> = edit.environments.iter().map(ToString::to_string).collect();
    let keys: Vec<String> = removed.chain(changed.iter().cloned()).collect();
    delete_keys!(connection, environment_revisions::environment, keys)?;
    let row = |name| {
        (
            environment_revisions::environment.eq(name),
            environment_revisions::revision.eq(sequence),
            environment_revisions::mark.eq(i64::from(edit.id.mark())),
        )
    };
    let rows: Vec<_> = changed.into_iter().map(row).collect();
    Ok(insert_all!(connection, environment_revisions, rows)?)
}

/// Moves the revision on, if it is the expected one. The first statement of the transaction, so
/// that whoever comes second waits here, and then finds another revision.
fn advance_revision(connection: &mut AnyConnection, edit: &Commit) -> Result<(), DbError> {
    let expected = i64::try_from(edit.expected).unwrap_or(i64::MAX);
    let counters = edit.counters;
    let known = migrate::is_known(connection).map_err(|error| DbError::Connect(error.into()))?;
    let state = store_state::table
        .filter(store_state::sequence.eq(expected))
        .filter(store_state::mark.eq(i64::from(edit.expected_mark)))
        .filter(known);
    let changed = diesel::update(state)
        .set((
            store_state::sequence.eq(store_state::sequence + 1),
            store_state::mark.eq(i64::from(edit.id.mark())),
            store_state::next_segment.eq(counters.segment),
            store_state::next_change_request.eq(counters.change_request),
            store_state::next_change.eq(counters.change),
            store_state::next_comment.eq(counters.comment),
            store_state::next_token.eq(counters.token),
            store_state::next_user.eq(counters.user),
            store_state::next_personal_token.eq(counters.personal_token),
            store_state::next_role.eq(counters.role),
            store_state::next_group.eq(counters.group),
            store_state::next_sign_up_link.eq(counters.sign_up_link),
        ))
        .execute(connection)?;
    if changed == 0 {
        return Err(why_refused(connection, edit)?);
    }
    if !edit.delta.is_empty() {
        let now = store_state::configuration.eq(store_state::sequence);
        diesel::update(store_state::table).set(now).execute(connection)?;
    }
    Ok(())
}

fn put_projects(connection: &mut AnyConnection, puts: &[Write<ProjectId, Project>]) -> Result<(), DbError> {
    let (keys, values) = last_write_wins(puts, ToString::to_string, |it| it.id.to_string());
    delete_keys!(connection, projects::id, keys)?;
    let rows: Vec<_> = values.iter().map(|it| ProjectRow::new(it)).collect();
    insert_all!(connection, projects, rows)?;
    let rows = flattened(&values, ProjectEnvironmentRow::all)?;
    Ok(insert_all!(connection, project_environments, rows)?)
}

fn put_environments(
    connection: &mut AnyConnection,
    puts: &[Write<EnvironmentName, Environment>],
) -> Result<(), DbError> {
    let (keys, values) = last_write_wins(puts, ToString::to_string, |it| it.name.to_string());
    delete_keys!(connection, environments::name, keys)?;
    let rows: Vec<_> = values.iter().map(|it| EnvironmentRow::new(it)).collect();
    Ok(insert_all!(connection, environments, rows)?)
}

fn put_flags(connection: &mut AnyConnection, puts: &[Write<FlagName, FeatureFlag>]) -> Result<(), DbError> {
    let (keys, values) = last_write_wins(puts, ToString::to_string, |it| it.name.to_string());
    delete_keys!(connection, flags::name, keys)?;
    let rows: Vec<_> = values
        .iter()
        .map(|it| FlagRow::new(it))
        .collect::<Result<_, _>>()?;
    insert_all!(connection, flags, rows)?;
    let rows = flattened(&values, DependencyRow::all)?;
    insert_all!(connection, flag_dependencies, rows)?;
    let rows = flattened(&values, FlagEnvironmentRow::all)?;
    insert_all!(connection, flag_environments, rows)?;
    let rows = flattened(&values, StrategyRow::all)?;
    Ok(insert_all!(connection, strategies, rows)?)
}

fn put_segments(connection: &mut AnyConnection, puts: &[Write<SegmentId, Segment>]) -> Result<(), DbError> {
    let (keys, values) = last_write_wins(puts, |id| id.0, |it| it.id.0);
    delete_keys!(connection, segments::id, keys)?;
    let rows: Vec<_> = values
        .iter()
        .map(|it| SegmentRow::new(it))
        .collect::<Result<_, _>>()?;
    Ok(insert_all!(connection, segments, rows)?)
}

fn put_strategy_types(
    connection: &mut AnyConnection,
    puts: &[Write<String, StrategyType>],
) -> Result<(), DbError> {
    let (keys, values) = last_write_wins(puts, String::clone, |it| it.name.clone());
    delete_keys!(connection, strategy_types::name, keys)?;
    let rows: Vec<_> = values
        .iter()
        .map(|it| StrategyTypeRow::new(it))
        .collect::<Result<_, _>>()?;
    Ok(insert_all!(connection, strategy_types, rows)?)
}

fn put_tag_types(connection: &mut AnyConnection, puts: &[Write<String, TagType>]) -> Result<(), DbError> {
    let (keys, values) = last_write_wins(puts, String::clone, |it| it.name.clone());
    delete_keys!(connection, tag_types::name, keys)?;
    let rows: Vec<_> = values
        .iter()
        .map(|it| TagTypeRow::new(it))
        .collect::<Result<_, _>>()?;
    Ok(insert_all!(connection, tag_types, rows)?)
}

fn flattened<V, R>(
    values: &[&V],
    rows_of: impl Fn(&V) -> Result<Vec<R>, DbError>,
) -> Result<Vec<R>, DbError> {
    let mut all = Vec::new();
    for value in values {
        all.extend(rows_of(value)?);
    }
    Ok(all)
}
