//! Requests that other sites make a browser send.

use actix_web::http::{Method, StatusCode};
use serde_json::json;

use super::{LOGIN, PASSWORD, account, signed_in};
use crate::support::TestServer;

const FLAGS: &str = "/api/admin/projects/default/features";
const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");
const TEXT: (&str, &str) = ("content-type", "text/plain");
const MULTIPART: (&str, &str) = ("content-type", "multipart/form-data; boundary=x");
const JSON: (&str, &str) = ("content-type", "application/json");
const HOST: (&str, &str) = ("host", "flags.example.com");

#[actix_web::test]
async fn what_another_site_makes_a_browser_send_is_refused() {
    let server = TestServer::new();
    account(&server, "ada", "Admin").await;
    let browser = signed_in(&server, "ada").await;
    server.post(FLAGS, json!({ "name": "checkout" })).await.ok();
    let on = format!("{FLAGS}/checkout/environments/development/on");
    let evil = ("origin", "https://evil.example");
    let forms: [&[(&str, &str)]; 16] = [
        &[HOST, JSON, ("sec-fetch-site", "cross-site")],
        &[HOST, JSON, ("sec-fetch-site", "same-site")],
        &[HOST, JSON, ("sec-fetch-site", "none")],
        &[
            HOST,
            JSON,
            ("sec-fetch-site", "cross-site"),
            ("origin", "https://flags.example.com"),
        ],
        &[HOST, JSON, evil],
        &[HOST, JSON, ("origin", "null")],
        &[HOST, JSON, ("origin", "https://flags.example.com.evil.example")],
        &[HOST, JSON, ("origin", "https://flags.example.com:444")],
        &[HOST, TEXT, evil],
        &[HOST, FORM],
        &[HOST, TEXT],
        &[HOST, MULTIPART],
        &[HOST],
        &[HOST, FORM, ("x-requested-with", "XMLHttpRequest")],
        &[
            HOST,
            JSON,
            ("sec-fetch-site", "same-origin"),
            ("sec-fetch-site", "cross-site"),
        ],
        &[HOST, JSON, ("origin", "https://flags.example.com"), evil],
    ];
    for headers in forms {
        let created = browser.send(
            Method::POST,
            FLAGS,
            headers,
            json!({ "name": "forged" }).to_string(),
        );
        created.await.refused(StatusCode::FORBIDDEN, "PermissionError");
        // without a body there is no media type that a handler could refuse
        browser
            .send(Method::POST, &on, headers, "")
            .await
            .refused(StatusCode::FORBIDDEN, "PermissionError");
        for method in [Method::PUT, Method::PATCH, Method::DELETE] {
            let answer = browser
                .send(method.clone(), &format!("{FLAGS}/checkout"), headers, "{}")
                .await;
            assert_eq!(answer.status, 403, "{method} {headers:?}");
        }
    }
    assert_eq!(server.get(&format!("{FLAGS}/forged")).await.status, 404);
    let flag = server.get(&format!("{FLAGS}/checkout")).await.ok();
    let development = &flag["environments"][0];
    assert_eq!(
        (&development["name"], &development["enabled"]),
        (&json!("development"), &json!(false))
    );
}

#[actix_web::test]
async fn what_a_page_of_the_server_sends_is_obeyed() {
    let server = TestServer::new();
    account(&server, "ada", "Admin").await;
    let browser = signed_in(&server, "ada").await;
    let forms: [&[(&str, &str)]; 4] = [
        &[HOST, JSON, ("sec-fetch-site", "same-origin")],
        &[HOST, JSON, ("origin", "https://flags.example.com")],
        &[HOST, JSON, ("origin", "http://flags.example.com")],
        &[HOST, JSON],
    ];
    for (number, headers) in forms.into_iter().enumerate() {
        let body = json!({ "name": format!("flag-{number}") }).to_string();
        browser.send(Method::POST, FLAGS, headers, body).await.ok();
    }
}

/// A link from a chat must find its reader signed in.
#[actix_web::test]
async fn reading_is_allowed_from_everywhere_and_no_other_site_gets_to_see_the_answer() {
    let server = TestServer::new();
    account(&server, "ada", "Admin").await;
    let browser = signed_in(&server, "ada").await;
    let headers = [
        HOST,
        ("sec-fetch-site", "cross-site"),
        ("origin", "https://evil.example"),
    ];
    let answer = browser.send(Method::GET, "/api/admin/user", &headers, "").await;
    answer.ok();
    let told = answer
        .headers
        .iter()
        .any(|(name, _)| name.starts_with("access-control-"));
    assert!(!told, "{:?}", answer.headers);
    let asked = [
        HOST,
        ("origin", "https://evil.example"),
        ("access-control-request-method", "POST"),
    ];
    let preflight = server.send(Method::OPTIONS, FLAGS, &asked, "").await;
    assert_eq!(preflight.header("access-control-allow-origin"), None);
}

/// A site that signs its visitors in to the attacker's account learns what they do there.
#[actix_web::test]
async fn another_site_cannot_sign_its_visitors_in() {
    let server = TestServer::new();
    account(&server, "mallory", "Viewer").await;
    let body = json!({ "username": "mallory", "password": PASSWORD }).to_string();
    for headers in [
        [HOST, JSON, ("sec-fetch-site", "cross-site")],
        [HOST, JSON, ("origin", "https://evil.example")],
        [HOST, FORM, ("accept", "*/*")],
    ] {
        let answer = server.send(Method::POST, LOGIN, &headers, body.clone()).await;
        assert!(matches!(answer.status, 403 | 415), "{}", answer.status);
        assert_eq!(answer.header("set-cookie"), None);
    }
}
