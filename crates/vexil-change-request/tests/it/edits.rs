//! Edits of a request and what goes with it, in every state, by everybody.

use time::OffsetDateTime;
use time::macros::datetime;
use vexil_change_request::*;
use vexil_domain::ActorId;

use crate::people::*;
use crate::world::*;

type Edit = fn(&ChangeRequest, &Caller) -> Result<Step, StepError>;

const LATER: OffsetDateTime = datetime!(2026-03-01 13:00 UTC);

fn new_change() -> PlannedChange {
    PlannedChange {
        id: ChangeId(9),
        ..changes().remove(0)
    }
}

/// The edits of a request's changes, by the name of the event each leaves.
const EDITS: [(&str, Edit); 3] = [
    ("change-added", |request, who| {
        request.add_changes(vec![new_change()], who, LATER)
    }),
    ("change-edited", |request, who| {
        request.edit_change(ChangeId(1), new_change(), who, LATER)
    }),
    ("change-discarded", |request, who| {
        request.discard_change(ChangeId(1), who, LATER)
    }),
];

#[test]
fn edits_are_for_the_author_while_the_request_is_pending() {
    for (event, edit) in EDITS {
        for from in State::ALL {
            for name in PEOPLE {
                let who = caller(name);
                let author = who.actor.id == ActorId(AUTHOR);
                let expected = match (from.is_pending(), author) {
                    (false, _) => "wrong_state",
                    (true, false) => "not_author",
                    (true, true) => "ok",
                };
                let result = edit(&in_state(*from), &who);
                let code = result.as_ref().err().map_or("ok", StepError::code);
                assert_eq!(code, expected, "{event} in {from} by {name}");
            }
        }
    }
}

#[test]
fn edits_void_approvals_and_take_an_approved_request_back_to_review() {
    for (event, edit) in EDITS {
        for (from, to) in [
            (State::Draft, State::Draft),
            (State::InReview, State::InReview),
            (State::Approved, State::InReview),
        ] {
            let step = edit(&in_state(from), &caller("author")).unwrap();
            assert_eq!(step.request.state, to);
            assert!(step.request.approvals.is_empty());
            assert_eq!(step.events.len(), 1);
            assert_eq!(step.events[0].kind.name(), event);
            let entered = step.request.state_timestamps.get(&State::InReview).copied();
            assert_eq!(entered == Some(LATER), from == State::Approved);
        }
    }
}

#[test]
fn an_approval_below_the_number_needed_does_not_outlive_an_edit() {
    let review = to(&draft(2), Transition::InReview, "author");
    let once = to(&review, Transition::Approved, "approver");
    for (_, edit) in EDITS {
        let edited = edit(&once, &caller("author")).unwrap().request;
        let again = to(&edited, Transition::Approved, "approver");
        assert_eq!((again.state, again.approvals.len()), (State::InReview, 1));
    }
}

#[test]
fn an_edited_change_keeps_its_place_and_gets_a_new_id() {
    let request = in_state(State::InReview);
    let edited = request.edit_change(ChangeId(1), new_change(), &caller("author"), NOW);
    let ids: Vec<i64> = edited
        .unwrap()
        .request
        .changes
        .iter()
        .map(|change| change.id.0)
        .collect();
    assert_eq!(ids, [9, 2]);
}

#[test]
fn a_change_that_is_not_there_is_neither_edited_nor_discarded() {
    let request = in_state(State::Draft);
    let who = caller("author");
    let missing = Err(StepError::ChangeMissing { id: ChangeId(5) });
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
                result.as_ref().err().map_or("ok", StepError::code),
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
            let renamed = request.rename("  Norway first ", &caller(name), LATER);
            let asked = request.request_reviewers(&[ActorId(2), ActorId(3), ActorId(2)], &caller(name));
            assert_eq!(renamed.as_ref().err().map_or("ok", StepError::code), expected);
            assert_eq!(asked.as_ref().err().map_or("ok", StepError::code), expected);
            if let (Ok(renamed), Ok(asked)) = (renamed, asked) {
                assert_eq!(renamed.request.title.as_deref(), Some("Norway first"));
                assert_eq!(asked.request.requested_reviewers, [ActorId(2), ActorId(3)]);
                assert_eq!(asked.events[0].kind, EventKind::RequestedApproversUpdated);
            }
        }
    }
    let request = in_state(State::Draft);
    let author = caller("author");
    assert_eq!(request.rename("  ", &author, LATER).unwrap().request.title, None);
    assert_eq!(
        request
            .rename(&"x".repeat(256), &author, LATER)
            .unwrap_err()
            .code(),
        "title_length"
    );
    let eleven: Vec<ActorId> = (0..11).map(ActorId).collect();
    assert_eq!(
        request.request_reviewers(&eleven, &author).unwrap_err().code(),
        "too_many_reviewers"
    );
}

#[test]
fn another_title_is_an_event_and_the_one_before_is_kept_once_it_is_no_draft() {
    let author = caller("author");
    for from in State::ALL.iter().filter(|state| state.is_open()) {
        let before = in_state(*from);
        let named = before.rename("Night", &author, NOW).unwrap();
        let again = named.request.rename("Day", &author, LATER).unwrap();
        let [event] = again.events.as_slice() else {
            panic!("{from}: {:?}", again.events)
        };
        assert_eq!(
            (event.kind, &event.by),
            (EventKind::TitleUpdated, &author.actor),
            "{from}"
        );
        let titles = Retitled {
            from: Some("Night".to_owned()),
            to: Some("Day".to_owned()),
        };
        assert_eq!(event.retitled.as_ref(), Some(&titles), "{from}");
        let kept: Vec<_> = again
            .request
            .earlier_titles
            .iter()
            .map(|it| (it.title.as_deref(), it.until))
            .collect();
        let expected: &[_] = if *from == State::Draft {
            &[]
        } else {
            &[(None, NOW), (Some("Night"), LATER)]
        };
        assert_eq!(kept, expected, "{from}");
        let same_but_for_titles = ChangeRequest {
            title: None,
            earlier_titles: Vec::new(),
            ..again.request.clone()
        };
        assert_eq!(
            same_but_for_titles, before,
            "{from}: approvals are for the effect, and stay"
        );
        let unchanged = again.request.rename(" Day ", &author, LATER).unwrap();
        assert_eq!(
            (unchanged.events.as_slice(), &unchanged.request),
            (&[][..], &again.request),
            "{from}"
        );
    }
}

#[test]
fn the_last_twenty_titles_are_kept() {
    let mut request = in_state(State::Approved);
    for number in 0..30 {
        let step = request.rename(&format!("title {number}"), &caller("author"), LATER);
        request = step.unwrap().request;
    }
    let kept: Vec<_> = request
        .earlier_titles
        .iter()
        .filter_map(|it| it.title.as_deref())
        .collect();
    assert_eq!(
        (kept.len(), kept.first(), kept.last()),
        (20, Some(&"title 9"), Some(&"title 28"))
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
fn a_request_has_at_most_a_thousand_changes() {
    let full: Vec<PlannedChange> = (0..1000).map(|_| new_change()).collect();
    let request = ChangeRequest {
        changes: full.clone(),
        ..draft(1)
    };
    let one_more = request.add_changes(vec![new_change()], &caller("author"), NOW);
    let too_many = StepError::TooManyChanges {
        given: 1001,
        most: 1000,
    };
    assert_eq!(one_more, Err(too_many.clone()));
    let opening = Opening {
        id: ChangeRequestId(8),
        project: "shop".into(),
        environment: "production".into(),
        min_approvals: 1,
    };
    let all = full.into_iter().chain([new_change()]).collect();
    assert_eq!(
        ChangeRequest::open(opening, all, &caller("author"), NOW),
        Err(too_many)
    );
}

#[test]
fn a_request_takes_at_most_four_megabytes_with_what_its_changes_replace() {
    let mut heavy = new_change();
    let constraint = is_in("userId", &["x".repeat(1 << 20).as_str()]);
    heavy.before = Some(Before::Segment(SegmentUpdate {
        id: vexil_domain::SegmentId(1),
        name: "beta".to_owned(),
        description: None,
        project: None,
        constraints: vec![constraint],
    }));
    let draft = draft(1);
    let three = vec![heavy.clone(); 3];
    let added = draft.add_changes(three, &caller("author"), NOW).unwrap();
    let refused = added.request.add_changes(vec![heavy], &caller("author"), NOW);
    let refused = refused.unwrap_err();
    assert_eq!(
        (refused.code(), refused.kind()),
        ("request_too_large", ErrorKind::Invalid)
    );
}
