//! What was answered is there, for others and after closing.

use std::sync::Arc;

use vexil_domain::Write;
use vexil_metrics::{Counts, Packed, Report, Retention, Rows, Width};

use super::usage::Writer;
use super::{Subject, sample, tokens_of, users_of};
use crate::{
    ChangeRequestFilter, Commit, Counters, EventFilter, Instance, InstanceKey, Page, Registration, Store,
};

fn fill(store: &dyn Store) {
    let commit = Commit {
        counters: Counters {
            segment: 10,
            ..Counters::default()
        },
        delta: sample::snapshot().since(&vexil_domain::Snapshot::default()),
        change_requests: vec![Write::Upsert(Arc::new(sample::change_request(1)))],
        tokens: vec![Write::Upsert(Arc::new(sample::token(1)))],
        users: vec![Write::Upsert(Arc::new(sample::user(1)))],
        events: vec![sample::event("feature-created")],
        ..Commit::default()
    };
    store.commit(&commit).unwrap();
    let mut writer = Writer::new(store);
    writer.append(&counts());
    store.register(&[registration()]).unwrap();
    store.check().unwrap();
}

fn counts() -> Packed {
    let mut report = Report::new("shop", "production", sample::NOW, sample::NOW);
    report.add("checkout", &Counts::new(1, 2).with_variant("blue", 1));
    report.pack()
}

fn registration() -> Registration {
    Registration {
        key: InstanceKey {
            application: "shop".to_owned(),
            environment: "production".into(),
            instance: "i-1".to_owned(),
        },
        sdk_version: None,
        strategies: vec!["default".to_owned()],
        started: None,
        interval: Some(60_000),
        seen_at: sample::NOW,
    }
}

fn assert_filled(store: &dyn Store) {
    let loaded = store.load().unwrap();
    assert_eq!((loaded.revision.sequence, loaded.revision.configuration), (1, 1));
    assert_eq!(loaded.counters.segment, 10);
    assert_eq!(loaded.snapshot, sample::snapshot());
    let requests = store.change_requests(&ChangeRequestFilter::default()).unwrap();
    assert_eq!(
        requests,
        Page {
            items: vec![sample::change_request(1)],
            total: 1
        }
    );
    assert_eq!(tokens_of(store), [sample::token(1)]);
    assert_eq!(users_of(store), [sample::user(1)]);
    assert_eq!(
        store.events(&EventFilter::default()).unwrap().items[0].event,
        sample::event("feature-created")
    );
    for width in Width::ALL {
        let flags = vec!["checkout".into()];
        let since = width.floor(sample::NOW - Retention::MINUTES);
        let rows = store
            .usage(&super::usage_rows::wanted(flags, width, since))
            .unwrap();
        let mut expected = Rows::default();
        expected.add_packed(&counts(), width).unwrap();
        assert_eq!(rows, expected);
    }
    assert_eq!(
        store.reporting_applications().unwrap(),
        ["shop".to_owned()].into()
    );
    let instance = Instance {
        registration: registration(),
        first_seen: sample::NOW,
    };
    assert_eq!(store.instances(&["shop".to_owned()]).unwrap(), [instance]);
}

/// As soon as it was answered, while the first connection is open.
pub fn another_connection_sees_what_was_committed(subject: Subject) {
    fill(subject.store());
    assert_filled(subject.store());
    let Some(other) = subject.another() else {
        return;
    };
    assert_filled(&*other);
    other
        .commit(&Commit {
            expected: 1,
            ..Commit::default()
        })
        .unwrap();
    assert_eq!(subject.store().revision().unwrap().sequence, 2);
}

/// Nothing is lost, nothing is new, and edits go on.
pub fn everything_is_there_after_closing_and_opening(subject: Subject) {
    fill(subject.store());
    let Some(subject) = subject.reopened() else {
        return;
    };
    assert_filled(subject.store());
    subject
        .store()
        .commit(&Commit {
            expected: 1,
            ..Commit::default()
        })
        .unwrap();
    let Some(subject) = subject.reopened() else {
        return;
    };
    assert_eq!(subject.store().revision().unwrap().sequence, 2);
}
