//! Streams of the administration API: nobody is told anything on one that they may no longer ask for.

use actix_web::http::Method;
use serde_json::json;

use crate::client::streaming::{Stream, open};
use crate::flags::put_flag;
use crate::sign_in::{account, signed_in};
use crate::support::{CLIENT, TestServer};

/// Every stream of the administration API.
const STREAMS: [&str; 2] = [
    "/api/admin/live",
    "/api/admin/client-metrics/features/checkout/minutes/stream?last=2",
];

/// A server, and the streams that somebody has opened and been told something on.
async fn listening(server: &TestServer, credential: (&str, &str)) -> Vec<Stream> {
    let mut streams = Vec::new();
    for path in STREAMS {
        let mut stream = open(server, path, &[credential]).await;
        assert_eq!(stream.status, 200, "{path}");
        assert!(stream.soon().await.is_some(), "{path}");
        streams.push(stream);
    }
    streams
}

async fn report(server: &TestServer) {
    let bucket = json!({ "start": 1, "stop": "2026-11-27T12:30:00Z", "toggles": { "checkout": { "yes": 1, "no": 0 } } });
    let report = json!({ "appName": "shop", "bucket": bucket });
    let path = "/api/client/metrics";
    assert_eq!(
        server
            .call(CLIENT, Method::POST, path, Some(&report))
            .await
            .status,
        202
    );
}

/// What is told of one more report: something to those who may listen, and the end to the others.
async fn assert_told(server: &TestServer, streams: &mut [Stream], expected: bool, who: &str) {
    report(server).await;
    for (stream, path) in streams.iter_mut().zip(STREAMS) {
        assert_eq!(stream.soon().await.is_some(), expected, "{who}: {path}");
    }
}

fn server() -> TestServer {
    let server = TestServer::new();
    put_flag(&server, "checkout", |_| {});
    server
}

#[actix_web::test]
async fn an_open_stream_ends_with_the_token_that_opened_it() {
    let server = server();
    let admin = json!({ "tokenName": "t", "type": "admin" });
    let made = server.post("/api/admin/api-tokens", admin).await;
    let secret = made.json()["secret"].as_str().unwrap().to_owned();
    let mut streams = listening(&server, ("authorization", &secret)).await;
    assert_told(&server, &mut streams, true, "admin token").await;
    server
        .delete(&format!("/api/admin/api-tokens/{secret}"))
        .await
        .ok();
    assert_told(&server, &mut streams, false, "admin token").await;
    let user = account(&server, "ada", "Viewer").await;
    let path = format!("/api/admin/user-admin/{user}/tokens");
    let personal = json!({ "description": "p", "expiresAt": "2027-01-01T00:00:00Z" });
    let secret = server.post(&path, personal).await.json()["secret"]
        .as_str()
        .unwrap()
        .to_owned();
    let mut streams = listening(&server, ("authorization", &secret)).await;
    assert_told(&server, &mut streams, true, "personal token").await;
    server.delete(&format!("/api/admin/user-admin/{user}")).await;
    assert_told(&server, &mut streams, false, "personal token").await;
}

#[actix_web::test]
async fn an_open_stream_ends_with_the_session_that_opened_it() {
    let server = server();
    account(&server, "ada", "Viewer").await;
    let browser = signed_in(&server, "ada").await;
    let mut streams = listening(&server, ("cookie", &browser.cookie)).await;
    assert_told(&server, &mut streams, true, "session").await;
    assert!(browser.call(Method::POST, "/logout", None).await.status < 400);
    assert_told(&server, &mut streams, false, "session").await;
}
