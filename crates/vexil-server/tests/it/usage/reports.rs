//! `POST /api/client/metrics` and `POST /api/frontend/client/metrics`: what is taken, and what is refused.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{report, report_of, send_report, server_with_a_flag, usage};
use crate::support::{ADMIN, CLIENT, FRONTEND, START, places};

const FRONTEND_PATH: &str = "/api/frontend/client/metrics";
const CLIENT_PATH: &str = "/api/client/metrics";

async fn yes(server: &crate::support::TestServer) -> Value {
    usage(server, "checkout").await["lastHourUsage"][0]["yes"].clone()
}

#[actix_web::test]
async fn a_frontend_report_is_answered_ok_and_counted() {
    let server = server_with_a_flag();
    let body = report_of(
        "page",
        START,
        &json!({ "checkout": { "yes": 2, "variants": { "a": 2 } } }),
    );
    let answer = server
        .call(FRONTEND, Method::POST, FRONTEND_PATH, Some(&body))
        .await;
    assert_eq!((answer.status, answer.text.as_str()), (200, "OK"));
    assert_eq!(answer.header("content-type"), Some("text/plain; charset=utf-8"));
    assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
    let body = usage(&server, "checkout").await;
    assert_eq!(
        (&body["lastHourUsage"][0]["yes"], &body["seenApplications"]),
        (&json!(2), &json!(["page"]))
    );
}

#[actix_web::test]
async fn every_way_to_write_counts_and_dates_is_understood() {
    let server = server_with_a_flag();
    let seconds = START.unix_timestamp();
    let toggles = [
        json!({ "yes": 1, "no": 1, "variants": null }),
        json!({ "yes": "5" }),
        json!({ "yes": 1.0, "no": null }),
        json!({ "yes": 1e2 }),
        json!({ "yes": 1, "extra": {}, "variants": {} }),
        json!({ "yes": true, "no": false }),
    ];
    let stops = [
        json!("2026-11-27T12:30:20Z"),
        json!("2026-11-27T12:30:20.123456789+00:00"),
        json!(seconds),
        json!(seconds * 1000),
        json!("2026-11-27T12:30:20.1Z"),
        json!("2026-11-27T18:00:20.123+0530"),
    ];
    for (toggles, stop) in toggles.into_iter().zip(stops) {
        let body = json!({
            "appName": "shop", "instanceId": null, "sdkVersion": 5, "more": [],
            "bucket": { "start": stop, "stop": stop, "toggles": { "checkout": toggles }, "more": 1 },
        });
        assert_eq!(send_report(&server, CLIENT, &body).await.status, 202, "{body}");
    }
    assert_eq!(yes(&server).await, 1 + 5 + 1 + 100 + 1 + 1);
}

#[actix_web::test]
async fn a_report_of_nothing_is_accepted_and_leaves_nothing() {
    let server = server_with_a_flag();
    for body in [
        json!({ "appName": "idle" }),
        json!({ "appName": "idle", "bucket": null }),
        report_of("idle", START, &json!({})),
        report_of("idle", START, &json!({ "checkout": {} })),
        report_of("idle", START, &json!({ "checkout": { "yes": 0, "no": 0 } })),
    ] {
        assert_eq!(send_report(&server, CLIENT, &body).await.status, 202, "{body}");
    }
    let body = usage(&server, "checkout").await;
    assert_eq!(
        (&body["lastHourUsage"], &body["seenApplications"]),
        (&json!([]), &json!([]))
    );
}

#[actix_web::test]
async fn a_bad_report_is_refused_by_itself_with_the_place_of_each_fault() {
    let server = server_with_a_flag();
    report(&server, "good", START, json!({ "checkout": { "yes": 1 } })).await;
    let long = "x".repeat(801);
    let bucket = "/body/bucket";
    let cases = [
        (json!({}), vec!["/body/appName".to_owned()]),
        (json!([]), vec!["/body".to_owned()]),
        (json!({ "appName": "" }), vec!["/body/appName".to_owned()]),
        (json!({ "appName": "a\u{0}b" }), vec!["/body/appName".to_owned()]),
        (json!({ "appName": long }), vec!["/body/appName".to_owned()]),
        (
            json!({ "appName": "a", "bucket": { "start": "soon", "stop": true, "toggles": {} } }),
            vec![format!("{bucket}/start"), format!("{bucket}/stop")],
        ),
        (
            json!({ "appName": "a", "bucket": {} }),
            vec![
                format!("{bucket}/start"),
                format!("{bucket}/stop"),
                format!("{bucket}/toggles"),
            ],
        ),
        (
            report_of(
                "a",
                START,
                &json!({
                    "checkout": { "yes": -1, "no": 1.5, "variants": { "v": "many", "w": -1 } },
                    "ok": { "yes": 1 },
                    "wrong": 5,
                    "top": { "yes": 9_007_199_254_740_992_u64 },
                }),
            ),
            [
                "checkout/yes",
                "checkout/no",
                "checkout/variants/v",
                "checkout/variants/w",
                "wrong",
                "top/yes",
            ]
            .map(|place| format!("{bucket}/toggles/{place}"))
            .into(),
        ),
    ];
    for (body, paths) in cases {
        for (token, path) in [(CLIENT, CLIENT_PATH), (FRONTEND, FRONTEND_PATH)] {
            let answer = server.call(token, Method::POST, path, Some(&body)).await;
            let refusal = answer.refused(StatusCode::BAD_REQUEST, "BadDataError");
            let found = places(&refusal);
            assert_eq!(found, paths, "{body:.80}");
        }
    }
    let body = usage(&server, "checkout").await;
    assert_eq!(
        (&body["lastHourUsage"][0]["yes"], &body["seenApplications"]),
        (&json!(1), &json!(["good"]))
    );
}

#[actix_web::test]
async fn a_long_name_that_can_be_kept_is_kept_whole() {
    let server = server_with_a_flag();
    let name = "x".repeat(256);
    report(&server, &name, START, json!({ "checkout": { "yes": 1 } })).await;
    assert_eq!(
        usage(&server, "checkout").await["seenApplications"],
        json!([name])
    );
}

#[actix_web::test]
async fn what_is_no_json_is_refused_in_json() {
    let server = server_with_a_flag();
    let send = |kind: Option<&'static str>, body: &'static str| {
        let server = server.clone();
        async move {
            let mut headers = vec![("authorization", CLIENT)];
            headers.extend(kind.map(|kind| ("content-type", kind)));
            server.send(Method::POST, CLIENT_PATH, &headers, body).await
        }
    };
    send(Some("application/json"), "{")
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    send(Some("application/json"), "\"\\ud800\"")
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    send(Some("application/json"), "")
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    send(Some("text/plain"), "{}")
        .await
        .refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, "ContentTypeError");
    send(None, "{}")
        .await
        .refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, "ContentTypeError");
    let valid = r#"{"appName":"a"}"#;
    assert_eq!(
        send(Some("application/json; charset=UTF-8"), valid).await.status,
        202
    );
}

#[actix_web::test]
async fn a_report_that_is_too_large_is_refused_in_json() {
    let limits = vexil_service::Limits {
        body_bytes: 1000,
        ..Default::default()
    };
    let server = crate::support::TestServer::with_limits(limits);
    let body = report_of(&"x".repeat(1000), START, &json!({}));
    let answer = send_report(&server, CLIENT, &body).await;
    assert_eq!((answer.status, answer.json()["id"].is_string()), (413, true));
}

#[actix_web::test]
async fn reports_need_a_token_of_the_right_kind() {
    let server = server_with_a_flag();
    let body = report_of("shop", START, &json!({ "checkout": { "yes": 1 } }));
    for (path, right) in [(CLIENT_PATH, CLIENT), (FRONTEND_PATH, FRONTEND)] {
        let none = server
            .send(
                Method::POST,
                path,
                &[("content-type", "application/json")],
                body.to_string(),
            )
            .await;
        let refusal = none.refused(StatusCode::UNAUTHORIZED, "UnauthorizedError");
        assert!(
            refusal["message"]
                .as_str()
                .unwrap()
                .starts_with("This endpoint requires an API token.")
        );
        let unknown = server
            .call("default:development.nope", Method::POST, path, Some(&body))
            .await;
        unknown.refused(StatusCode::UNAUTHORIZED, "UnauthorizedError");
        for token in [ADMIN, CLIENT, FRONTEND]
            .into_iter()
            .filter(|token| *token != right)
        {
            let answer = server.call(token, Method::POST, path, Some(&body)).await;
            let refusal = answer.refused(StatusCode::FORBIDDEN, "PermissionError");
            assert_eq!(
                refusal["message"],
                "invalid token: expected a different token type for this endpoint"
            );
        }
        let get = server.call(right, Method::GET, path, None).await;
        get.refused(StatusCode::NOT_FOUND, "NotFoundError");
    }
    assert_eq!(usage(&server, "checkout").await["lastHourUsage"], json!([]));
}
