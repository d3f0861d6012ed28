//! From rows to the last hour, and to hours.

use time::macros::datetime;
use time::{Duration, OffsetDateTime};
use vexil_metrics::{
    Counts, Report, Rows, SeriesKey, Width, by_minute, hourly, hourly_start, last_hour, last_hour_start,
    minutes_start,
};

fn reported(application: &str, environment: &str, at: OffsetDateTime, counts: Counts) -> Report {
    let mut report = Report::new(application, environment, at, at);
    report.add("checkout", &counts);
    report
}

fn minutes(reports: &[Report]) -> Rows {
    all(reports, Width::Minute)
}

fn hours(reports: &[Report]) -> Rows {
    all(reports, Width::Hour)
}

fn all(reports: &[Report], width: Width) -> Rows {
    let mut rows = Rows::default();
    for report in reports {
        rows.add_packed(&report.pack(), width).unwrap();
    }
    rows
}

#[test]
fn the_last_hour_slides_and_does_not_begin_anew_at_the_full_hour() {
    let rows = minutes(&[
        reported(
            "shop",
            "production",
            datetime!(2026-11-27 20:59:59.999 UTC),
            Counts::new(1, 0),
        ),
        reported(
            "shop",
            "production",
            datetime!(2026-11-27 21:00:00 UTC),
            Counts::new(10, 0),
        ),
    ]);
    let yes = |now| last_hour(now, &rows).first().map(|usage| usage.counts.yes.get());
    assert_eq!(yes(datetime!(2026-11-27 21:10 UTC)), Some(11));
    assert_eq!(yes(datetime!(2026-11-27 21:59:59.999 UTC)), Some(11));
    assert_eq!(yes(datetime!(2026-11-27 22:00 UTC)), Some(10));
    assert_eq!(yes(datetime!(2026-11-27 22:00:59.999 UTC)), Some(10));
    assert_eq!(yes(datetime!(2026-11-27 22:01 UTC)), None);
}

/// The clock of another server may be a moment ahead; what it counts shows at once.
#[test]
fn what_was_counted_while_the_clock_was_ahead_is_of_no_hour_until_it_comes() {
    let now = datetime!(2026-11-27 21:10:40 UTC);
    let yes = |ahead| {
        let rows = minutes(&[reported("shop", "production", now + ahead, Counts::new(1, 0))]);
        last_hour(now, &rows).first().map(|usage| usage.counts.yes.get())
    };
    assert_eq!(yes(Duration::SECOND * 59), Some(1));
    assert_eq!(yes(Duration::minutes(2)), None);
    assert_eq!(yes(Duration::days(400)), None);
}

#[test]
fn the_last_hour_starts_on_the_minute_in_utc() {
    let now = datetime!(2026-11-28 02:33:20.25 +05:30);
    assert_eq!(last_hour_start(now), datetime!(2026-11-27 20:03 UTC));
    assert!(last_hour_start(now).offset().is_utc());
    let usage = last_hour(
        now,
        &minutes(&[reported("shop", "production", now, Counts::new(1, 0))]),
    );
    assert_eq!(usage[0].start, last_hour_start(now));
}

#[test]
fn applications_and_minutes_add_up_by_environment_in_order_of_name() {
    let now = datetime!(2026-11-27 21:10 UTC);
    let rows = minutes(&[
        reported("shop", "production", now, Counts::new(3, 2).with_variant("a", 2)),
        reported(
            "till",
            "production",
            now - Duration::minutes(45),
            Counts::new(4, 0).with_variant("b", 1),
        ),
        reported("shop", "development", now, Counts::new(0, 0)),
        reported("shop", "staging", now - Duration::minutes(75), Counts::new(9, 9)),
    ]);
    let usage = last_hour(now, &rows);
    let environments: Vec<&str> = usage.iter().map(|usage| usage.environment.as_str()).collect();
    assert_eq!(environments, ["development", "production"]);
    assert_eq!(usage[0].counts, Counts::default());
    assert_eq!(
        usage[1].counts,
        Counts::new(7, 2).with_variant("a", 2).with_variant("b", 1)
    );
}

#[test]
fn hours_are_filled_for_every_environment_and_application() {
    let now = datetime!(2026-11-27 21:03 UTC);
    let rows = hours(&[
        reported("shop", "development", now, Counts::new(1, 0)),
        reported("till", "production", now, Counts::new(2, 0).with_variant("v", 2)),
        reported("gone", "staging", now - Duration::hours(2), Counts::new(5, 0)),
    ]);
    let usage = hourly(now, 2, &rows);
    let slots = usage.iter().map(|usage| {
        let yes = usage.counts.as_ref().map(|counts| counts.yes.get());
        (
            usage.start.hour(),
            usage.environment.as_str(),
            usage.application,
            yes,
        )
    });
    let expected = [
        (20, "development", "shop", None),
        (20, "development", "till", None),
        (20, "production", "shop", None),
        (20, "production", "till", None),
        (21, "development", "shop", Some(1)),
        (21, "development", "till", None),
        (21, "production", "shop", None),
        (21, "production", "till", Some(2)),
    ];
    assert_eq!(slots.collect::<Vec<_>>(), expected);
    assert_eq!(
        usage[7].counts.map(Counts::from),
        Some(Counts::new(2, 0).with_variant("v", 2))
    );
}

#[test]
fn the_hours_asked_for_include_the_current_one() {
    let now = datetime!(2026-11-27 21:03 UTC);
    assert_eq!(hourly_start(now, 1), datetime!(2026-11-27 21:00 UTC));
    assert_eq!(hourly_start(now, 24), datetime!(2026-11-26 22:00 UTC));
    assert_eq!(hourly(now, 24, &Rows::default()), []);
    assert_eq!(
        hourly(now, 0, &hours(&[reported("shop", "x", now, Counts::new(1, 1))])),
        []
    );
}

#[test]
fn a_minute_that_nobody_reported_is_none_and_not_zero() {
    let now = datetime!(2026-11-27 21:03:59 UTC);
    assert_eq!(minutes_start(now, 60), datetime!(2026-11-27 20:04 UTC));
    assert_eq!(minutes_start(now, 0), minutes_start(now, 1));
    let rows = minutes(&[
        reported("shop", "production", now, Counts::new(1, 0).with_variant("a", 1)),
        reported("till", "production", now, Counts::new(2, 4)),
        reported(
            "shop",
            "production",
            datetime!(2026-11-27 21:02 UTC),
            Counts::new(0, 0),
        ),
        reported(
            "shop",
            "production",
            datetime!(2026-11-27 21:00:59 UTC),
            Counts::new(9, 9),
        ),
        reported("shop", "gone", datetime!(2026-11-27 20:59 UTC), Counts::new(9, 9)),
    ]);
    let usage = by_minute(now, 3, &rows);
    assert_eq!(usage.len(), 1);
    assert_eq!(usage[0].environment.as_str(), "production");
    let both = Counts::new(3, 4).with_variant("a", 1);
    assert_eq!(usage[0].all.minutes, [None, Some(Counts::new(0, 0)), Some(both)]);
    assert_eq!(
        usage[0].applications["till"].minutes,
        [None, None, Some(Counts::new(2, 4))]
    );
    let total = Counts::new(1, 0).with_variant("a", 1);
    assert_eq!(usage[0].applications["shop"].total(), total);
    assert_eq!(by_minute(now, 0, &rows), []);
}

#[test]
fn series_are_in_the_order_of_their_names_whether_applications_are_told_apart_or_not() {
    let names = ["", "a", "ab", "b"];
    let mut all = Vec::new();
    for flag in names {
        for environment in names {
            for application in names {
                all.push((flag, environment, application));
            }
        }
    }
    let key = |(flag, environment, application): (&str, &str, &str)| SeriesKey {
        flag: flag.into(),
        environment: environment.into(),
        application: application.to_owned(),
    };
    for one in &all {
        for other in &all {
            assert_eq!(key(*one).cmp(&key(*other)), one.cmp(other), "{one:?} {other:?}");
        }
    }
}
