//! Setting one's own password with a link.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};
use time::Duration;

use super::{JSON, PASSWORD, SAME_ORIGIN, account, signed_in, try_to_sign_in};
use crate::support::{Answer, START, TestServer};

const OTHER: &str = "Ab3?defGhijk5";
const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");

fn token_of(link: &Value) -> String {
    let link = link.as_str().unwrap();
    link.split_once("token=").unwrap().1.to_owned()
}

async fn set(server: &TestServer, token: &str, password: &str) -> Answer {
    let body = json!({ "token": token, "password": password }).to_string();
    server
        .send(Method::POST, "/auth/reset/password", &[JSON], body)
        .await
}

async fn reset_link(server: &TestServer, id: i64) -> String {
    let answer = server
        .post("/api/admin/user-admin/reset-password", json!({ "id": id }))
        .await;
    token_of(&answer.ok()["resetPasswordUrl"])
}

#[actix_web::test]
async fn a_new_user_gets_a_link_that_sets_the_first_password_once() {
    let server = TestServer::new();
    let body = json!({ "username": "ada", "email": "ada@example.com", "rootRole": "Viewer" });
    let answer = server.post("/api/admin/user-admin", body).await;
    assert_eq!(answer.status, 201);
    let made = answer.json();
    assert_eq!(answer.header("location"), Some(made["id"].to_string().as_str()));
    assert_eq!(made["emailSent"], false);
    let link = made["inviteLink"].as_str().unwrap();
    assert!(link.starts_with("http://localhost/new-user?token="), "{link}");
    let token = token_of(&made["inviteLink"]);
    let valid = server
        .send(
            Method::GET,
            &format!("/auth/reset/validate?token={token}"),
            &[],
            "",
        )
        .await
        .ok();
    assert_eq!(
        (&valid["username"], &valid["role"]["name"]),
        (&json!("ada"), &json!("Viewer"))
    );
    let weak = set(&server, &token, "short").await;
    weak.refused(StatusCode::BAD_REQUEST, "OwaspValidationError");
    set(&server, &token, PASSWORD).await.ok();
    try_to_sign_in(&server, "ada", PASSWORD).await.ok();
    let again = set(&server, &token, OTHER).await;
    again.refused(StatusCode::UNAUTHORIZED, "InvalidTokenError");
    let kept = server.get("/api/admin/events").await.text;
    assert!(!kept.contains(&token) && kept.contains("user-link-created"));
}

#[actix_web::test]
async fn a_new_password_ends_every_session_of_the_user() {
    let server = TestServer::new();
    let id = account(&server, "ada", "Viewer").await;
    let browser = signed_in(&server, "ada").await;
    let token = reset_link(&server, id).await;
    assert!(browser.is_signed_in().await);
    set(&server, &token, OTHER).await.ok();
    assert!(!browser.is_signed_in().await);
    assert_eq!(try_to_sign_in(&server, "ada", PASSWORD).await.status, 401);
    try_to_sign_in(&server, "ada", OTHER).await.ok();
}

#[actix_web::test]
async fn a_link_works_for_a_day_and_until_there_is_a_later_one() {
    let server = TestServer::new();
    let id = account(&server, "ada", "Viewer").await;
    let first = reset_link(&server, id).await;
    let second = reset_link(&server, id).await;
    set(&server, &first, OTHER)
        .await
        .refused(StatusCode::UNAUTHORIZED, "InvalidTokenError");
    server.set_time(START + Duration::DAY);
    set(&server, &second, OTHER)
        .await
        .refused(StatusCode::UNAUTHORIZED, "InvalidTokenError");
}

#[actix_web::test]
async fn the_page_of_a_link_sets_the_password_without_scripts() {
    let server = TestServer::new();
    let id = account(&server, "ada", "Viewer").await;
    let token = reset_link(&server, id).await;
    let page = server
        .send(Method::GET, &format!("/reset-password?token={token}"), &[], "")
        .await;
    assert_eq!(page.status, 200);
    assert!(
        page.text.contains("For ada.") && page.text.contains(&token),
        "{}",
        page.text
    );
    assert!(!page.text.contains("<script"));
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none';"), "{policy}");
    let send = |password: &'static str, again: &'static str| {
        let (server, token) = (server.clone(), token.clone());
        async move {
            let body = format!("token={token}&password={password}&again={again}");
            server
                .send(Method::POST, "/reset-password", &[FORM, SAME_ORIGIN], body)
                .await
        }
    };
    let differ = send("Ab3%3FdefGhijk5", "x").await;
    assert!(
        differ.status == 400 && differ.text.contains("The two passwords differ."),
        "{}",
        differ.text
    );
    let weak = send("x", "x").await;
    assert!(
        weak.status == 400 && weak.text.contains("at least 10 characters long"),
        "{}",
        weak.text
    );
    let done = send("Ab3%3FdefGhijk5", "Ab3%3FdefGhijk5").await;
    assert_eq!(done.status, 200, "{}", done.text);
    try_to_sign_in(&server, "ada", OTHER).await.ok();
    let used = server
        .send(Method::GET, &format!("/reset-password?token={token}"), &[], "")
        .await;
    assert!(
        used.status == 401 && used.text.contains("This link does not work"),
        "{}",
        used.text
    );
}

#[actix_web::test]
async fn a_page_of_another_site_sets_no_password() {
    let server = TestServer::new();
    let id = account(&server, "ada", "Viewer").await;
    let token = reset_link(&server, id).await;
    let body = format!("token={token}&password={OTHER}&again={OTHER}");
    for from in [
        ("sec-fetch-site", "cross-site"),
        ("origin", "https://evil.example"),
        ("accept", "*/*"),
    ] {
        let answer = server
            .send(Method::POST, "/reset-password", &[FORM, from], body.clone())
            .await;
        assert_eq!(answer.status, 403, "{from:?}: {}", answer.text);
    }
}

#[actix_web::test]
async fn without_e_mail_nobody_is_told_whether_an_address_is_known() {
    let server = TestServer::new();
    account(&server, "ada", "Viewer").await;
    for address in ["ada@example.com", "nobody@example.com"] {
        let body = json!({ "email": address }).to_string();
        let answer = server
            .send(Method::POST, "/auth/reset/password-email", &[JSON], body)
            .await;
        answer.refused(StatusCode::FORBIDDEN, "InvalidOperationError");
    }
}
