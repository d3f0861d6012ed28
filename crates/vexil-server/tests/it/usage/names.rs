//! Names of flags, applications and variants: none is special, none is changed, all can be reached.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{report, server_with_a_flag, usage};
use crate::support::{ADMIN, START, TestServer};

const NAMES: [(&str, &str); 14] = [
    ("a/b", "a%2Fb"),
    ("a b", "a%20b"),
    ("a+b", "a+b"),
    ("say \"hi\"", "say%20%22hi%22"),
    ("böat / ünit", "b%C3%B6at%20%2F%20%C3%BCnit"),
    ("日本", "%E6%97%A5%E6%9C%AC"),
    ("100%", "100%25"),
    ("%2F", "%252F"),
    ("?#&=", "%3F%23%26%3D"),
    ("..", "%2E%2E"),
    ("__proto__", "__proto__"),
    ("constructor", "constructor"),
    ("raw", "raw"),
    ("{name}", "%7Bname%7D"),
];

#[actix_web::test]
async fn usage_of_any_name_is_reached_by_its_percent_encoded_path() {
    let server = TestServer::new();
    let toggles = NAMES
        .iter()
        .zip(1..)
        .map(|((name, _), yes)| ((*name).to_owned(), json!({ "yes": yes })));
    report(&server, "shop", START, Value::Object(toggles.collect())).await;
    for ((name, encoded), yes) in NAMES.iter().zip(1..) {
        let body = usage(&server, encoded).await;
        assert_eq!(
            (&body["featureName"], &body["lastHourUsage"][0]["yes"]),
            (&json!(name), &json!(yes)),
            "{name}"
        );
        assert_eq!(body["lastHourUsage"][0]["featureName"], *name);
        let raw = server
            .get(&format!(
                "/api/admin/client-metrics/features/{encoded}/raw?hoursBack=1"
            ))
            .await
            .ok();
        assert_eq!(raw["data"][0]["yes"], yes, "{name}");
    }
}

#[actix_web::test]
async fn names_of_applications_and_variants_are_kept_as_they_are() {
    let server = server_with_a_flag();
    let names = ["   ", "a\"b'c", "b\\c\n", "böat / ünit", "__proto__"];
    for name in names {
        report(
            &server,
            name,
            START,
            json!({ "checkout": { "variants": { name: 2 } } }),
        )
        .await;
    }
    let body = usage(&server, "checkout").await;
    let mut sorted = names;
    sorted.sort_unstable();
    assert_eq!(body["seenApplications"], json!(sorted));
    for name in names {
        assert_eq!(body["lastHourUsage"][0]["variants"][name], 2, "{name:?}");
    }
}

#[actix_web::test]
async fn a_name_that_no_flag_has_and_nobody_reported_is_not_found() {
    let server = server_with_a_flag();
    for name in ["nope", "Checkout", "checkout%20", "check", "%00", "a%00b"] {
        let answer = server
            .get(&format!("/api/admin/client-metrics/features/{name}"))
            .await;
        answer.refused(StatusCode::NOT_FOUND, "NotFoundError");
    }
    let raw = server
        .get("/api/admin/client-metrics/features/nope/raw")
        .await
        .ok();
    assert_eq!(raw, json!({ "version": 1, "maturity": "stable", "data": [] }));
}

#[actix_web::test]
async fn a_slash_at_the_end_of_the_path_changes_nothing() {
    let server = server_with_a_flag();
    assert_eq!(
        usage(&server, "checkout/").await,
        usage(&server, "checkout").await
    );
}

#[actix_web::test]
async fn a_broken_percent_code_is_a_bad_request() {
    let server = server_with_a_flag();
    for name in ["%zz", "%", "%E0%A4%A", "%FF", "a%2"] {
        for tail in ["", "/raw"] {
            let path = format!("/api/admin/client-metrics/features/{name}{tail}");
            let answer = server.call(ADMIN, Method::GET, &path, None).await;
            answer.refused(StatusCode::BAD_REQUEST, "BadDataError");
        }
    }
}
