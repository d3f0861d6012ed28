//! What is too much is refused before anything is computed.

use actix_web::http::StatusCode;
use serde_json::{Map, Value, json};
use vexil_service::Limits;

use super::{Playground, preview_path};
use crate::support::TestServer;

/// Ten values in each of `fields` fields.
fn wide(fields: usize) -> Value {
    let mut context = Map::new();
    for field in 0..fields {
        context.insert(format!("f{field}"), json!("0,1,2,3,4,5,6,7,8,9"));
    }
    context.insert("appName".to_owned(), json!("a"));
    context.into()
}

#[actix_web::test]
async fn a_thousand_million_combinations_are_refused_at_once() {
    let playground = Playground::new();
    let id = playground.idle_request().await;
    let started = std::time::Instant::now();
    for fields in [9, 60, 200] {
        let answer = playground
            .server
            .post(&preview_path(id), json!({ "context": wide(fields) }))
            .await;
        let error = answer.refused(StatusCode::BAD_REQUEST, "BadDataError");
        let message = error["message"].as_str().unwrap();
        for factor in ["environments (1)", "features (1)", "context field combinations ("] {
            assert!(message.contains(factor), "{message}");
        }
    }
    assert!(started.elapsed() < std::time::Duration::from_secs(2));
}

#[actix_web::test]
async fn the_size_is_judged_before_the_changes_are_laid_over() {
    let playground = Playground::new();
    let id = playground.idle_request().await;
    playground
        .server
        .delete("/api/admin/projects/default/features/zz-idle")
        .await
        .ok();
    let path = preview_path(id);
    let ask = |context| playground.server.post(&path, context);
    let blocked = ask(json!({ "context": { "appName": "a" } })).await;
    let blocked = blocked.refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert!(
        blocked["message"].as_str().unwrap().contains("cannot be applied"),
        "{blocked}"
    );
    let large = ask(json!({ "context": wide(9) })).await;
    let large = large.refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert!(
        large["message"].as_str().unwrap().contains("exceeding"),
        "{large}"
    );
}

#[actix_web::test]
async fn combinations_count_even_where_no_flag_is_shown() {
    let playground = Playground::new();
    let body = json!({ "environments": ["development"], "projects": ["nope"], "context": wide(22) });
    playground
        .server
        .post("/api/admin/playground/advanced", body)
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
}

#[actix_web::test]
async fn the_limit_itself_is_allowed_and_can_be_set() {
    let server = TestServer::with_limits(Limits {
        evaluations: 6,
        ..Limits::default()
    });
    let playground = Playground { server };
    playground.flag("f").await;
    let id = playground.idle_request().await;
    playground
        .preview(id, json!({ "appName": "a", "userId": "1,2,3" }))
        .await;
    let answer = playground
        .server
        .post(
            &preview_path(id),
            json!({ "context": { "appName": "a", "userId": "1,2,3,4" } }),
        )
        .await;
    answer.refused(StatusCode::BAD_REQUEST, "BadDataError");
}

#[actix_web::test]
async fn a_body_over_the_limit_is_refused_as_json() {
    let server = TestServer::with_limits(Limits {
        body_bytes: 1000,
        ..Limits::default()
    });
    let playground = Playground { server };
    let id = playground.idle_request().await;
    let body = json!({ "context": { "appName": "x".repeat(1000) } });
    playground
        .server
        .post(&preview_path(id), body)
        .await
        .refused(StatusCode::PAYLOAD_TOO_LARGE, "PayloadTooLargeError");
}
