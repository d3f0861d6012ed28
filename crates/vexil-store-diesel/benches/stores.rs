//! How long the large operations take: `cargo bench -p vexil-store-diesel`. PostgreSQL is measured
//! where `VEXIL_TEST_POSTGRES` names an empty database.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a program for people that prints what it measures"
)]

use std::sync::Arc;
use std::time::Instant;

use time::macros::datetime;
use time::{Duration, OffsetDateTime};
use vexil_domain::{SnapshotDelta, Write};
use vexil_metrics::{Counts, Packed, Report, Retention, Width};
use vexil_store::conformance::sample;
use vexil_store::{Applications, Commit, Folding, Store, UsageBatch, UsageQuery, WriterId};

const NOW: OffsetDateTime = datetime!(2026-11-27 21:03:20 UTC);

fn main() {
    let folder = std::env::temp_dir().join(format!("vexil-bench-{}", std::process::id()));
    std::fs::create_dir(&folder).unwrap();
    let file = folder.join("flags.db");
    let store = vexil_store_diesel::open(&format!("sqlite:{}", file.display())).unwrap();
    measure_usage("SQLite, a file", &store);
    let bytes = std::fs::metadata(&file).unwrap().len();
    println!("SQLite, a file: {} MB with the usage in it", bytes / 1_000_000);
    measure_configuration("SQLite, a file", &store);
    std::fs::remove_dir_all(&folder).unwrap();
    match std::env::var("VEXIL_TEST_POSTGRES") {
        Ok(url) => {
            let store = vexil_store_diesel::open(&url).unwrap();
            measure_usage("PostgreSQL", &store);
            measure_configuration("PostgreSQL", &store);
        }
        Err(_) => println!("PostgreSQL: not measured, since VEXIL_TEST_POSTGRES is not set"),
    }
}

/// A day of 10 applications in 3 environments that use 1,000 flags and report them every minute for two hours,
/// every ten minutes before that.
fn measure_usage(name: &str, store: &dyn Store) {
    const MINUTES: u32 = 24 * 60;
    let mut number = 0;
    let mut append = |reports: &[Packed]| {
        number += 1;
        let mut counts = Packed::default();
        reports.iter().for_each(|report| counts.append(report));
        let (writer, now, keys) = (WriterId(1), NOW, Vec::new());
        let again = false;
        let batch = UsageBatch {
            writer,
            number,
            again,
            counts,
            keys,
            now,
        };
        store.append_usage(&batch).unwrap();
    };
    let (mut appending, mut folding, mut reported) = (0.0, 0.0, 0_u32);
    let every_ten = (120..MINUTES).rev().step_by(10);
    for ago in every_ten.chain((0..120).rev()) {
        let at = NOW - Duration::minutes(ago.into());
        let reports: Vec<Packed> = (0..30).map(|sender| report(sender, at)).collect();
        reported += 30;
        appending += milliseconds(&mut || append(&reports));
        folding += milliseconds(&mut || while store.fold_usage().unwrap() != Folding::Idle {});
        let mut tidy = || while store.tidy_usage(at, &Retention::default()).unwrap() {};
        folding += milliseconds(&mut tidy);
    }
    let each = |all: f64| all / f64::from(reported);
    println!(
        "{name}: appending a report of 1,000 flags, 30 at once: {:.3} ms",
        each(appending)
    );
    println!("{name}: folding it: {:.3} ms", each(folding));
    let read = |what: &str, work: &mut dyn FnMut(u32)| {
        let mut times: Vec<f64> = (0..200).map(|turn| milliseconds(&mut || work(turn))).collect();
        times.sort_by(f64::total_cmp);
        println!(
            "{name}: {what}: {:.3} ms, {:.3} ms at most",
            times[100], times[199]
        );
    };
    let of_flag = |turn: u32, width, length: Duration| UsageQuery {
        flags: vec![flag_name(turn * 7 % 1_000).as_str().into()],
        width,
        since: NOW - length,
        applications: match width {
            Width::Minute => Applications::Together,
            Width::Hour | Width::Day => Applications::Apart,
        },
    };
    let reads = |when: &str| {
        let hour = format!("the last hour of a flag and who reported it, {when}");
        read(&hour, &mut |turn| {
            let wanted = of_flag(turn, Width::Minute, Duration::HOUR);
            drop(store.usage_and_applications(&wanted).unwrap());
        });
        read(&format!("the last day of a flag, {when}"), &mut |turn| {
            drop(store.usage(&of_flag(turn, Width::Hour, Duration::DAY)).unwrap());
        });
    };
    reads("all folded");
    for _ in 0..10 {
        let reports: Vec<Packed> = (0..30).map(|sender| report(sender, NOW)).collect();
        append(&reports);
    }
    reads("300 reports not folded");
}

/// What one of 10 applications says of its 1,000 flags in one of 3 environments.
fn report(sender: u32, at: OffsetDateTime) -> Packed {
    let environments = ["development", "production", "staging"];
    let environment = environments[sender as usize % 3];
    let mut report = Report::new(format!("application-{}", sender / 3), environment, at, at);
    let counts = Counts::new(30, 20)
        .with_variant("red", 20)
        .with_variant("blue", 10);
    (0..1_000).for_each(|number| report.add(flag_name(number), &counts));
    report.pack()
}

fn flag_name(number: u32) -> String {
    format!("flag-{number:04}")
}

fn milliseconds(work: &mut dyn FnMut()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64() * 1_000.0
}

fn measure_configuration(name: &str, store: &dyn Store) {
    let time = |what: &str, work: &dyn Fn()| {
        println!("{name}: {what}: {:.1} ms", milliseconds(&mut || work()));
    };
    let flags = (0..2_000).map(|number| Write::Upsert(Arc::new(sample::flag(&format!("flag-{number}")))));
    let commit = |flags| {
        let expected = store.revision().unwrap().sequence;
        let delta = SnapshotDelta {
            flags,
            ..SnapshotDelta::default()
        };
        store
            .commit(&Commit {
                expected,
                delta,
                ..Commit::default()
            })
            .map(drop)
            .unwrap();
    };
    let all: Vec<_> = flags.collect();
    time("an edit of 2,000 flags with 8,000 strategies", &|| {
        commit(all.clone())
    });
    time("100 edits of one flag", &|| {
        all.iter().take(100).for_each(|flag| commit(vec![flag.clone()]));
    });
    time("loading 2,000 flags with 8,000 strategies", &|| {
        drop(store.load().unwrap())
    });
    let gone = |number| Write::Delete(format!("flag-{number}").into());
    time("deleting 2,000 flags", &|| commit((0..2_000).map(gone).collect()));
}
