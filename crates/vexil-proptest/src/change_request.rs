//! Change requests in every state, as their steps leave them.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::{BoxedStrategy, Strategy};
use proptest::sample::select;
use time::{Duration, OffsetDateTime};
use vexil_change_request::{
    Caller, ChangeRequest, ChangeRequestId, CommentId, Demand, EffectDigest, Opening, Permissions,
    PlannedChange, Scope, SignedEffect, State, Step, StepError, Transition,
};
use vexil_domain::{Actor, ActorId, Snapshot};

use crate::change::arb_planned_changes;

/// How a schedule stands.
#[derive(Debug, Clone, Copy)]
enum Standing {
    Pending,
    Failed,
    Suspended,
}

#[derive(Debug, Clone)]
struct Story {
    opening: Opening,
    changes: Vec<PlannedChange>,
    title: String,
    comments: Vec<String>,
    reviewers: Vec<i64>,
    state: State,
    standing: Standing,
}

/// A change request in any state with changes aimed at `snapshot`, of the scope's project and
/// environment. Its author is the actor 1; actors from 2 on approved it.
pub fn arb_change_request(snapshot: &Snapshot, scope: &Scope) -> BoxedStrategy<ChangeRequest> {
    let (project, environment) = (scope.project.clone(), scope.environment.clone());
    let parts = (
        1..1000_i64,
        1..=3_u32,
        arb_planned_changes(snapshot, scope, 1..=5),
        option::of("\\PC{0,40}"),
        vec("\\PC{0,40}", 0..3),
        vec(1..20_i64, 0..4),
        select(State::ALL),
        select(vec![Standing::Pending, Standing::Failed, Standing::Suspended]),
    );
    parts
        .prop_filter_map(
            "a story that cannot be told",
            move |(id, min_approvals, changes, title, comments, reviewers, state, standing)| {
                let opening = Opening {
                    id: ChangeRequestId(id),
                    project: project.clone(),
                    environment: environment.clone(),
                    min_approvals,
                };
                let story = Story {
                    opening,
                    changes,
                    title: title.unwrap_or_default(),
                    comments,
                    reviewers,
                    state,
                    standing,
                };
                story.tell().ok()
            },
        )
        .boxed()
}

impl Story {
    fn tell(self) -> Result<ChangeRequest, StepError> {
        let author = caller(1, true);
        let mut request = ChangeRequest::open(self.opening, self.changes, &author, at(0))?.request;
        request = request.rename(&self.title, &author, at(0))?.request;
        let reviewers: Vec<ActorId> = self.reviewers.into_iter().map(ActorId).collect();
        request = request.request_reviewers(&reviewers, &author)?.request;
        for (id, text) in (1..).zip(&self.comments) {
            if !text.trim().is_empty() {
                request = request.comment(CommentId(id), text, &author, at(id))?.request;
            }
        }
        let mut request = bring_to(request, self.state)?;
        if request.state == State::Scheduled {
            request = match self.standing {
                Standing::Pending => request,
                Standing::Failed => request.fail_scheduled("it could not be", at(3000))?.request,
                Standing::Suspended => request.suspend("it was edited")?.request,
            };
        }
        Ok(request)
    }
}

fn bring_to(request: ChangeRequest, state: State) -> Result<ChangeRequest, StepError> {
    if state == State::Draft {
        return Ok(request);
    }
    let author = caller(1, true);
    let effect = SignedEffect::of(EffectDigest::from_stored("1:of-nothing".to_owned()));
    let demand = Demand {
        effect: &effect,
        tolerates_change: false,
        required_approvals: 0,
        may_approve: &|_| true,
    };
    let mut request = request
        .transition(Transition::InReview, &author, &demand, at(100))?
        .request;
    let approvals = match state {
        State::InReview => request.min_approvals - 1,
        State::Rejected | State::Cancelled => 0,
        _ => request.min_approvals,
    };
    for approver in 2..2 + i64::from(approvals) {
        let step = request.transition(
            Transition::Approved,
            &caller(approver, false),
            &demand,
            at(100 + approver),
        );
        request = step?.request;
    }
    let last = match state {
        State::Applied => Transition::Applied,
        State::Rejected => Transition::Rejected,
        State::Cancelled => Transition::Cancelled,
        State::Scheduled => Transition::Scheduled { at: at(2000) },
        _ => return Ok(request),
    };
    let Step { request, .. } = request.transition(last, &author, &demand, at(1000))?;
    Ok(request)
}

fn at(second: i64) -> OffsetDateTime {
    OffsetDateTime::UNIX_EPOCH + Duration::seconds(second)
}

fn caller(id: i64, admin: bool) -> Caller {
    Caller {
        actor: Actor {
            id: ActorId(id),
            name: format!("person-{id}"),
        },
        admin,
        permissions: Permissions {
            approve: true,
            apply: true,
        },
    }
}
