//! Reports that are sent again because their sender does not know what became of them.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};
use time::Duration;

use super::{after, report_of, server_with_a_flag, usage};
use crate::databases::scratch::Database;
use crate::flags::put_flag;
use crate::support::{Answer, CLIENT, FRONTEND, PRODUCTION_CLIENT, START, TestServer};

async fn send(server: &TestServer, token: &str, path: &str, key: &str, body: &Value) -> Answer {
    let headers = [
        ("authorization", token),
        ("content-type", "application/json"),
        ("idempotency-key", key),
    ];
    server.send(Method::POST, path, &headers, body.to_string()).await
}

async fn yes(server: &TestServer) -> Value {
    usage(server, "checkout").await["lastHourUsage"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| line["yes"].as_u64().unwrap())
        .sum::<u64>()
        .into()
}

#[actix_web::test]
async fn a_report_with_the_key_of_an_earlier_one_is_answered_and_not_counted_again() {
    for database in Database::each() {
        let first = TestServer::with(database.open(), vexil_service::Limits::default());
        let second = TestServer::with(database.open(), vexil_service::Limits::default());
        put_flag(&first, "checkout", |_| {});
        second.app().follow().unwrap();
        let body = report_of("shop", START, &json!({ "checkout": { "yes": 1 } }));
        let path = "/api/client/metrics";
        for (server, key) in [
            (&first, "one"),
            (&first, "one"),
            (&second, "one"),
            (&second, "two"),
        ] {
            assert_eq!(send(server, CLIENT, path, key, &body).await.status, 202);
        }
        assert_eq!(yes(&first).await, 2);
        while first.store.fold_usage().unwrap() != vexil_store::Folding::Idle {}
        assert_eq!(send(&second, CLIENT, path, "two", &body).await.status, 202);
        assert_eq!(yes(&second).await, 2);
    }
}

#[actix_web::test]
async fn the_key_of_one_token_says_nothing_about_the_reports_of_another() {
    let server = server_with_a_flag();
    let body = report_of("shop", START, &json!({ "checkout": { "yes": 1 } }));
    for (token, path, status) in [
        (CLIENT, "/api/client/metrics", 202),
        (PRODUCTION_CLIENT, "/api/client/metrics", 202),
        (FRONTEND, "/api/frontend/client/metrics", 200),
    ] {
        assert_eq!(send(&server, token, path, "same", &body).await.status, status);
    }
    assert_eq!(yes(&server).await, 3);
}

#[actix_web::test]
async fn what_a_proxy_sends_again_is_not_counted_again_either() {
    let server = server_with_a_flag();
    let line = json!({
        "appName": "shop", "environment": "development", "featureName": "checkout", "yes": 4, "no": 0,
        "timestamp": "2026-11-27T12:30:00Z", "variants": {},
    });
    let body = json!({ "applications": [], "metrics": [line] });
    for _ in 0..2 {
        let answer = send(&server, CLIENT, "/api/client/metrics/bulk", "hour-12", &body).await;
        assert_eq!(answer.status, 202);
    }
    assert_eq!(yes(&server).await, 4);
}

#[actix_web::test]
async fn a_key_is_forgotten_after_a_day() {
    let server = server_with_a_flag();
    let retention = vexil_metrics::Retention::default();
    let path = "/api/client/metrics";
    for hours in [0, 23, 26] {
        let now = after(Duration::hours(hours));
        server.set_time(now);
        while server.store.tidy_usage(now, &retention).unwrap() {}
        let body = report_of("shop", START, &json!({ "checkout": { "yes": 1 } }));
        assert_eq!(send(&server, CLIENT, path, "one", &body).await.status, 202);
    }
    let shown = server.get("/api/admin/client-metrics/features/checkout/raw?hoursBack=48");
    let shown = shown.await.ok();
    let hours = shown["data"].as_array().unwrap();
    let yes: u64 = hours.iter().map(|hour| hour["yes"].as_u64().unwrap()).sum();
    assert_eq!(yes, 2, "once, and once more a day later");
}

#[actix_web::test]
async fn a_key_that_cannot_be_one_is_refused() {
    let server = server_with_a_flag();
    let body = report_of("shop", START, &json!({ "checkout": { "yes": 1 } }));
    let long = "x".repeat(256);
    for key in ["", "ä", &long] {
        for (token, path) in [
            (CLIENT, "/api/client/metrics"),
            (FRONTEND, "/api/frontend/client/metrics"),
            (CLIENT, "/api/client/metrics/bulk"),
        ] {
            let refused = send(&server, token, path, key, &body).await;
            refused.refused(StatusCode::BAD_REQUEST, "BadDataError");
        }
    }
    assert_eq!(yes(&server).await, 0);
}
