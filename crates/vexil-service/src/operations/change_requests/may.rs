//! What somebody may do with a change request now, and what keeps them from it: found out by trying.

use serde_json::{Map, Value};
use time::OffsetDateTime;
use vexil_change_request::{ChangeRequest, State, Transition};
use vexil_domain::Actor;

use super::applying::demand_applicable;
use crate::operations::Error;
use crate::operations::authority::{Authority, with_demand};
use crate::operations::signed_effects::effect_of;
use crate::serving_state::ServingState;

/// Whether somebody may approve and apply a request, with the reasons if not, and how many approvals of an open one
/// count and are needed by the rules, the people and the effect of now, as its document says it.
pub fn shown(
    serving: &ServingState,
    actor: &Actor,
    request: &ChangeRequest,
    now: OffsetDateTime,
) -> Map<String, Value> {
    let mut shown = Map::new();
    if request.state.is_open() {
        let effect = effect_of(serving, request, &serving.snapshot, now);
        let authority = Authority::new(serving, now);
        with_demand(authority, request, &effect, &serving.snapshot, |demand| {
            let counted = request.approvals_that_count(demand).count();
            shown.insert("approvalsCounted".to_owned(), counted.into());
            shown.insert(
                "approvalsNeeded".to_owned(),
                request.needed_approvals(demand).into(),
            );
        });
    }
    for (state, may, because) in [
        (State::Approved, "mayApprove", "mayNotApproveBecause"),
        (State::Applied, "mayApply", "mayNotApplyBecause"),
    ] {
        let hindrance = attempt(serving, actor, request, state, now).err();
        shown.insert(may.to_owned(), hindrance.is_none().into());
        if let Some(hindrance) = hindrance {
            shown.insert(because.to_owned(), hindrance.to_string().into());
        }
    }
    shown
}

/// Moves a request to a state, and keeps nothing of it.
fn attempt(
    serving: &ServingState,
    actor: &Actor,
    request: &ChangeRequest,
    state: State,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let snapshot = &serving.snapshot;
    let effect = effect_of(serving, request, snapshot, now);
    let authority = Authority::new(serving, now);
    let caller = authority.caller(actor, request, &effect, snapshot);
    let Some(transition) = Transition::to_state(state, None)? else {
        return Ok(());
    };
    with_demand(authority, request, &effect, snapshot, |demand| {
        request.transition(transition, &caller, demand, now)
    })?;
    if state == State::Applied {
        demand_applicable(request, &effect)?;
    }
    Ok(())
}
