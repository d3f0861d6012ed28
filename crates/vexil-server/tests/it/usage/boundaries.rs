//! Reports around the beginning of each minute, hour and day, from clocks that are right and wrong, on every
//! database, before and after the counts are folded and tidied.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use time::macros::datetime;
use time::{Duration, OffsetDateTime};
use vexil_metrics::Retention;
use vexil_service::Limits;
use vexil_store::Folding;

use super::{report, usage};
use crate::databases::scratch::Database;
use crate::flags::put_flag;
use crate::support::TestServer;

/// Boundaries of a minute, an hour, a day, and of the hour and the day where half hours are what zones differ by.
const BOUNDARIES: [OffsetDateTime; 5] = [
    datetime!(2026-11-27 11:01 UTC),
    datetime!(2026-11-27 13:00 UTC),
    datetime!(2026-11-27 18:30 UTC),
    datetime!(2026-11-28 00:00 UTC),
    datetime!(2026-12-01 00:00 UTC),
];

const MILLISECOND: Duration = Duration::MILLISECOND;

async fn minutes(server: &TestServer) -> Value {
    let path = "/api/admin/client-metrics/features/checkout/minutes?last=3";
    server.get(path).await.ok()["environments"][0]["yes"].clone()
}

/// What each hour counts, all applications together.
async fn hours(server: &TestServer) -> BTreeMap<String, u64> {
    let path = "/api/admin/client-metrics/features/checkout/raw?hoursBack=2";
    let shown = server.get(path).await.ok();
    let mut hours = BTreeMap::new();
    for hour in shown["data"].as_array().unwrap() {
        let start = hour["timestamp"].as_str().unwrap().to_owned();
        *hours.entry(start).or_default() += hour["yes"].as_u64().unwrap();
    }
    hours
}

fn stamp(instant: OffsetDateTime) -> String {
    let text = instant
        .format(&time::format_description::well_known::Rfc3339)
        .unwrap();
    text.replace('Z', ".000Z")
}

#[actix_web::test]
async fn a_report_counts_in_the_minute_and_the_hour_that_its_time_ends_in() {
    for database in Database::each() {
        let server = TestServer::with(database.open(), Limits::default());
        put_flag(&server, "checkout", |_| {});
        for boundary in BOUNDARIES {
            let flag = json!({ "checkout": { "yes": 1 } });
            let late = json!({ "checkout": { "yes": 10 } });
            let ahead = json!({ "checkout": { "yes": 100 } });
            // just before, by a clock that is right and by one that is a minute ahead
            server.set_time(boundary - MILLISECOND);
            report(&server, "a", boundary - MILLISECOND, flag.clone()).await;
            report(&server, "b", boundary + Duration::MINUTE, ahead.clone()).await;
            // just after: what ends there, what ended just before and came late, and what is two days ahead
            server.set_time(boundary);
            report(&server, "a", boundary, flag).await;
            report(&server, "a", boundary - MILLISECOND, late).await;
            report(&server, "b", boundary + Duration::days(2), ahead).await;

            server.set_time(boundary + Duration::seconds(30));
            let expected_minutes = json!([null, 111, 101]);
            let hour = |back: i64| {
                let into = Duration::seconds(boundary.unix_timestamp().rem_euclid(3_600));
                stamp(boundary - into - Duration::hours(back))
            };
            let crosses = boundary.unix_timestamp() % 3_600 == 0;
            let expected_hours = if crosses { [111, 101] } else { [0, 212] };
            for turn in ["as they came", "folded", "tidied"] {
                let context = format!("{boundary} {turn}");
                assert_eq!(minutes(&server).await, expected_minutes, "{context}");
                let shown = hours(&server).await;
                assert_eq!(
                    [shown[&hour(1)], shown[&hour(0)]],
                    expected_hours,
                    "{context}: {shown:?}"
                );
                let last_hour = usage(&server, "checkout").await["lastHourUsage"][0]["yes"].clone();
                assert_eq!(last_hour, 212, "{context}");
                match turn {
                    "as they came" => while server.store.fold_usage().unwrap() != Folding::Idle {},
                    _ => {
                        while server
                            .store
                            .tidy_usage(server.app().now(), &Retention::default())
                            .unwrap()
                        {}
                    }
                }
            }
        }
    }
}

#[actix_web::test]
async fn nothing_is_lost_or_doubled_while_minutes_become_hours_and_hours_days() {
    for database in Database::each() {
        let server = TestServer::with(database.open(), Limits::default());
        put_flag(&server, "checkout", |_| {});
        let start = datetime!(2026-11-26 22:59:59 UTC);
        // one report each 111 minutes for four days; each counts once in every answer that covers it
        let mut sent = Vec::new();
        for turn in 0..52 {
            let now = start + Duration::minutes(111) * turn;
            server.set_time(now);
            report(&server, "a", now, json!({ "checkout": { "yes": 1 } })).await;
            sent.push(now);
            if turn % 3 == 0 {
                while server.store.fold_usage().unwrap() != Folding::Idle {}
            }
            if turn % 5 == 0 {
                while server.store.tidy_usage(now, &Retention::default()).unwrap() {}
            }
            if turn % 4 != 0 {
                continue;
            }
            let since = |length: Duration| sent.iter().filter(|&&at| at > now - length).count();
            let last_hour = usage(&server, "checkout").await["lastHourUsage"][0]["yes"].clone();
            assert_eq!(last_hour, since(Duration::HOUR), "{now}");
            let shown = server.get("/api/admin/client-metrics/features/checkout/raw?hoursBack=48");
            let shown = shown.await.ok();
            let hours = shown["data"].as_array().unwrap();
            let counted: u64 = hours.iter().map(|hour| hour["yes"].as_u64().unwrap()).sum();
            let first = hours.iter().map(|hour| hour["timestamp"].as_str().unwrap()).min();
            let first = OffsetDateTime::parse(first.unwrap(), &time::format_description::well_known::Rfc3339);
            let first = first.unwrap();
            let expected = sent.iter().filter(|&&at| at >= first).count();
            assert_eq!(usize::try_from(counted).unwrap(), expected, "{now}");
        }
    }
}
