//! Random walks of a change request, and what must hold all along.

use std::collections::BTreeSet;

use proptest::collection::vec;
use proptest::prelude::*;
use time::{Duration, OffsetDateTime};
use vexil_change_request::*;
use vexil_domain::{Actor, ActorId};

use crate::people::{caller, demand, in_state};
use crate::world::*;

const AUTHOR: ActorId = ActorId(1);

#[derive(Debug, Clone)]
enum Move {
    Go(Transition),
    Add,
    Edit(usize),
    Discard(usize),
    Rename,
    Comment,
    Due,
    Fail,
    Suspend,
    FallBack,
}

fn arb_caller() -> impl Strategy<Value = Caller> {
    let parts = (1..=5_i64, prop::bool::weighted(0.2), any::<bool>(), any::<bool>());
    parts.prop_map(|(id, admin, approve, apply)| Caller {
        actor: actor(id),
        admin,
        permissions: Permissions { approve, apply },
    })
}

fn arb_move() -> impl Strategy<Value = Move> {
    prop_oneof![
        4 => Just(Move::Go(Transition::InReview)),
        8 => Just(Move::Go(Transition::Approved)),
        2 => Just(Move::Go(Transition::Applied)),
        1 => Just(Move::Go(Transition::Rejected)),
        1 => Just(Move::Go(Transition::Cancelled)),
        3 => (0..1000_i64).prop_map(|second| Move::Go(Transition::Scheduled { at: NOW + Duration::seconds(second) })),
        2 => Just(Move::Add),
        1 => (0..4_usize).prop_map(Move::Edit),
        1 => (0..4_usize).prop_map(Move::Discard),
        1 => Just(Move::Rename),
        1 => Just(Move::Comment),
        2 => Just(Move::Due),
        1 => Just(Move::Fail),
        1 => Just(Move::Suspend),
        2 => Just(Move::FallBack),
    ]
}

struct Walk {
    request: ChangeRequest,
    last_edit: OffsetDateTime,
    applied: usize,
    next_change: i64,
}

impl Walk {
    fn take(
        &mut self,
        turn: &Move,
        who: &Caller,
        demand: &Demand<'_>,
        now: OffsetDateTime,
    ) -> Result<Step, StepError> {
        let request = &self.request;
        let place = |place: &usize| {
            let planned = request.changes.get(*place);
            planned.map_or(ChangeId(-1), |planned| planned.id)
        };
        let new = PlannedChange {
            id: ChangeId(self.next_change),
            ..planned(&sample(), vec![("banner", off())]).remove(0)
        };
        self.next_change += 1;
        match turn {
            Move::Go(transition) => request.transition(*transition, who, demand, now),
            Move::Add => request.add_changes(vec![new], who, now),
            Move::Edit(at) => request.edit_change(place(at), new, who, now),
            Move::Discard(at) => request.discard_change(place(at), who, now),
            Move::Rename => request.rename(&format!("title {}", self.next_change), who, now),
            Move::Comment => request.comment(CommentId(1), "hm", who, now),
            Move::Due => request.apply_scheduled(&caller("applier"), demand, now),
            Move::Fail => request.fail_scheduled("no", now),
            Move::Suspend => request.suspend("edited"),
            Move::FallBack => request
                .fall_back(demand, &who.actor, now)
                .ok_or(StepError::NotDue),
        }
    }

    fn check(&self, admins: &BTreeSet<(i64, i64)>) -> Result<(), TestCaseError> {
        let request = &self.request;
        prop_assert_eq!(request.schedule.is_some(), request.state == State::Scheduled);
        prop_assert!(request.state_timestamps.contains_key(&request.state));
        prop_assert!(self.applied <= 1);
        prop_assert_eq!(self.applied == 1, request.state == State::Applied);
        prop_assert_eq!(request.rejections.is_empty(), request.state != State::Rejected);
        let approvers: BTreeSet<ActorId> = request.approvals.iter().map(|one| one.created_by.id).collect();
        prop_assert_eq!(approvers.len(), request.approvals.len());
        for approval in &request.approvals {
            prop_assert!(
                approval.created_at > self.last_edit,
                "an approval outlived an edit"
            );
            let second = (approval.created_at - NOW).whole_seconds();
            let own = approval.created_by.id == AUTHOR;
            prop_assert!(!own || admins.contains(&(AUTHOR.0, second)));
        }
        let needed = usize::try_from(request.min_approvals).unwrap();
        match request.state {
            State::Draft => prop_assert!(request.approvals.is_empty()),
            State::InReview => prop_assert!(request.approvals.len() < needed),
            State::Approved | State::Scheduled | State::Applied => {
                prop_assert_eq!(request.approvals.len(), needed);
                prop_assert!(!request.changes.is_empty());
            }
            State::Rejected | State::Cancelled => {}
        }
        let ids: BTreeSet<ChangeId> = request.changes.iter().map(|planned| planned.id).collect();
        prop_assert_eq!(ids.len(), request.changes.len());
        Ok(())
    }
}

fn is_edit(turn: &Move) -> bool {
    matches!(turn, Move::Add | Move::Edit(_) | Move::Discard(_))
}

proptest! {
    #[test]
    fn a_random_walk_keeps_the_promises(
        min_approvals in 1..=3_u32,
        turns in vec((arb_move(), arb_caller()), 1..60),
    ) {
        let opening = Opening {
            id: ChangeRequestId(7),
            project: "shop".into(),
            environment: "production".into(),
            min_approvals,
        };
        let author = Caller { actor: actor(AUTHOR.0), admin: false, permissions: Permissions::default() };
        let first = planned(&sample(), vec![("banner", off())]);
        let request = ChangeRequest::open(opening, first, &author, NOW).unwrap().request;
        let mut walk = Walk { request, last_edit: NOW, applied: 0, next_change: 100 };
        let mut admins = BTreeSet::new();
        for ((turn, who), second) in turns.iter().zip(1..) {
            let now = NOW + Duration::seconds(second);
            if who.admin {
                admins.insert((who.actor.id.0, second));
            }
            let before = walk.request.clone();
            let Ok(step) = walk.take(turn, who, &demand(), now) else { continue };
            prop_assert!(before.state.is_open() || matches!(turn, Move::Comment), "closed means closed");
            let asked_again = before.state == State::Scheduled && step.request.state == State::InReview;
            if is_edit(turn) || asked_again {
                walk.last_edit = now;
            } else {
                let kept = step.request.approvals.get(..before.approvals.len());
                prop_assert_eq!(kept, Some(before.approvals.as_slice()), "an approval was lost");
                prop_assert_eq!(&step.request.changes, &before.changes);
            }
            walk.applied += step.events.iter().filter(|event| event.kind == EventKind::Applied).count();
            prop_assert_eq!(step.request.min_approvals, before.min_approvals);
            prop_assert_eq!(&step.request.created_by, &before.created_by);
            walk.request = step.request;
            walk.check(&admins)?;
        }
    }

    #[test]
    fn an_approval_that_goes_is_told_with_the_reason(
        turns in vec((arb_move(), arb_caller(), any::<bool>(), 0..=3_u32, 1..=5_i64), 1..60),
    ) {
        let effects = ["1:one", "1:other"].map(|digest| SignedEffect::of(EffectDigest::from_stored(digest.to_owned())));
        let mut request = in_state(State::InReview);
        request.min_approvals = 2;
        let mut walk = Walk { request, last_edit: NOW, applied: 0, next_change: 100 };
        for ((turn, who, other, required_approvals, gone), second) in turns.iter().zip(1..) {
            let now = NOW + Duration::seconds(second);
            let may_approve = |actor: &Actor| actor.id.0 != *gone;
            let demand = Demand {
                effect: &effects[usize::from(*other)],
                tolerates_change: false,
                required_approvals: *required_approvals,
                may_approve: &may_approve,
            };
            let before = walk.request.clone();
            let Ok(step) = walk.take(turn, who, &demand, now) else { continue };
            let after = step.request;
            let lost: Vec<&Approval> = before.approvals.iter().filter(|one| !after.approvals.contains(one)).collect();
            let fell = matches!(before.state, State::Approved | State::Scheduled) && after.state == State::InReview;
            if lost.is_empty() && !fell {
                prop_assert_eq!(&after.setback, &before.setback, "it stays");
            } else {
                let setback = after.setback.as_ref().unwrap();
                prop_assert_eq!((setback.at, &setback.by), (now, &who.actor));
                prop_assert_eq!(setback.approvals.iter().collect::<Vec<_>>(), lost);
                prop_assert!(!setback.reason.is_empty());
            }
            walk.request = after;
        }
    }
}
