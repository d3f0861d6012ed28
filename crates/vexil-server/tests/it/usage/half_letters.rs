//! What is no Unicode in the text that SDKs send: a name that was cut in the middle of a letter, another encoding.

use actix_web::http::{Method, StatusCode};
use serde_json::json;

use super::{server_with_a_flag, usage};
use crate::support::{ADMIN, Answer, CLIENT, FRONTEND, START, TestServer};

async fn send(server: &TestServer, token: &str, path: &str, body: Vec<u8>) -> Answer {
    let headers = [("authorization", token), ("content-type", "application/json")];
    server.send(Method::POST, path, &headers, body).await
}

/// A text that holds half of a pair of surrogates, a byte that is no UTF-8, or behind a byte order mark.
fn spoilt(document: &serde_json::Value) -> [Vec<u8>; 3] {
    let text = document.to_string();
    let halved = text.replace("CUT", r"cut\ud83d").into_bytes();
    let pieces: Vec<_> = text.split("CUT").map(str::as_bytes).collect();
    let bytes = pieces.join(&b"cut\xff"[..]);
    let marked = [
        &b"\xef\xbb\xbf"[..],
        text.replace("CUT", "cut\u{fffd}").as_bytes(),
    ]
    .concat();
    [halved, bytes, marked]
}

#[actix_web::test]
async fn half_a_letter_costs_no_user_the_flags_and_no_application_its_counts() {
    let server = server_with_a_flag();
    let toggles = json!({ "checkout": { "yes": 1, "no": 0 }, "CUT": { "yes": 1, "no": 0 } });
    let bucket =
        json!({ "start": START.unix_timestamp(), "stop": START.unix_timestamp(), "toggles": toggles });
    let report = json!({ "appName": "CUT", "bucket": bucket });
    let metric = json!({ "featureName": "checkout", "appName": "CUT", "environment": "development", "yes": 1, "no": 0 });
    let context = json!({ "context": { "userId": "CUT", "targetingKey": "CUT" } });
    let places = [
        (CLIENT, "/api/client/metrics", report.clone()),
        (
            CLIENT,
            "/api/client/metrics/bulk",
            json!({ "applications": [{ "appName": "CUT" }], "metrics": [metric] }),
        ),
        (FRONTEND, "/api/frontend/client/metrics", report),
        (
            CLIENT,
            "/api/client/register",
            json!({ "appName": "CUT", "strategies": [], "started": 1, "interval": 1 }),
        ),
        (FRONTEND, "/api/frontend", context.clone()),
        (FRONTEND, "/api/frontend/all", context.clone()),
        (FRONTEND, "/ofrep/v1/evaluate/flags", context.clone()),
        (FRONTEND, "/ofrep/v1/evaluate/flags/checkout", context),
    ];
    for (token, path, document) in places {
        for body in spoilt(&document) {
            let answer = send(&server, token, path, body).await;
            assert!(answer.status < 300, "{path}: {}", answer.text);
        }
    }
    let shown = usage(&server, "checkout").await;
    assert_eq!(shown["lastHourUsage"][0]["yes"], 9);
    assert_eq!(shown["seenApplications"], json!(["cut\u{fffd}"]));
    assert_eq!(usage(&server, "cut%EF%BF%BD").await["lastHourUsage"][0]["yes"], 6);
}

#[actix_web::test]
async fn what_is_configured_is_not_mended() {
    let server = TestServer::new();
    let [halved, bytes, marked] = spoilt(&json!({ "name": "f", "description": "CUT" }));
    for body in [halved, bytes] {
        send(&server, ADMIN, "/api/admin/projects/default/features", body)
            .await
            .refused(StatusCode::BAD_REQUEST, "BadDataError");
    }
    let made = send(&server, ADMIN, "/api/admin/projects/default/features", marked).await;
    assert_eq!(made.status, 201, "{}", made.text);
}
