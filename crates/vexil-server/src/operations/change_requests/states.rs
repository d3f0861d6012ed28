//! From state to state.

use vexil_admin_api::change_requests::StateCommand;
use vexil_change_request::{ChangeRequest, ChangeRequestId, CommentId, Refusal, State, Transition};
use vexil_domain::ProjectId;

use super::access::{Identity, find_request};
use super::applying::{apply, demand_applicable};
use super::events::take;
use crate::operations::Error;
use crate::transaction::Transaction;

/// Moves a change request to another state; to apply it makes its changes.
pub(crate) fn change_state(
    tx: &mut Transaction<'_>,
    who: &Identity,
    project: &ProjectId,
    id: ChangeRequestId,
    command: &StateCommand,
) -> Result<ChangeRequest, Error> {
    let mut request = find_request(tx, project, id)?;
    let caller = who.caller_for(&request);
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
    let step = request.transition(transition, &caller, tx.now);
    let step = step?;
    match step.request.state {
        State::Applied => apply(tx, &step.request)?,
        State::Scheduled => demand_applicable(tx, &step.request)?,
        _ => {}
    }
    take(tx, step)
}

fn no_way_back(request: &ChangeRequest) -> Error {
    let refusal = Refusal::NoWay {
        from: request.state,
        to: State::Draft,
    };
    refusal.into()
}
