//! With many others a request is compared as far as the work lasts, and the rest is counted.

use std::ops::Range;

use serde_json::json;
use vexil_admin_api::change_requests::ChangeRequestDocument;
use vexil_budget::Budget;
use vexil_change_request::{ChangeRequest, State};

use super::{NOW, app, person, propose_for, to};
use crate::app::App;
use crate::operations::change_requests::meetings::Meetings;
use crate::operations::change_requests::reading::{Requests, findings, whole};
use crate::operations::signed_effects::effect_of;

/// Requests of these people, all in review, each of which turns the same flag on.
fn in_review(app: &App, people: Range<i64>) -> Vec<ChangeRequest> {
    in_review_for(app, people, "checkout")
}

fn in_review_for(app: &App, people: Range<i64>, flag: &str) -> Vec<ChangeRequest> {
    let one = |number| {
        let who = person(number + 2);
        let id = propose_for(app, &who, flag).id;
        to(app, &who, id, State::InReview).unwrap()
    };
    people.map(one).collect()
}

#[test]
fn effects_are_compared_with_the_twenty_newest_that_can_meet_and_the_others_are_counted() {
    let app = app();
    // these are about another flag
    in_review_for(&app, 100..140, "banner");
    let mut ids = Vec::new();
    for (people, found, unread) in [(1, 0, 0), (2, 1, 0), (21, 20, 0), (24, 20, 3)] {
        let others = in_review(&app, ids.len() as i64..people);
        ids.extend(others.iter().map(|request| request.id));
        let id = ids[ids.len() - 1];
        let requests = Requests::read_one(app.reader(), &"default".into(), id).unwrap();
        let shown = whole(&app.serving(), &requests.asked[0], &requests, NOW).unwrap();
        let conflicts = shown.effect_conflicts.unwrap();
        assert_eq!((conflicts.found.len(), conflicts.unread), (found, unread));
    }
}

#[test]
fn what_the_work_does_not_last_for_is_counted() {
    let app = app();
    let requests = in_review(&app, 0..8);
    let (own, others) = requests.split_first().unwrap();
    let others: Vec<&ChangeRequest> = others.iter().collect();
    let serving = app.serving();
    let effect = effect_of(&serving, own, &serving.snapshot, NOW);
    let mut counts = Vec::new();
    for work in [0, 300, 1_000, 1_000_000] {
        let budget = Budget::new(work);
        let conflicts = Meetings::of(&serving, &effect.outcome, NOW, &budget).with(&others, 5);
        let told = conflicts.found.iter().filter(|one| one.words.is_some());
        let untold = conflicts.found.iter().filter(|one| one.words.is_none());
        assert!(budget.left() <= work);
        counts.push((told.count(), untold.count(), conflicts.unread));
    }
    println!("{counts:?}");
    for (told, untold, unread) in &counts {
        // each is told, untold or counted
        assert_eq!((*told + *untold) as u64 + *unread, 7 + 5);
    }
    assert_eq!(counts[0], (0, 0, 12));
    assert_eq!(counts[3], (7, 0, 5));
}

#[test]
fn scheduled_requests_that_the_work_does_not_last_for_are_counted() {
    let app = app();
    let mut requests = in_review(&app, 0..4);
    let own = requests.pop().unwrap();
    for request in &mut requests {
        request.state = State::Scheduled;
    }
    let serving = app.serving();
    let shown = |budget: &Budget| {
        let findings = findings(&serving.snapshot, &own, &requests, NOW, budget);
        let document = ChangeRequestDocument::item(&own, &findings).unwrap();
        serde_json::to_value(document)
            .unwrap()
            .get("schedulesUnread")
            .cloned()
    };
    assert_eq!(shown(&Budget::new(0)), Some(json!(3)));
    assert_eq!(shown(&Budget::unlimited()), None);
}
