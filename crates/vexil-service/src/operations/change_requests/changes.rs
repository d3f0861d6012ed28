//! Adding changes to the caller's pending change request, editing them, taking them out.

use time::OffsetDateTime;
use vexil_admin_api::change_requests::Proposal;
use vexil_admin_api::error::ErrorDetail;
use vexil_change_request::{
    ChangeId, ChangeProblem, ChangeRequest, ChangeRequestId, ErrorKind, Opening, Outcome, PlannedChange,
    ProblemCode, Scope, State, Step, before, overlay, required_approvals,
};
use vexil_client_api::json::Problem;
use vexil_domain::{Actor, EnvironmentName, ProjectId, Snapshot};
use vexil_store::ChangeRequestFilter;

use super::access::{Identity, find_environment, find_project, find_request};
use super::events::take;
use crate::operations::{Error, legal_values};
use crate::transaction::Transaction;

/// Adds changes to the caller's pending request in this place, which is opened if there is none.
pub fn add_changes(
    tx: &mut Transaction<'_>,
    who: &Identity,
    project: &ProjectId,
    environment: &EnvironmentName,
    proposals: &[Proposal],
) -> Result<ChangeRequest, Error> {
    find_environment(&tx.snapshot, project, environment)?;
    let min_approvals = required_approvals(find_project(&tx.snapshot, project)?, environment);
    let caller = who.caller(project, environment);
    let step = match pending(tx, who, project, environment)? {
        Some(request) => {
            let planned = plan(tx, &request.scope(tx.now), proposals);
            request.add_changes(planned, &caller, tx.now)?
        }
        None => {
            let id = ChangeRequestId(tx.counters.change_request);
            tx.counters.change_request += 1;
            let opening = Opening {
                id,
                project: project.clone(),
                environment: environment.clone(),
                min_approvals,
            };
            let scope = Scope {
                project: project.clone(),
                environment: environment.clone(),
                request: Some(id),
                now: tx.now,
            };
            let planned = plan(tx, &scope, proposals);
            ChangeRequest::open(opening, planned, &caller, tx.now)?
        }
    };
    accept(tx, step, proposals)
}

/// What proposals would make of a configuration, without a request: nothing is kept of it.
///
/// # Errors
///
/// Every problem of a proposal that stands in the way, with its place.
pub fn propose(
    snapshot: &Snapshot,
    scope: &Scope,
    actor: &Actor,
    proposals: &[Proposal],
) -> Result<Outcome, Error> {
    find_environment(snapshot, &scope.project, &scope.environment)?;
    let planned = planned(0, actor, scope.now, proposals);
    let outcome = overlay(snapshot, scope, &planned);
    match error_of(problems(&outcome, proposals, 0, |_| true)) {
        Some(error) => Err(error),
        None => Ok(outcome),
    }
}

/// Makes what proposals say at once, without a request: all of it, or nothing.
///
/// # Errors
///
/// Every problem of a proposal that stands in the way, with its place.
pub(crate) fn make_at_once(
    tx: &mut Transaction<'_>,
    project: &ProjectId,
    environment: &EnvironmentName,
    proposals: &[Proposal],
) -> Result<(), Error> {
    let scope = Scope {
        project: project.clone(),
        environment: environment.clone(),
        request: None,
        now: tx.now,
    };
    let first = tx.counters.change;
    let planned = planned(first, &tx.actor, tx.now, proposals);
    let outcome = overlay(&tx.snapshot, &scope, &planned);
    if let Some(error) = error_of(problems(&outcome, proposals, first, |_| true)) {
        return Err(error);
    }
    tx.counters.change += i64::try_from(planned.len()).unwrap_or(0);
    tx.snapshot = outcome.proposed;
    Ok(())
}

/// The proposals as changes that are numbered from `first` and have not looked at what is there.
fn planned(first: i64, actor: &Actor, now: OffsetDateTime, proposals: &[Proposal]) -> Vec<PlannedChange> {
    let planned = (first..).zip(proposals).map(|(id, proposal)| PlannedChange {
        id: ChangeId(id),
        flag: proposal.flag.clone(),
        change: proposal.change.clone(),
        before: None,
        created_by: actor.clone(),
        created_at: now,
    });
    planned.collect()
}

/// Replaces a change, which gets a new id.
pub fn edit_change(
    tx: &mut Transaction<'_>,
    who: &Identity,
    project: &ProjectId,
    id: ChangeRequestId,
    change: ChangeId,
    proposal: &Proposal,
) -> Result<ChangeRequest, Error> {
    let request = find_request(tx, project, id)?;
    let proposals = std::slice::from_ref(proposal);
    let Some(planned) = plan(tx, &request.scope(tx.now), proposals).pop() else {
        return Err(no_change(id, change));
    };
    let caller = who.caller_for(&request);
    let step = request.edit_change(change, planned, &caller, tx.now);
    accept(tx, step?, proposals)
}

/// Takes a change out.
pub fn discard_change(
    tx: &mut Transaction<'_>,
    who: &Identity,
    project: &ProjectId,
    id: ChangeRequestId,
    change: ChangeId,
) -> Result<ChangeRequest, Error> {
    let request = find_request(tx, project, id)?;
    let caller = who.caller_for(&request);
    let step = request.discard_change(change, &caller, tx.now);
    take(tx, step?)
}

fn no_change(request: ChangeRequestId, change: impl std::fmt::Display) -> Error {
    Error::NotFound(format!(
        "There is no change with the id {change} in change request {request}."
    ))
}

/// The caller's pending request in this place.
fn pending(
    tx: &Transaction<'_>,
    who: &Identity,
    project: &ProjectId,
    environment: &EnvironmentName,
) -> Result<Option<ChangeRequest>, Error> {
    let filter = ChangeRequestFilter {
        project: Some(project.clone()),
        environment: Some(environment.clone()),
        states: State::ALL
            .iter()
            .copied()
            .filter(|state| state.is_pending())
            .collect(),
        created_by: Some(who.actor.id),
        limit: Some(1),
        ..ChangeRequestFilter::default()
    };
    Ok(tx.change_requests(&filter)?.items.into_iter().next())
}

/// The proposals as changes with ids, each with what it found.
fn plan(tx: &mut Transaction<'_>, scope: &Scope, proposals: &[Proposal]) -> Vec<PlannedChange> {
    let mut planned = Vec::with_capacity(proposals.len());
    for proposal in proposals {
        let id = ChangeId(tx.counters.change);
        tx.counters.change += 1;
        // a change is never older than its flag, also where the clocks of two nodes differ
        let flag = proposal
            .flag
            .as_ref()
            .and_then(|flag| tx.snapshot.flags.get(flag));
        planned.push(PlannedChange {
            id,
            flag: proposal.flag.clone(),
            change: proposal.change.clone(),
            before: before(&tx.snapshot, scope, proposal.flag.as_ref(), &proposal.change),
            created_by: tx.actor.clone(),
            created_at: flag.map_or(tx.now, |flag| flag.created_at.max(tx.now)),
        });
    }
    planned
}

/// Takes the step, unless one of the proposals that it brings in can never be applied. They have
/// the last ids that were given out.
fn accept(tx: &mut Transaction<'_>, step: Step, proposals: &[Proposal]) -> Result<ChangeRequest, Error> {
    let first = tx.counters.change - i64::try_from(proposals.len()).unwrap_or(i64::MAX);
    let effect = step.request.effect(&tx.snapshot, tx.now);
    let problems = problems(&effect.outcome, proposals, first, refuses_at_once);
    match error_of(problems) {
        Some(error) => return Err(error),
        None => {
            let delta = effect.outcome.proposed.since(&tx.snapshot);
            legal_values::check(&tx.snapshot, &delta, &tx.settings())?;
        }
    }
    take(tx, step.requiring(effect.required_approvals))
}

/// What stands in the way of proposals, whose changes are numbered from `first`, with the place of each problem.
fn problems(
    outcome: &Outcome,
    proposals: &[Proposal],
    first: i64,
    counts: impl Fn(ProblemCode) -> bool,
) -> Vec<(ErrorKind, Problem)> {
    let proposal_of = |problem: &ChangeProblem| {
        let place = usize::try_from(problem.change.0 - first).ok()?;
        proposals.get(place)
    };
    let blocks = outcome.blocks().filter(|block| counts(block.code));
    let problems = blocks.filter_map(|block| {
        let problem = Problem {
            path: format!("{}{}", proposal_of(block)?.path, block.path),
            message: block.message.clone(),
        };
        Some((block.code.kind(), problem))
    });
    problems.collect()
}

/// Whether a change is not even let into a request. What another change may still put right, and
/// what cannot be applied by this version, is let in and shown as a conflict.
fn refuses_at_once(code: ProblemCode) -> bool {
    match code {
        ProblemCode::ActionUnsupported => false,
        ProblemCode::DependencySelf => true,
        _ => matches!(code.kind(), ErrorKind::Invalid | ErrorKind::Missing),
    }
}

/// One answer for all problems: of their kind when they are of one kind, else 400.
fn error_of(problems: Vec<(ErrorKind, Problem)>) -> Option<Error> {
    let (kind, _) = problems.first()?;
    let kind = *kind;
    if kind != ErrorKind::Invalid && problems.iter().all(|(other, _)| *other == kind) {
        let messages: Vec<String> = problems.into_iter().map(|(_, problem)| problem.message).collect();
        return Some(Error::of_kind(kind, messages.join(" ")));
    }
    let problems: Vec<Problem> = problems.into_iter().map(|(_, problem)| problem).collect();
    match problems.as_slice() {
        [only] => Some(Error::Invalid {
            message: only.message.clone(),
            details: problems.into_iter().map(ErrorDetail::from).collect(),
        }),
        _ => Some(Error::from(problems)),
    }
}
