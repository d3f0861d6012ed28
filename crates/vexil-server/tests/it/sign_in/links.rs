//! Links that sign in once, as the demo prints one.

use actix_web::http::{Method, StatusCode};
use serde_json::json;
use time::Duration;
use vexil_access::UserId;
use vexil_domain::{Actor, ActorId};
use vexil_store::{Link, LinkPurpose, LinkWrite, SecretHash};

use super::{LOGIN, account, browser};
use crate::support::{START, TestServer};

/// A link, and the secret in it.
async fn link(server: &TestServer, user: i64, purpose: LinkPurpose, digit: &str) -> String {
    let secret = digit.repeat(64);
    let hash: [u8; 32] = {
        use sha2::Digest;
        sha2::Sha256::digest(secret.as_bytes()).into()
    };
    let actor = Actor {
        id: ActorId(-1),
        name: "test".to_owned(),
    };
    let made = server.app().edit(&actor, move |tx| {
        tx.write_link(LinkWrite::Make(Link {
            secret_hash: SecretHash(hash),
            user: UserId(user),
            purpose,
            created_at: tx.now,
            expires_at: tx.now + Duration::minutes(10),
        }));
        Ok(())
    });
    made.await.unwrap();
    secret
}

#[actix_web::test]
async fn a_link_signs_in_once_and_goes_on_to_a_page() {
    let server = TestServer::new();
    let id = account(&server, "ada", "Viewer").await;
    let secret = link(&server, id, LinkPurpose::SignIn, "a").await;
    let path = format!("/auth/link/{secret}?to=/ui/change-requests/default/1");
    let answer = server.send(Method::GET, &path, &[], "").await;
    assert_eq!(answer.status, 303, "{}", answer.text);
    assert_eq!(answer.header("location"), Some("/ui/change-requests/default/1"));
    assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
    assert!(browser(&server, &answer).is_signed_in().await);
    let again = server.send(Method::GET, &path, &[], "").await;
    again.refused(StatusCode::UNAUTHORIZED, "UnauthorizedError");
    assert_eq!(again.header("set-cookie"), None);
}

#[actix_web::test]
async fn the_pages_may_send_the_secret_of_a_link_as_well() {
    let server = TestServer::new();
    let id = account(&server, "ada", "Viewer").await;
    let secret = link(&server, id, LinkPurpose::SignIn, "b").await;
    let headers = [("content-type", "application/json")];
    let body = json!({ "token": secret }).to_string();
    let answer = server.send(Method::POST, LOGIN, &headers, body.clone()).await;
    assert_eq!(answer.ok()["username"], "ada");
    assert_eq!(server.send(Method::POST, LOGIN, &headers, body).await.status, 401);
}

#[actix_web::test]
async fn a_link_that_has_expired_or_is_for_something_else_signs_nobody_in() {
    let server = TestServer::new();
    let id = account(&server, "ada", "Viewer").await;
    for (purpose, digit) in [(LinkPurpose::Reset, "c"), (LinkPurpose::Invitation, "d")] {
        let secret = link(&server, id, purpose, digit).await;
        let answer = server
            .send(Method::GET, &format!("/auth/link/{secret}"), &[], "")
            .await;
        answer.refused(StatusCode::UNAUTHORIZED, "UnauthorizedError");
    }
    let secret = link(&server, id, LinkPurpose::SignIn, "e").await;
    server.set_time(START + Duration::minutes(10));
    let answer = server
        .send(Method::GET, &format!("/auth/link/{secret}"), &[], "")
        .await;
    answer.refused(StatusCode::UNAUTHORIZED, "UnauthorizedError");
}

#[actix_web::test]
async fn a_link_leads_to_no_other_site() {
    let server = TestServer::new();
    let id = account(&server, "ada", "Viewer").await;
    for (digit, target) in [
        "//evil.example",
        "https://evil.example",
        "/\\evil.example",
        "javascript:x",
        "%2F%2Fevil",
        "",
    ]
    .iter()
    .enumerate()
    {
        let secret = link(&server, id, LinkPurpose::SignIn, &digit.to_string()).await;
        let path = format!("/auth/link/{secret}?to={target}");
        let answer = server.send(Method::GET, &path, &[], "").await;
        assert_eq!(
            (answer.status, answer.header("location")),
            (303, Some("/")),
            "{target}"
        );
    }
}
