//! Usage adds up, whoever writes.

use std::thread;

use time::macros::datetime;
use time::{Duration, OffsetDateTime};
use vexil_domain::{FlagName, SnapshotDelta, Write};
use vexil_metrics::{Batch, Counts, Report, Retention, UsageKey, Width};

use super::{Subject, sample};
use crate::{Commit, FlagUsage, Reported, Revision, Store, StoreError};

const NOON: OffsetDateTime = datetime!(2026-11-27 12:00 UTC);
const LONG_AGO: OffsetDateTime = datetime!(1900-01-01 00:00 UTC);

fn report(flag: &str, application: &str, at: OffsetDateTime, counts: Counts) -> Batch {
    let mut report = Report::new(application, "production", at, at);
    report.add(flag, counts);
    Batch::from(&report)
}

fn rows(store: &dyn Store, flag: &str, width: Width, since: OffsetDateTime) -> Batch {
    store
        .usage(&FlagUsage {
            flag: flag.into(),
            width,
            since,
        })
        .unwrap()
}

fn everything(store: &dyn Store, flag: &str) -> Batch {
    let mut all = rows(store, flag, Width::Minute, LONG_AGO);
    all.merge(rows(store, flag, Width::Hour, LONG_AGO));
    all
}

/// The start is included; other flags and widths are not.
pub fn rows_come_back_by_flag_width_and_start(subject: Subject) {
    let store = subject.store();
    let counts = Counts::new(3, 2)
        .with_variant("blue", 2)
        .with_variant("rød \"1\"", 0);
    let noon = report("a", "shop", NOON, counts.clone());
    let before = report("a", "till", NOON - Duration::MINUTE, Counts::new(0, 0));
    let other = report("A", "shop", NOON, Counts::new(7, 7));
    for batch in [&noon, &before, &other] {
        store.add_usage(batch).unwrap();
    }
    let mut both = noon.clone();
    both.merge(before);
    assert_eq!(everything(store, "a"), both);
    assert_eq!(everything(store, "A"), other);
    let minutes = rows(store, "a", Width::Minute, NOON);
    assert_eq!(
        minutes
            .iter()
            .map(|(key, counts)| (key.start, counts.clone()))
            .collect::<Vec<_>>(),
        [(NOON, counts)]
    );
    assert!(rows(store, "a", Width::Minute, NOON + Duration::microseconds(1)).is_empty());
    assert!(rows(store, "b", Width::Minute, LONG_AGO).is_empty());
}

/// There is no way to tell a report sent twice from two reports.
pub fn adding_twice_counts_twice(subject: Subject) {
    let batch = report("a", "shop", NOON, Counts::new(3, 2).with_variant("blue", 3));
    subject.store().add_usage(&batch).unwrap();
    let more = report("a", "shop", NOON, Counts::new(3, 2).with_variant("red", 1));
    subject.store().add_usage(&more).unwrap();
    let expected = report(
        "a",
        "shop",
        NOON,
        Counts::new(6, 4).with_variant("blue", 3).with_variant("red", 1),
    );
    assert_eq!(everything(subject.store(), "a"), expected);
}

/// Sums neither overflow nor go on beyond it.
pub fn counts_stop_at_the_greatest_one(subject: Subject) {
    let huge = Counts::new(u64::MAX, u64::MAX - 1).with_variant("blue", u64::MAX);
    let batch = report("a", "shop", NOON, huge);
    for _ in 0..3 {
        subject.store().add_usage(&batch).unwrap();
    }
    assert_eq!(everything(subject.store(), "a"), batch);
}

/// Grouping reports changes nothing.
pub fn a_batch_adds_what_its_reports_would_add_one_by_one(subject: Subject) {
    let store = subject.store();
    let reports: Vec<Batch> = (0..300_u32)
        .map(|number| {
            let at = NOON - Duration::seconds(i64::from(number % 45) * 97);
            let counts = Counts::new(u64::from(number), 1).with_variant(format!("v{}", number % 4), 2);
            report("a", ["shop", "till", "o'clock"][number as usize % 3], at, counts)
        })
        .collect();
    let mut all = Batch::default();
    for batch in &reports {
        all.merge(batch.clone());
    }
    for (number, batch) in reports.iter().enumerate().skip(150) {
        assert!(number >= 150);
        store.add_usage(batch).unwrap();
    }
    let mut first_half = Batch::default();
    reports
        .iter()
        .take(150)
        .for_each(|batch| first_half.merge(batch.clone()));
    store.add_usage(&first_half).unwrap();
    assert_eq!(everything(store, "a"), all);
}

/// Eight writers of the same rows, in different orders.
pub fn writers_at_the_same_time_lose_nothing(subject: Subject) {
    let store = subject.store();
    let batch = |writer: usize| {
        let mut batch = Batch::default();
        for step in 0..20 {
            let application = format!("app{}", (step + writer) % 5);
            batch.merge(report(
                "a",
                &application,
                NOON,
                Counts::new(1, 2).with_variant("blue", 1),
            ));
            batch.merge(report(
                &format!("own{writer}"),
                &application,
                NOON,
                Counts::new(1, 0),
            ));
        }
        batch
    };
    thread::scope(|scope| {
        for writer in 0..8 {
            scope.spawn(move || (0..5).for_each(|_| store.add_usage(&batch(writer)).unwrap()));
        }
    });
    for width in Width::ALL {
        let rows = rows(store, "a", width, LONG_AGO);
        assert_eq!(rows.len(), 5);
        for (_, counts) in rows.iter() {
            assert_eq!(counts, &Counts::new(160, 320).with_variant("blue", 160));
        }
    }
    assert_eq!(rows(store, "own7", Width::Hour, LONG_AGO).len(), 5);
}

/// Not in that of a language; each once, in spite of several environments.
pub fn applications_are_seen_in_order_of_their_bytes(subject: Subject) {
    let store = subject.store();
    for application in ["a1", "ä1", "B1", "b/2", "böat / ünit", "   ", "a\"b'c"] {
        store
            .add_usage(&report("a", application, NOON, Counts::new(1, 0)))
            .unwrap();
    }
    let mut elsewhere = Report::new("B1", "development", NOON, NOON);
    elsewhere.add("a", Counts::new(1, 0));
    store.add_usage(&Batch::from(&elsewhere)).unwrap();
    store
        .add_usage(&report("a", "old", NOON - Duration::DAY, Counts::new(1, 0)))
        .unwrap();
    store
        .add_usage(&report("b", "other", NOON, Counts::new(1, 0)))
        .unwrap();

    let flag = FlagName::from("a");
    let seen = store.seen_applications(&flag, NOON).unwrap();
    assert_eq!(seen, ["   ", "B1", "a\"b'c", "a1", "b/2", "böat / ünit", "ä1"]);
    assert_eq!(
        store
            .seen_applications(&flag, NOON - Duration::DAY)
            .unwrap()
            .len(),
        8
    );
    assert!(store.seen_applications(&"c".into(), LONG_AGO).unwrap().is_empty());
    let by = store.reported_by(&Reported::Flag(flag)).unwrap();
    assert!(by.is_sorted(), "{by:?}");
    assert_eq!(by.iter().filter(|by| by.application == "B1").count(), 2);
}

/// Counted all the same, and no longer unknown once they are configured.
pub fn flags_that_are_not_configured_are_known_by_their_reports(subject: Subject) {
    let store = subject.store();
    store
        .add_usage(&report("checkout", "shop", NOON, Counts::new(1, 0)))
        .unwrap();
    store
        .add_usage(&report("typo", "shop", NOON, Counts::new(1, 0)))
        .unwrap();
    store
        .add_usage(&report(
            "typo",
            "shop",
            NOON + Duration::MINUTE,
            Counts::new(1, 0),
        ))
        .unwrap();
    let unknown = || {
        let by = store.reported_by(&Reported::Unknown).unwrap();
        by.into_iter()
            .map(|by| (by.flag.to_string(), by.application, by.last))
            .collect::<Vec<_>>()
    };
    let named = |flag: &str, last| (flag.to_owned(), "shop".to_owned(), last);
    let later = NOON + Duration::MINUTE;
    assert_eq!(unknown(), [named("checkout", NOON), named("typo", later)]);
    let delta = SnapshotDelta {
        flags: vec![Write::Upsert(sample::flag("checkout").into())],
        ..SnapshotDelta::default()
    };
    store
        .commit(&Commit {
            delta,
            ..Commit::default()
        })
        .unwrap();
    assert_eq!(unknown(), [named("typo", later)]);
    assert_eq!(store.reported_by(&Reported::Everything).unwrap().len(), 2);
    let delta = SnapshotDelta {
        flags: vec![Write::Delete("checkout".into())],
        ..SnapshotDelta::default()
    };
    store
        .commit(&Commit {
            expected: 1,
            delta,
            ..Commit::default()
        })
        .unwrap();
    assert_eq!(unknown(), [named("checkout", NOON), named("typo", later)]);
    assert!(!everything(store, "checkout").is_empty());
}

/// Minutes after two hours, hours after their time; applications when nothing of theirs is left.
pub fn purging_deletes_what_is_no_longer_kept_and_nothing_else(subject: Subject) {
    let store = subject.store();
    let retention = Retention {
        hours: Duration::days(3),
    };
    let counts = || Counts::new(1, 1).with_variant("blue", 1);
    store.add_usage(&report("a", "shop", NOON, counts())).unwrap();
    store.add_usage(&report("a", "gone", NOON, counts())).unwrap();
    store
        .add_usage(&report("a", "shop", NOON + Duration::HOUR, counts()))
        .unwrap();
    let count = |width| rows(store, "a", width, LONG_AGO).len();

    assert_eq!(
        store
            .purge_usage(NOON + Duration::HOUR * 2 - Duration::SECOND, &retention)
            .unwrap(),
        0
    );
    assert_eq!((count(Width::Minute), count(Width::Hour)), (3, 3));
    assert_eq!(
        store.purge_usage(NOON + Duration::HOUR * 2, &retention).unwrap(),
        2
    );
    assert_eq!((count(Width::Minute), count(Width::Hour)), (1, 3));
    assert_eq!(
        store.purge_usage(NOON + Duration::HOUR * 9, &retention).unwrap(),
        1
    );
    assert_eq!((count(Width::Minute), count(Width::Hour)), (0, 3));
    let shop = |store: &dyn Store| store.seen_applications(&"a".into(), LONG_AGO).unwrap();
    assert_eq!(shop(store), ["gone", "shop"]);
    assert_eq!(
        store.purge_usage(NOON + Duration::DAY * 3, &retention).unwrap(),
        2
    );
    assert_eq!(shop(store), ["shop"]);
    store
        .add_usage(&report("a", "gone", NOON + Duration::DAY * 3, counts()))
        .unwrap();
    assert_eq!(shop(store), ["gone", "shop"]);
}

/// Old rows go while new ones of the same applications come in.
pub fn purging_and_adding_at_the_same_time_lose_nothing(subject: Subject) {
    let store = subject.store();
    let retention = Retention {
        hours: Duration::HOUR,
    };
    let later = NOON + Duration::HOUR * 2;
    thread::scope(|scope| {
        for writer in 0..4 {
            scope.spawn(move || {
                for at in [NOON, later].repeat(10) {
                    let application = format!("app{}", writer % 2);
                    store
                        .add_usage(&report("a", &application, at, Counts::new(1, 0)))
                        .unwrap();
                }
            });
        }
        scope.spawn(|| {
            for _ in 0..10 {
                store.purge_usage(later, &retention).unwrap();
            }
        });
    });
    store.purge_usage(later, &retention).unwrap();
    for width in Width::ALL {
        let rows = rows(store, "a", width, LONG_AGO);
        let yes: Vec<u64> = rows.iter().map(|(_, counts)| counts.yes.get()).collect();
        assert_eq!(yes, [20, 20]);
    }
    assert_eq!(
        store.seen_applications(&"a".into(), later).unwrap(),
        ["app0", "app1"]
    );
}

/// One bad name in it, and nothing of it is there.
pub fn a_refused_batch_adds_nothing(subject: Subject) {
    let store = subject.store();
    let mut batch = report("a", "shop", NOON, Counts::new(1, 0));
    let key = UsageKey {
        flag: "z".into(),
        application: "a\0b".to_owned(),
        environment: "production".into(),
        width: Width::Hour,
        start: NOON,
    };
    batch.add_row(key, &Counts::new(1, 0));
    assert!(matches!(store.add_usage(&batch), Err(StoreError::Unstorable(_))));
    assert!(store.reported_by(&Reported::Everything).unwrap().is_empty());
    assert!(everything(store, "a").is_empty());
}

/// What SDKs are told does not change because they report.
pub fn usage_makes_no_revision(subject: Subject) {
    let store = subject.store();
    store
        .add_usage(&report("a", "shop", NOON, Counts::new(1, 0)))
        .unwrap();
    store.add_usage(&Batch::default()).unwrap();
    assert_eq!(store.revision().unwrap(), Revision::default());
}
