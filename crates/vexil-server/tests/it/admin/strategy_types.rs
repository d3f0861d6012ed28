//! Strategy types.

use actix_web::http::StatusCode;
use serde_json::json;

use super::{add_strategy, event_types, places, server_with};
use crate::support::TestServer;

const TYPES: &str = "/api/admin/strategies";

#[actix_web::test]
async fn a_created_type_can_be_used_edited_deprecated_and_removed() {
    let server = server_with("checkout").await;
    let parameter = json!({ "name": "region", "type": "string", "description": "", "required": true });
    let created = server
        .post(TYPES, json!({ "name": "byRegion", "parameters": [parameter] }))
        .await;
    assert_eq!(created.status, 201);
    assert_eq!(created.header("location"), Some("strategies/byRegion"));
    let expected = json!({
        "name": "byRegion", "displayName": null, "title": null, "description": "", "editable": true,
        "deprecated": false, "parameters": [parameter],
    });
    assert_eq!(created.json(), expected);
    let path = "/api/admin/strategies/byRegion";
    assert_eq!(server.get(path).await.ok(), expected);
    add_strategy(&server, "checkout", json!({ "name": "byRegion" })).await;

    assert_eq!(
        server
            .put(path, json!({ "description": "new", "parameters": [] }))
            .await
            .status,
        200
    );
    assert_eq!(
        server.post(&format!("{path}/deprecate"), json!({})).await.status,
        200
    );
    let edited = server.get(path).await.ok();
    assert_eq!(
        (&edited["description"], &edited["deprecated"]),
        (&json!("new"), &json!(true))
    );
    server.put(path, json!({ "parameters": [] })).await.ok();
    assert_eq!(server.get(path).await.ok()["description"], "new");
    assert_eq!(
        server.post(&format!("{path}/reactivate"), json!({})).await.status,
        200
    );
    assert_eq!(server.delete(path).await.status, 200);
    server
        .get(path)
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
    let types = event_types(&server).await;
    let expected = [
        "strategy-updated",
        "strategy-deprecated",
        "strategy-reactivated",
        "strategy-deleted",
    ];
    assert_eq!(types[types.len() - 4..], expected);
}

#[actix_web::test]
async fn built_in_types_come_first_and_cannot_be_changed() {
    let server = TestServer::new();
    server
        .post(TYPES, json!({ "name": "aaa", "parameters": [] }))
        .await
        .ok();
    let list = server.get(TYPES).await.ok();
    let editable: Vec<_> = list["strategies"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["editable"].as_bool().unwrap())
        .collect();
    assert_eq!(editable, [false, false, false, false, true]);
    let path = "/api/admin/strategies/default";
    let body = json!({ "parameters": [] });
    server
        .put(path, body)
        .await
        .refused(StatusCode::FORBIDDEN, "InvalidOperationError");
    server
        .delete(path)
        .await
        .refused(StatusCode::FORBIDDEN, "InvalidOperationError");
    let taken = server
        .post(TYPES, json!({ "name": "default", "parameters": [] }))
        .await;
    taken.refused(StatusCode::CONFLICT, "NameExistsError");
}

#[actix_web::test]
async fn what_is_wrong_with_a_type_is_told_all_at_once() {
    let server = TestServer::new();
    let parameters = json!([{}, { "name": "q", "type": "nope", "required": "x" }, 5]);
    let refusal = server
        .post(TYPES, json!({ "name": "a b", "parameters": parameters }))
        .await;
    let refusal = refusal.refused(StatusCode::BAD_REQUEST, "BadDataError");
    let expected = [
        "/body/name",
        "/body/parameters/0/name",
        "/body/parameters/0/type",
        "/body/parameters/1/type",
        "/body/parameters/1/required",
        "/body/parameters/2",
    ];
    assert_eq!(places(&refusal), expected);
    let refusal = server
        .post(TYPES, json!({}))
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert_eq!(places(&refusal), ["/body/name", "/body/parameters"]);
}

#[actix_web::test]
async fn a_type_that_is_not_there_is_not_found() {
    let server = TestServer::new();
    let path = "/api/admin/strategies/nope";
    server
        .get(path)
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
    server
        .put(path, json!({ "parameters": [] }))
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
    server
        .delete(path)
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
    for end in ["deprecate", "reactivate"] {
        server
            .post(&format!("{path}/{end}"), json!({}))
            .await
            .refused(StatusCode::NOT_FOUND, "NotFoundError");
    }
}
