//! Schedules, and what comes of them.

use time::Duration;
use vexil_change_request::*;

use crate::people::*;
use crate::world::*;

#[test]
fn a_schedule_lies_in_the_future_and_stands_only_while_scheduled() {
    let approved = in_state(State::Approved);
    let past = Transition::Scheduled { at: NOW };
    let refused = approved
        .transition(past, &caller("applier"), &demand(), NOW)
        .unwrap_err();
    assert_eq!(refused, StepError::ScheduleInPast { at: NOW });
    assert_eq!(
        refused.to_string(),
        "a change request can only be scheduled for the future, not for 2026-03-01T12:00:00Z"
    );
    let scheduled = in_state(State::Scheduled);
    let schedule = scheduled.schedule.as_ref().unwrap();
    assert_eq!(schedule.status, ScheduleStatus::Pending);
    assert_eq!(schedule.scheduled_by, actor(3));
    for end in [Transition::Applied, Transition::Rejected] {
        assert_eq!(to(&scheduled, end, "applier").schedule, None);
    }
}

#[test]
fn what_is_due_is_applied_once_in_the_name_of_who_scheduled_it() {
    let scheduled = in_state(State::Scheduled);
    let due = NOW + Duration::DAY;
    assert_eq!(
        scheduled.apply_scheduled(&caller("applier"), &demand(), due - Duration::SECOND),
        Err(StepError::NotDue)
    );
    let applied = scheduled
        .apply_scheduled(&caller("applier"), &demand(), due)
        .unwrap();
    assert_eq!(applied.request.state, State::Applied);
    let kinds: Vec<EventKind> = applied.events.iter().map(|event| event.kind).collect();
    assert_eq!(
        kinds,
        [EventKind::ScheduledApplicationSuccess, EventKind::Applied]
    );
    assert!(applied.events.iter().all(|event| event.by == actor(3)));
    assert_eq!(
        applied
            .request
            .apply_scheduled(&caller("applier"), &demand(), due),
        Err(StepError::NotDue)
    );
}

#[test]
fn a_failed_schedule_waits_for_somebody_and_a_suspended_one_cannot_be_applied() {
    let scheduled = in_state(State::Scheduled);
    let due = NOW + Duration::DAY;
    assert_eq!(scheduled.fail_scheduled("no", NOW), Err(StepError::NotDue));
    let failed = scheduled.fail_scheduled("no strategy", due).unwrap();
    assert_eq!(failed.events[0].kind, EventKind::ScheduledApplicationFailure);
    assert_eq!(failed.events[0].reason.as_deref(), Some("no strategy"));
    let suspended = scheduled.suspend("edited").unwrap();
    assert_eq!(suspended.events[0].kind, EventKind::ScheduleSuspended);
    for waiting in [&failed.request, &suspended.request] {
        assert_eq!(waiting.state, State::Scheduled);
        assert_eq!(
            waiting.apply_scheduled(&caller("applier"), &demand(), due),
            Err(StepError::NotDue)
        );
        assert_eq!(waiting.suspend("again"), Err(StepError::NotDue));
        let again = to(waiting, tomorrow(), "applier");
        assert_eq!(again.schedule.unwrap().status, ScheduleStatus::Pending);
        assert_eq!(
            to(waiting, Transition::Rejected, "applier").state,
            State::Rejected
        );
    }
    assert_eq!(
        to(&failed.request, Transition::Applied, "applier").state,
        State::Applied
    );
    let refused = suspended
        .request
        .transition(Transition::Applied, &caller("admin"), &demand(), NOW);
    assert_eq!(refused.unwrap_err().code(), "suspended");
}
