//! Every edge of the state machine and every refusal, for everybody who may try.

use time::Duration;
use vexil_change_request::*;
use vexil_domain::ActorId;

use crate::world::*;

const AUTHOR: i64 = 1;

/// Everybody who may try, in the order of the tables' columns.
const PEOPLE: [&str; 6] = ["author", "approver", "applier", "admin", "owner", "stranger"];

/// `owner` is the author with both permissions.
fn caller(name: &str) -> Caller {
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

fn approver(id: i64) -> Caller {
    Caller {
        actor: actor(id),
        ..caller("approver")
    }
}

fn changes() -> Vec<PlannedChange> {
    planned(&sample(), vec![("banner", off()), ("payments", on())])
}

fn draft(min_approvals: u32) -> ChangeRequest {
    let opening = Opening {
        id: ChangeRequestId(7),
        project: "shop".into(),
        environment: "production".into(),
        min_approvals,
    };
    ChangeRequest::open(opening, changes(), &caller("author"), NOW).request
}

fn to(request: &ChangeRequest, transition: Transition, who: &str) -> ChangeRequest {
    request.transition(transition, &caller(who), NOW).unwrap().request
}

fn tomorrow() -> Transition {
    Transition::Scheduled {
        at: NOW + Duration::DAY,
    }
}

fn in_state(state: State) -> ChangeRequest {
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

fn all_transitions() -> [Transition; 6] {
    [
        Transition::InReview,
        Transition::Approved,
        Transition::Applied,
        Transition::Rejected,
        Transition::Cancelled,
        tomorrow(),
    ]
}

/// One row for each edge; each column is `ok` or the code of the refusal. Every other pair of states
/// has no edge.
const EDGES: &[(State, State, [&str; 6])] = &[
    (
        State::Draft,
        State::InReview,
        ["ok", "not_author", "not_author", "not_author", "ok", "not_author"],
    ),
    (
        State::InReview,
        State::Approved,
        [
            "no_permission",
            "ok",
            "no_permission",
            "ok",
            "own_request",
            "no_permission",
        ],
    ),
    (
        State::InReview,
        State::Rejected,
        [
            "no_permission",
            "ok",
            "no_permission",
            "ok",
            "ok",
            "no_permission",
        ],
    ),
    (
        State::InReview,
        State::Cancelled,
        [
            "ok",
            "not_author_or_admin",
            "not_author_or_admin",
            "ok",
            "ok",
            "not_author_or_admin",
        ],
    ),
    (
        State::Approved,
        State::Applied,
        [
            "no_permission",
            "no_permission",
            "ok",
            "ok",
            "ok",
            "no_permission",
        ],
    ),
    (
        State::Approved,
        State::Scheduled,
        [
            "no_permission",
            "no_permission",
            "ok",
            "ok",
            "ok",
            "no_permission",
        ],
    ),
    (
        State::Approved,
        State::Rejected,
        ["no_permission", "ok", "ok", "ok", "ok", "no_permission"],
    ),
    (
        State::Approved,
        State::Cancelled,
        [
            "ok",
            "not_author_or_admin",
            "not_author_or_admin",
            "ok",
            "ok",
            "not_author_or_admin",
        ],
    ),
    (
        State::Scheduled,
        State::Applied,
        [
            "no_permission",
            "no_permission",
            "ok",
            "ok",
            "ok",
            "no_permission",
        ],
    ),
    (
        State::Scheduled,
        State::Scheduled,
        [
            "no_permission",
            "no_permission",
            "ok",
            "ok",
            "ok",
            "no_permission",
        ],
    ),
    (
        State::Scheduled,
        State::Rejected,
        ["ok", "no_permission", "ok", "ok", "ok", "no_permission"],
    ),
];

#[test]
fn every_pair_of_states_goes_or_is_refused_as_the_table_says() {
    for from in State::ALL {
        let request = in_state(*from);
        for transition in all_transitions() {
            let edge = EDGES
                .iter()
                .find(|(start, end, _)| start == from && *end == transition.state());
            for (column, name) in PEOPLE.iter().enumerate() {
                let expected = edge.map_or("no_way", |(_, _, people)| people[column]);
                let result = request.transition(transition, &caller(name), NOW);
                let code = result.as_ref().err().map_or("ok", Refusal::code);
                assert_eq!(code, expected, "{from} to {} by {name}", transition.state());
                if let Ok(step) = result {
                    assert_eq!(step.request.state, transition.state());
                    assert_eq!(step.request.state_timestamps[&transition.state()], NOW);
                    assert!(!step.events.is_empty());
                }
            }
        }
    }
}

#[test]
fn every_step_says_what_happened() {
    let kinds = |events: &[Event]| events.iter().map(|event| event.kind.name()).collect::<Vec<_>>();
    let cases = [
        (
            State::Draft,
            Transition::InReview,
            "author",
            vec!["change-request-sent-to-review"],
        ),
        (
            State::InReview,
            Transition::Approved,
            "approver",
            vec!["change-request-approval-added", "change-request-approved"],
        ),
        (
            State::InReview,
            Transition::Rejected,
            "approver",
            vec!["change-request-rejected"],
        ),
        (
            State::InReview,
            Transition::Cancelled,
            "author",
            vec!["change-request-cancelled"],
        ),
        (
            State::Approved,
            Transition::Applied,
            "applier",
            vec!["change-request-applied"],
        ),
        (
            State::Approved,
            tomorrow(),
            "applier",
            vec!["change-request-scheduled"],
        ),
    ];
    for (from, transition, who, expected) in cases {
        let step = in_state(from).transition(transition, &caller(who), NOW).unwrap();
        assert_eq!(kinds(&step.events), expected);
        assert!(step.events.iter().all(|event| event.by == caller(who).actor));
        assert!(
            step.events
                .iter()
                .all(|event| event.request == ChangeRequestId(7))
        );
    }
    let opening = Opening {
        id: ChangeRequestId(8),
        project: "shop".into(),
        environment: "production".into(),
        min_approvals: 1,
    };
    let opened = ChangeRequest::open(opening, changes(), &caller("author"), NOW);
    assert_eq!(
        kinds(&opened.events),
        ["change-request-created", "change-added", "change-added"]
    );
    assert_eq!(opened.events[2].change, Some(ChangeId(2)));
}

#[test]
fn nothing_goes_back_to_draft_and_a_schedule_needs_a_time() {
    assert_eq!(Transition::to_state(State::Draft, None), Ok(None));
    assert_eq!(
        Transition::to_state(State::Scheduled, None),
        Err(Refusal::NoScheduleTime)
    );
    for transition in all_transitions() {
        let at = Some(NOW + Duration::DAY);
        assert_eq!(Transition::to_state(transition.state(), at), Ok(Some(transition)));
    }
}

#[test]
fn an_admin_may_approve_a_request_of_their_own() {
    let approved = to(&in_state(State::InReview), Transition::Approved, "author-admin");
    assert_eq!(approved.state, State::Approved);
}

#[test]
fn as_many_people_must_approve_as_was_asked_when_it_was_opened_each_once() {
    let review = to(&draft(2), Transition::InReview, "author");
    let first = review
        .transition(Transition::Approved, &approver(2), NOW)
        .unwrap();
    assert_eq!(first.request.state, State::InReview);
    assert_eq!(first.events.len(), 1);
    let again = first.request.transition(Transition::Approved, &approver(2), NOW);
    assert_eq!(again.unwrap_err(), Refusal::AlreadyApproved);
    let second = first
        .request
        .transition(Transition::Approved, &approver(3), NOW)
        .unwrap();
    assert_eq!(second.request.state, State::Approved);
    assert_eq!(second.request.approvals.len(), 2);
}

#[test]
fn the_number_of_approvals_is_one_to_ten_and_one_where_nothing_is_configured() {
    assert_eq!([0, 1, 5, 10, 99].map(clamp_approvals), [1, 1, 5, 10, 10]);
    let snapshot = sample();
    let mut project = vexil_domain::Project::clone(&snapshot.projects["shop"]);
    let environment = "production".into();
    assert_eq!(required_approvals(&project, &environment), 1);
    project
        .environments
        .get_mut("production")
        .unwrap()
        .change_requests = Some(vexil_domain::ChangeRequestRule {
        required_approvals: 3,
    });
    assert_eq!(required_approvals(&project, &environment), 3);
    assert_eq!(required_approvals(&project, &"nowhere".into()), 1);
    assert_eq!(draft(0).min_approvals, 1);
}

#[test]
fn a_request_without_changes_is_neither_reviewed_nor_approved_nor_applied() {
    for (state, transition, who) in [
        (State::Draft, Transition::InReview, "author"),
        (State::InReview, Transition::Approved, "approver"),
        (State::Approved, Transition::Applied, "applier"),
    ] {
        let mut request = in_state(state);
        request.changes.clear();
        let refused = request.transition(transition, &caller(who), NOW).unwrap_err();
        assert_eq!(refused, Refusal::NoChanges);
    }
}

#[test]
fn edits_are_for_the_author_while_the_request_is_pending_and_void_approvals() {
    type Edit = fn(&ChangeRequest, &Caller) -> Result<Step, Refusal>;
    let later = NOW + Duration::HOUR;
    let replacement = || PlannedChange {
        id: ChangeId(9),
        ..changes().remove(0)
    };
    let edits: [(&str, Edit); 3] = [
        ("change-added", |request, who| {
            let mut new = changes().remove(0);
            new.id = ChangeId(9);
            request.add_changes(vec![new], who, NOW + Duration::HOUR)
        }),
        ("change-edited", |request, who| {
            let mut new = changes().remove(0);
            new.id = ChangeId(9);
            request.edit_change(ChangeId(1), new, who, NOW + Duration::HOUR)
        }),
        ("change-discarded", |request, who| {
            request.discard_change(ChangeId(1), who, NOW + Duration::HOUR)
        }),
    ];
    for (event, edit) in edits {
        for from in State::ALL {
            let request = in_state(*from);
            for name in PEOPLE {
                let who = caller(name);
                let author = who.actor.id == ActorId(AUTHOR);
                let expected = match (from.is_pending(), author) {
                    (false, _) => "wrong_state",
                    (true, false) => "not_author",
                    (true, true) => "ok",
                };
                let result = edit(&request, &who);
                assert_eq!(
                    result.as_ref().err().map_or("ok", Refusal::code),
                    expected,
                    "{event} in {from} by {name}"
                );
                let Ok(step) = result else { continue };
                let stays = if *from == State::Draft {
                    State::Draft
                } else {
                    State::InReview
                };
                assert_eq!(step.request.state, stays);
                assert!(step.request.approvals.is_empty());
                assert_eq!(step.events.len(), 1);
                assert_eq!(step.events[0].kind.name(), event);
                let entered = step.request.state_timestamps.get(&State::InReview).copied();
                assert_eq!(entered == Some(later), *from == State::Approved);
            }
        }
    }
    let request = in_state(State::InReview);
    let edited = request
        .edit_change(ChangeId(1), replacement(), &caller("author"), NOW)
        .unwrap();
    let ids: Vec<i64> = edited.request.changes.iter().map(|change| change.id.0).collect();
    assert_eq!(ids, [9, 2], "an edited change keeps its place and gets a new id");
}

#[test]
fn a_change_that_is_not_there_is_neither_edited_nor_discarded() {
    let request = in_state(State::Draft);
    let who = caller("author");
    let missing = Err(Refusal::ChangeMissing { id: ChangeId(5) });
    assert_eq!(
        request.edit_change(ChangeId(5), changes().remove(0), &who, NOW),
        missing
    );
    assert_eq!(request.discard_change(ChangeId(5), &who, NOW), missing);
}

#[test]
fn drafts_are_thrown_away_by_their_author_or_an_admin() {
    for from in State::ALL {
        for name in PEOPLE {
            let expected = match (*from, name) {
                (State::Draft, "author" | "owner" | "admin") => "ok",
                (State::Draft, _) => "not_author_or_admin",
                _ => "wrong_state",
            };
            let result = in_state(*from).discard(&caller(name));
            assert_eq!(
                result.as_ref().err().map_or("ok", Refusal::code),
                expected,
                "{from} by {name}"
            );
            if let Ok(events) = result {
                assert_eq!(events[0].kind, EventKind::Discarded);
            }
        }
    }
}

#[test]
fn titles_and_reviewers_are_for_the_author_or_an_admin_until_it_is_closed() {
    for from in State::ALL {
        for name in PEOPLE {
            let expected = match (from.is_closed(), name) {
                (true, _) => "wrong_state",
                (false, "author" | "owner" | "admin") => "ok",
                (false, _) => "not_author_or_admin",
            };
            let request = in_state(*from);
            let renamed = request.rename("  Norway first ", &caller(name));
            let asked = request.request_reviewers(&[ActorId(2), ActorId(3), ActorId(2)], &caller(name));
            assert_eq!(renamed.as_ref().err().map_or("ok", Refusal::code), expected);
            assert_eq!(asked.as_ref().err().map_or("ok", Refusal::code), expected);
            if let (Ok(renamed), Ok(asked)) = (renamed, asked) {
                assert_eq!(renamed.request.title.as_deref(), Some("Norway first"));
                assert_eq!(asked.request.requested_reviewers, [ActorId(2), ActorId(3)]);
                assert_eq!(asked.events[0].kind, EventKind::RequestedApproversUpdated);
            }
        }
    }
    let request = in_state(State::Draft);
    let author = caller("author");
    assert_eq!(request.rename("  ", &author).unwrap().request.title, None);
    assert_eq!(
        request.rename(&"x".repeat(256), &author).unwrap_err().code(),
        "title_length"
    );
    let eleven: Vec<ActorId> = (0..11).map(ActorId).collect();
    assert_eq!(
        request.request_reviewers(&eleven, &author).unwrap_err().code(),
        "too_many_reviewers"
    );
}

#[test]
fn anybody_may_comment_in_any_state_with_one_to_a_thousand_characters() {
    for from in State::ALL {
        let commented = in_state(*from).comment(CommentId(1), " why? ", &caller("stranger"), NOW);
        let commented = commented.unwrap().request;
        assert_eq!(commented.comments[0].text, "why?");
        assert_eq!(commented.state, *from);
    }
    let request = in_state(State::Draft);
    for text in ["", "  ", &"x".repeat(1001)] {
        let refused = request.comment(CommentId(1), text, &caller("author"), NOW);
        assert_eq!(refused.unwrap_err().code(), "comment_length");
    }
    assert!(
        request
            .comment(CommentId(1), &"x".repeat(1000), &caller("author"), NOW)
            .is_ok()
    );
}

#[test]
fn a_schedule_lies_in_the_future_and_stands_only_while_scheduled() {
    let approved = in_state(State::Approved);
    let past = Transition::Scheduled { at: NOW };
    let refused = approved.transition(past, &caller("applier"), NOW).unwrap_err();
    assert_eq!(refused, Refusal::ScheduleInPast { at: NOW });
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
        scheduled.apply_scheduled(due - Duration::SECOND),
        Err(Refusal::NotDue)
    );
    let applied = scheduled.apply_scheduled(due).unwrap();
    assert_eq!(applied.request.state, State::Applied);
    let kinds: Vec<EventKind> = applied.events.iter().map(|event| event.kind).collect();
    assert_eq!(
        kinds,
        [EventKind::ScheduledApplicationSuccess, EventKind::Applied]
    );
    assert!(applied.events.iter().all(|event| event.by == actor(3)));
    assert_eq!(applied.request.apply_scheduled(due), Err(Refusal::NotDue));
}

#[test]
fn a_failed_schedule_waits_for_somebody_and_a_suspended_one_cannot_be_applied() {
    let scheduled = in_state(State::Scheduled);
    let due = NOW + Duration::DAY;
    assert_eq!(scheduled.fail_scheduled("no", NOW), Err(Refusal::NotDue));
    let failed = scheduled.fail_scheduled("no strategy", due).unwrap();
    assert_eq!(failed.events[0].kind, EventKind::ScheduledApplicationFailure);
    assert_eq!(failed.events[0].reason.as_deref(), Some("no strategy"));
    let suspended = scheduled.suspend("edited").unwrap();
    assert_eq!(suspended.events[0].kind, EventKind::ScheduleSuspended);
    for waiting in [&failed.request, &suspended.request] {
        assert_eq!(waiting.state, State::Scheduled);
        assert_eq!(waiting.apply_scheduled(due), Err(Refusal::NotDue));
        assert_eq!(waiting.suspend("again"), Err(Refusal::NotDue));
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
        .transition(Transition::Applied, &caller("admin"), NOW);
    assert_eq!(refused.unwrap_err().code(), "suspended");
}

#[test]
fn a_request_is_actionable_by_those_who_can_bring_it_nearer_to_its_end() {
    let table = [
        (State::Draft, [false; 6]),
        (State::InReview, [false, true, false, true, false, false]),
        (State::Approved, [false, false, true, true, true, false]),
        (State::Scheduled, [false; 6]),
        (State::Applied, [false; 6]),
        (State::Rejected, [false; 6]),
        (State::Cancelled, [false; 6]),
    ];
    for (state, expected) in table {
        let request = in_state(state);
        assert_eq!(
            PEOPLE.map(|name| request.is_actionable_by(&caller(name))),
            expected,
            "{state}"
        );
    }
}

#[test]
fn refusals_tell_who_from_what() {
    assert_eq!(Refusal::OwnRequest.fault(), Fault::Forbidden);
    assert_eq!(Refusal::NoChanges.fault(), Fault::Conflict);
    assert_eq!(Refusal::NoScheduleTime.fault(), Fault::Invalid);
    assert_eq!(Refusal::ChangeMissing { id: ChangeId(1) }.fault(), Fault::Missing);
    assert_eq!(State::from_name("In review"), Some(State::InReview));
    assert_eq!(State::from_name("in review"), None);
}
