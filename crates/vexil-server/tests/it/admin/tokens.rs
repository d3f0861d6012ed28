//! API tokens.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};
use time::Duration;

use super::{event_types, places};
use crate::support::{START, TestServer};

const TOKENS: &str = "/api/admin/api-tokens";

async fn create(server: &TestServer, body: Value) -> Value {
    let answer = server.post(TOKENS, body).await;
    assert_eq!(answer.status, 201, "{}", answer.text);
    answer.json()
}

async fn reads_flags(server: &TestServer, secret: &str) -> u16 {
    server
        .call(secret, Method::GET, "/api/client/features", None)
        .await
        .status
}

#[actix_web::test]
async fn a_created_token_works_and_its_secret_is_told_once() {
    let server = TestServer::new();
    let token = create(&server, json!({ "tokenName": "shop", "type": "CLIENT", "environment": "development", "projects": ["default"] })).await;
    let secret = token["secret"].as_str().unwrap();
    assert!(secret.starts_with("default:development."), "{secret}");
    assert_eq!(token["type"], "client");
    assert_eq!(token["projects"], json!(["default"]));
    assert_eq!(token["expiresAt"], json!(null));
    assert_eq!(reads_flags(&server, secret).await, 200);
    let list = server.get(TOKENS).await;
    let key = secret.split_once('.').unwrap().1;
    assert!(!list.text.contains(key));
    let events = server.get("/api/admin/events").await;
    assert!(!events.text.contains(key));
    assert_eq!(event_types(&server).await.last().unwrap(), "api-token-created");
    let named = server.get("/api/admin/api-tokens/shop").await.ok();
    assert_eq!(named["tokens"].as_array().unwrap().len(), 1);
    assert_eq!(named["tokens"][0]["tokenName"], "shop");
    assert_eq!(
        server.get("/api/admin/api-tokens/nobody").await.ok(),
        json!({ "tokens": [] })
    );
}

#[actix_web::test]
async fn a_wildcard_among_projects_means_all_of_them() {
    let server = TestServer::new();
    for projects in [json!(["*", "default"]), json!(["*"])] {
        let body = json!({ "tokenName": "t", "type": "backend", "environment": "development", "projects": projects });
        assert_eq!(create(&server, body).await["projects"], json!(["*"]));
    }
    let twice = json!({ "tokenName": "t", "type": "frontend", "environment": "development", "projects": ["default", "default"] });
    assert_eq!(create(&server, twice).await["projects"], json!(["default"]));
    let unsaid = create(&server, json!({ "tokenName": "t", "type": "client" })).await;
    assert_eq!(
        (&unsaid["environment"], &unsaid["projects"]),
        (&json!("development"), &json!(["*"]))
    );
}

/// Whoever sends two words for how far a token reaches, of which one is narrower, cannot see which one counts.
#[actix_web::test]
async fn a_token_reaches_no_further_than_either_word_for_it_says() {
    let server = TestServer::new();
    let new = json!({ "id": "shop", "name": "Shop" });
    server.post("/api/admin/projects", new).await.ok();
    let body = |project: &str, projects: &[&str]| json!({ "tokenName": "t", "type": "client", "environment": "development", "project": project, "projects": projects });
    for (project, projects) in [
        ("default", ["*"].as_slice()),
        ("default", &["shop"]),
        ("default", &["shop", "*"]),
        ("*", &["default"]),
        ("nope", &["default"]),
    ] {
        let refusal = server
            .post("/api/admin/api-tokens", body(project, projects))
            .await;
        let refusal = refusal.refused(StatusCode::BAD_REQUEST, "BadDataError");
        assert_eq!(places(&refusal), ["/body/project"], "{project} {projects:?}");
    }
    for (project, projects, made) in [
        (
            "default",
            ["default", "shop"].as_slice(),
            json!(["default", "shop"]),
        ),
        ("*", &["*"], json!(["*"])),
        ("", &["shop"], json!(["shop"])),
    ] {
        assert_eq!(create(&server, body(project, projects)).await["projects"], made);
    }
}

#[actix_web::test]
async fn a_token_needs_an_environment_and_projects_that_are_there() {
    let server = TestServer::new();
    let before = server.get(TOKENS).await.ok();
    for body in [
        json!({ "tokenName": "t", "type": "client", "environment": "*" }),
        json!({ "tokenName": "t", "type": "client", "environment": "DEVELOPMENT" }),
        json!({ "tokenName": "t", "type": "client", "environment": "development", "projects": ["nope"] }),
        json!({ "tokenName": "t", "type": "admin", "environment": "development" }),
        json!({ "tokenName": "t", "type": "admin", "projects": ["default"] }),
    ] {
        server
            .post(TOKENS, body)
            .await
            .refused(StatusCode::BAD_REQUEST, "BadDataError");
    }
    let body = json!({ "type": "nope", "projects": [], "expiresAt": "x" });
    let refusal = server
        .post(TOKENS, body)
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert_eq!(
        places(&refusal),
        [
            "/body/tokenName",
            "/body/type",
            "/body/projects",
            "/body/expiresAt"
        ]
    );
    assert_eq!(server.get(TOKENS).await.ok(), before);
}

#[actix_web::test]
async fn an_admin_token_can_be_made_and_administrates() {
    let server = TestServer::new();
    let token = create(&server, json!({ "tokenName": "ops", "type": "admin" })).await;
    let secret = token["secret"].as_str().unwrap();
    assert!(secret.starts_with("*:*."), "{secret}");
    assert_eq!(server.call(secret, Method::GET, TOKENS, None).await.status, 200);
    assert_eq!(reads_flags(&server, secret).await, 403);
}

#[actix_web::test]
async fn a_token_is_no_longer_accepted_from_its_end_on() {
    let server = TestServer::new();
    let token = create(
        &server,
        json!({ "tokenName": "t", "type": "client", "environment": "development" }),
    )
    .await;
    let secret = token["secret"].as_str().unwrap();
    let path = format!("{TOKENS}/{}", secret.replace(':', "%3A").replace('*', "%2A"));
    assert_eq!(
        server
            .put(&path, json!({ "expiresAt": "2026-11-27T13:00:00Z" }))
            .await
            .status,
        200
    );
    assert_eq!(reads_flags(&server, secret).await, 200);
    server.set_time(START + Duration::minutes(30));
    assert_eq!(reads_flags(&server, secret).await, 401);
    server
        .put(&path, json!({ "expiresAt": "2027-01-01T00:00:00Z" }))
        .await
        .ok();
    assert_eq!(reads_flags(&server, secret).await, 200);
    let refusal = server
        .put(&path, json!({}))
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert_eq!(places(&refusal), ["/body/expiresAt"]);
    let missing = server
        .put(
            &format!("{TOKENS}/nope"),
            json!({ "expiresAt": "2027-01-01T00:00:00Z" }),
        )
        .await;
    missing.refused(StatusCode::NOT_FOUND, "NotFoundError");
}

#[actix_web::test]
async fn a_removed_token_is_no_longer_accepted() {
    let server = TestServer::new();
    let body = json!({ "tokenName": "t", "type": "client", "environment": "development" });
    let by_secret = create(&server, body.clone()).await["secret"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(server.delete(&format!("{TOKENS}/{by_secret}")).await.status, 200);
    assert_eq!(reads_flags(&server, &by_secret).await, 401);
    let by_id = create(&server, body).await;
    assert_eq!(
        server.delete(&format!("{TOKENS}/{}", by_id["id"])).await.status,
        200
    );
    assert_eq!(reads_flags(&server, by_id["secret"].as_str().unwrap()).await, 401);
    assert_eq!(server.delete(&format!("{TOKENS}/nope")).await.status, 200);
    assert_eq!(
        event_types(&server)
            .await
            .iter()
            .filter(|kind| *kind == "api-token-deleted")
            .count(),
        2
    );
}
