//! Signing up with a link.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};
use time::Duration;

use super::{JSON, PASSWORD, SAME_ORIGIN, try_to_sign_in};
use crate::support::{Answer, START, TestServer};

const LINKS: &str = "/api/admin/invite-link/tokens";

async fn link(server: &TestServer) -> Value {
    let body = json!({ "name": "team", "expiresAt": "2036-01-01T00:00:00Z" });
    server.post(LINKS, body).await.ok()
}

async fn sign_up(server: &TestServer, link: &Value, email: &str, password: &str) -> Answer {
    let path = format!("/invite/{}/signup", link["secret"].as_str().unwrap());
    let body = json!({ "email": email, "name": "A", "password": password }).to_string();
    server.send(Method::POST, &path, &[JSON], body).await
}

#[actix_web::test]
async fn whoever_has_the_link_makes_an_account_that_only_looks() {
    let server = TestServer::new();
    let link = link(&server).await;
    let secret = link["secret"].as_str().unwrap();
    assert_eq!(link["url"], format!("http://localhost/new-user?invite={secret}"));
    // 30 days from the start of the test
    assert_eq!(link["expiresAt"], "2026-12-27T12:30:20.000Z");
    server
        .send(Method::GET, &format!("/invite/{secret}/validate"), &[], "")
        .await
        .ok();
    let weak = sign_up(&server, &link, "ada@example.com", "x").await;
    weak.refused(StatusCode::BAD_REQUEST, "OwaspValidationError");
    let made = sign_up(&server, &link, "ada@example.com", PASSWORD).await;
    assert_eq!((made.status, &made.json()["rootRole"]), (201, &json!(3)));
    try_to_sign_in(&server, "ada@example.com", PASSWORD).await.ok();
    let twice = sign_up(&server, &link, "ADA@example.com", PASSWORD).await;
    twice.refused(StatusCode::BAD_REQUEST, "BadDataError");
    let listed = server.get(LINKS).await;
    assert!(!listed.text.contains(secret), "{}", listed.text);
    assert_eq!(listed.json()["tokens"][0]["users"][0]["email"], "ada@example.com");
    assert!(!server.get("/api/admin/events").await.text.contains(secret));
}

#[actix_web::test]
async fn a_link_that_is_off_or_late_makes_nobody() {
    let server = TestServer::new();
    let link = link(&server).await;
    let one = format!("{LINKS}/{}", link["secret"].as_str().unwrap());
    assert_eq!(
        server.put(&one, json!({ "enabled": false })).await.ok()["enabled"],
        false
    );
    sign_up(&server, &link, "a@b.c", PASSWORD)
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    server.put(&one, json!({ "enabled": true })).await.ok();
    server.set_time(START + Duration::days(30));
    sign_up(&server, &link, "a@b.c", PASSWORD)
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    server
        .put(&format!("{LINKS}/nope"), json!({}))
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
}

#[actix_web::test]
async fn nobody_becomes_admin_by_a_link() {
    let server = TestServer::new();
    let body = json!({ "name": "team", "expiresAt": "2036-01-01T00:00:00Z", "rootRole": "Admin" });
    server
        .post(LINKS, body)
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    let editors = json!({ "name": "team", "expiresAt": "2036-01-01T00:00:00Z", "rootRole": "Editor" });
    assert_eq!(server.post(LINKS, editors).await.ok()["role"]["name"], "Editor");
}

#[actix_web::test]
async fn the_page_of_the_link_signs_up_without_scripts() {
    let server = TestServer::new();
    let link = link(&server).await;
    let secret = link["secret"].as_str().unwrap();
    let page = server
        .send(Method::GET, &format!("/new-user?invite={secret}"), &[], "")
        .await;
    assert!(
        page.status == 200 && page.text.contains("Make your account"),
        "{}",
        page.text
    );
    let form = ("content-type", "application/x-www-form-urlencoded");
    let body = format!("invite={secret}&login=ada&name=Ada&password=Ab3%3FdefGhijk5&again=Ab3%3FdefGhijk5");
    let done = server
        .send(Method::POST, "/new-user", &[form, SAME_ORIGIN], body)
        .await;
    assert_eq!(done.status, 200, "{}", done.text);
    try_to_sign_in(&server, "ada", "Ab3?defGhijk5").await.ok();
}
