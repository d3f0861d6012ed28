//! The audit log keeps its order and is found through.

use time::Duration;
use vexil_change_request::ChangeRequestId;
use vexil_domain::ActorId;

use super::{Subject, sample};
use crate::{Commit, EventFilter, EventId, NewEvent, Store};

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
            change_requests: vec![ChangeRequestId(3), ChangeRequestId(9)],
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
    let newest = store.events(&all()).unwrap().items[0].id;
    assert_eq!(
        found(EventFilter {
            ids: vec![newest, EventId(newest.0 - 1)],
            ..all()
        }),
        "cb"
    );
    let both = EventFilter {
        kinds: vec!["a".to_owned()],
        actors: vec![ActorId(8)],
        ..all()
    };
    assert_eq!(found(both), "");
}

/// Nothing stored has one, and a database that refuses to be asked for it has not failed.
pub fn a_filter_with_a_nul_character_finds_nothing(subject: Subject) {
    let store = subject.store();
    log(store, vec![sample::event("a")]);
    let nul = || "a\0".to_owned();
    let all = EventFilter::default;
    for filter in [
        EventFilter {
            kinds: vec![nul()],
            ..all()
        },
        EventFilter {
            projects: vec![nul().into()],
            ..all()
        },
        EventFilter {
            environments: vec![nul().into()],
            ..all()
        },
        EventFilter {
            flags: vec![nul().into()],
            ..all()
        },
        EventFilter {
            texts: vec![nul()],
            ..all()
        },
    ] {
        assert_eq!(kinds(store, &filter).concat(), "", "{filter:?}");
        let kinds_too = EventFilter {
            kinds: vec!["a".to_owned(), nul()],
            ..all()
        };
        assert_eq!(kinds(store, &kinds_too).concat(), "a");
    }
}

/// Letters that a database has a meaning for are letters.
pub fn a_text_is_found_in_what_was_and_in_what_is(subject: Subject) {
    let store = subject.store();
    let event = |kind: &str, pre_data: Option<&str>, data: Option<&str>| NewEvent {
        pre_data: pre_data.map(str::to_owned),
        data: data.map(str::to_owned),
        ..sample::event(kind)
    };
    log(
        store,
        vec![
            event("a", Some(r#"{"name":"Half"}"#), Some(r#"{"name":"100%"}"#)),
            event("b", None, Some(r#"{"path":"C:\\a_b","who":"Åse"}"#)),
            event("c", Some(r#"{"name":"100 half"}"#), None),
            event("d", None, None),
        ],
    );
    let found = |texts: &[&str]| {
        let filter = EventFilter {
            texts: texts.iter().map(|&text| text.to_owned()).collect(),
            ..EventFilter::default()
        };
        let total = store.events(&filter).unwrap().total;
        let kinds = kinds(store, &filter).concat();
        assert_eq!(u64::try_from(kinds.len()).unwrap(), total);
        kinds
    };
    for (text, kinds) in [
        ("half", "ca"),
        ("HALF", "ca"),
        ("100", "ca"),
        ("0%", "a"),
        ("a_b", "b"),
        ("a%b", ""),
        ("aXb", ""),
        (r"C:\\a", "b"),
        (r"C:\a", ""),
        ("Åse", "b"),
        ("'", ""),
        ("name\\", ""),
    ] {
        assert_eq!(found(&[text]), kinds, "{text}");
    }
    assert_eq!(found(&["0%", "Åse"]), "ba");
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
