//! What people say of a change request: its title, who is asked to review it, comments, and that it is dropped.

use vexil_access::{Permission, Place};
use vexil_change_request::{ChangeRequest, ChangeRequestId, CommentId, Step, StepError};
use vexil_client_api::json::Problems;
use vexil_domain::{Actor, ActorId, EnvironmentName, ProjectId};
use vexil_store::{ChangeRequestFilter, TokenKind, User};

use super::access::{Identity, find_environment, find_request};
use super::events::{record, take};
use crate::operations::Error;
use crate::principal::{token_actor, user_actor};
use crate::serving_state::ServingState;
use crate::transaction::Transaction;

/// Gives a change request a title.
pub fn rename(
    tx: &mut Transaction<'_>,
    who: &Identity,
    project: &ProjectId,
    id: ChangeRequestId,
    title: &str,
) -> Result<(), Error> {
    let request = find_request(tx, project, id)?;
    let step = request.rename(title, &who.caller_for(&request), tx.now);
    take_step(tx, step)
}

/// Adds a comment.
pub fn comment(
    tx: &mut Transaction<'_>,
    who: &Identity,
    project: &ProjectId,
    id: ChangeRequestId,
    text: &str,
) -> Result<(), Error> {
    let request = find_request(tx, project, id)?;
    let comment = CommentId(tx.counters.comment);
    tx.counters.comment += 1;
    let step = request.comment(comment, text, &who.caller_for(&request), tx.now);
    take_step(tx, step)
}

/// Asks these people to review a change request, and nobody else.
pub fn request_reviewers(
    tx: &mut Transaction<'_>,
    who: &Identity,
    project: &ProjectId,
    id: ChangeRequestId,
    reviewers: &[ActorId],
) -> Result<(), Error> {
    let request = find_request(tx, project, id)?;
    let known = possible_reviewers(tx.serving(), &request.project, &request.environment);
    let mut problems = Problems::new();
    for (place, reviewer) in reviewers.iter().enumerate() {
        if !known.iter().any(|actor| actor.id == *reviewer) {
            let path = format!("/body/reviewers/{place}");
            problems.add(
                &path,
                format!(
                    "The `{path}` property must be the id of somebody who may approve changes in environment \"{}\" of project \"{}\". You sent {}.",
                    request.environment, request.project, reviewer.0
                ),
            );
        }
    }
    problems.finish(Some(()))?;
    let step = request.request_reviewers(reviewers, &who.caller_for(&request));
    take_step(tx, step)
}

/// Throws a draft away.
pub fn discard(
    tx: &mut Transaction<'_>,
    who: &Identity,
    project: &ProjectId,
    id: ChangeRequestId,
) -> Result<(), Error> {
    let request = find_request(tx, project, id)?;
    let events = request.discard(&who.caller_for(&request));
    let events = events?;
    record(tx, &request, &events)?;
    tx.remove_change_request(id);
    Ok(())
}

/// Who is asked to review a change request. Those who are gone are left out.
pub fn requested_reviewers(serving: &ServingState, request: &ChangeRequest) -> Vec<Actor> {
    let known = possible_reviewers(serving, &request.project, &request.environment);
    let find = |id: &ActorId| known.iter().find(|actor| actor.id == *id).cloned();
    request.requested_reviewers.iter().filter_map(find).collect()
}

/// Who may be asked to review changes in an environment of a project.
pub fn available_reviewers(
    serving: &ServingState,
    project: &ProjectId,
    environment: &EnvironmentName,
) -> Result<Vec<Actor>, Error> {
    find_environment(&serving.snapshot, project, environment)?;
    Ok(possible_reviewers(serving, project, environment))
}

/// Everybody who may approve changes in an environment of a project: users by id, then tokens.
fn possible_reviewers(
    serving: &ServingState,
    project: &ProjectId,
    environment: &EnvironmentName,
) -> Vec<Actor> {
    let here = |token: &vexil_store::ApiToken| {
        token.kind == TokenKind::Admin
            && (token.projects.is_empty() || token.projects.contains(project))
            && token.environment.as_ref().is_none_or(|only| only == environment)
    };
    let tokens = serving.tokens.values().filter(|token| here(token));
    let mut actors: Vec<Actor> = tokens.map(|token| token_actor(token)).collect();
    actors.sort_by_key(|actor| std::cmp::Reverse(actor.id));
    let may_approve = |user: &User| {
        let approve = Permission::ApproveChangeRequest;
        let rights = serving.access.directory.rights(user.holder());
        rights.may(approve, Place::Environment(project, environment))
    };
    let users = serving.users.iter().filter(|user| may_approve(user));
    users.map(|user| user_actor(user)).chain(actors).collect()
}

/// Withdraws the open requests that a filter finds, because what they are for goes.
pub fn withdraw_all(
    tx: &mut Transaction<'_>,
    filter: &ChangeRequestFilter,
    reason: &str,
) -> Result<(), Error> {
    for request in tx.change_requests(filter)?.items {
        if let Some(step) = request.cancelled_because(reason, &tx.actor, tx.now) {
            take(tx, step)?;
        }
    }
    Ok(())
}

fn take_step(tx: &mut Transaction<'_>, step: Result<Step, StepError>) -> Result<(), Error> {
    take(tx, step?).map(drop)
}
