//! People, and a change request in each state.

use std::sync::LazyLock;

use time::Duration;
use vexil_change_request::*;

use crate::world::*;

pub(crate) const AUTHOR: i64 = 1;

/// Everybody who may try, in the order of the tables' columns.
pub(crate) const PEOPLE: [&str; 6] = ["author", "approver", "applier", "admin", "owner", "stranger"];

/// `owner` is the author with both permissions.
pub(crate) fn caller(name: &str) -> Caller {
    let (id, admin, approve, apply) = match name {
        "author" => (AUTHOR, false, false, false),
        "approver" => (2, false, true, false),
        "applier" => (3, false, false, true),
        "admin" => (4, true, false, false),
        "owner" => (AUTHOR, false, true, true),
        "author-admin" => (AUTHOR, true, false, false),
        _ => (5, false, false, false),
    };
    Caller {
        actor: actor(id),
        admin,
        permissions: Permissions { approve, apply },
    }
}

pub(crate) fn approver(id: i64) -> Caller {
    Caller {
        actor: actor(id),
        ..caller("approver")
    }
}

pub(crate) fn changes() -> Vec<PlannedChange> {
    planned(&sample(), vec![("banner", off()), ("payments", on())])
}

pub(crate) fn draft(min_approvals: u32) -> ChangeRequest {
    let opening = Opening {
        id: ChangeRequestId(7),
        project: "shop".into(),
        environment: "production".into(),
        min_approvals,
    };
    ChangeRequest::open(opening, changes(), &caller("author"), NOW)
        .unwrap()
        .request
}

/// Approvals of this effect count, whoever gave them, and no more are asked for than were.
pub(crate) fn demand() -> Demand<'static> {
    static EFFECT: LazyLock<SignedEffect> =
        LazyLock::new(|| SignedEffect::of(EffectDigest::from_stored("1:effect".to_owned())));
    Demand {
        effect: &EFFECT,
        tolerates_change: false,
        required_approvals: 0,
        may_approve: &|_| true,
    }
}

pub(crate) fn to(request: &ChangeRequest, transition: Transition, who: &str) -> ChangeRequest {
    let step = request.transition(transition, &caller(who), &demand(), NOW);
    step.unwrap().request
}

pub(crate) fn tomorrow() -> Transition {
    Transition::Scheduled {
        at: NOW + Duration::DAY,
    }
}

pub(crate) fn in_state(state: State) -> ChangeRequest {
    let draft = draft(1);
    if state == State::Draft {
        return draft;
    }
    let review = to(&draft, Transition::InReview, "author");
    let approved = to(&review, Transition::Approved, "approver");
    match state {
        State::Approved => approved,
        State::Scheduled => to(&approved, tomorrow(), "applier"),
        State::Applied => to(&approved, Transition::Applied, "applier"),
        State::Rejected => to(&review, Transition::Rejected, "approver"),
        State::Cancelled => to(&review, Transition::Cancelled, "author"),
        _ => review,
    }
}

pub(crate) fn all_transitions() -> [Transition; 6] {
    [
        Transition::InReview,
        Transition::Approved,
        Transition::Applied,
        Transition::Rejected,
        Transition::Cancelled,
        tomorrow(),
    ]
}
