//! Signing in with a token, as the pages do.

use actix_web::http::{Method, StatusCode};
use serde_json::json;

use super::{Browser, LOGIN, browser};
use crate::support::{ADMIN, Answer, CLIENT, TestServer};
use crate::users::{EXPIRED, person, person_until};

async fn with_token(server: &TestServer, token: &str) -> Answer {
    let headers = [("content-type", "application/json")];
    let body = json!({ "token": token }).to_string();
    server.send(Method::POST, LOGIN, &headers, body).await
}

async fn signed_in(server: &TestServer, token: &str) -> Browser {
    browser(server, &with_token(server, token).await)
}

#[actix_web::test]
async fn a_personal_token_signs_its_owner_in_for_as_long_as_it_counts() {
    let server = TestServer::new();
    let ada = person_until(&server, "ada", "Editor", EXPIRED).await;
    let signed = signed_in(&server, &ada.token).await;
    let me = signed.get("/api/admin/user").await.ok();
    assert_eq!(me["user"]["username"], "ada");
    let tokens = signed.get("/api/admin/user/tokens").await.ok();
    let path = format!("/api/admin/user/tokens/{}", tokens["pats"][0]["id"]);
    signed.call(Method::DELETE, &path, None).await.ok();
    assert!(!signed.is_signed_in().await);
    let bob = person_until(&server, "bob", "Editor", EXPIRED).await;
    let signed = signed_in(&server, &bob.token).await;
    server.set_time(EXPIRED - time::Duration::hours(20));
    let renewed = signed_in(&server, &bob.token).await;
    assert!(renewed.is_signed_in().await);
    server.set_time(EXPIRED - time::Duration::hours(10));
    assert!(renewed.is_signed_in().await);
    server.set_time(EXPIRED);
    assert!(!renewed.is_signed_in().await && !signed.is_signed_in().await);
}

#[actix_web::test]
async fn an_admin_token_signs_in_for_as_long_as_it_is_there() {
    let server = TestServer::new();
    let signed = signed_in(&server, ADMIN).await;
    let me = signed.get("/api/admin/user").await.ok();
    assert_eq!(me["permissions"][0]["permission"], "ADMIN");
    // whoever acts by a token has no personal tokens and no sessions of their own
    signed
        .get("/api/admin/user/sessions")
        .await
        .refused(StatusCode::FORBIDDEN, "ForbiddenError");
    let path = format!("/api/admin/api-tokens/{ADMIN}");
    signed.call(Method::DELETE, &path, None).await.ok();
    assert!(!signed.is_signed_in().await);
}

#[actix_web::test]
async fn what_is_no_token_of_somebody_signs_nobody_in() {
    let server = TestServer::new();
    let late = person_until(&server, "late", "Admin", EXPIRED).await;
    person(&server, "ada", "Admin").await;
    server.set_time(EXPIRED);
    for token in [CLIENT, "nonsense", &late.token, &"0".repeat(64)] {
        let answer = with_token(&server, token).await;
        answer.refused(StatusCode::UNAUTHORIZED, "PasswordMismatch");
        assert_eq!(answer.header("set-cookie"), None, "{token}");
    }
}
