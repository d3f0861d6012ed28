//! `GET /api/admin/client-metrics/features/{name}`: every field of the answer, and which reports it counts.

use serde_json::{Value, json};
use time::Duration;
use time::macros::datetime;

use super::{after, report, report_of, send_report, server_with_a_flag, usage};
use crate::flags::put_flag;
use crate::support::{PRODUCTION_CLIENT, START, TestServer};

#[actix_web::test]
async fn a_flag_without_reports_has_empty_lists() {
    let server = server_with_a_flag();
    assert_eq!(
        usage(&server, "checkout").await,
        json!({ "version": 1, "maturity": "stable", "featureName": "checkout", "lastHourUsage": [], "seenApplications": [] })
    );
}

#[actix_web::test]
async fn counts_of_yes_no_and_variants_are_shown_with_the_start_of_the_sliding_hour() {
    let server = server_with_a_flag();
    report(
        &server,
        "shop",
        START,
        json!({ "checkout": { "yes": 3, "no": 2, "variants": { "blue": 2, "red": 1 } } }),
    )
    .await;
    assert_eq!(
        usage(&server, "checkout").await,
        json!({
            "version": 1,
            "maturity": "stable",
            "featureName": "checkout",
            "lastHourUsage": [{
                "featureName": "checkout",
                "environment": "development",
                "timestamp": "2026-11-27T11:30:00.000Z",
                "yes": 3,
                "no": 2,
                "variants": { "blue": 2, "red": 1 },
            }],
            "seenApplications": ["shop"],
        })
    );
}

#[actix_web::test]
async fn variants_are_left_out_where_none_was_given() {
    let server = server_with_a_flag();
    report(
        &server,
        "shop",
        START,
        json!({ "checkout": { "yes": 1, "no": 0 } }),
    )
    .await;
    let item = usage(&server, "checkout").await["lastHourUsage"][0].clone();
    let keys: Vec<&str> = item.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["featureName", "environment", "timestamp", "yes", "no"]);
}

#[actix_web::test]
async fn variants_are_kept_although_yes_and_no_are_zero() {
    let server = server_with_a_flag();
    report(
        &server,
        "shop",
        START,
        json!({ "checkout": { "yes": 0, "no": 0, "variants": { "a": 5 } } }),
    )
    .await;
    let item = usage(&server, "checkout").await["lastHourUsage"][0].clone();
    assert_eq!(
        (&item["yes"], &item["no"], &item["variants"]),
        (&json!(0), &json!(0), &json!({ "a": 5 }))
    );
}

#[actix_web::test]
async fn environments_are_counted_apart_and_listed_by_name() {
    let server = server_with_a_flag();
    let toggles =
        |yes: u64, variant: &str| json!({ "checkout": { "yes": yes, "variants": { variant: yes } } });
    let body = report_of("shop", START, &toggles(7, "red"));
    assert_eq!(send_report(&server, PRODUCTION_CLIENT, &body).await.status, 202);
    report(&server, "shop", START, toggles(3, "blue")).await;
    let items = usage(&server, "checkout").await["lastHourUsage"].clone();
    let rows: Vec<(&Value, &Value, &Value)> = items
        .as_array()
        .unwrap()
        .iter()
        .map(|item| (&item["environment"], &item["yes"], &item["variants"]))
        .collect();
    assert_eq!(
        rows,
        [
            (&json!("development"), &json!(3), &json!({ "blue": 3 })),
            (&json!("production"), &json!(7), &json!({ "red": 7 })),
        ]
    );
}

#[actix_web::test]
async fn the_environment_is_that_of_the_token_whatever_the_report_says() {
    let server = server_with_a_flag();
    let mut body = report_of("shop", START, &json!({ "checkout": { "yes": 1 } }));
    body["environment"] = json!("production");
    send_report(&server, crate::support::CLIENT, &body).await;
    assert_eq!(
        usage(&server, "checkout").await["lastHourUsage"][0]["environment"],
        "development"
    );
}

#[actix_web::test]
async fn applications_instances_and_repeated_reports_add_up() {
    let server = server_with_a_flag();
    for application in ["web", "app", "web", "Web"] {
        let toggles =
            json!({ "checkout": { "yes": 2, "no": 1, "variants": { "a": 1 } }, "other": { "yes": 99 } });
        report(&server, application, START, toggles).await;
    }
    let body = usage(&server, "checkout").await;
    assert_eq!(body["seenApplications"], json!(["Web", "app", "web"]));
    let items = body["lastHourUsage"].as_array().unwrap();
    assert_eq!(items.len(), 1);
    assert_eq!(
        (&items[0]["yes"], &items[0]["no"], &items[0]["variants"]),
        (&json!(8), &json!(4), &json!({ "a": 4 }))
    );
}

#[actix_web::test]
async fn the_hour_slides_by_the_minute() {
    let server = server_with_a_flag();
    server.set_time(datetime!(2026-11-27 12:59:59.999 UTC));
    report(
        &server,
        "shop",
        datetime!(2026-11-27 12:59:59.999 UTC),
        json!({ "checkout": { "yes": 1 } }),
    )
    .await;
    server.set_time(datetime!(2026-11-27 13:00 UTC));
    report(
        &server,
        "shop",
        datetime!(2026-11-27 13:00 UTC),
        json!({ "checkout": { "yes": 10 } }),
    )
    .await;
    let cases = [
        (datetime!(2026-11-27 13:10 UTC), 11, "2026-11-27T12:10:00.000Z"),
        (
            datetime!(2026-11-27 13:59:59.999 UTC),
            11,
            "2026-11-27T12:59:00.000Z",
        ),
        (datetime!(2026-11-27 14:00 UTC), 10, "2026-11-27T13:00:00.000Z"),
        (
            datetime!(2026-11-27 14:00:59.999 UTC),
            10,
            "2026-11-27T13:00:00.000Z",
        ),
    ];
    for (now, yes, timestamp) in cases {
        server.set_time(now);
        let item = usage(&server, "checkout").await["lastHourUsage"][0].clone();
        assert_eq!(
            (&item["yes"], &item["timestamp"]),
            (&json!(yes), &json!(timestamp)),
            "{now}"
        );
    }
    server.set_time(datetime!(2026-11-27 14:01 UTC));
    let body = usage(&server, "checkout").await;
    assert_eq!(
        (&body["lastHourUsage"], &body["seenApplications"]),
        (&json!([]), &json!(["shop"]))
    );
}

#[actix_web::test]
async fn times_are_utc_whatever_the_offset_of_the_report_and_of_the_clock() {
    let server = server_with_a_flag();
    server.set_time(datetime!(2026-11-27 18:00:20 +05:30));
    report(
        &server,
        "shop",
        datetime!(2026-11-27 13:29:00 +01:00),
        json!({ "checkout": { "yes": 1 } }),
    )
    .await;
    let item = usage(&server, "checkout").await["lastHourUsage"][0].clone();
    assert_eq!(
        (&item["yes"], &item["timestamp"]),
        (&json!(1), &json!("2026-11-27T11:30:00.000Z"))
    );
}

#[actix_web::test]
async fn a_report_from_the_future_counts_when_it_came_in() {
    let server = server_with_a_flag();
    report(
        &server,
        "shop",
        after(Duration::hours(30)),
        json!({ "checkout": { "yes": 1 } }),
    )
    .await;
    assert_eq!(usage(&server, "checkout").await["lastHourUsage"][0]["yes"], 1);
    server.set_time(after(Duration::hours(2)));
    assert_eq!(usage(&server, "checkout").await["lastHourUsage"], json!([]));
}

#[actix_web::test]
async fn an_application_that_reported_long_ago_is_still_seen() {
    let server = server_with_a_flag();
    report(
        &server,
        "old",
        after(-Duration::days(30)),
        json!({ "checkout": { "yes": 1 } }),
    )
    .await;
    let body = usage(&server, "checkout").await;
    assert_eq!(
        (&body["lastHourUsage"], &body["seenApplications"]),
        (&json!([]), &json!(["old"]))
    );
}

#[actix_web::test]
async fn registering_alone_is_not_using_a_flag() {
    let server = server_with_a_flag();
    let body = json!({ "appName": "idle", "strategies": [], "started": 1, "interval": 1 });
    let answer = server
        .call(
            crate::support::CLIENT,
            actix_web::http::Method::POST,
            "/api/client/register",
            Some(&body),
        )
        .await;
    assert_eq!((answer.status, answer.text.as_str()), (202, ""));
    assert_eq!(usage(&server, "checkout").await["seenApplications"], json!([]));
}

#[actix_web::test]
async fn an_archived_flag_keeps_its_usage_and_one_that_is_deleted_for_good_takes_it_along() {
    let server = server_with_a_flag();
    report(&server, "shop", START, json!({ "checkout": { "yes": 4 } })).await;
    let project = "/api/admin/projects/default/features";
    server.delete(&format!("{project}/checkout")).await.ok();
    assert_eq!(usage(&server, "checkout").await["lastHourUsage"][0]["yes"], 4);
    server.delete("/api/admin/archive/checkout").await.ok();
    let path = "/api/admin/client-metrics/features/checkout";
    assert_eq!(server.get(path).await.status, 404);
    let body = json!({ "name": "checkout" });
    server.post(project, body).await.ok();
    for node in [&server, &server.another()] {
        let reborn = usage(node, "checkout").await;
        assert_eq!(
            (&reborn["lastHourUsage"], &reborn["seenApplications"]),
            (&json!([]), &json!([]))
        );
    }
}

#[actix_web::test]
async fn what_is_reported_of_a_name_that_no_flag_has_is_counted() {
    let server = server_with_a_flag();
    report(&server, "shop", START, json!({ "gone": { "no": 5 } })).await;
    assert_eq!(usage(&server, "gone").await["lastHourUsage"][0]["no"], 5);
}

#[actix_web::test]
async fn a_flag_created_after_its_first_report_has_lost_nothing() {
    let server = TestServer::new();
    report(&server, "shop", START, json!({ "early": { "yes": 4 } })).await;
    put_flag(&server, "early", |_| {});
    assert_eq!(usage(&server, "early").await["lastHourUsage"][0]["yes"], 4);
}

#[actix_web::test]
async fn sums_stop_at_the_greatest_number_that_json_readers_keep() {
    let server = server_with_a_flag();
    for _ in 0..2 {
        report(
            &server,
            "shop",
            START,
            json!({ "checkout": { "yes": 9_007_199_254_740_991_u64 } }),
        )
        .await;
    }
    assert_eq!(
        usage(&server, "checkout").await["lastHourUsage"][0]["yes"],
        9_007_199_254_740_991_u64
    );
}

#[actix_web::test]
async fn counts_that_are_no_longer_kept_are_gone() {
    let server = server_with_a_flag();
    report(
        &server,
        "shop",
        START,
        json!({ "checkout": { "yes": 1 }, "gone": { "yes": 1 } }),
    )
    .await;
    let seen = |applications: Value| {
        let server = server.clone();
        async move { assert_eq!(usage(&server, "checkout").await["seenApplications"], applications) }
    };
    for (days, applications) in [(89, json!(["shop"])), (91, json!([]))] {
        server.set_time(after(Duration::days(days)));
        while server
            .store
            .tidy_usage(after(Duration::days(days)), &vexil_metrics::Retention::default())
            .unwrap()
        {}
        seen(applications).await;
    }
    assert_eq!(
        server.get("/api/admin/client-metrics/features/gone").await.status,
        404
    );
}
