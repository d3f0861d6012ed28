//! Every edge of the state machine and every refusal, for everybody who may try.

use time::Duration;
use vexil_change_request::*;

use crate::people::*;
use crate::world::*;

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
                let result = request.transition(transition, &caller(name), &demand(), NOW);
                let code = result.as_ref().err().map_or("ok", StepError::code);
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
        let step = in_state(from)
            .transition(transition, &caller(who), &demand(), NOW)
            .unwrap();
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
    let opened = ChangeRequest::open(opening, changes(), &caller("author"), NOW).unwrap();
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
        Err(StepError::NoScheduleTime)
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
        .transition(Transition::Approved, &approver(2), &demand(), NOW)
        .unwrap();
    assert_eq!(first.request.state, State::InReview);
    assert_eq!(first.events.len(), 1);
    let again = first
        .request
        .transition(Transition::Approved, &approver(2), &demand(), NOW);
    assert_eq!(again.unwrap_err(), StepError::AlreadyApproved);
    let second = first
        .request
        .transition(Transition::Approved, &approver(3), &demand(), NOW)
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
        .change_requests = Some(vexil_domain::ChangeRequestRule::requiring(3));
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
        let refused = request
            .transition(transition, &caller(who), &demand(), NOW)
            .unwrap_err();
        assert_eq!(refused, StepError::NoChanges);
    }
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
    assert_eq!(StepError::OwnRequest.kind(), ErrorKind::Forbidden);
    assert_eq!(StepError::NoChanges.kind(), ErrorKind::Invalid);
    assert_eq!(StepError::AlreadyApproved.kind(), ErrorKind::Conflict);
    assert_eq!(StepError::NoScheduleTime.kind(), ErrorKind::Invalid);
    assert_eq!(
        StepError::ChangeMissing { id: ChangeId(1) }.kind(),
        ErrorKind::Missing
    );
    assert_eq!(State::from_name("In review"), Some(State::InReview));
    assert_eq!(State::from_name("in review"), None);
}
