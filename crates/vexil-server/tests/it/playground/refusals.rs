//! Who may ask, and what is no question (interface 4.1, 5).

use actix_web::http::{Method, StatusCode};
use serde_json::json;

use super::{Playground, preview_path};
use crate::support::{ADMIN, CLIENT, FRONTEND};

#[actix_web::test]
async fn the_authorization_header_must_hold_an_admin_token() {
    let playground = Playground::new();
    let id = playground.idle_request().await;
    let body = json!({ "context": { "appName": "a" } });
    let json_type = ("content-type", "application/json");
    let nobody = playground
        .server
        .send(Method::POST, &preview_path(id), &[json_type], body.to_string())
        .await;
    nobody.refused(StatusCode::UNAUTHORIZED, "AuthenticationRequired");
    for token in ["nonsense", "*:*.test-ADMIN", "Bearer nonsense", "*:*.test-admin2"] {
        let answer = playground
            .server
            .call(token, Method::POST, &preview_path(id), Some(&body))
            .await;
        answer.refused(StatusCode::UNAUTHORIZED, "UnauthorizedError");
    }
    for token in [CLIENT, FRONTEND] {
        let answer = playground
            .server
            .call(token, Method::POST, &preview_path(id), Some(&body))
            .await;
        answer.refused(StatusCode::FORBIDDEN, "PermissionError");
    }
    for token in [
        ADMIN.to_owned(),
        format!("Bearer {ADMIN}"),
        format!("bearer  {ADMIN} "),
        format!(" {ADMIN} "),
    ] {
        playground
            .server
            .call(&token, Method::POST, &preview_path(id), Some(&body))
            .await
            .ok();
    }
}

#[actix_web::test]
async fn an_id_that_is_unknown_or_no_number_is_not_found() {
    let playground = Playground::new();
    playground.idle_request().await;
    for id in [
        "999",
        "0",
        "-1",
        "x",
        "1.0",
        "99999999999999999999",
        "%20",
        "1%2F2",
    ] {
        let path = format!("/api/admin/playground/change-request/{id}");
        let answer = playground
            .server
            .post(&path, json!({ "context": { "appName": "a" } }))
            .await;
        answer.refused(StatusCode::NOT_FOUND, "NotFoundError");
    }
}

#[actix_web::test]
async fn what_is_no_json_is_refused_with_the_json_error() {
    let playground = Playground::new();
    let id = playground.idle_request().await;
    let path = preview_path(id);
    let send = async |kind: Option<&str>, body: &[u8]| {
        let mut headers = vec![("authorization", ADMIN)];
        headers.extend(kind.map(|kind| ("content-type", kind)));
        playground.server.send(Method::POST, &path, &headers, body).await
    };
    let json = Some("application/json");
    let broken: [&[u8]; 6] = [
        b"{",
        b"{\"context\":}",
        b"\xff\xfe",
        b"nul",
        b"{} {}",
        &[b'['; 100_000],
    ];
    for body in broken {
        send(json, body)
            .await
            .refused(StatusCode::BAD_REQUEST, "BadDataError");
    }
    let good = br#"{"context":{"appName":"a"}}"#;
    for kind in [
        None,
        Some("text/plain"),
        Some("application/x-www-form-urlencoded"),
        Some("application/json; charset=latin1"),
    ] {
        send(kind, good)
            .await
            .refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, "ContentTypeError");
    }
    for kind in [
        "application/json",
        "application/json; charset=utf-8",
        "Application/JSON",
    ] {
        send(Some(kind), good).await.ok();
    }
    send(json, b"")
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
}

#[actix_web::test]
async fn other_methods_on_the_path_are_not_found() {
    let playground = Playground::new();
    let id = playground.idle_request().await;
    for method in [Method::GET, Method::PUT, Method::DELETE, Method::PATCH] {
        let answer = playground
            .server
            .call(ADMIN, method, &preview_path(id), None)
            .await;
        answer.refused(StatusCode::NOT_FOUND, "NotFoundError");
    }
}

#[actix_web::test]
async fn slashes_too_many_and_further_query_parameters_do_no_harm() {
    let playground = Playground::new();
    let path = preview_path(playground.idle_request().await);
    let question = json!({ "context": { "appName": "a" }, "environments": ["production"] });
    let plain = playground.server.post(&path, question.clone()).await.ok();
    for path in [
        format!("{path}/?x=1"),
        format!("{path}///"),
        format!("//{path}"),
        path.replace('/', "//"),
        path.replacen("/admin", "///admin", 1) + "?x=//&y=/",
    ] {
        let answer = playground.server.post(&path, question.clone()).await.ok();
        assert_eq!(answer["results"], plain["results"], "{path}");
    }
}
