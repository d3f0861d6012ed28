//! From state to state.

use std::collections::BTreeSet;

use vexil_admin_api::change_requests::StateCommand;
use vexil_change_request::{
    ChangeId, ChangeRequest, ChangeRequestId, CommentId, Effect, State, StepError, Transition,
};
use vexil_domain::ProjectId;

use super::access::{Identity, find_request};
use super::applying::{apply, demand_applicable};
use super::events::take;
use crate::operations::Error;
use crate::operations::authority::{Authority, with_demand};
use crate::operations::signed_effects::effect_of;
use crate::transaction::Transaction;

/// What came of asking for another state.
#[derive(Debug)]
pub enum Moved {
    /// The request went there.
    There(Box<ChangeRequest>),
    /// It went back to review, or its schedule was suspended, since its approvals do not count any more.
    /// Whoever asked is told why.
    Back(Error),
}

/// Moves a change request to another state; to apply it makes its changes.
pub fn change_state(
    tx: &mut Transaction<'_>,
    who: &Identity,
    project: &ProjectId,
    id: ChangeRequestId,
    command: &StateCommand,
) -> Result<Moved, Error> {
    let mut request = find_request(tx, project, id)?;
    let effect = effect_of(tx.serving(), &request, &tx.snapshot, tx.now);
    let authority = Authority::new(tx.serving(), tx.now);
    let caller = match command.state {
        // whoever may stop it in its own place may stop it
        State::Rejected => who.caller_for(&request),
        _ => authority.caller(&who.actor, &request, &effect, &tx.snapshot),
    };
    let transition =
        Transition::to_state(command.state, command.scheduled_at)?.ok_or_else(|| no_way_back(&request))?;
    if let Some(text) = &command.comment {
        let comment = CommentId(tx.counters.comment);
        tx.counters.comment += 1;
        let step = request.comment(comment, text, &caller, tx.now);
        request = take(tx, step?)?;
    }
    if command.state == State::Scheduled && request.state == State::Scheduled {
        request = request.refreshed(&tx.snapshot, tx.now);
    }
    let step = with_demand(authority, &request, &effect, &tx.snapshot, |demand| {
        request.transition(transition, &caller, demand, tx.now)
    });
    let step = match step {
        Err(error @ StepError::NotApproved { .. }) => {
            demand_applicable(&request, &effect)?;
            return fall_back(tx, who, &request, &effect, error);
        }
        other => other?,
    };
    let known: BTreeSet<ChangeId> = request.changes.iter().map(|planned| planned.id).collect();
    let is_other = |read: &Vec<ChangeId>| known != read.iter().copied().collect();
    if command.changes.as_ref().is_some_and(is_other) {
        return Err(StepError::ChangesMoved.into());
    }
    if command
        .effect
        .as_ref()
        .is_some_and(|read| read != effect.signed.digest.as_str())
    {
        let now = effect.signed.words;
        return Err(StepError::EffectMoved { now }.into());
    }
    match step.request.state {
        State::Applied => apply(tx, &step.request, effect)?,
        State::Scheduled => demand_applicable(&step.request, &effect)?,
        _ => {}
    }
    take(tx, step).map(|request| Moved::There(Box::new(request)))
}

/// Takes an approval back that does not count any more.
fn fall_back(
    tx: &mut Transaction<'_>,
    who: &Identity,
    request: &ChangeRequest,
    effect: &Effect,
    error: StepError,
) -> Result<Moved, Error> {
    let authority = Authority::new(tx.serving(), tx.now);
    let step = with_demand(authority, request, effect, &tx.snapshot, |demand| {
        request.fall_back(demand, &who.actor, tx.now)
    });
    let Some(step) = step else {
        return Err(error.into());
    };
    take(tx, step)?;
    Ok(Moved::Back(error.into()))
}

fn no_way_back(request: &ChangeRequest) -> Error {
    let error = StepError::NoWay {
        from: request.state,
        to: State::Draft,
    };
    error.into()
}
