//! Everything that ends a session.

use actix_web::http::{Method, StatusCode};
use serde_json::json;
use time::Duration;

use super::{Browser, LOGIN, PASSWORD, account, browser, signed_in, try_to_sign_in};
use crate::support::{ADMIN, START, TestServer};

/// A server with somebody who is signed in in two browsers, and somebody else.
async fn two_browsers() -> (TestServer, i64, [Browser; 2], Browser) {
    let server = TestServer::new();
    let id = account(&server, "ada", "Editor").await;
    account(&server, "bob", "Editor").await;
    let browsers = [signed_in(&server, "ada").await, signed_in(&server, "ada").await];
    let bob = signed_in(&server, "bob").await;
    (server, id, browsers, bob)
}

async fn are_signed_in(browsers: &[Browser; 2]) -> [bool; 2] {
    [browsers[0].is_signed_in().await, browsers[1].is_signed_in().await]
}

#[actix_web::test]
async fn signing_out_ends_the_session_on_the_server_as_well() {
    let (_server, _, browsers, bob) = two_browsers().await;
    let answer = browsers[0].call(Method::POST, "/logout", None).await;
    assert_eq!(
        (answer.status, answer.header("location")),
        (302, Some("/signed-out"))
    );
    let there = browsers[0].call(Method::GET, "/signed-out", None).await;
    assert_eq!((there.status, there.header("location")), (302, Some("/ui")));
    assert_eq!(answer.header("clear-site-data"), Some("\"cookies\", \"storage\""));
    let cleared = answer.header("set-cookie").unwrap();
    assert!(
        cleared.starts_with("vexil=;") && cleared.contains("Max-Age=0"),
        "{cleared}"
    );
    assert_eq!(are_signed_in(&browsers).await, [false, true]);
    assert!(bob.is_signed_in().await);
    // once more does no harm
    assert_eq!(browsers[0].call(Method::POST, "/logout", None).await.status, 302);
}

/// Its cookie is replaced, so nobody could end the earlier session by signing out.
#[actix_web::test]
async fn signing_in_again_ends_the_session_that_the_browser_had() {
    let (server, _, browsers, bob) = two_browsers().await;
    let form = |name: &str, password: &str| json!({ "username": name, "password": password });
    for (name, active) in [("ada", 3), ("bob", 2)] {
        let before = signed_in(&server, "ada").await;
        let failed = before.call(Method::POST, LOGIN, Some(&form(name, "wrong"))).await;
        assert_eq!(failed.status, 401);
        assert!(before.is_signed_in().await, "{name}");
        let answer = before
            .call(Method::POST, LOGIN, Some(&form(name, PASSWORD)))
            .await;
        let after = browser(&server, &answer);
        let told = answer.ok();
        assert_eq!(told["activeSessions"], active, "{name}: {told}");
        assert_eq!(told["deletedSessions"], 1, "{name}");
        assert!(
            after.is_signed_in().await && !before.is_signed_in().await,
            "{name}"
        );
        let list = after.get("/api/admin/user/sessions").await.ok();
        assert_eq!(list["sessions"].as_array().map(Vec::len), Some(active), "{list}");
        after.call(Method::POST, "/logout", None).await;
    }
    assert_eq!(are_signed_in(&browsers).await, [true, true]);
    assert!(bob.is_signed_in().await);
}

#[actix_web::test]
async fn a_new_password_ends_all_sessions() {
    let (server, id, browsers, bob) = two_browsers().await;
    let path = format!("/api/admin/user-admin/{id}/change-password");
    server
        .post(&path, json!({ "password": "Zz8!pqRstuvw9" }))
        .await
        .ok();
    assert_eq!(are_signed_in(&browsers).await, [false, false]);
    assert!(bob.is_signed_in().await);
    assert_eq!(try_to_sign_in(&server, "ada", PASSWORD).await.status, 401);
    assert_eq!(try_to_sign_in(&server, "ada", "Zz8!pqRstuvw9").await.status, 200);
}

#[actix_web::test]
async fn removing_the_user_ends_all_sessions() {
    let (server, id, browsers, bob) = two_browsers().await;
    server.delete(&format!("/api/admin/user-admin/{id}")).await.ok();
    assert_eq!(are_signed_in(&browsers).await, [false, false]);
    assert!(bob.is_signed_in().await);
}

#[actix_web::test]
async fn a_lesser_role_ends_all_sessions_and_a_greater_one_none() {
    let (server, id, browsers, bob) = two_browsers().await;
    let path = format!("/api/admin/user-admin/{id}");
    server
        .put(&path, json!({ "rootRole": "Admin", "name": "Ada" }))
        .await
        .ok();
    assert_eq!(are_signed_in(&browsers).await, [true, true]);
    server.put(&path, json!({ "rootRole": "Viewer" })).await.ok();
    assert_eq!(are_signed_in(&browsers).await, [false, false]);
    assert!(bob.is_signed_in().await);
}

#[actix_web::test]
async fn what_ends_sessions_ends_them_on_every_node_within_a_second() {
    let password = json!({ "password": "Zz8!pqRstuvw9" });
    let endings = [
        (Method::POST, "/change-password", password),
        (Method::PUT, "", json!({ "rootRole": "Viewer" })),
        (Method::DELETE, "", json!({})),
    ];
    for (method, end, body) in endings {
        let (server, id, [browser, _], bob) = two_browsers().await;
        let [mut ada_elsewhere, mut bob_elsewhere] = [browser, bob];
        let other = server.another();
        ada_elsewhere.server = other.clone();
        bob_elsewhere.server = other;
        assert!(ada_elsewhere.is_signed_in().await);
        let path = format!("/api/admin/user-admin/{id}{end}");
        let ended = server.call(ADMIN, method.clone(), &path, Some(&body)).await;
        assert_eq!(ended.status, 200, "{method} {path}: {}", ended.text);
        server.set_time(START + Duration::SECOND);
        assert!(!ada_elsewhere.is_signed_in().await, "{method} {path}");
        assert!(bob_elsewhere.is_signed_in().await, "{method} {path}");
    }
}

#[actix_web::test]
async fn people_see_their_sessions_and_end_them() {
    let (server, _, browsers, bob) = two_browsers().await;
    let all = "/api/admin/user/sessions";
    let listed = browsers[0].get(all).await.ok();
    let sessions = listed["sessions"].as_array().unwrap();
    assert_eq!(sessions.len(), 2);
    let own = sessions
        .iter()
        .find(|session| session["current"] == true)
        .unwrap();
    let other = sessions
        .iter()
        .find(|session| session["current"] == false)
        .unwrap();
    for (_, secret) in browsers
        .iter()
        .filter_map(|browser| browser.cookie.split_once('='))
    {
        assert!(!listed.to_string().contains(secret));
    }
    let path = format!("{all}/{}", other["id"].as_str().unwrap());
    bob.call(Method::DELETE, &path, None)
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
    browsers[0].call(Method::DELETE, &path, None).await.ok();
    assert_eq!(are_signed_in(&browsers).await, [true, false]);
    let third = signed_in(&server, "ada").await;
    browsers[0].call(Method::DELETE, all, None).await.ok();
    assert!(browsers[0].is_signed_in().await && !third.is_signed_in().await);
    let path = format!("{all}/{}", own["id"].as_str().unwrap());
    browsers[0].call(Method::DELETE, &path, None).await.ok();
    assert!(!browsers[0].is_signed_in().await);
}

#[actix_web::test]
async fn only_the_fifty_latest_sessions_of_a_user_count() {
    let server = TestServer::new();
    let token = crate::users::person(&server, "ada", "Viewer").await.token;
    let sign_in = async || {
        let headers = [("content-type", "application/json"), ("x-forwarded-for", "")];
        let body = json!({ "token": token }).to_string();
        server.send(Method::POST, super::LOGIN, &headers, body).await
    };
    let mut browsers = Vec::new();
    for number in 0..52_i64 {
        // ten tries a minute are allowed, and sixty an hour
        server.set_time(crate::support::START + time::Duration::minutes(6 * number));
        let answer = sign_in().await;
        assert_eq!(
            answer.ok()["deletedSessions"],
            i64::from(number >= 50),
            "{number}"
        );
        browsers.push(super::browser(&server, &answer));
    }
    let mut alive = Vec::new();
    for browser in &browsers {
        alive.push(browser.is_signed_in().await);
    }
    let expected: Vec<bool> = (0..52).map(|number| number >= 2).collect();
    assert_eq!(alive, expected);
}

#[actix_web::test]
async fn the_audit_log_knows_who_came_and_went_and_nothing_that_was_typed() {
    let (server, id, browsers, _) = two_browsers().await;
    try_to_sign_in(&server, "ada", "not the password").await;
    try_to_sign_in(&server, "my password, typed into the wrong field", "ada").await;
    browsers[0].call(Method::POST, "/logout", None).await;
    let path = format!("/api/admin/user-admin/{id}/change-password");
    server
        .post(&path, json!({ "password": "Zz8!pqRstuvw9" }))
        .await
        .ok();
    let events = loop {
        let log = server.get("/api/admin/events").await;
        let failed = log.text.matches("user-sign-in-failed").count();
        if failed == 2 {
            break log;
        }
        actix_web::rt::task::yield_now().await;
    };
    for secret in ["not the password", "typed into", PASSWORD, "Zz8!", "argon2"] {
        assert!(!events.text.contains(secret), "{secret}");
    }
    let events = events.json();
    let kinds: Vec<(&str, &str)> = events["events"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| {
            (
                event["type"].as_str().unwrap(),
                event["createdBy"].as_str().unwrap(),
            )
        })
        .filter(|(kind, _)| kind.starts_with("user-s"))
        .collect();
    let count = |kind| kinds.iter().filter(|(known, _)| *known == kind).count();
    assert_eq!(count("user-signed-in"), 3);
    assert_eq!(count("user-sessions-ended"), 1);
    assert!(
        kinds.contains(&("user-signed-out", "ada@example.com")),
        "{kinds:?}"
    );
}
