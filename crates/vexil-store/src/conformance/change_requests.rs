//! Change requests come back as they were put in, and are found.

use std::sync::Arc;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use vexil_change_request::{ChangeRequest, ChangeRequestId, State};
use vexil_domain::{ActorId, SegmentId, Write};
use vexil_proptest::arb_storable_change_request;

use super::{Subject, sample, tokens_of};
use crate::{ChangeRequestFilter, Commit, CommitError, EventFilter, Revision, Store};

fn put(store: &dyn Store, requests: &[ChangeRequest]) -> Result<Revision, CommitError> {
    let puts = requests
        .iter()
        .map(|request| Write::Upsert(Arc::new(request.clone())));
    let commit = Commit {
        expected: store.revision().unwrap().sequence,
        change_requests: puts.collect(),
        ..Commit::default()
    };
    store.commit(&commit)
}

fn found(store: &dyn Store, filter: &ChangeRequestFilter) -> Vec<i64> {
    let page = store.change_requests(filter).unwrap();
    assert_eq!(u64::try_from(page.items.len()).unwrap(), page.total);
    page.items.iter().map(|request| request.id.0).collect()
}

/// Values with something in every field, and every action.
pub fn every_field_of_a_change_request_comes_back(subject: Subject) {
    let store = subject.store();
    let requests = [
        sample::change_request(1),
        sample::draft(2, sample::actor(7)),
        sample::change_request(3),
    ];
    put(store, &requests).unwrap();
    for request in &requests {
        assert_eq!(store.change_request(request.id).unwrap().as_ref(), Some(request));
    }
    let page = store.change_requests(&ChangeRequestFilter::default()).unwrap();
    assert_eq!(
        page.items,
        [requests[2].clone(), requests[1].clone(), requests[0].clone()]
    );
    assert_eq!(store.change_request(ChangeRequestId(4)).unwrap(), None);
}

/// Random values, each replacing the last.
pub fn any_change_request_comes_back(subject: Subject) {
    let store = subject.store();
    let mut runner = TestRunner::new(Config {
        cases: 48,
        failure_persistence: None,
        ..Config::default()
    });
    let storable = arb_storable_change_request().prop_filter("its changes have a NUL", |request| {
        let upsert = Write::Upsert(Arc::new(request.clone()));
        let commit = Commit {
            change_requests: vec![upsert],
            ..Commit::default()
        };
        commit.check_storable().is_ok()
    });
    let outcome = runner.run(&storable, |request| {
        put(store, std::slice::from_ref(&request)).unwrap();
        prop_assert_eq!(store.change_request(request.id).unwrap(), Some(request));
        Ok(())
    });
    outcome.unwrap();
}

/// Nothing of the earlier value is left.
pub fn a_change_request_is_replaced_and_taken_away(subject: Subject) {
    let store = subject.store();
    put(store, &[sample::change_request(1), sample::change_request(2)]).unwrap();
    let plain = ChangeRequest {
        changes: Vec::new(),
        ..sample::draft(1, sample::actor(5))
    };
    put(store, std::slice::from_ref(&plain)).unwrap();
    assert_eq!(store.change_request(plain.id).unwrap(), Some(plain));
    let gone = |id| Write::Delete(ChangeRequestId(id));
    let commit = Commit {
        expected: 2,
        change_requests: vec![gone(1), gone(77)],
        ..Commit::default()
    };
    store.commit(&commit).unwrap();
    assert_eq!(store.change_request(ChangeRequestId(1)).unwrap(), None);
    assert_eq!(found(store, &ChangeRequestFilter::default()), [2]);
}

/// Each field of the filter alone, and several together.
pub fn filters_find_what_they_name(subject: Subject) {
    let store = subject.store();
    let other = ChangeRequest {
        project: "default".into(),
        environment: "development".into(),
        state: State::InReview,
        requested_reviewers: vec![ActorId(4)],
        ..sample::draft(2, sample::actor(9))
    };
    let mut third = sample::draft(3, sample::actor(9));
    third
        .changes
        .iter_mut()
        .for_each(|change| change.flag = Some("Checkout".into()));
    put(store, &[sample::change_request(1), other, third]).unwrap();
    let all = ChangeRequestFilter::default;
    let found = |filter| found(store, &filter);
    assert_eq!(found(all()), [3, 2, 1]);
    assert_eq!(
        found(ChangeRequestFilter {
            project: Some("shop".into()),
            ..all()
        }),
        [3, 1]
    );
    assert_eq!(
        found(ChangeRequestFilter {
            environment: Some("development".into()),
            ..all()
        }),
        [2]
    );
    assert_eq!(
        found(ChangeRequestFilter {
            states: vec![State::Draft, State::Scheduled],
            ..all()
        }),
        [3, 1]
    );
    assert_eq!(
        found(ChangeRequestFilter {
            created_by: Some(ActorId(9)),
            ..all()
        }),
        [3, 2]
    );
    assert_eq!(
        found(ChangeRequestFilter {
            requested_reviewer: Some(ActorId(3)),
            ..all()
        }),
        [1]
    );
    assert_eq!(
        found(ChangeRequestFilter {
            flag: Some("checkout".into()),
            ..all()
        }),
        [2, 1]
    );
    for (segment, expected) in [
        (9, vec![1]),
        (7, vec![1]),
        (2, vec![1]),
        (4, vec![1]),
        (3, vec![]),
    ] {
        assert_eq!(
            found(ChangeRequestFilter {
                segment: Some(SegmentId(segment)),
                ..all()
            }),
            expected
        );
    }
    let both = ChangeRequestFilter {
        flag: Some("checkout".into()),
        created_by: Some(ActorId(9)),
        ..all()
    };
    assert_eq!(found(both), [2]);
    let neither = ChangeRequestFilter {
        project: Some("default".into()),
        states: vec![State::Draft],
        ..all()
    };
    assert!(found(neither).is_empty());
}

/// The total does not depend on the page; pages together are everything, once.
pub fn pages_are_newest_first_without_gaps(subject: Subject) {
    let store = subject.store();
    let requests: Vec<_> = (1..=7).map(|id| sample::draft(id, sample::actor(id))).collect();
    put(store, &requests).unwrap();
    let page = |offset, limit| {
        let page = store.change_requests(&ChangeRequestFilter {
            offset,
            limit,
            ..ChangeRequestFilter::default()
        });
        let page = page.unwrap();
        assert_eq!(page.total, 7);
        page.items.iter().map(|request| request.id.0).collect::<Vec<_>>()
    };
    assert_eq!(page(0, Some(3)), [7, 6, 5]);
    assert_eq!(page(3, Some(3)), [4, 3, 2]);
    assert_eq!(page(6, Some(3)), [1]);
    assert_eq!(page(2, None), [5, 4, 3, 2, 1]);
    assert!(page(0, Some(0)).is_empty());
    assert!(page(7, None).is_empty());
    assert_eq!(page(0, Some(u64::MAX)).len(), 7);
    assert!(page(u64::MAX, Some(1)).is_empty());
}

/// The same author, project and environment: one pending request; any other combination is free.
pub fn an_author_has_one_pending_change_request_per_project_and_environment(subject: Subject) {
    let store = subject.store();
    put(store, &[sample::draft(1, sample::actor(7))]).unwrap();
    for state in [State::Draft, State::InReview, State::Approved] {
        let second = ChangeRequest {
            state,
            ..sample::draft(2, sample::actor(7))
        };
        match put(store, &[second]) {
            Err(CommitError::SecondPending { change_request }) => assert_eq!(change_request.0, 2),
            other => panic!("{other:?}"),
        }
    }
    let elsewhere = ChangeRequest {
        project: "default".into(),
        ..sample::draft(3, sample::actor(7))
    };
    let in_development = ChangeRequest {
        environment: "development".into(),
        ..sample::draft(4, sample::actor(7))
    };
    put(
        store,
        &[elsewhere, in_development, sample::draft(5, sample::actor(8))],
    )
    .unwrap();
    let both_new = [
        sample::draft(6, sample::actor(1)),
        sample::draft(7, sample::actor(1)),
    ];
    assert!(matches!(
        put(store, &both_new),
        Err(CommitError::SecondPending { .. })
    ));
    assert_eq!(found(store, &ChangeRequestFilter::default()), [5, 4, 3, 1]);
}

/// After scheduling or closing a request its author may have a new one.
pub fn scheduled_and_closed_change_requests_do_not_count_as_pending(subject: Subject) {
    let store = subject.store();
    let author = || sample::actor(7);
    let over = [
        State::Scheduled,
        State::Applied,
        State::Rejected,
        State::Cancelled,
        State::Applied,
    ];
    let mut requests: Vec<_> = (1..)
        .zip(over)
        .map(|(id, state)| ChangeRequest {
            state,
            ..sample::draft(id, author())
        })
        .collect();
    requests.push(sample::draft(6, author()));
    put(store, &requests).unwrap();
    let again = ChangeRequest {
        state: State::InReview,
        ..sample::draft(6, author())
    };
    put(store, &[again]).unwrap();
    let revived = ChangeRequest {
        state: State::Approved,
        ..sample::draft(1, author())
    };
    assert!(matches!(
        put(store, &[revived]),
        Err(CommitError::SecondPending { .. })
    ));
}

/// What counts is how things are after the commit, whatever the order in it.
pub fn one_commit_may_close_a_change_request_and_open_the_next(subject: Subject) {
    let store = subject.store();
    let author = || sample::actor(7);
    put(store, &[sample::draft(1, author())]).unwrap();
    let closed = ChangeRequest {
        state: State::Cancelled,
        ..sample::draft(1, author())
    };
    put(store, &[sample::draft(2, author()), closed]).unwrap();
    let commit = Commit {
        expected: 2,
        change_requests: vec![
            Write::Upsert(Arc::new(sample::draft(3, author()))),
            Write::Delete(ChangeRequestId(2)),
        ],
        ..Commit::default()
    };
    store.commit(&commit).unwrap();
    assert_eq!(found(store, &ChangeRequestFilter::default()), [3, 1]);
}

/// Nothing else of the commit happens either.
pub fn a_second_pending_change_request_leaves_no_trace(subject: Subject) {
    let store = subject.store();
    put(store, &[sample::draft(1, sample::actor(7))]).unwrap();
    let before = store.load().unwrap();
    let commit = Commit {
        expected: 1,
        delta: sample::snapshot().since(&before.snapshot),
        change_requests: vec![Write::Upsert(Arc::new(sample::draft(2, sample::actor(7))))],
        tokens: vec![Write::Upsert(Arc::new(sample::token(1)))],
        events: vec![sample::event("change-request-created")],
        ..Commit::default()
    };
    assert!(matches!(
        store.commit(&commit),
        Err(CommitError::SecondPending { .. })
    ));
    assert_eq!(store.load().unwrap(), before);
    assert!(tokens_of(store).is_empty());
    assert_eq!(store.events(&EventFilter::default()).unwrap().total, 0);
}
