//! Laws of adding up, over any reports.

use proptest::collection::vec;
use proptest::prelude::*;
use time::macros::datetime;
use time::{Duration, OffsetDateTime};
use vexil_metrics::{Batch, Count, Counts, Report, Width, hourly, last_hour, last_hour_start};

const NOW: OffsetDateTime = datetime!(2026-11-27 21:03:20.5 UTC);
const HOURS: u32 = 5;

fn arb_number() -> impl Strategy<Value = u64> {
    prop_oneof![8 => 0..1000_u64, 1 => Just(Count::MAX.get()), 1 => any::<u64>()]
}

fn arb_counts() -> impl Strategy<Value = Counts> {
    let variants = vec(
        (prop_oneof!["[ab]", Just("__proto__".to_owned())], arb_number()),
        0..3,
    );
    (arb_number(), arb_number(), variants).prop_map(|(yes, no, variants)| {
        let counts = Counts::new(yes, no);
        variants
            .into_iter()
            .fold(counts, |counts, (name, times)| counts.with_variant(name, times))
    })
}

/// A report of the last four hours, often on the edge of a minute or an hour, sometimes of the future.
fn arb_report() -> impl Strategy<Value = Report> {
    let age = prop_oneof![
        (-600..4 * 3600_i64).prop_map(Duration::seconds),
        (-10..240_i64, -1..2_i64)
            .prop_map(|(minute, off)| { Duration::milliseconds(20_500 + minute * 60_000 + off) }),
    ];
    let names = (
        prop_oneof![Just("shop"), Just("till")],
        prop_oneof![Just("development"), Just("production")],
    );
    (
        names,
        age,
        vec((prop_oneof![Just("a"), Just("b")], arb_counts()), 0..3),
    )
        .prop_map(|((application, environment), age, flags)| {
            let mut report = Report::new(application, environment, NOW - age, NOW);
            flags
                .into_iter()
                .for_each(|(flag, counts)| report.add(flag, counts));
            report
        })
}

fn all(reports: &[Report]) -> Batch {
    let mut batch = Batch::default();
    reports.iter().for_each(|report| batch.add(report));
    batch
}

fn merged(mut left: Batch, right: Batch) -> Batch {
    left.merge(right);
    left
}

/// What `reports` say of flag `a`, of those for which `wanted` is true.
fn sum(reports: &[Report], wanted: impl Fn(&Report) -> bool) -> Counts {
    let mut sum = Counts::default();
    for report in reports.iter().filter(|report| wanted(report)) {
        if let Some(counts) = report.flags().get("a") {
            sum.add(counts);
        }
    }
    sum
}

fn of_flag_a(mut batch: Batch) -> Batch {
    batch.retain(|key, _| key.flag.as_str() == "a");
    batch
}

fn total<'a>(counts: impl Iterator<Item = &'a Counts>) -> Counts {
    let mut total = Counts::default();
    counts.for_each(|counts| total.add(counts));
    total
}

proptest! {
    #[test]
    fn merging_commutes(left in vec(arb_report(), 0..6), right in vec(arb_report(), 0..6)) {
        prop_assert_eq!(merged(all(&left), all(&right)), merged(all(&right), all(&left)));
    }

    #[test]
    fn merging_associates(a in vec(arb_report(), 0..5), b in vec(arb_report(), 0..5), c in vec(arb_report(), 0..5)) {
        let (a, b, c) = (all(&a), all(&b), all(&c));
        let left = merged(merged(a.clone(), b.clone()), c.clone());
        prop_assert_eq!(left, merged(a, merged(b, c)));
    }

    #[test]
    fn reports_add_up_the_same_in_any_grouping(reports in vec(arb_report(), 0..10), cut in 0..10_usize) {
        let (first, second) = reports.split_at(cut.min(reports.len()));
        prop_assert_eq!(all(&reports), merged(all(first), all(second)));
    }

    #[test]
    fn hours_hold_every_report_once(reports in vec(arb_report(), 0..10)) {
        let batch = of_flag_a(all(&reports));
        let hours = batch.iter().filter(|(key, _)| key.width == Width::Hour).map(|(_, counts)| counts);
        prop_assert_eq!(total(hours), sum(&reports, |_| true));
        let read = hourly(NOW, HOURS, &batch);
        prop_assert_eq!(total(read.iter().filter_map(|hour| hour.counts.as_ref())), sum(&reports, |_| true));
    }

    #[test]
    fn the_last_hour_holds_every_report_since_its_start_once(reports in vec(arb_report(), 0..10)) {
        let usage = last_hour(NOW, &of_flag_a(all(&reports)));
        for environment in ["development", "production"] {
            let of = |report: &Report| {
                report.environment.as_str() == environment && report.minute() >= last_hour_start(NOW)
            };
            let reported = reports.iter().any(|report| of(report) && report.flags().contains_key("a"));
            let found = usage.iter().find(|usage| usage.environment.as_str() == environment);
            prop_assert_eq!(found.map(|usage| usage.counts.clone()), reported.then(|| sum(&reports, of)));
        }
    }

    #[test]
    fn rows_start_on_their_minute_or_hour_and_never_in_the_future(reports in vec(arb_report(), 0..10)) {
        for (key, counts) in all(&reports).iter() {
            prop_assert_eq!(key.width.floor(key.start), key.start);
            prop_assert!(key.start <= NOW);
            prop_assert!(counts.yes <= Count::MAX && counts.variants.values().all(|times| *times <= Count::MAX));
        }
    }
}
