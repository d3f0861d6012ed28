//! Usage as time goes by: it is folded, becomes coarser, and goes.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use time::macros::datetime;
use time::{Duration, OffsetDateTime};
use vexil_domain::{SnapshotDelta, Write};
use vexil_metrics::{Counts, Packed, Report, Retention, Row, Width};

use super::usage::{LONG_AGO, NOON, Writer, applications, expected, fold, minutes, report, tidy};
use super::usage_rows::rows;
use super::{Subject, sample};
use crate::{Commit, InboxSize, Reported};

/// Eight writers of the same rows, and three that fold, all at once; readers see every batch from the moment
/// it is stored, and never anything twice.
pub fn writers_and_folders_at_the_same_time_lose_and_double_nothing(subject: Subject) {
    let store = subject.store();
    let done = AtomicBool::new(false);
    let batch = |writer: usize| {
        let mut batch = Packed::default();
        for step in 0..20 {
            let application = format!("app{}", (step + writer) % 5);
            let counts = Counts::new(1, 2).with_variant("blue", 1);
            batch.append(&report("a", &application, NOON, &counts));
            let own = format!("own{writer}");
            batch.append(&report(&own, &application, NOON, &Counts::new(1, 0)));
        }
        batch
    };
    let yes = |flag: &str| {
        minutes(store, flag)
            .iter()
            .map(|row| row.counts.yes.get())
            .sum::<u64>()
    };
    thread::scope(|scope| {
        let writers: Vec<_> = (0..8)
            .map(|number| {
                scope.spawn(move || {
                    let mut writer = Writer::new(store);
                    for round in 1..=5 {
                        writer.append(&batch(number));
                        assert_eq!(yes(&format!("own{number}")), round * 20);
                    }
                })
            })
            .collect();
        for _ in 0..3 {
            scope.spawn(|| {
                while !done.load(Ordering::Acquire) {
                    store.fold_usage().unwrap();
                    thread::yield_now();
                }
            });
        }
        writers.into_iter().for_each(|writer| writer.join().unwrap());
        done.store(true, Ordering::Release);
    });
    for _ in 0..2 {
        for width in Width::ALL {
            let rows = rows(store, &["a"], width, LONG_AGO);
            assert_eq!(rows.len(), 5);
            for row in rows.iter() {
                assert_eq!(
                    Counts::from(row.counts),
                    Counts::new(160, 320).with_variant("blue", 160)
                );
            }
        }
        assert_eq!(rows(store, &["own7"], Width::Hour, LONG_AGO).len(), 5);
        fold(store);
    }
}

/// A lot is folded in several steps; between any two of them another server may go on with it, everything is
/// read exactly, and what is removed is gone.
pub fn folding_may_stop_and_go_on_elsewhere_after_every_step(subject: Subject) {
    let other = subject.another();
    let stores = [subject.store(), other.as_deref().unwrap_or(subject.store())];
    let name = |number: u32| format!("flag-{number:05}");
    let mut counts = Report::new("shop", "production", NOON, NOON);
    (0..7_000).for_each(|number| counts.add(name(number), &Counts::new(1, 0).with_variant("blue", 2)));
    let mut writer = Writer::new(stores[0]);
    writer.append(&counts.pack());
    // a store may fold at once
    let size = stores[0].inbox_size().unwrap();
    assert!(size.rows <= 1, "{size:?}");
    assert_eq!(size.bytes > 7_000, size.rows == 1, "{size:?}");
    let looked_at = [0, 1_999, 2_000, 2_001, 3_999, 4_001, 6_999].map(name);
    let flags: Vec<&str> = looked_at.iter().map(String::as_str).collect();
    let mut removed = None;
    for step in 0.. {
        for store in stores {
            let rows = rows(store, &flags, Width::Hour, LONG_AGO);
            let yes = |flag: &str| {
                let of_flag = rows.iter().find(|row| row.series.flag.as_str() == flag)?;
                let counts = Counts::from(of_flag.counts);
                Some((counts.yes.get(), counts.variants["blue"].get()))
            };
            for flag in &flags {
                let times = if removed == Some(*flag) {
                    None
                } else {
                    Some((1 + step, 2 + 2 * step))
                };
                assert_eq!(yes(flag), times, "{flag} after {step} steps");
            }
            let gone = usize::from(removed.is_some());
            assert_eq!(store.last_seen(None).unwrap().len(), 7_000 - gone);
        }
        if step == 2 {
            let delta = SnapshotDelta {
                flags: vec![Write::Delete(flags[4].into())],
                ..SnapshotDelta::default()
            };
            stores[1]
                .commit(&Commit {
                    delta,
                    ..Commit::default()
                })
                .unwrap();
            removed = Some(flags[4]);
        }
        if step == 6 {
            return;
        }
        stores[usize::from(step % 2 == 1)].fold_usage().unwrap();
        // what arrives meanwhile is folded after that
        let mut more = Report::new("shop", "production", NOON, NOON);
        for flag in flags.iter().filter(|flag| removed != Some(**flag)) {
            more.add(*flag, &Counts::new(1, 0).with_variant("blue", 2));
        }
        if step == 4 {
            fold(stores[0]);
            assert_eq!(stores[1].inbox_size().unwrap(), InboxSize::default());
        }
        writer.append(&more.pack());
    }
}

/// Minutes become part of hours after two hours, hours of days after two days; nothing is lost by it, and what
/// was reported too long ago goes with its applications.
pub fn old_counts_become_coarser_and_go_in_the_end(subject: Subject) {
    let store = subject.store();
    let mut writer = Writer::new(store);
    let retention = Retention {
        days: Duration::days(30),
    };
    let counts = Counts::new(1, 1).with_variant("blue", 1);
    let reports = [
        report("a", "shop", NOON, &counts),
        report("a", "shop", NOON + Duration::minutes(59), &counts),
        report("a", "gone", NOON, &counts),
        report("a", "shop", NOON + Duration::HOUR, &counts),
    ];
    reports.iter().for_each(|report| writer.append(report));
    fold(store);
    let starts = |width: Width| -> Vec<OffsetDateTime> {
        rows(store, &["a"], width, LONG_AGO)
            .iter()
            .map(|row| row.start)
            .collect()
    };
    let unchanged = |widths: &[Width]| {
        for &width in widths {
            assert_eq!(
                rows(store, &["a"], width, LONG_AGO),
                expected(&reports, width),
                "{width:?}"
            );
        }
    };
    tidy(store, NOON + Duration::HOUR * 3 - Duration::SECOND, &retention);
    unchanged(&Width::ALL);
    tidy(store, NOON + Duration::HOUR * 3, &retention);
    unchanged(&[Width::Hour, Width::Day]);
    assert_eq!(starts(Width::Minute), [NOON + Duration::HOUR]);
    writer.append(&reports[1]);
    fold(store);
    assert_eq!(
        starts(Width::Minute).len(),
        2,
        "a late report counts by the minute at first"
    );
    tidy(store, NOON + Duration::HOUR * 4, &retention);
    assert!(starts(Width::Minute).is_empty());
    let mut with_late = reports.to_vec();
    with_late.push(reports[1].clone());
    assert_eq!(
        rows(store, &["a"], Width::Hour, LONG_AGO),
        expected(&with_late, Width::Hour)
    );

    let midnight = datetime!(2026-11-28 00:00 UTC);
    tidy(
        store,
        midnight + Duration::HOUR * 48 - Duration::SECOND,
        &retention,
    );
    assert_eq!(
        rows(store, &["a"], Width::Hour, LONG_AGO),
        expected(&with_late, Width::Hour)
    );
    tidy(store, midnight + Duration::HOUR * 48, &retention);
    assert!(starts(Width::Hour).is_empty());
    assert_eq!(
        rows(store, &["a"], Width::Day, LONG_AGO),
        expected(&with_late, Width::Day)
    );

    tidy(store, NOON + retention.days - Duration::SECOND, &retention);
    assert_eq!(applications(store, "a"), ["gone", "shop"]);
    tidy(store, NOON + retention.days, &retention);
    assert_eq!(applications(store, "a"), ["shop"]);
    let block_end = Width::Day.block(NOON).0 + Width::Day.block_length();
    tidy(store, block_end + retention.days - Duration::SECOND, &retention);
    assert_eq!(starts(Width::Day).len(), 2);
    tidy(store, block_end + retention.days, &retention);
    assert!(starts(Width::Day).is_empty());
    assert!(applications(store, "a").is_empty());
    writer.append(&report("a", "gone", block_end + retention.days, &counts));
    fold(store);
    assert_eq!(applications(store, "a"), ["gone"]);
}

/// What is kept for an hour only never becomes an hour.
pub fn a_short_retention_deletes_minutes(subject: Subject) {
    let store = subject.store();
    let mut writer = Writer::new(store);
    writer.append(&report("a", "shop", NOON, &Counts::new(1, 1)));
    fold(store);
    let retention = Retention { days: Duration::HOUR };
    tidy(store, NOON + Duration::HOUR * 2, &retention);
    for width in Width::ALL {
        assert!(rows(store, &["a"], width, LONG_AGO).is_empty());
    }
    assert!(applications(store, "a").is_empty());
}

/// Old counts become coarser while new ones of the same applications come in.
pub fn tidying_and_adding_at_the_same_time_lose_nothing(subject: Subject) {
    let store = subject.store();
    let retention = Retention::default();
    let later = NOON + Duration::HOUR * 3;
    thread::scope(|scope| {
        for number in 0..4 {
            scope.spawn(move || {
                let mut writer = Writer::new(store);
                for at in [NOON, later].repeat(10) {
                    let application = format!("app{}", number % 2);
                    writer.append(&report("a", &application, at, &Counts::new(1, 0)));
                    store.fold_usage().unwrap();
                }
            });
        }
        scope.spawn(|| {
            for _ in 0..20 {
                store.tidy_usage(later, &retention).unwrap();
            }
        });
    });
    fold(store);
    tidy(store, later, &retention);
    let yes = |width| {
        let rows = rows(store, &["a"], width, LONG_AGO);
        rows.iter()
            .map(|row| (row.start, row.counts.yes.get()))
            .collect::<Vec<_>>()
    };
    assert_eq!(yes(Width::Minute), [(later, 20), (later, 20)]);
    assert_eq!(
        yes(Width::Hour),
        [(NOON, 20), (later, 20), (NOON, 20), (later, 20)]
    );
    assert_eq!(applications(store, "a"), ["app0", "app1"]);
}

/// The next flag or environment of that name begins with nothing, whether the counts were folded or not.
pub fn usage_goes_with_the_flag_or_environment_that_it_is_of(subject: Subject) {
    let store = subject.store();
    let mut writer = Writer::new(store);
    let in_environment = |flag: &str, environment: &str| {
        let mut report = Report::new("shop", environment, NOON, NOON);
        report.add(flag, &Counts::new(1, 0));
        report.pack()
    };
    let all = [
        in_environment("gone", "production"),
        in_environment("stays", "production"),
        in_environment("stays", "qa"),
    ];
    let append = |writer: &mut Writer<'_>| all.iter().for_each(|it| writer.append(it));
    append(&mut writer);
    fold(store);
    append(&mut writer);
    let commit = |delta| {
        let expected = store.revision().unwrap().sequence;
        store
            .commit(&Commit {
                expected,
                delta,
                ..Commit::default()
            })
            .unwrap();
    };
    let left = || -> Vec<String> {
        let rows = rows(store, &["gone", "stays"], Width::Minute, LONG_AGO);
        let row = |row: Row<'_>| {
            format!(
                "{} {} {}",
                row.series.flag, row.series.environment, row.counts.yes
            )
        };
        let reported: Vec<String> = rows.iter().map(row).collect();
        let names = Reported::Flags(vec!["gone".into(), "stays".into()]);
        assert_eq!(store.reported_by(&names).unwrap().len(), reported.len());
        assert_eq!(store.last_seen(None).unwrap().len(), reported.len());
        reported
    };
    assert_eq!(left(), ["gone production 2", "stays production 2", "stays qa 2"]);
    let delta = SnapshotDelta {
        flags: vec![
            Write::Delete("gone".into()),
            Write::Upsert(sample::flag("stays").into()),
        ],
        ..SnapshotDelta::default()
    };
    commit(delta);
    assert_eq!(left(), ["stays production 2", "stays qa 2"]);
    let delta = SnapshotDelta {
        environments: vec![Write::Delete("qa".into())],
        ..SnapshotDelta::default()
    };
    commit(delta);
    assert_eq!(left(), ["stays production 2"]);
    fold(store);
    assert_eq!(left(), ["stays production 2"]);
    append(&mut writer);
    assert_eq!(left(), ["gone production 1", "stays production 3", "stays qa 1"]);
}
