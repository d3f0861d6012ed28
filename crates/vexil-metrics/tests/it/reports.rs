//! From reports to rows.

use time::macros::datetime;
use time::{Duration, OffsetDateTime};
use vexil_metrics::{Count, Counts, Report, Rows, Width};

const NOW: OffsetDateTime = datetime!(2026-11-27 21:03:20.5 UTC);

fn report(stop: OffsetDateTime) -> Report {
    let mut report = Report::new("shop", "production", stop, NOW);
    report.add("checkout", &Counts::new(3, 2).with_variant("blue", 3));
    report
}

fn counts(rows: &Rows) -> Vec<Counts> {
    rows.iter().map(|row| row.counts.into()).collect()
}

fn rows(report: &Report, width: Width) -> Rows {
    let mut rows = Rows::default();
    rows.add_packed(&report.pack(), width).unwrap();
    rows
}

/// Where the rows of a report start, by the minute, the hour and the day.
fn starts(report: &Report) -> [Vec<OffsetDateTime>; 3] {
    Width::ALL.map(|width| rows(report, width).iter().map(|row| row.start).collect())
}

/// A report is of the minute, the hour and the day in which its stop lies, to the last instant.
#[test]
fn a_report_counts_in_the_minute_the_hour_and_the_day_of_its_stop() {
    let cases = [
        (
            datetime!(2026-11-27 20:59:59.999999 UTC),
            datetime!(2026-11-27 20:59 UTC),
            datetime!(2026-11-27 20:00 UTC),
            datetime!(2026-11-27 00:00 UTC),
        ),
        (
            datetime!(2026-11-27 21:00 UTC),
            datetime!(2026-11-27 21:00 UTC),
            datetime!(2026-11-27 21:00 UTC),
            datetime!(2026-11-27 00:00 UTC),
        ),
        (
            datetime!(2026-11-26 23:59:59.999999 UTC),
            datetime!(2026-11-26 23:59 UTC),
            datetime!(2026-11-26 23:00 UTC),
            datetime!(2026-11-26 00:00 UTC),
        ),
        (
            datetime!(1970-01-20 16:13:20 UTC),
            datetime!(1970-01-20 16:13 UTC),
            datetime!(1970-01-20 16:00 UTC),
            datetime!(1970-01-20 00:00 UTC),
        ),
        (
            datetime!(1969-12-31 23:59:59.5 UTC),
            datetime!(1969-12-31 23:59 UTC),
            datetime!(1969-12-31 23:00 UTC),
            datetime!(1969-12-31 00:00 UTC),
        ),
    ];
    for (stop, minute, hour, day) in cases {
        let report = report(stop);
        assert_eq!(report.minute(), minute);
        assert_eq!(starts(&report), [[minute], [hour], [day]]);
        assert_eq!(
            counts(&rows(&report, Width::Minute)),
            [Counts::new(3, 2).with_variant("blue", 3)]
        );
    }
}

#[test]
fn a_stop_in_the_future_counts_as_the_time_of_receipt() {
    for ahead in [
        Duration::microseconds(1),
        Duration::hours(30),
        Duration::days(365 * 5000),
    ] {
        let report = report(NOW + ahead);
        let receipt = [
            [datetime!(2026-11-27 21:03 UTC)],
            [datetime!(2026-11-27 21:00 UTC)],
            [datetime!(2026-11-27 00:00 UTC)],
        ];
        assert_eq!(starts(&report), receipt);
    }
}

#[test]
fn hours_and_days_are_those_of_utc_whatever_the_offset() {
    let report = report(datetime!(2026-11-28 02:08 +05:30));
    let utc = [
        [datetime!(2026-11-27 20:38 UTC)],
        [datetime!(2026-11-27 20:00 UTC)],
        [datetime!(2026-11-27 00:00 UTC)],
    ];
    assert_eq!(starts(&report), utc);
    assert!(
        starts(&report)
            .iter()
            .flatten()
            .all(|start| start.offset().is_utc())
    );
}

#[test]
fn instants_before_1970_are_rounded_down_too() {
    assert_eq!(
        Width::Hour.floor(datetime!(1969-12-31 23:59:59.5 UTC)),
        datetime!(1969-12-31 23:00 UTC)
    );
    assert_eq!(
        Width::Minute.floor(datetime!(1969-12-31 23:59:59.5 UTC)),
        datetime!(1969-12-31 23:59 UTC)
    );
}

#[test]
fn the_same_flag_twice_in_a_report_adds_up() {
    let mut twice = report(NOW);
    twice.add(
        "checkout",
        &Counts::new(1, 0).with_variant("red", 1).with_variant("red", 4),
    );
    let sum = Counts::new(4, 2).with_variant("blue", 3).with_variant("red", 5);
    let rows = rows(&twice, Width::Minute);
    assert_eq!(counts(&rows), [sum]);
}

#[test]
fn counts_stop_at_the_greatest_number_that_json_keeps() {
    assert_eq!(Count::new(u64::MAX), Count::MAX);
    assert_eq!(Count::MAX.get(), 9_007_199_254_740_991);
    let mut counts = Counts::new(u64::MAX, 1).with_variant("blue", Count::MAX.get());
    counts.add(&Counts::new(1, 1).with_variant("blue", u64::MAX));
    assert_eq!(counts, Counts::new(u64::MAX, 2).with_variant("blue", u64::MAX));
}

#[test]
fn variants_count_without_yes_and_no() {
    let mut report = Report::new("shop", "production", NOW, NOW);
    let only_variants = Counts::default().with_variant("a", 5);
    report.add("checkout", &only_variants);
    let rows = rows(&report, Width::Minute);
    assert_eq!(counts(&rows), std::slice::from_ref(&only_variants));
    assert!(!only_variants.is_nothing());
    assert!(Counts::default().with_variant("a", 0).is_nothing());
}
