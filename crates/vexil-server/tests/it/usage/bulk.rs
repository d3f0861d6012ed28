//! `POST /api/client/metrics/bulk`: what a proxy has gathered.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{server_with_a_flag, usage};
use crate::support::{ADMIN, Answer, CLIENT, FRONTEND, TestServer};

async fn send(server: &TestServer, token: &str, body: &Value) -> Answer {
    server
        .call(token, Method::POST, "/api/client/metrics/bulk", Some(body))
        .await
}

#[actix_web::test]
async fn counts_and_applications_are_taken_in() {
    let server = server_with_a_flag();
    let metric = |application: &str, yes: u64| {
        json!({
            "featureName": "checkout", "appName": application, "environment": "development",
            "timestamp": "2026-11-27T12:00:00Z", "yes": yes, "no": 1, "variants": { "a": yes },
        })
    };
    let body = json!({
        "applications": [{ "appName": "phone", "instanceId": "p1", "environment": "development", "strategies": [] }],
        "metrics": [metric("web", 2), metric("app", 3), metric("web", 4)],
        "impactMetrics": [], "seenTokens": ["x"],
    });
    let answer = send(&server, CLIENT, &body).await;
    assert_eq!((answer.status, answer.text.as_str()), (202, ""));
    let shown = usage(&server, "checkout").await;
    let item = &shown["lastHourUsage"][0];
    assert_eq!(
        (&item["yes"], &item["no"], &item["variants"]),
        (&json!(9), &json!(3), &json!({ "a": 9 }))
    );
    assert_eq!(shown["seenApplications"], json!(["app", "web"]));
    let applications = server.get("/api/admin/metrics/applications/phone").await.ok();
    assert_eq!(applications["instances"][0]["instanceId"], "p1");
}

#[actix_web::test]
async fn a_fault_anywhere_refuses_all_of_it() {
    let server = server_with_a_flag();
    let body = json!({
        "applications": [],
        "metrics": [
            { "featureName": "checkout", "appName": "web", "environment": "development", "yes": 1 },
            { "featureName": "checkout", "appName": "web", "environment": "production", "yes": 1 },
        ],
    });
    let refusal = send(&server, CLIENT, &body)
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert_eq!(refusal["details"][0]["path"], "/body/metrics/1/environment");
    assert_eq!(usage(&server, "checkout").await["lastHourUsage"], json!([]));
    let refusal = send(&server, CLIENT, &json!({}))
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert_eq!(
        (&refusal["details"][0]["path"], &refusal["details"][1]["path"]),
        (&json!("/body/applications"), &json!("/body/metrics"))
    );
}

#[actix_web::test]
async fn only_client_tokens_may_send_it() {
    let server = server_with_a_flag();
    let body = json!({ "applications": [], "metrics": [] });
    for token in [ADMIN, FRONTEND] {
        send(&server, token, &body)
            .await
            .refused(StatusCode::FORBIDDEN, "PermissionError");
    }
    send(&server, "nope", &body)
        .await
        .refused(StatusCode::UNAUTHORIZED, "UnauthorizedError");
    assert_eq!(send(&server, CLIENT, &body).await.status, 202);
}
