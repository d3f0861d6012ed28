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
async fn the_title_of_a_type_is_kept_until_another_is_said_or_it_is_taken_away() {
    let server = TestServer::new();
    let body = json!({ "name": "byRegion", "title": "By region", "parameters": [] });
    let path = "/api/admin/strategies/byRegion";
    let created = server.post(TYPES, body).await;
    assert_eq!(
        (created.status, &created.json()["title"]),
        (201, &json!("By region"))
    );
    for (sent, kept) in [
        (json!({ "parameters": [] }), json!("By region")),
        (
            json!({ "title": "Wo man ist", "parameters": [] }),
            json!("Wo man ist"),
        ),
        (json!({ "title": null, "parameters": [] }), json!(null)),
    ] {
        assert_eq!(server.put(path, sent).await.status, 200);
        assert_eq!(server.another().get(path).await.ok()["title"], kept);
    }
    let events = server
        .get("/api/admin/search/events?type=IS:strategy-updated")
        .await
        .ok();
    let titles = ["preData", "data"].map(|key| events["events"][0][key]["title"].clone());
    assert_eq!(titles, [json!("Wo man ist"), json!(null)]);
    let refusal = server
        .put(path, json!({ "title": ["x"], "parameters": [] }))
        .await;
    let refusal = refusal.refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert_eq!(places(&refusal), ["/body/title"]);
    // an application tells of it too
    server
        .put(path, json!({ "title": "By region", "parameters": [] }))
        .await
        .ok();
    let application = "/api/admin/metrics/applications/app";
    let said = server
        .post(application, json!({ "strategies": ["byRegion"] }))
        .await;
    assert_eq!(said.status, 202);
    assert_eq!(
        server.get(application).await.ok()["strategies"][0]["title"],
        "By region"
    );
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
