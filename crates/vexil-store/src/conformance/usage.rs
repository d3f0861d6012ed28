//! Usage adds up, whoever writes, and whether it lies in the inbox or is folded.

use std::sync::atomic::{AtomicI64, Ordering};

use time::macros::datetime;
use time::{Duration, OffsetDateTime};
use vexil_domain::{FlagName, SnapshotDelta, Write};
use vexil_metrics::{Counts, Packed, Report, Retention, Rows, Width};

use super::usage_rows::{rows, wanted};
use super::{Subject, sample};
use crate::{
    Appended, Commit, Folding, ReportKey, Reported, Revision, Store, StoreError, UsageBatch, WriterId,
};

pub(super) const NOON: OffsetDateTime = datetime!(2026-11-27 12:00 UTC);
pub(super) const LONG_AGO: OffsetDateTime = datetime!(1900-01-01 00:00 UTC);

/// Makes old counts coarser until there is nothing left to do.
pub(super) fn tidy(store: &dyn Store, now: OffsetDateTime, retention: &Retention) {
    while store.tidy_usage(now, retention).unwrap() {}
}

pub(super) fn report(flag: &str, application: &str, at: OffsetDateTime, counts: &Counts) -> Packed {
    let mut report = Report::new(application, "production", at, at);
    report.add(flag, counts);
    report.pack()
}

/// A writer that counts its batches.
pub(super) struct Writer<'a> {
    store: &'a dyn Store,
    id: WriterId,
    number: u64,
}

impl<'a> Writer<'a> {
    pub(super) fn new(store: &'a dyn Store) -> Self {
        static NEXT: AtomicI64 = AtomicI64::new(1);
        Self {
            store,
            id: WriterId(NEXT.fetch_add(1, Ordering::Relaxed)),
            number: 0,
        }
    }

    pub(super) fn batch(&mut self, counts: &Packed) -> UsageBatch {
        self.number += 1;
        UsageBatch {
            writer: self.id,
            number: self.number,
            again: false,
            counts: counts.clone(),
            keys: Vec::new(),
            now: NOON,
        }
    }

    pub(super) fn try_append(&mut self, counts: &Packed) -> Result<Appended, StoreError> {
        let batch = self.batch(counts);
        self.store.append_usage(&batch)
    }

    pub(super) fn append(&mut self, counts: &Packed) {
        assert_eq!(self.try_append(counts).unwrap(), Appended::Stored);
    }
}

/// Folds until there is nothing left.
pub(super) fn fold(store: &dyn Store) {
    while store.fold_usage().unwrap() != Folding::Idle {}
}

pub(super) fn expected(counts: &[Packed], width: Width) -> Rows {
    let mut rows = Rows::default();
    counts.iter().for_each(|it| rows.add_packed(it, width).unwrap());
    rows
}

pub(super) fn minutes(store: &dyn Store, flag: &str) -> Rows {
    rows(store, &[flag], Width::Minute, LONG_AGO)
}

pub(super) fn applications(store: &dyn Store, flag: &str) -> Vec<String> {
    let by = store.reported_by(&Reported::Flags(vec![flag.into()])).unwrap();
    assert!(by.is_sorted(), "{by:?}");
    // a flag that is asked for twice counts once
    let wanted = wanted(vec![flag.into(), flag.into()], Width::Minute, LONG_AGO);
    let (rows, names) = store.usage_and_applications(&wanted).unwrap();
    assert_eq!(rows, minutes(store, flag));
    let by: Vec<String> = by.into_iter().map(|by| by.application).collect();
    assert_eq!(names, by.iter().cloned().collect());
    by
}

/// The start is included; other flags are not. Folding changes nothing.
pub fn rows_come_back_by_flag_width_and_start(subject: Subject) {
    let store = subject.store();
    let counts = Counts::new(3, 2)
        .with_variant("blue", 2)
        .with_variant("rød \"1\"", 0);
    let noon = report("a", "shop", NOON, &counts);
    let before = report("a", "till", NOON - Duration::MINUTE, &Counts::new(0, 0));
    let other = report("A", "shop", NOON, &Counts::new(7, 7));
    let mut writer = Writer::new(store);
    [&noon, &before, &other].iter().for_each(|it| writer.append(it));
    for _ in 0..2 {
        for width in Width::ALL {
            let both = expected(&[noon.clone(), before.clone()], width);
            assert_eq!(rows(store, &["a"], width, LONG_AGO), both);
            let all = expected(&[noon.clone(), before.clone(), other.clone()], width);
            assert_eq!(rows(store, &["A", "a", "b"], width, LONG_AGO), all);
        }
        assert_eq!(
            minutes(store, "A"),
            expected(std::slice::from_ref(&other), Width::Minute)
        );
        let at_noon = rows(store, &["a"], Width::Minute, NOON);
        assert_eq!(at_noon, expected(std::slice::from_ref(&noon), Width::Minute));
        let after = NOON + Duration::microseconds(1);
        assert!(rows(store, &["a"], Width::Minute, after).is_empty());
        assert!(rows(store, &["a"], Width::Hour, after).is_empty());
        assert!(rows(store, &["b"], Width::Minute, LONG_AGO).is_empty());
        assert!(rows(store, &[], Width::Minute, LONG_AGO).is_empty());
        fold(store);
    }
}

/// There is no way to tell a report sent twice from two reports, unless its sender names it.
pub fn adding_twice_counts_twice(subject: Subject) {
    let mut writer = Writer::new(subject.store());
    let first = report("a", "shop", NOON, &Counts::new(3, 2).with_variant("blue", 3));
    let second = report("a", "shop", NOON, &Counts::new(3, 2).with_variant("red", 1));
    writer.append(&first);
    fold(subject.store());
    writer.append(&second);
    let sum = Counts::new(6, 4).with_variant("blue", 3).with_variant("red", 1);
    let both = expected(&[report("a", "shop", NOON, &sum)], Width::Minute);
    assert_eq!(minutes(subject.store(), "a"), both);
    fold(subject.store());
    assert_eq!(minutes(subject.store(), "a"), both);
}

/// A batch whose outcome is not known is appended again under its number: it counts once, whether it was
/// stored the first time or not, and whether it was folded meanwhile or not.
pub fn a_batch_that_is_appended_again_counts_once(subject: Subject) {
    let store = subject.store();
    let mut writer = Writer::new(store);
    let counts = report("a", "shop", NOON, &Counts::new(1, 0));
    let yes = || {
        minutes(store, "a")
            .iter()
            .map(|row| row.counts.yes.get())
            .sum::<u64>()
    };
    for (round, folded) in [(1, false), (2, true)] {
        let first = writer.batch(&counts);
        let again = UsageBatch {
            again: true,
            ..first.clone()
        };
        assert_eq!(store.append_usage(&first).unwrap(), Appended::Stored);
        if folded {
            fold(store);
        }
        assert_eq!(store.append_usage(&again).unwrap(), Appended::Stored);
        assert_eq!(store.append_usage(&again).unwrap(), Appended::Stored);
        assert_eq!(yes(), round);
    }
    let lost = writer.batch(&counts);
    let again = UsageBatch { again: true, ..lost };
    assert_eq!(store.append_usage(&again).unwrap(), Appended::Stored);
    assert_eq!(yes(), 3);
    fold(store);
    assert_eq!(yes(), 3);
}

/// Then nothing of its batch is stored, so that the others can be sent without it.
pub fn a_report_that_was_stored_under_its_name_is_known(subject: Subject) {
    let store = subject.store();
    let mut writer = Writer::new(store);
    let counts = report("a", "shop", NOON, &Counts::new(1, 0));
    let [first, second] = [[1; 32], [2; 32]].map(ReportKey);
    let named = |writer: &mut Writer<'_>, keys: &[ReportKey]| {
        let batch = writer.batch(&counts);
        UsageBatch {
            keys: keys.to_vec(),
            ..batch
        }
    };
    let batch = named(&mut writer, &[first]);
    assert_eq!(store.append_usage(&batch).unwrap(), Appended::Stored);
    let again = UsageBatch { again: true, ..batch };
    assert_eq!(
        store.append_usage(&again).unwrap(),
        Appended::Stored,
        "the whole batch is known"
    );
    let batch = named(&mut writer, &[second, first]);
    assert_eq!(store.append_usage(&batch).unwrap(), Appended::Known(vec![first]));
    let rest = UsageBatch {
        keys: vec![second],
        ..batch
    };
    assert_eq!(store.append_usage(&rest).unwrap(), Appended::Stored);
    let yes: Vec<u64> = minutes(store, "a")
        .iter()
        .map(|row| row.counts.yes.get())
        .collect();
    assert_eq!(yes, [2]);
    tidy(store, NOON + Duration::days(2), &Retention::default());
    let batch = named(&mut writer, &[first]);
    assert_eq!(
        store.append_usage(&batch).unwrap(),
        Appended::Stored,
        "names are not kept for ever"
    );
}

/// Sums neither overflow nor go on beyond it.
pub fn counts_stop_at_the_greatest_one(subject: Subject) {
    let huge = Counts::new(u64::MAX, u64::MAX - 1).with_variant("blue", u64::MAX);
    let batch = report("a", "shop", NOON, &huge);
    let mut writer = Writer::new(subject.store());
    for _ in 0..3 {
        writer.append(&batch);
        writer.append(&batch);
        fold(subject.store());
        let once = expected(std::slice::from_ref(&batch), Width::Minute);
        assert_eq!(minutes(subject.store(), "a"), once);
    }
}

/// Grouping reports changes nothing.
pub fn a_batch_adds_what_its_reports_would_add_one_by_one(subject: Subject) {
    let store = subject.store();
    let reports: Vec<Packed> = (0..300_u32)
        .map(|number| {
            let at = NOON - Duration::seconds(i64::from(number % 45) * 97);
            let counts = Counts::new(u64::from(number), 1).with_variant(format!("v{}", number % 4), 2);
            report("a", ["shop", "till", "o'clock"][number as usize % 3], at, &counts)
        })
        .collect();
    let mut writer = Writer::new(store);
    for (number, report) in reports.iter().enumerate().skip(150) {
        writer.append(report);
        if number % 40 == 0 {
            fold(store);
        }
    }
    let mut first_half = Packed::default();
    reports
        .iter()
        .take(150)
        .for_each(|report| first_half.append(report));
    writer.append(&first_half);
    for width in Width::ALL {
        assert_eq!(rows(store, &["a"], width, LONG_AGO), expected(&reports, width));
    }
}

/// Not in that of a language; each once an environment.
pub fn applications_are_seen_in_order_of_their_bytes(subject: Subject) {
    let store = subject.store();
    let mut writer = Writer::new(store);
    let names = ["a1", "ä1", "B1", "b/2", "böat / ünit", "   ", "a\"b'c"];
    for application in names {
        writer.append(&report("a", application, NOON, &Counts::new(1, 0)));
    }
    let mut elsewhere = Report::new("B1", "development", NOON, NOON);
    elsewhere.add("a", &Counts::new(1, 0));
    writer.append(&elsewhere.pack());
    writer.append(&report("b", "other", NOON, &Counts::new(1, 0)));
    for _ in 0..2 {
        let seen = applications(store, "a");
        assert_eq!(
            seen,
            ["B1", "   ", "B1", "a\"b'c", "a1", "b/2", "böat / ünit", "ä1"]
        );
        assert!(applications(store, "c").is_empty());
        let all: Vec<String> = store.reporting_applications().unwrap().into_iter().collect();
        assert_eq!(
            all,
            ["   ", "B1", "a\"b'c", "a1", "b/2", "böat / ünit", "other", "ä1"]
        );
        let of = store.reported_by(&Reported::Applications(vec!["B1".to_owned(), "x".to_owned()]));
        let of: Vec<String> = of
            .unwrap()
            .into_iter()
            .map(|by| by.environment.to_string())
            .collect();
        assert_eq!(of, ["development", "production"]);
        fold(store);
    }
}

/// Of all applications together, whichever reported last, by environment.
pub fn flags_are_last_seen_when_anybody_reported_them(subject: Subject) {
    let store = subject.store();
    let mut writer = Writer::new(store);
    let later = NOON + Duration::MINUTE;
    for (flag, application, at) in [("a", "shop", later), ("a", "till", NOON), ("b", "shop", NOON)] {
        writer.append(&report(flag, application, at, &Counts::new(1, 0)));
        fold(store);
    }
    let newest = later + Duration::MINUTE;
    writer.append(&report("a", "till", newest, &Counts::new(0, 1)));
    for _ in 0..2 {
        let seen = |flags| {
            let seen = store.last_seen(flags).unwrap().into_iter();
            seen.map(|((flag, _), at)| (flag.to_string(), at))
                .collect::<Vec<_>>()
        };
        let wanted = [FlagName::from("a"), "c".into()];
        assert_eq!(seen(Some(&wanted)), [("a".to_owned(), newest)]);
        assert_eq!(seen(None), [("a".to_owned(), newest), ("b".to_owned(), NOON)]);
        fold(store);
    }
}

/// Counted all the same, and no longer unknown once they are configured.
pub fn flags_that_are_not_configured_are_known_by_their_reports(subject: Subject) {
    let store = subject.store();
    let mut writer = Writer::new(store);
    let later = NOON + Duration::MINUTE;
    for (flag, at) in [("checkout", NOON), ("typo", NOON), ("typo", later)] {
        writer.append(&report(flag, "shop", at, &Counts::new(1, 0)));
    }
    let unknown = || {
        let by = store.reported_by(&Reported::Unknown).unwrap();
        by.into_iter()
            .map(|by| (by.flag.to_string(), by.application, by.last))
            .collect::<Vec<_>>()
    };
    let named = |flag: &str, last| (flag.to_owned(), "shop".to_owned(), last);
    assert_eq!(unknown(), [named("checkout", NOON), named("typo", later)]);
    fold(store);
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
    assert!(!minutes(store, "checkout").is_empty());
}

/// One bad name in it, and nothing of it is there.
pub fn a_refused_batch_adds_nothing(subject: Subject) {
    let store = subject.store();
    let mut writer = Writer::new(store);
    for (flag, application) in [("z", "a\0b"), ("z\0", "shop"), (&*"x".repeat(801), "shop")] {
        let mut counts = report("a", "shop", NOON, &Counts::new(1, 0));
        counts.append(&report(flag, application, NOON, &Counts::new(1, 0)));
        let refused = store.append_usage(&writer.batch(&counts));
        assert!(matches!(refused, Err(StoreError::Unstorable(_))), "{refused:?}");
    }
    assert!(store.reporting_applications().unwrap().is_empty());
    assert!(minutes(store, "a").is_empty());
}

/// What SDKs are told does not change because they report.
pub fn usage_makes_no_revision(subject: Subject) {
    let store = subject.store();
    let mut writer = Writer::new(store);
    writer.append(&report("a", "shop", NOON, &Counts::new(1, 0)));
    writer.append(&Packed::default());
    fold(store);
    assert_eq!(store.revision().unwrap(), Revision::default());
}
