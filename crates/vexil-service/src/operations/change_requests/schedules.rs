//! Applying scheduled change requests when their time has come.

use time::OffsetDateTime;
use vexil_change_request::{ChangeRequest, ChangeRequestId, Effect, State, Step, StepError};
use vexil_domain::Snapshot;
use vexil_store::ChangeRequestFilter;

use super::applying::apply;
use super::events::take;
use crate::app::App;
use crate::operations::Error;
use crate::operations::authority::{Authority, with_demand};
use crate::operations::signed_effects::effect_of;
use crate::system::system;
use crate::transaction::Transaction;

/// Applies every change request that is due, each exactly once whatever the number of servers on
/// the database. Suspends those that would overwrite newer edits, can no longer be applied, or are no
/// longer approved as they are, and sends approved ones that are not back to review. Blocks until it is
/// done.
///
/// # Errors
///
/// When the store cannot be read. What cannot be done for one change request is noted there, or
/// logged and tried again by the next call, and does not keep the others waiting.
pub fn apply_due(app: &App) -> Result<(), Error> {
    let filter = ChangeRequestFilter {
        states: vec![State::Scheduled, State::Approved],
        ..ChangeRequestFilter::default()
    };
    let mut requests = app.reader().change_requests(&filter)?.items;
    requests.sort_by_key(|request| (request.schedule.as_ref().map(|at| at.scheduled_at), request.id));
    for request in requests.iter().filter(|request| may_change(request)) {
        let (serving, now) = (app.serving(), app.now());
        let effect = effect_of(&serving, request, &serving.snapshot, now);
        let authority = Authority::new(&serving, now);
        if let Turn::Wait = next(authority, request, &effect, &serving.snapshot, now) {
            continue;
        }
        if let Err(error) = turn(app, request) {
            tracing::warn!(
                change_request = request.id.0,
                cause = error.to_string(),
                "a change request could not be seen to; trying again later"
            );
        }
    }
    Ok(())
}

/// Whether a request may go somewhere by itself.
fn may_change(request: &ChangeRequest) -> bool {
    request.state == State::Approved || request.is_waiting()
}

/// What is to be done with a request.
enum Turn {
    /// Nothing.
    Wait,
    /// It must not be applied as things stand.
    Suspend(String),
    /// Its approvals do not count any more.
    FallBack(Box<Step>),
    /// Its time has come.
    Apply(Box<Step>),
}

fn next(
    authority: Authority<'_>,
    request: &ChangeRequest,
    effect: &Effect,
    snapshot: &Snapshot,
    now: OffsetDateTime,
) -> Turn {
    with_demand(authority, request, effect, snapshot, |demand| {
        let waiting = request.schedule.as_ref().filter(|_| request.is_waiting());
        if waiting.is_some()
            && let Some(reason) = effect.outcome.suspension()
        {
            return Turn::Suspend(reason);
        }
        if let Some(step) = request.fall_back(demand, &system(), now) {
            return Turn::FallBack(Box::new(step));
        }
        let Some(schedule) = waiting else {
            return Turn::Wait;
        };
        let scheduler = authority.caller(&schedule.scheduled_by, request, effect, snapshot);
        match request.apply_scheduled(&scheduler, demand, now) {
            Ok(step) => Turn::Apply(Box::new(step)),
            Err(StepError::NotDue) if scheduler.admin || scheduler.permissions.apply => Turn::Wait,
            Err(_) => Turn::Suspend(format!(
                "`{}`, who scheduled it, may not apply it any more",
                schedule.scheduled_by.name
            )),
        }
    })
}

/// Sees to one schedule. An attempt that fails for a reason that will not pass is noted in the
/// request.
fn turn(app: &App, request: &ChangeRequest) -> Result<(), Error> {
    let schedule = request.schedule.as_ref();
    let actor = schedule.map_or_else(system, |schedule| schedule.scheduled_by.clone());
    let id = request.id;
    match app.edit_blocking(&actor, |tx| see_to(tx, id)) {
        Err(error) if error.retry_after().is_some() => Err(error),
        Err(error) => {
            let reason = reason(&error, id);
            app.edit_blocking(&actor, |tx| fail(tx, id, &reason))
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

/// Suspends, applies or leaves alone: what the request, the configuration and the people say at this
/// revision.
fn see_to(tx: &mut Transaction<'_>, id: ChangeRequestId) -> Result<(), Error> {
    let Some(request) = tx.change_request(id)?.filter(may_change) else {
        return Ok(());
    };
    let effect = effect_of(tx.serving(), &request, &tx.snapshot, tx.now);
    let authority = Authority::new(tx.serving(), tx.now);
    let step = match next(authority, &request, &effect, &tx.snapshot, tx.now) {
        Turn::Wait => return Ok(()),
        Turn::Suspend(reason) => request.suspend(&reason)?,
        Turn::FallBack(step) => *step,
        Turn::Apply(step) => {
            apply(tx, &request, effect)?;
            *step
        }
    };
    take(tx, step).map(drop)
}

fn fail(tx: &mut Transaction<'_>, id: ChangeRequestId, reason: &str) -> Result<(), Error> {
    let Some(request) = tx.change_request(id)?.filter(ChangeRequest::is_waiting) else {
        return Ok(());
    };
    let step = request.fail_scheduled(reason, tx.now)?;
    take(tx, step).map(drop)
}
