//! What a proxy sends on for many: nothing that one of them has reported costs the others theirs.

use std::sync::Arc;

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};
use vexil_service::Limits;
use vexil_store::MAX_KEY_BYTES;

use super::{server_with_a_flag, usage};
use crate::change_requests::failing_store::{FailingStore, Outage};
use crate::support::{Answer, CLIENT, TestServer};

async fn send(server: &TestServer, applications: &Value, metrics: &Value) -> Answer {
    let body = json!({ "applications": applications, "metrics": metrics });
    server
        .call(CLIENT, Method::POST, "/api/client/metrics/bulk", Some(&body))
        .await
}

fn metric(flag: &Value, application: &Value, variants: &Value) -> Value {
    json!({
        "featureName": flag, "appName": application, "environment": "development",
        "yes": 1, "no": 0, "variants": variants,
    })
}

#[actix_web::test]
async fn a_name_that_cannot_be_kept_is_made_to_fit_and_costs_nobody_else_a_count() {
    let server = server_with_a_flag();
    let good = metric(&json!("checkout"), &json!("shop"), &json!({ "a": 1 }));
    let long = "é".repeat(MAX_KEY_BYTES);
    let names = [
        (json!(""), "", "(other)"),
        (Value::Null, "", "(other)"),
        (json!("nul\0"), "nul\u{fffd}", "nul\u{fffd}"),
        (json!(5), "5", "5"),
        (
            json!(long),
            &long[..MAX_KEY_BYTES / 2 * 2],
            &long[..MAX_KEY_BYTES / 2 * 2],
        ),
    ];
    for (spoilt, _, application) in &names {
        let instances = [
            json!({ "appName": spoilt, "instanceId": "i" }),
            json!({ "appName": "shop", "instanceId": spoilt, "sdkVersion": spoilt }),
        ];
        let rows = [
            metric(spoilt, &json!("shop"), &json!({})),
            good.clone(),
            metric(&json!("checkout"), spoilt, &json!({})),
        ];
        let answer = send(&server, &json!(instances), &json!(rows)).await;
        assert_eq!(answer.status, 202, "{spoilt}: {}", answer.text);
        let shown = usage(&server, "checkout").await;
        let seen = shown["seenApplications"].as_array().unwrap();
        assert!(seen.contains(&json!(application)), "{spoilt}: {seen:?}");
    }
    let item = usage(&server, "checkout").await["lastHourUsage"][0].clone();
    let sent = names.len();
    assert_eq!(
        (&item["yes"], &item["variants"]["a"]),
        (&json!(2 * sent), &json!(sent))
    );
    let unknown = server.get("/api/admin/metrics/unknown-flags").await.ok();
    let unknown = unknown["unknownFlags"].as_array().unwrap().iter();
    let unknown: Vec<_> = unknown.map(|flag| flag["name"].as_str().unwrap()).collect();
    for (_, flag, _) in &names {
        assert!(unknown.contains(flag), "{flag}: {unknown:?}");
    }
}

#[actix_web::test]
async fn variants_whose_names_fit_alike_are_added_up() {
    let server = server_with_a_flag();
    let long = "v".repeat(MAX_KEY_BYTES);
    let variants = json!({ format!("{long}1"): 2, format!("{long}2"): 3, &long: 4, "a\0": 1 });
    let metrics = json!([metric(&json!("checkout"), &json!("shop"), &variants)]);
    assert_eq!(send(&server, &json!([]), &metrics).await.status, 202);
    let item = usage(&server, "checkout").await["lastHourUsage"][0].clone();
    assert_eq!(item["variants"], json!({ long: 9, "a\u{fffd}": 1 }));
}

#[actix_web::test]
async fn a_report_of_which_a_part_failed_is_not_counted_until_all_of_it_can_be() {
    let store = Arc::new(FailingStore::default());
    let server = TestServer::with(store.clone(), Limits::default());
    let instances = json!([{ "appName": "shop", "instanceId": "i" }]);
    let metrics = json!([metric(&json!("checkout"), &json!("shop"), &json!({}))]);
    store.fail(Some(Outage::Registrations));
    send(&server, &instances, &metrics)
        .await
        .refused(StatusCode::SERVICE_UNAVAILABLE, "ServiceUnavailableError");
    store.fail(None);
    // as whoever was told so does
    assert_eq!(send(&server, &instances, &metrics).await.status, 202);
    assert_eq!(usage(&server, "checkout").await["lastHourUsage"][0]["yes"], 1);
}
