//! Applying scheduled change requests when their time has come.

use vexil_change_request::{ChangeRequest, ChangeRequestId, State, suspension};
use vexil_store::ChangeRequestFilter;

use super::applying::apply;
use super::events::take;
use crate::app::App;
use crate::operations::Error;
use crate::transaction::Transaction;

/// Applies every change request that is due, each exactly once whatever the number of servers on
/// the database, and suspends those that would overwrite newer edits or can no longer be applied.
/// Blocks until it is done.
///
/// # Errors
///
/// When the store cannot be read. What cannot be done for one change request is noted there, or
/// logged and tried again by the next call, and does not keep the others waiting.
pub fn apply_due(app: &App) -> Result<(), Error> {
    let filter = ChangeRequestFilter {
        states: vec![State::Scheduled],
        ..ChangeRequestFilter::default()
    };
    let mut requests = app.store().change_requests(&filter)?.items;
    requests.sort_by_key(|request| (request.schedule.as_ref().map(|at| at.scheduled_at), request.id));
    for request in &requests {
        if !needs_a_turn(app, request) {
            continue;
        }
        if let Err(error) = turn(app, request) {
            tracing::warn!(
                change_request = request.id.0,
                cause = error.to_string(),
                "a schedule could not be seen to; trying again later"
            );
        }
    }
    Ok(())
}

/// Whether something is to be done, as far as can be told without an edit.
fn needs_a_turn(app: &App, request: &ChangeRequest) -> bool {
    let now = app.now();
    is_pending(request)
        && (request
            .schedule
            .as_ref()
            .is_some_and(|schedule| schedule.is_due(now))
            || suspension(&app.serving().snapshot, request, now).is_some())
}

fn is_pending(request: &ChangeRequest) -> bool {
    let reason = request.schedule.as_ref().map(|schedule| schedule.status.reason());
    request.state == State::Scheduled && reason == Some(None)
}

/// Sees to one schedule. An attempt that fails for a reason that will not pass is noted in the
/// request.
fn turn(app: &App, request: &ChangeRequest) -> Result<(), Error> {
    let Some(schedule) = &request.schedule else {
        return Ok(());
    };
    let id = request.id;
    match app.edit_blocking(&schedule.scheduled_by, |tx| see_to(tx, id)) {
        Err(error) if error.retry_after().is_some() => Err(error),
        Err(error) => {
            let reason = reason(&error, id);
            app.edit_blocking(&schedule.scheduled_by, |tx| fail(tx, id, &reason))
        }
        Ok(()) => Ok(()),
    }
}

/// Why an attempt failed, as people are told.
fn reason(error: &Error, id: ChangeRequestId) -> String {
    if let Some(cause) = error.cause() {
        tracing::error!(change_request = id.0, cause, "a scheduled apply failed");
        return "Something went wrong in the server; its log tells what.".to_owned();
    }
    error.to_string()
}

/// Suspends, applies or leaves alone: what the request and the configuration say at this revision.
fn see_to(tx: &mut Transaction<'_>, id: ChangeRequestId) -> Result<(), Error> {
    let Some(request) = tx.change_request(id)?.filter(is_pending) else {
        return Ok(());
    };
    if let Some(reason) = suspension(&tx.snapshot, &request, tx.now) {
        let step = request.suspend(&reason)?;
        return take(tx, step).map(drop);
    }
    let due = request
        .schedule
        .as_ref()
        .is_some_and(|schedule| schedule.is_due(tx.now));
    if !due {
        return Ok(());
    }
    apply(tx, &request)?;
    let step = request.apply_scheduled(tx.now)?;
    take(tx, step).map(drop)
}

fn fail(tx: &mut Transaction<'_>, id: ChangeRequestId, reason: &str) -> Result<(), Error> {
    let Some(request) = tx.change_request(id)?.filter(is_pending) else {
        return Ok(());
    };
    let step = request.fail_scheduled(reason, tx.now)?;
    take(tx, step).map(drop)
}
