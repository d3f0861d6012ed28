//! One's own password, and what the pages keep about oneself.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{Browser, PASSWORD, account, signed_in, try_to_sign_in};
use crate::support::{Answer, TestServer};

const OTHER: &str = "Ab3?defGhijk5";

async fn change(browser: &Browser, old: &str, new: &str) -> Answer {
    let body = json!({ "oldPassword": old, "password": new, "confirmPassword": new });
    browser
        .call(Method::POST, "/api/admin/user/change-password", Some(&body))
        .await
}

#[actix_web::test]
async fn the_old_password_sets_a_new_one_and_signs_out_everywhere_else() {
    let server = TestServer::new();
    account(&server, "ada", "Viewer").await;
    let (here, there) = (signed_in(&server, "ada").await, signed_in(&server, "ada").await);
    change(&here, "wrong", OTHER)
        .await
        .refused(StatusCode::UNAUTHORIZED, "PasswordMismatch");
    change(&here, PASSWORD, "x")
        .await
        .refused(StatusCode::BAD_REQUEST, "OwaspValidationError");
    let differ = json!({ "oldPassword": PASSWORD, "password": OTHER, "confirmPassword": "x" });
    let answer = here
        .call(Method::POST, "/api/admin/user/change-password", Some(&differ))
        .await;
    answer.refused(StatusCode::BAD_REQUEST, "BadDataError");
    change(&here, PASSWORD, OTHER).await.ok();
    assert!(here.is_signed_in().await && !there.is_signed_in().await);
    try_to_sign_in(&server, "ada", OTHER).await.ok();
}

#[actix_web::test]
async fn somebody_who_found_a_browser_signed_in_does_not_guess_the_password() {
    let server = TestServer::new();
    account(&server, "ada", "Viewer").await;
    let browser = signed_in(&server, "ada").await;
    for _ in 0..10 {
        assert_eq!(change(&browser, "wrong", OTHER).await.status, 401);
    }
    change(&browser, PASSWORD, OTHER)
        .await
        .refused(StatusCode::TOO_MANY_REQUESTS, "TooManyRequestsError");
}

#[actix_web::test]
async fn closed_notices_and_answers_are_kept() {
    let server = TestServer::new();
    account(&server, "ada", "Viewer").await;
    let browser = signed_in(&server, "ada").await;
    let post = |path: &'static str, body: Value| {
        let browser = browser.clone();
        async move { browser.call(Method::POST, path, Some(&body)).await.ok() }
    };
    assert_eq!(post("/api/admin/splash/welcome", json!({})).await["seen"], true);
    post(
        "/api/admin/feedback",
        json!({ "feedbackId": "f", "neverShow": false }),
    )
    .await;
    let body = json!({ "neverShow": true });
    browser
        .call(Method::PUT, "/api/admin/feedback/f", Some(&body))
        .await
        .ok();
    let own = browser.get("/api/admin/user").await.ok();
    assert_eq!(own["splash"], json!({ "welcome": true }));
    assert_eq!(
        (
            &own["feedback"][0]["feedbackId"],
            &own["feedback"][0]["neverShow"]
        ),
        (&json!("f"), &json!(true))
    );
    let long = format!("/api/admin/splash/{}", "x".repeat(101));
    browser
        .call(Method::POST, &long, Some(&json!({})))
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
}

#[actix_web::test]
async fn the_profile_tells_role_groups_and_projects() {
    let server = TestServer::new();
    let id = account(&server, "ada", "Editor").await;
    let group = server
        .post("/api/admin/groups", json!({ "name": "team", "users": [id] }))
        .await
        .ok();
    let path = format!("/api/admin/projects/default/groups/{}/roles", group["id"]);
    server.put(&path, json!({ "roles": [5] })).await.ok();
    let browser = signed_in(&server, "ada").await;
    let profile = browser.get("/api/admin/user/profile").await.ok();
    assert_eq!(profile["rootRole"]["name"], "Editor");
    assert_eq!(profile["groups"][0]["name"], "team");
    assert_eq!(profile["projects"], json!(["default"]));
    let roles = browser.get("/api/admin/user/roles?projectId=default").await.ok();
    let names: Vec<_> = roles["roles"]
        .as_array()
        .unwrap()
        .iter()
        .map(|role| role["name"].clone())
        .collect();
    assert_eq!(json!(names), json!(["Editor", "Member"]));
    server
        .get("/api/admin/user/profile")
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
}
