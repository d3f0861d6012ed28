use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::{Value, json};
use time::OffsetDateTime;
use time::macros::datetime;
use vexil_metrics::{Counts, Merge, Rows, Width};

use super::fields::{instant_of_integer, instant_of_text};
use super::{BulkReport, UsageReport};

const LONGEST: usize = 800;
const NOW: OffsetDateTime = datetime!(2026-11-27 21:03:20 UTC);

fn report(toggles: &Value) -> Value {
    json!({
        "appName": "shop",
        "bucket": { "start": "2026-11-27T21:00:00Z", "stop": "2026-11-27T21:01:30.5Z", "toggles": toggles },
    })
}

/// What a report counts, by flag.
fn counted(read: UsageReport) -> BTreeMap<String, Counts> {
    let packed = read.into_report(&"development".into(), NOW).unwrap().pack();
    let mut merge = Merge::default();
    merge.add(&packed).unwrap();
    let of = |row: &vexil_metrics::MergedRow<'_>| {
        let mut counts = Counts::new(row.yes.get(), row.no.get());
        for (name, times) in &row.variants {
            counts = counts.with_variant(*name, times.get());
        }
        (row.flag.to_owned(), counts)
    };
    merge.into_rows().iter().map(of).collect()
}

fn paths(body: &Value) -> Vec<String> {
    UsageReport::read(body, LONGEST)
        .unwrap_err()
        .into_iter()
        .map(|problem| problem.path)
        .collect()
}

#[test]
fn a_plain_report_is_read_alike_in_both_ways() {
    let body = report(&json!({
        "on": { "yes": 3, "no": 2, "variants": { "blue": 3 } },
        "naïve name / \"x\"": { "no": 1 },
        "nothing": {},
        "null": { "yes": null, "no": null, "variants": null },
        "": { "yes": 9_007_199_254_740_991_u64 },
        "variants only": { "yes": 0, "no": 0, "variants": { "a": 5, "b": null } },
    }));
    let careful = UsageReport::read(&body, LONGEST).unwrap();
    assert_eq!(
        UsageReport::read_fast(body.to_string().as_bytes(), LONGEST),
        Some(careful.clone())
    );
    assert_eq!(careful.application, "shop");
    assert_eq!(careful.stop, Some(datetime!(2026-11-27 21:01:30.5 UTC)));
    let kept = counted(careful);
    assert_eq!(kept["on"], Counts::new(3, 2).with_variant("blue", 3));
    let flags: Vec<&str> = kept.keys().map(String::as_str).collect();
    assert_eq!(flags, ["", "naïve name / \"x\"", "on", "variants only"]);
}

#[test]
fn what_the_fast_way_cannot_read_is_left_to_the_careful_one() {
    let twice = br#"{"appName":"a","bucket":{"start":1,"stop":1,"toggles":{"x":{"yes":1},"x":{"yes":2}}}}"#;
    assert_eq!(UsageReport::read_fast(twice, LONGEST), None);
    for toggles in [
        json!({ "x": { "yes": "5" } }),
        json!({ "x": { "yes": 5.0 } }),
        json!({ "x": { "no": " 5 " } }),
    ] {
        let body = report(&toggles);
        assert_eq!(
            UsageReport::read_fast(body.to_string().as_bytes(), LONGEST),
            None,
            "{toggles}"
        );
        let read = UsageReport::read(&body, LONGEST).unwrap();
        let counts = &counted(read)["x"];
        assert_eq!(counts.yes.get() + counts.no.get(), 5, "{toggles}");
    }
}

#[test]
fn dates_are_date_times_or_seconds_or_milliseconds() {
    let second = datetime!(2026-11-27 21:01:30 UTC);
    let forms = [
        json!("2026-11-27T21:01:30Z"),
        json!("2026-11-27T22:01:30+01:00"),
        json!("2026-11-27T21:01:30.000000000Z"),
        json!(second.unix_timestamp()),
        json!(second.unix_timestamp() * 1000),
        json!(second.unix_timestamp().to_string()),
        json!(second.unix_timestamp() as f64 + 0.0),
        json!("2026-11-27T21:01:30"),
        json!("2026-11-27T21:01:30.000000"),
    ];
    for stop in forms {
        let body = json!({ "appName": "a", "bucket": { "start": 0, "stop": stop, "toggles": {} } });
        assert_eq!(
            UsageReport::read(&body, LONGEST).unwrap().stop,
            Some(second),
            "{stop}"
        );
        let fast = UsageReport::read_fast(body.to_string().as_bytes(), LONGEST);
        assert!(fast.is_none_or(|fast| fast.stop == Some(second)), "{stop}");
    }
}

#[test]
fn the_last_integer_of_seconds_and_the_first_of_milliseconds_are_told_apart() {
    let stop = |number: i64| {
        let body = json!({ "appName": "a", "bucket": { "start": 0, "stop": number, "toggles": {} } });
        UsageReport::read(&body, LONGEST).unwrap().stop.unwrap()
    };
    assert_eq!(stop(99_999_999_999), datetime!(5138-11-16 09:46:39 UTC));
    assert_eq!(stop(100_000_000_000), datetime!(1973-03-03 09:46:40 UTC));
}

#[test]
fn every_fault_is_listed_with_its_place() {
    let body = json!({
        "appName": "",
        "bucket": {
            "start": "yesterday",
            "stop": true,
            "toggles": {
                "negative": { "yes": -1, "no": -2, "variants": { "v": -3 } },
                "fraction": { "yes": 1.5 },
                "word": { "no": "many" },
                "empty": { "no": "" },
                "too many": { "yes": 9_007_199_254_740_992_u64 },
                "far too many": { "yes": 1e30 },
                "list": [],
                "null": null,
                "a/b~c": { "variants": [] },
                "variant": { "variants": { "v": -1, "w": 0.5, "ok": 1 } },
                "nul\u{0}": {},
            },
        },
    });
    let toggles = "/body/bucket/toggles";
    assert_eq!(
        paths(&body),
        [
            "/body/appName".to_owned(),
            "/body/bucket/start".to_owned(),
            "/body/bucket/stop".to_owned(),
            format!("{toggles}/negative/yes"),
            format!("{toggles}/negative/no"),
            format!("{toggles}/negative/variants/v"),
            format!("{toggles}/fraction/yes"),
            format!("{toggles}/word/no"),
            format!("{toggles}/empty/no"),
            format!("{toggles}/too many/yes"),
            format!("{toggles}/far too many/yes"),
            format!("{toggles}/list"),
            format!("{toggles}/null"),
            format!("{toggles}/a~1b~0c/variants"),
            format!("{toggles}/variant/variants/v"),
            format!("{toggles}/variant/variants/w"),
            format!("{toggles}/nul\u{0}"),
        ]
    );
    assert_eq!(UsageReport::read_fast(body.to_string().as_bytes(), LONGEST), None);
}

#[test]
fn missing_parts_and_wrong_types_are_named() {
    assert_eq!(paths(&json!({})), ["/body/appName"]);
    assert_eq!(paths(&json!([])), ["/body"]);
    assert_eq!(paths(&json!({ "appName": null })), ["/body/appName"]);
    assert_eq!(paths(&json!({ "appName": {} })), ["/body/appName"]);
    assert_eq!(paths(&json!({ "appName": "a", "bucket": [] })), ["/body/bucket"]);
    let parts = ["/body/bucket/start", "/body/bucket/stop", "/body/bucket/toggles"];
    assert_eq!(paths(&json!({ "appName": "a", "bucket": {} })), parts);
    let nulls = json!({ "appName": "a", "bucket": { "start": null, "stop": null, "toggles": null } });
    assert_eq!(paths(&nulls), parts);
}

#[test]
fn a_name_that_cannot_be_kept_is_refused_wherever_it_stands() {
    let longest = "ä".repeat(LONGEST / 2);
    let too_long = format!("{longest}x");
    for (name, fits) in [
        (longest.as_str(), true),
        (too_long.as_str(), false),
        ("a\0b", false),
    ] {
        let bodies = [
            json!({ "appName": name }),
            report(&json!({ name: { "yes": 1 } })),
            report(&json!({ "x": { "variants": { name: 1 } } })),
        ];
        for body in bodies {
            let text = body.to_string();
            assert_eq!(UsageReport::read(&body, LONGEST).is_ok(), fits, "{text:.60}");
            assert_eq!(
                UsageReport::read_fast(text.as_bytes(), LONGEST).is_some(),
                fits,
                "{text:.60}"
            );
        }
    }
}

#[test]
fn without_a_bucket_or_counts_there_is_nothing_to_keep() {
    for body in [
        json!({ "appName": "a" }),
        json!({ "appName": "a", "bucket": null }),
        report(&json!({})),
        report(&json!({ "x": {}, "y": { "yes": 0, "no": 0, "variants": { "v": 0 } } })),
    ] {
        let read = UsageReport::read(&body, LONGEST).unwrap();
        assert_eq!(
            UsageReport::read_fast(body.to_string().as_bytes(), LONGEST),
            Some(read.clone()),
            "{body}"
        );
        assert_eq!(read.into_report(&"development".into(), NOW), None, "{body}");
    }
}

#[test]
fn a_bulk_report_is_refused_whole_and_every_fault_is_listed() {
    let body = json!({
        "applications": [{}, { "appName": "ok", "instanceId": "i" }],
        "metrics": [
            { "featureName": "x", "appName": "a", "environment": "production", "yes": 1 },
            { "featureName": "x", "appName": "", "environment": "development", "timestamp": "soon", "no": -1 },
            {},
            5,
        ],
    });
    let problems = BulkReport::read(&body, &"development".into(), LONGEST).unwrap_err();
    let paths: Vec<&str> = problems.iter().map(|problem| problem.path.as_str()).collect();
    assert_eq!(
        paths,
        [
            "/body/applications/0/appName",
            "/body/metrics/0/environment",
            "/body/metrics/1/timestamp",
            "/body/metrics/1/no",
            "/body/metrics/2/featureName",
            "/body/metrics/2/appName",
            "/body/metrics/2/environment",
            "/body/metrics/3",
        ]
    );
}

#[test]
fn a_bulk_report_without_a_time_counts_on_receipt() {
    let body = json!({ "applications": [], "metrics": [
        { "featureName": "x", "appName": "a", "environment": "development", "yes": 1 },
        { "featureName": "x", "appName": "a", "environment": "development", "yes": 2, "timestamp": null },
        { "featureName": "x", "appName": "a", "environment": "development" },
    ] });
    let environment = "development".into();
    let reports = BulkReport::read(&body, &environment, LONGEST)
        .unwrap()
        .reports(&environment, NOW);
    let mut rows = Rows::default();
    for report in &reports {
        rows.add_packed(&report.pack(), Width::Minute).unwrap();
    }
    let rows: Vec<_> = rows.iter().map(|row| (row.start, row.counts.yes.get())).collect();
    assert_eq!(rows, [(datetime!(2026-11-27 21:03 UTC), 3)]);
}

/// Times of SDKs in the field, which name no zone.
#[test]
fn times_without_a_zone_are_utc() {
    for stop in [
        "2026-11-28T06:00:00.123456",
        "2026-11-28T06:00:00",
        "2026-11-28 06:00:00",
    ] {
        let body = json!({
            "appName": "old",
            "bucket": { "start": stop, "stop": stop, "toggles": { "x": { "yes": 5, "no": 0 } } },
        });
        let read = UsageReport::read(&body, LONGEST).unwrap();
        assert_eq!(
            UsageReport::read_fast(body.to_string().as_bytes(), LONGEST),
            Some(read.clone())
        );
        let second = read.stop.unwrap().truncate_to_second();
        assert_eq!(second, datetime!(2026-11-28 6:00 UTC));
    }
}

/// Values that may stand where a count should.
#[test]
fn a_zone_may_stand_without_its_colon_and_nothing_else_is_read_for_it() {
    for hours in 0..24 {
        for minutes in 0..60 {
            for sign in ['+', '-'] {
                for start in [
                    "2026-11-28T06:00:00",
                    "2026-11-28T06:00:00.123",
                    "2026-11-28 06:00",
                ] {
                    let usual = instant_of_text(&format!("{start}{sign}{hours:02}:{minutes:02}"));
                    assert!(usual.is_some(), "{start}{sign}{hours:02}:{minutes:02}");
                    let short = format!("{start}{sign}{hours:02}{minutes:02}");
                    assert_eq!(instant_of_text(&short), usual, "{short}");
                }
            }
        }
    }
    for zone in [
        "+2400", "+0060", "+05", "+5:30", "+530", "+05300", "0530", " +0530", "+05x0", "+05é", "Z+0530",
    ] {
        let text = format!("2026-11-28T06:00:00{zone}");
        assert_eq!(instant_of_text(&text), None, "{text}");
    }
    assert_eq!(instant_of_text("+0530"), None);
    assert_eq!(instant_of_text("2026+0530"), None);
}

#[test]
fn a_clock_that_is_far_ahead_is_read_and_what_no_clock_tells_is_not() {
    let latest = instant_of_integer(8_640_000_000_000_000);
    assert_eq!(latest.map(OffsetDateTime::year), Some(9999));
    assert_eq!(latest, instant_of_integer(1_764_300_000_000_000));
    for number in [8_640_000_000_000_001, i64::MAX, i64::MIN] {
        assert_eq!(instant_of_integer(number), None, "{number}");
    }
}

fn count_like() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => (0..1_000_u64).prop_map(Value::from),
        1 => any::<u64>().prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<f64>().prop_map(Value::from),
        1 => prop_oneof![Just(Value::Null), Just(json!("5")), Just(json!([])), Just(json!(true))],
    ]
}

fn date_like() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => Just(json!("2026-11-27T21:03:20.5+01:00")),
        2 => any::<i64>().prop_map(Value::from),
        1 => any::<u64>().prop_map(Value::from),
        1 => prop_oneof![Just(Value::Null), Just(json!("soon")), Just(json!(1.5)), Just(json!("5"))],
    ]
}

fn toggle_like() -> impl Strategy<Value = Value> {
    let variants = prop_oneof![
        3 => prop::collection::hash_map("[a-cä\u{0}]{0,3}", count_like(), 0..3).prop_map(|variants| json!(variants)),
        1 => Just(Value::Null),
    ];
    prop_oneof![
        6 => (count_like(), count_like(), variants)
            .prop_map(|(yes, no, variants)| json!({ "yes": yes, "no": no, "variants": variants })),
        2 => count_like().prop_map(|yes| json!({ "yes": yes, "more": {} })),
        1 => Just(json!({})),
        1 => Just(Value::Null),
    ]
}

proptest! {
    #[test]
    fn what_the_fast_way_reads_the_careful_way_reads_alike(
        application in "[a-z\"ä\u{0}]{0,4}",
        start in date_like(),
        stop in date_like(),
        toggles in prop::collection::hash_map("[a-c/ä\u{0}]{0,3}", toggle_like(), 0..4),
    ) {
        let body = json!({ "appName": application, "bucket": { "start": start, "stop": stop, "toggles": toggles } });
        let text = serde_json::to_vec(&body).unwrap();
        let parsed: Value = serde_json::from_slice(&text).unwrap();
        if let Some(fast) = UsageReport::read_fast(&text, LONGEST) {
            prop_assert_eq!(UsageReport::read(&parsed, LONGEST), Ok(fast));
        }
    }
}
