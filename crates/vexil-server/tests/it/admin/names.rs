//! No name is special: names are opaque, in bodies and in paths.

use actix_web::http::StatusCode;
use serde_json::json;

use super::{FEATURES, in_development, server_with};
use crate::support::TestServer;

#[actix_web::test]
async fn flags_may_be_called_like_members_of_objects() {
    for name in ["constructor", "__proto__", "toString", "hasOwnProperty", "null"] {
        let server = server_with(name).await;
        server
            .post(
                &format!("{FEATURES}/{name}/environments/development/on"),
                json!({}),
            )
            .await
            .ok();
        assert_eq!(in_development(&server, name).await["enabled"], true, "{name}");
        assert_eq!(server.get(FEATURES).await.ok()["features"][0]["name"], name);
        let question = json!({ "environments": ["development"], "context": { "appName": "a" } });
        let answer = server.post("/api/admin/playground/advanced", question).await.ok();
        assert_eq!(
            answer["features"][0]["environments"]["development"][0]["isEnabled"], true,
            "{name}"
        );
    }
}

#[actix_web::test]
async fn segments_and_strategy_types_may_be_called_like_members_of_objects() {
    let server = server_with("checkout").await;
    let segment = server
        .post(
            "/api/admin/segments",
            json!({ "name": "__proto__", "constraints": [] }),
        )
        .await
        .ok();
    server
        .post(
            "/api/admin/strategies",
            json!({ "name": "constructor", "parameters": [] }),
        )
        .await
        .ok();
    let strategy =
        json!({ "name": "constructor", "segments": [segment["id"]], "parameters": { "__proto__": "x" } });
    let id = super::add_strategy(&server, "checkout", strategy).await;
    let stored = server
        .get(&format!("{}/{id}", super::strategies_of("checkout")))
        .await
        .ok();
    assert_eq!(stored["parameters"]["__proto__"], "x");
}

#[actix_web::test]
async fn names_in_paths_are_decoded_once() {
    let server = TestServer::new();
    let message = async |path: &str| {
        let answer = server.get(&format!("{FEATURES}/{path}")).await;
        answer.refused(StatusCode::NOT_FOUND, "NotFoundError")["message"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert!(message("a%2Fb").await.contains("\"a/b\""));
    assert!(message("gr%C3%BCn").await.contains("\"grün\""));
    assert!(message("a%252Fb").await.contains("\"a%2Fb\""));
    assert!(message("a%20b").await.contains("\"a b\""));
    assert!(message("a+b").await.contains("\"a+b\""));
    for broken in ["%E0%A4%A", "%zz", "%FF"] {
        let answer = server.get(&format!("{FEATURES}/{broken}")).await;
        answer.refused(StatusCode::BAD_REQUEST, "BadDataError");
    }
}

#[actix_web::test]
async fn names_that_differ_in_case_are_different_names() {
    let server = server_with("checkout").await;
    server.post(FEATURES, json!({ "name": "Checkout" })).await.ok();
    server
        .get(&format!("{FEATURES}/CHECKOUT"))
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
    assert_eq!(
        server.get(FEATURES).await.ok()["features"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
}

#[actix_web::test]
async fn a_text_that_no_database_can_hold_is_refused() {
    let server = TestServer::new();
    let body = json!({ "name": "checkout", "description": "a\u{0}b" });
    server
        .post(FEATURES, body)
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert_eq!(server.get(FEATURES).await.ok()["features"], json!([]));
}
