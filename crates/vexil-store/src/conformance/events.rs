//! The audit log keeps its order and is found through.

use time::Duration;
use vexil_change_request::ChangeRequestId;
use vexil_domain::ActorId;

use super::{Subject, sample};
use crate::{Commit, EventFilter, NewEvent, Store};

fn log(store: &dyn Store, events: Vec<NewEvent>) {
    let expected = store.revision().unwrap().sequence;
    store
        .commit(&Commit {
            expected,
            events,
            ..Commit::default()
        })
        .unwrap();
}

fn kinds(store: &dyn Store, filter: &EventFilter) -> Vec<String> {
    store
        .events(filter)
        .unwrap()
        .items
        .into_iter()
        .map(|it| it.event.kind)
        .collect()
}

/// With everything there, and with everything left out that may be.
pub fn every_field_of_an_event_comes_back(subject: Subject) {
    let bare = NewEvent {
        project: None,
        environment: None,
        flag: None,
        data: None,
        pre_data: None,
        change_request: None,
        ..sample::event("bare")
    };
    log(subject.store(), vec![sample::event("full"), bare.clone()]);
    let events = subject.store().events(&EventFilter::default()).unwrap().items;
    assert_eq!(events[0].event, bare);
    assert_eq!(events[1].event, sample::event("full"));
}

/// Later is greater, within a commit and between commits.
pub fn events_are_numbered_in_the_order_of_commits(subject: Subject) {
    let store = subject.store();
    log(store, vec![sample::event("1"), sample::event("2")]);
    log(store, Vec::new());
    let earlier = NewEvent {
        created_at: sample::NOW - Duration::DAY,
        ..sample::event("3")
    };
    log(store, vec![earlier, sample::event("4")]);
    assert_eq!(kinds(store, &EventFilter::default()), ["4", "3", "2", "1"]);
    let events = store.events(&EventFilter::default()).unwrap().items;
    assert!(events.is_sorted_by(|left, right| left.id > right.id));
}

/// Each field of the filter alone, and several together.
pub fn filters_find_what_they_name(subject: Subject) {
    let store = subject.store();
    let other = NewEvent {
        created_at: sample::NOW + Duration::microseconds(1),
        actor: sample::actor(8),
        project: Some("default".into()),
        environment: None,
        flag: Some("Checkout".into()),
        change_request: None,
        ..sample::event("b")
    };
    let third = NewEvent {
        project: None,
        flag: None,
        ..sample::event("c")
    };
    log(store, vec![sample::event("a"), other, third]);
    let all = EventFilter::default;
    let found = |filter| kinds(store, &filter).concat();
    assert_eq!(
        found(EventFilter {
            kinds: vec!["a".to_owned(), "c".to_owned()],
            ..all()
        }),
        "ca"
    );
    assert_eq!(
        found(EventFilter {
            projects: vec!["shop".into()],
            ..all()
        }),
        "a"
    );
    assert_eq!(
        found(EventFilter {
            projects: vec!["shop".into(), "default".into()],
            ..all()
        }),
        "ba"
    );
    assert_eq!(
        found(EventFilter {
            environments: vec!["production".into()],
            ..all()
        }),
        "ca"
    );
    assert_eq!(
        found(EventFilter {
            flags: vec!["checkout".into()],
            ..all()
        }),
        "a"
    );
    assert_eq!(
        found(EventFilter {
            actors: vec![ActorId(8)],
            ..all()
        }),
        "b"
    );
    assert_eq!(
        found(EventFilter {
            change_request: Some(ChangeRequestId(3)),
            ..all()
        }),
        "ca"
    );
    assert_eq!(
        found(EventFilter {
            from: Some(sample::NOW + Duration::microseconds(1)),
            ..all()
        }),
        "b"
    );
    assert_eq!(
        found(EventFilter {
            before: Some(sample::NOW + Duration::microseconds(1)),
            ..all()
        }),
        "ca"
    );
    assert_eq!(
        found(EventFilter {
            before: Some(sample::NOW),
            ..all()
        }),
        ""
    );
    let both = EventFilter {
        kinds: vec!["a".to_owned()],
        actors: vec![ActorId(8)],
        ..all()
    };
    assert_eq!(found(both), "");
}

/// The total does not depend on the page.
pub fn pages_are_newest_first_and_know_the_total(subject: Subject) {
    let store = subject.store();
    log(
        store,
        (1..=5).map(|kind| sample::event(&kind.to_string())).collect(),
    );
    log(
        store,
        vec![NewEvent {
            project: None,
            ..sample::event("x")
        }],
    );
    let page = |offset, limit| {
        let filter = EventFilter {
            projects: vec!["shop".into()],
            offset,
            limit,
            ..EventFilter::default()
        };
        assert_eq!(store.events(&filter).unwrap().total, 5);
        kinds(store, &filter).concat()
    };
    assert_eq!(page(0, Some(2)), "54");
    assert_eq!(page(2, Some(2)), "32");
    assert_eq!(page(4, Some(2)), "1");
    assert_eq!(page(1, None), "4321");
    assert_eq!(page(9, Some(2)), "");
    assert_eq!(page(0, Some(0)), "");
}
