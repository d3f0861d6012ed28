//! How long the large operations take: `cargo bench -p vexil-store-diesel`. PostgreSQL is measured
//! where `VEXIL_TEST_POSTGRES` names an empty database.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a program for people that prints what it measures"
)]

use std::sync::Arc;
use std::time::Instant;

use time::macros::datetime;
use time::{Duration, OffsetDateTime};
use vexil_domain::{SnapshotDelta, Write};
use vexil_metrics::{Batch, Counts, Report, Retention, Width};
use vexil_store::conformance::sample;
use vexil_store::{Commit, FlagUsage, Reported, Store};

const NOW: OffsetDateTime = datetime!(2026-11-27 21:03:20 UTC);

fn main() {
    let folder = std::env::temp_dir().join(format!("vexil-bench-{}", std::process::id()));
    std::fs::create_dir(&folder).unwrap();
    let file = format!("sqlite:{}/flags.db", folder.display());
    measure("SQLite, a file", &vexil_store_diesel::open(&file).unwrap());
    std::fs::remove_dir_all(&folder).unwrap();
    match std::env::var("VEXIL_TEST_POSTGRES") {
        Ok(url) => measure("PostgreSQL", &vexil_store_diesel::open(&url).unwrap()),
        Err(_) => println!("PostgreSQL: not measured, since VEXIL_TEST_POSTGRES is not set"),
    }
}

fn measure(name: &str, store: &dyn Store) {
    let time = |what: &str, work: &dyn Fn()| {
        let start = Instant::now();
        work();
        println!("{name}: {what}: {:.1} ms", start.elapsed().as_secs_f64() * 1000.0);
    };
    let wide = batch(15_000, false);
    time("30,000 new rows of usage, all of different flags", &|| {
        store.add_usage(&wide).unwrap()
    });
    time("the same 30,000 rows again", &|| store.add_usage(&wide).unwrap());
    let varied = batch(5_000, true);
    time("10,000 rows with 3 variants each", &|| {
        store.add_usage(&varied).unwrap()
    });
    let one = batch(1, true);
    time("100 batches of one report", &|| {
        (0..100).for_each(|_| store.add_usage(&one).unwrap())
    });
    let wanted = FlagUsage {
        flag: "flag-1".into(),
        width: Width::Minute,
        since: NOW - Duration::HOUR,
    };
    time("100 times the last hour of one flag", &|| {
        (0..100).for_each(|_| drop(store.usage(&wanted).unwrap()));
    });
    time("all who reported", &|| {
        drop(store.reported_by(&Reported::Everything).unwrap())
    });
    time("deleting all of it", &|| {
        store
            .purge_usage(NOW + Duration::days(100), &Retention::default())
            .map(drop)
            .unwrap();
    });

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

/// One report of `flags` flags: a row of a minute and one of an hour each.
fn batch(flags: u32, variants: bool) -> Batch {
    let mut report = Report::new("shop", "production", NOW, NOW);
    for number in 0..flags {
        let mut counts = Counts::new(3, 2);
        if variants {
            counts = counts
                .with_variant("a", 1)
                .with_variant("b", 1)
                .with_variant("c", 1);
        }
        report.add(format!("flag-{number}"), counts);
    }
    Batch::from(&report)
}
