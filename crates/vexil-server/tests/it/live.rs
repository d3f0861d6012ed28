//! `GET /api/admin/live`: that something happened, as it happens.

use std::time::Duration;

use actix_web::body::MessageBody;
use actix_web::dev::Service;
use actix_web::http::Method;
use actix_web::web::Data;
use actix_web::{App as ActixApp, test};
use serde_json::json;
use vexil_server::configure;

use crate::support::{ADMIN, CLIENT, TestServer};

/// Reads events until one of this name comes.
async fn wait_for(body: &mut (impl MessageBody + Unpin), name: &str) {
    let wanted = format!("event: {name}\n");
    let read = async {
        loop {
            let piece =
                std::future::poll_fn(|context| std::pin::Pin::new(&mut *body).poll_next(context)).await;
            let Some(Ok(piece)) = piece else {
                panic!("the answer ended before `{name}` came");
            };
            if String::from_utf8_lossy(&piece).contains(&wanted) {
                return;
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(20), read).await.unwrap();
}

#[actix_web::test]
async fn a_change_and_a_report_are_told_to_those_who_listen() {
    let server = TestServer::new();
    let service = test::init_service(
        ActixApp::new()
            .app_data(Data::new(server.app().clone()))
            .configure(|config| configure("", config)),
    )
    .await;
    let request = test::TestRequest::get()
        .uri("/api/admin/live")
        .insert_header(("Authorization", ADMIN))
        .insert_header(("Accept", "text/event-stream"));
    let answer = service.call(request.to_request()).await.unwrap();
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.headers().get("content-type").unwrap(), "text/event-stream");
    assert_eq!(answer.headers().get("cache-control").unwrap(), "no-store");
    let mut body = Box::pin(answer.into_body());
    server
        .post("/api/admin/projects/default/features", json!({ "name": "seen" }))
        .await
        .ok();
    wait_for(&mut body, "change").await;
    let bucket = json!({ "start": "2026-11-27T12:29:00Z", "stop": "2026-11-27T12:30:00Z", "toggles": { "seen": { "yes": 1, "no": 0 } } });
    let report = json!({ "appName": "a", "bucket": bucket });
    let answer = server
        .call(CLIENT, Method::POST, "/api/client/metrics", Some(&report))
        .await;
    assert_eq!(answer.status, 202);
    wait_for(&mut body, "usage").await;
}

#[actix_web::test]
async fn who_does_not_take_events_is_told_how_to_ask() {
    let server = TestServer::new();
    let headers = [("authorization", ADMIN), ("accept", "application/json")];
    let answer = server.send(Method::GET, "/api/admin/live", &headers, "").await;
    assert_eq!(answer.status, 400);
    assert!(answer.text.contains("Accept: text/event-stream"));
}
