//! Change requests: one row each, and rows for what they list.

mod rows;

use std::collections::BTreeMap;

use diesel::prelude::*;
use diesel::result::{DatabaseErrorKind, Error};
use vexil_change_request::{ChangeRequest, ChangeRequestId};
use vexil_domain::Write;
use vexil_store::{ChangeRequestFilter, CommitError, Page};

use self::rows::{ChangeRequestRow, ChangeRow, CommentRow, ReviewRow, ReviewerRow, SegmentRow, TitleRow};
use crate::batches::{KEYS_AT_ONCE, delete_keys, last_write_wins};
use crate::connection::{AnyBackend, AnyConnection, insert_all};
use crate::error::DbError;
use crate::events::to_signed;
use crate::schema::{
    change_request_changes as changes, change_request_comments as comments,
    change_request_reviewers as reviewers, change_request_reviews as reviews,
    change_request_segments as segments, change_request_titles as titles, change_requests,
};

/// Puts change requests and takes them away.
pub(crate) fn put(
    connection: &mut AnyConnection,
    puts: &[Write<ChangeRequestId, ChangeRequest>],
) -> Result<(), DbError> {
    let (keys, requests) = last_write_wins(puts, |id| id.0, |request| request.id.0);
    delete_keys!(connection, change_requests::id, keys)?;
    for request in requests {
        insert_all!(connection, change_requests, [ChangeRequestRow::new(request)?]).map_err(|error| {
            match error {
                Error::DatabaseError(DatabaseErrorKind::UniqueViolation, _) => {
                    DbError::Refused(CommitError::SecondPending {
                        change_request: request.id,
                    })
                }
                other => other.into(),
            }
        })?;
        insert_all!(connection, change_request_changes, ChangeRow::all(request)?)?;
        insert_all!(connection, change_request_segments, SegmentRow::all(request))?;
        insert_all!(connection, change_request_reviews, ReviewRow::all(request))?;
        insert_all!(connection, change_request_comments, CommentRow::all(request))?;
        insert_all!(connection, change_request_reviewers, ReviewerRow::all(request))?;
        insert_all!(connection, change_request_titles, TitleRow::all(request))?;
    }
    Ok(())
}

/// Reads one change request.
pub(crate) fn find(
    connection: &mut AnyConnection,
    id: ChangeRequestId,
) -> Result<Option<ChangeRequest>, DbError> {
    let row: Option<ChangeRequestRow> = change_requests::table
        .select(ChangeRequestRow::as_select())
        .filter(change_requests::id.eq(id.0))
        .get_result(connection)
        .optional()?;
    Ok(complete(connection, row.into_iter().collect())?.pop())
}

/// Reads change requests, the newest first.
pub(crate) fn select(
    connection: &mut AnyConnection,
    filter: &ChangeRequestFilter,
) -> Result<Page<ChangeRequest>, DbError> {
    let total: i64 = matching(filter).count().get_result(connection)?;
    let rows: Vec<ChangeRequestRow> = matching(filter)
        .select(ChangeRequestRow::as_select())
        .order(change_requests::id.desc())
        .offset(to_signed(filter.offset))
        .limit(filter.limit.map_or(i64::MAX, to_signed))
        .load(connection)?;
    Ok(Page {
        items: complete(connection, rows)?,
        total: u64::try_from(total).unwrap_or_default(),
    })
}

fn matching(filter: &ChangeRequestFilter) -> change_requests::BoxedQuery<'_, AnyBackend> {
    let mut query = change_requests::table.into_boxed();
    if let Some(project) = &filter.project {
        query = query.filter(change_requests::project.eq(project.as_str()));
    }
    if let Some(environment) = &filter.environment {
        query = query.filter(change_requests::environment.eq(environment.as_str()));
    }
    if !filter.states.is_empty() {
        let names: Vec<&str> = filter.states.iter().map(|state| state.name()).collect();
        query = query.filter(change_requests::state.eq_any(names));
    }
    if let Some(author) = filter.created_by {
        query = query.filter(change_requests::created_by_id.eq(author.0));
    }
    if let Some(reviewer) = filter.requested_reviewer {
        let asked = reviewers::table.filter(reviewers::actor.eq(reviewer.0));
        query = query.filter(change_requests::id.eq_any(asked.select(reviewers::change_request)));
    }
    if let Some(flag) = &filter.flag {
        let changing = changes::table.filter(changes::flag.eq(flag.as_str()));
        query = query.filter(change_requests::id.eq_any(changing.select(changes::change_request)));
    }
    if let Some(segment) = filter.segment {
        let naming = segments::table.filter(segments::segment.eq(segment.0));
        query = query.filter(change_requests::id.eq_any(naming.select(segments::change_request)));
    }
    query
}

/// Reads the rows of a list that belong to some change requests, in order.
macro_rules! parts {
    ($connection:expr, $table:ident, $row:ty, $ids:expr) => {
        $table::table
            .select(<$row>::as_select())
            .filter($table::change_request.eq_any($ids))
            .order(($table::change_request, $table::position))
            .load::<$row>($connection)
    };
}

/// Adds what the change requests list.
fn complete(
    connection: &mut AnyConnection,
    rows: Vec<ChangeRequestRow>,
) -> Result<Vec<ChangeRequest>, DbError> {
    let mut order = Vec::new();
    let mut all = BTreeMap::new();
    for row in rows {
        order.push(row.id);
        all.insert(row.id, row.into_change_request()?);
    }
    for ids in order.chunks(KEYS_AT_ONCE) {
        for row in parts!(connection, changes, ChangeRow, ids)? {
            if let Some(request) = all.get_mut(&row.change_request) {
                request.changes.push(row.into_change()?);
            }
        }
        for row in parts!(connection, reviews, ReviewRow, ids)? {
            if let Some(request) = all.get_mut(&row.change_request) {
                let list = if row.approved {
                    &mut request.approvals
                } else {
                    &mut request.rejections
                };
                list.push(row.into_approval()?);
            }
        }
        for row in parts!(connection, comments, CommentRow, ids)? {
            if let Some(request) = all.get_mut(&row.change_request) {
                request.comments.push(row.into_comment()?);
            }
        }
        for row in parts!(connection, reviewers, ReviewerRow, ids)? {
            if let Some(request) = all.get_mut(&row.change_request) {
                request.requested_reviewers.push(row.actor());
            }
        }
        for row in parts!(connection, titles, TitleRow, ids)? {
            if let Some(request) = all.get_mut(&row.change_request) {
                request.earlier_titles.push(row.into_title()?);
            }
        }
    }
    Ok(order.iter().filter_map(|id| all.remove(id)).collect())
}
