//! Who sees and makes which API tokens, tokens of projects, and secrets that are kept to be shown again.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};
use time::Duration;

use crate::roles::{OWNER, call, give};
use crate::support::{ADMIN, START, TestServer};
use crate::users::person;

const TOKENS: &str = "/api/admin/api-tokens";
const OF_PROJECT: &str = "/api/admin/projects/default/api-tokens";

fn wanted(kind: &str) -> Value {
    json!({ "tokenName": "t", "type": kind, "environment": "development", "projects": ["default"] })
}

#[actix_web::test]
async fn editors_see_and_make_tokens_of_sdks_and_none_of_admins() {
    let server = TestServer::new();
    let ed = person(&server, "ed", "Editor").await;
    for kind in ["client", "backend", "frontend"] {
        assert_eq!(
            call(&server, &ed, Method::POST, TOKENS, wanted(kind))
                .await
                .status,
            201,
            "{kind}"
        );
    }
    let admin = json!({ "tokenName": "t", "type": "admin" });
    call(&server, &ed, Method::POST, TOKENS, admin.clone())
        .await
        .refused(StatusCode::FORBIDDEN, "PermissionError");
    let made = server.post(TOKENS, admin).await.ok();
    let listed = call(&server, &ed, Method::GET, TOKENS, Value::Null).await.ok();
    let kinds: Vec<_> = listed["tokens"]
        .as_array()
        .unwrap()
        .iter()
        .map(|token| token["type"].clone())
        .collect();
    assert!(
        !kinds.contains(&json!("admin")) && kinds.contains(&json!("backend")),
        "{kinds:?}"
    );
    let one = format!("{TOKENS}/{}", made["id"]);
    call(&server, &ed, Method::DELETE, &one, json!({}))
        .await
        .refused(StatusCode::FORBIDDEN, "PermissionError");
    let later = json!({ "expiresAt": "2036-01-01T00:00:00Z" });
    call(&server, &ed, Method::PUT, &one, later)
        .await
        .refused(StatusCode::FORBIDDEN, "PermissionError");
}

#[actix_web::test]
async fn owners_make_tokens_for_their_project_alone() {
    let server = TestServer::new();
    let owner = person(&server, "owner", "Viewer").await;
    give(&server, &owner, &[OWNER]).await;
    let body =
        json!({ "tokenName": "mine", "type": "client", "environment": "development", "projects": ["*"] });
    let made = call(&server, &owner, Method::POST, OF_PROJECT, body).await;
    assert_eq!(made.status, 201, "{}", made.text);
    let made = made.json();
    assert_eq!(made["projects"], json!(["default"]));
    let secret = made["secret"].as_str().unwrap();
    server
        .call(secret, Method::GET, "/api/client/features", None)
        .await
        .ok();
    for others in [
        json!({ "projects": ["default", "bank"] }),
        json!({ "project": "bank" }),
    ] {
        let mut body = json!({ "tokenName": "t", "type": "client", "environment": "development" });
        body.as_object_mut()
            .unwrap()
            .extend(others.as_object().unwrap().clone());
        let refusal = call(&server, &owner, Method::POST, OF_PROJECT, body).await;
        let refusal = refusal.refused(StatusCode::BAD_REQUEST, "BadDataError");
        assert!(
            refusal["message"].as_str().unwrap().contains("not for \"bank\""),
            "{refusal}"
        );
    }
    let admin = json!({ "tokenName": "t", "type": "admin" });
    call(&server, &owner, Method::POST, OF_PROJECT, admin)
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    // one for all projects is not theirs to see or remove
    let of_all = server
        .post(TOKENS, json!({ "tokenName": "all", "type": "client" }))
        .await
        .ok();
    let listed = call(&server, &owner, Method::GET, OF_PROJECT, Value::Null)
        .await
        .text;
    assert!(listed.contains("mine") && !listed.contains("\"all\""), "{listed}");
    let path = format!("{OF_PROJECT}/{}", of_all["id"]);
    call(&server, &owner, Method::DELETE, &path, json!({}))
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
    let path = format!("{OF_PROJECT}/{secret}");
    call(&server, &owner, Method::DELETE, &path, json!({})).await.ok();
    assert_eq!(
        server
            .call(secret, Method::GET, "/api/client/features", None)
            .await
            .status,
        401
    );
}

#[actix_web::test]
async fn secrets_are_listed_only_with_a_key_and_only_to_those_who_may_see_the_token() {
    let plain = TestServer::new();
    let app = plain
        .app()
        .clone()
        .with_secret_key("0123456789abcdef0123456789abcdef", true)
        .unwrap();
    let server = plain.clone().with_app(app);
    let secret = server.post(TOKENS, wanted("client")).await.ok()["secret"].clone();
    let named = |server: TestServer| async move {
        server.get("/api/admin/api-tokens/t").await.ok()["tokens"][0]["secret"].clone()
    };
    assert_eq!(named(server.clone()).await, secret);
    let viewer = person(&server, "viewer", "Viewer").await;
    assert_eq!(
        call(&server, &viewer, Method::GET, TOKENS, Value::Null)
            .await
            .status,
        403
    );
    // the same database without the key, and with another
    assert_eq!(named(plain.clone()).await, "***");
    let app = plain
        .app()
        .clone()
        .with_secret_key("another-key-another-key-another-", true)
        .unwrap();
    assert_eq!(named(plain.clone().with_app(app)).await, "***");
    assert!(plain.app().clone().with_secret_key("short", true).is_err());
    let events = server.get("/api/admin/events").await.text;
    assert!(!events.contains(secret.as_str().unwrap()));
}

#[actix_web::test]
async fn an_expired_token_is_told_that_it_has_expired() {
    let server = TestServer::new();
    let body = json!({ "tokenName": "t", "type": "client", "environment": "development", "expiresAt": "2026-11-27T13:00:00Z" });
    let secret = server.post(TOKENS, body).await.ok()["secret"]
        .as_str()
        .unwrap()
        .to_owned();
    server.set_time(START + Duration::HOUR);
    let answer = server
        .call(&secret, Method::GET, "/api/client/features", None)
        .await;
    let body = answer.refused(StatusCode::UNAUTHORIZED, "UnauthorizedError");
    assert!(
        body["message"]
            .as_str()
            .unwrap()
            .contains("expired, at 2026-11-27T13:00:00Z"),
        "{body}"
    );
    server.call(ADMIN, Method::GET, TOKENS, None).await.ok();
}
