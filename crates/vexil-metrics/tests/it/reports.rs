//! From reports to rows.

use time::macros::datetime;
use time::{Duration, OffsetDateTime};
use vexil_metrics::{Batch, Count, Counts, Report, Retention, UsageKey, Width};

const NOW: OffsetDateTime = datetime!(2026-11-27 21:03:20.5 UTC);

fn report(stop: OffsetDateTime) -> Report {
    let mut report = Report::new("shop", "production", stop, NOW);
    report.add("checkout", Counts::new(3, 2).with_variant("blue", 3));
    report
}

fn starts(batch: &Batch, width: Width) -> Vec<OffsetDateTime> {
    let of_width = batch.iter().filter(|(key, _)| key.width == width);
    of_width.map(|(key, _)| key.start).collect()
}

#[test]
fn a_report_counts_in_the_minute_and_in_the_hour_of_its_stop() {
    let batch = Batch::from(&report(datetime!(2026-11-27 20:59:59.999 UTC)));
    assert_eq!(starts(&batch, Width::Minute), [datetime!(2026-11-27 20:59 UTC)]);
    assert_eq!(starts(&batch, Width::Hour), [datetime!(2026-11-27 20:00 UTC)]);
    for (_, counts) in batch.iter() {
        assert_eq!(counts, &Counts::new(3, 2).with_variant("blue", 3));
    }
}

#[test]
fn a_stop_in_the_future_counts_as_the_time_of_receipt() {
    let batch = Batch::from(&report(NOW + Duration::hours(30)));
    assert_eq!(starts(&batch, Width::Minute), [datetime!(2026-11-27 21:03 UTC)]);
    assert_eq!(starts(&batch, Width::Hour), [datetime!(2026-11-27 21:00 UTC)]);
}

#[test]
fn an_old_stop_counts_in_its_hour_alone() {
    let oldest_minute = datetime!(2026-11-27 19:04 UTC);
    assert_eq!(
        starts(&Batch::from(&report(oldest_minute)), Width::Minute),
        [oldest_minute]
    );

    let batch = Batch::from(&report(oldest_minute - Duration::SECOND));
    assert!(starts(&batch, Width::Minute).is_empty());
    assert_eq!(starts(&batch, Width::Hour), [datetime!(2026-11-27 19:00 UTC)]);

    let batch = Batch::from(&report(datetime!(1970-01-20 16:13:20 UTC)));
    assert_eq!(starts(&batch, Width::Hour), [datetime!(1970-01-20 16:00 UTC)]);
}

#[test]
fn hours_are_those_of_utc_whatever_the_offset() {
    let batch = Batch::from(&report(datetime!(2026-11-28 02:08 +05:30)));
    assert_eq!(starts(&batch, Width::Minute), [datetime!(2026-11-27 20:38 UTC)]);
    assert_eq!(starts(&batch, Width::Hour), [datetime!(2026-11-27 20:00 UTC)]);
    assert!(batch.iter().all(|(key, _)| key.start.offset().is_utc()));
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
        Counts::new(1, 0).with_variant("red", 1).with_variant("red", 4),
    );
    let sum = Counts::new(4, 2).with_variant("blue", 3).with_variant("red", 5);
    assert_eq!(twice.flags()["checkout"], sum);
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
    report.add("checkout", Counts::default().with_variant("a", 5));
    let key = UsageKey {
        flag: "checkout".into(),
        application: "shop".to_owned(),
        environment: "production".into(),
        width: Width::Minute,
        start: datetime!(2026-11-27 21:03 UTC),
    };
    assert_eq!(
        Batch::from(&report).get(&key).unwrap().variants["a"],
        Count::new(5)
    );
}

#[test]
fn a_minute_is_kept_as_long_as_it_can_be_added() {
    let limit = Retention::default().limit(Width::Minute, NOW);
    let first_kept = Width::Minute.floor(limit) + Duration::MINUTE;
    assert_eq!(Batch::from(&report(first_kept)).len(), 2);
    assert_eq!(Batch::from(&report(first_kept - Duration::MINUTE)).len(), 1);
}
