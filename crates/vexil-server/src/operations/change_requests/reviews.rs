//! What people say of a change request: its title, who is asked to review it, comments, and that it is dropped.

use vexil_change_request::{ChangeRequest, ChangeRequestId, CommentId, Refusal, Step};
use vexil_domain::{Actor, ActorId, EnvironmentName, ProjectId};
use vexil_store::{Permission, RootRole, TokenKind, User};
use vexil_wire::json::Problems;

use super::access::{Identity, find_environment, find_request};
use super::events::{record, take};
use super::refusals::refused;
use crate::auth::token_actor;
use crate::edit::Draft;
use crate::error::ApiError;
use crate::users::user_actor;
use crate::world::World;

/// Gives a change request a title.
pub(crate) fn rename(
    draft: &mut Draft<'_>,
    who: &Identity,
    project: &ProjectId,
    id: ChangeRequestId,
    title: &str,
) -> Result<(), ApiError> {
    let request = find_request(draft, project, id)?;
    let step = request.rename(title, &who.caller_for(&request));
    take_step(draft, step)
}

/// Adds a comment.
pub(crate) fn comment(
    draft: &mut Draft<'_>,
    who: &Identity,
    project: &ProjectId,
    id: ChangeRequestId,
    text: &str,
) -> Result<(), ApiError> {
    let request = find_request(draft, project, id)?;
    let comment = CommentId(draft.counters.comment);
    draft.counters.comment += 1;
    let step = request.comment(comment, text, &who.caller_for(&request), draft.now);
    take_step(draft, step)
}

/// Asks these people to review a change request, and nobody else.
pub(crate) fn request_reviewers(
    draft: &mut Draft<'_>,
    who: &Identity,
    project: &ProjectId,
    id: ChangeRequestId,
    reviewers: &[ActorId],
) -> Result<(), ApiError> {
    let request = find_request(draft, project, id)?;
    let known = possible_reviewers(draft.world(), &request.project, &request.environment);
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
    problems.finish(Some(())).map_err(ApiError::invalid)?;
    let step = request.request_reviewers(reviewers, &who.caller_for(&request));
    take_step(draft, step)
}

/// Throws a draft away.
pub(crate) fn discard(
    draft: &mut Draft<'_>,
    who: &Identity,
    project: &ProjectId,
    id: ChangeRequestId,
) -> Result<(), ApiError> {
    let request = find_request(draft, project, id)?;
    let events = request.discard(&who.caller_for(&request));
    let events = events.map_err(|refusal| refused(&refusal))?;
    record(draft, &request, &events)?;
    draft.remove_change_request(id);
    Ok(())
}

/// Who is asked to review a change request. Those who are gone are left out.
pub(crate) fn requested_reviewers(world: &World, request: &ChangeRequest) -> Vec<Actor> {
    let known = possible_reviewers(world, &request.project, &request.environment);
    let find = |id: &ActorId| known.iter().find(|actor| actor.id == *id).cloned();
    request.requested_reviewers.iter().filter_map(find).collect()
}

/// Who may be asked to review changes in an environment of a project.
pub(crate) fn available_reviewers(
    world: &World,
    project: &ProjectId,
    environment: &EnvironmentName,
) -> Result<Vec<Actor>, ApiError> {
    find_environment(&world.snapshot, project, environment)?;
    Ok(possible_reviewers(world, project, environment))
}

/// Everybody who may approve changes in an environment of a project: users by id, then tokens.
fn possible_reviewers(world: &World, project: &ProjectId, environment: &EnvironmentName) -> Vec<Actor> {
    let here = |token: &vexil_store::ApiToken| {
        token.kind == TokenKind::Admin
            && (token.projects.is_empty() || token.projects.contains(project))
            && token.environment.as_ref().is_none_or(|only| only == environment)
    };
    let tokens = world.tokens.values().filter(|token| here(token));
    let mut actors: Vec<Actor> = tokens.map(|token| token_actor(token)).collect();
    actors.sort_by_key(|actor| std::cmp::Reverse(actor.id));
    let may_approve = |user: &User| {
        let approve = Permission::ApproveChangeRequest;
        user.root_role == RootRole::Admin || user.is_granted(approve, project, Some(environment))
    };
    let users = world.users.iter().filter(|user| may_approve(user));
    users.map(|user| user_actor(user)).chain(actors).collect()
}

fn take_step(draft: &mut Draft<'_>, step: Result<Step, Refusal>) -> Result<(), ApiError> {
    take(draft, step.map_err(|refusal| refused(&refusal))?).map(drop)
}
