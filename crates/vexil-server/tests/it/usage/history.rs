//! `GET /api/admin/client-metrics/features/{name}/raw`: usage hour by hour.

use serde_json::{Value, json};
use time::Duration;

use super::{after, report, server_with_a_flag};
use crate::support::{START, TestServer};

async fn raw(server: &TestServer, query: &str) -> Vec<Value> {
    let body = server
        .get(&format!("/api/admin/client-metrics/features/checkout/raw{query}"))
        .await
        .ok();
    assert_eq!(
        (&body["version"], &body["maturity"]),
        (&json!(1), &json!("stable"))
    );
    body["data"].as_array().unwrap().clone()
}

#[actix_web::test]
async fn every_application_has_a_row_for_every_hour() {
    let server = server_with_a_flag();
    report(
        &server,
        "web",
        START,
        json!({ "checkout": { "yes": 3, "no": 1, "variants": { "a": 2 } } }),
    )
    .await;
    report(
        &server,
        "app",
        after(-Duration::HOUR),
        json!({ "checkout": { "yes": 5 } }),
    )
    .await;
    let row = |application: &str, hour: &str, yes: u64, no: u64, variants: Option<Value>| {
        let mut row = json!({
            "featureName": "checkout", "appName": application, "environment": "development",
            "timestamp": format!("2026-11-27T{hour}:00:00.000Z"), "yes": yes, "no": no,
        });
        if let Some(variants) = variants {
            row["variants"] = variants;
        }
        row
    };
    assert_eq!(
        raw(&server, "?hoursBack=2").await,
        [
            row("app", "11", 5, 0, Some(json!({}))),
            row("web", "11", 0, 0, None),
            row("app", "12", 0, 0, None),
            row("web", "12", 3, 1, Some(json!({ "a": 2 }))),
        ]
    );
}

#[actix_web::test]
async fn an_odd_number_of_hours_is_a_day() {
    let server = server_with_a_flag();
    report(&server, "web", START, json!({ "checkout": { "yes": 1 } })).await;
    let cases = [
        ("", 24),
        ("?hoursBack=1", 1),
        ("?hoursBack=48", 48),
        ("?hoursBack=1.5", 2),
        ("?hoursBack=1e1", 10),
        ("?hoursBack=%205", 5),
        ("?hoursBack=0", 24),
        ("?hoursBack=0.5", 24),
        ("?hoursBack=-1", 24),
        ("?hoursBack=49", 24),
        ("?hoursBack=48.5", 24),
        ("?hoursBack=1000", 24),
        ("?hoursBack=99999999999999999999999", 24),
        ("?hoursBack=abc", 24),
        ("?hoursBack=NaN", 24),
        ("?hoursBack=inf", 24),
        ("?hoursBack=", 24),
    ];
    for (query, hours) in cases {
        assert_eq!(raw(&server, query).await.len(), hours, "{query}");
    }
}
