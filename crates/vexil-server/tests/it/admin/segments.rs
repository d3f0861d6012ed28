//! Segments.

use actix_web::http::StatusCode;
use serde_json::{Value, json};

use super::{FEATURES, add_strategy, event_types, places, server_with, strategies_of};
use crate::support::TestServer;

const SEGMENTS: &str = "/api/admin/segments";

fn constraint() -> Value {
    json!({ "contextName": "userId", "operator": "IN", "values": ["a"] })
}

async fn create(server: &TestServer, name: &str) -> i64 {
    let body = json!({ "name": name, "description": "d", "constraints": [constraint()] });
    server.post(SEGMENTS, body).await.ok()["id"].as_i64().unwrap()
}

#[actix_web::test]
async fn a_created_segment_can_be_read_back_and_is_listed_with_its_uses() {
    let server = server_with("checkout").await;
    let body = json!({ "name": "any name / at all", "constraints": [constraint()], "project": null });
    let created = server.post(SEGMENTS, body).await;
    assert_eq!(created.status, 201);
    assert_eq!(created.header("location"), Some("segments/1"));
    let expected = json!({
        "id": 1, "name": "any name / at all", "description": null, "constraints": [constraint()],
        "createdBy": "admin-1", "createdAt": "2026-11-27T12:30:20.000Z",
    });
    assert_eq!(created.json(), expected);
    assert_eq!(server.get("/api/admin/segments/1").await.ok(), expected);
    add_strategy(&server, "checkout", json!({ "name": "default", "segments": [1] })).await;
    let list = server.get(SEGMENTS).await.ok();
    assert_eq!(
        (
            &list["segments"][0]["usedInProjects"],
            &list["segments"][0]["usedInFeatures"]
        ),
        (&json!(1), &json!(1))
    );
}

#[actix_web::test]
async fn what_is_wrong_with_a_segment_is_told_all_at_once() {
    let server = TestServer::new();
    let refusal = server
        .post(SEGMENTS, json!({}))
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert_eq!(places(&refusal), ["/body/name", "/body/constraints"]);
    let constraints = json!([
        { "contextName": "userId", "operator": "IN", "values": [] },
        { "contextName": "age", "operator": "NUM_EQ", "value": "x" },
    ]);
    let refusal = server
        .post(SEGMENTS, json!({ "name": "s", "constraints": constraints }))
        .await;
    let refusal = refusal.refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert_eq!(places(&refusal).len(), 2, "{refusal}");
    for name in [json!(""), json!(null)] {
        let refusal = server
            .post(SEGMENTS, json!({ "name": name, "constraints": [] }))
            .await;
        refusal.refused(StatusCode::BAD_REQUEST, "BadDataError");
    }
    let values: Vec<String> = (0..1001).map(|n| n.to_string()).collect();
    let many = json!([{ "contextName": "userId", "operator": "IN", "values": values }]);
    let refusal = server
        .post(SEGMENTS, json!({ "name": "s", "constraints": many }))
        .await;
    refusal.refused(StatusCode::BAD_REQUEST, "BadDataError");
    let nowhere = server
        .post(
            SEGMENTS,
            json!({ "name": "s", "constraints": [], "project": "nope" }),
        )
        .await;
    nowhere.refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert_eq!(server.get(SEGMENTS).await.ok()["segments"], json!([]));
}

#[actix_web::test]
async fn a_segments_name_is_unique() {
    let server = TestServer::new();
    let first = create(&server, "first").await;
    create(&server, "second").await;
    let body = |name: &str| json!({ "name": name, "constraints": [] });
    server
        .post(SEGMENTS, body("first"))
        .await
        .refused(StatusCode::CONFLICT, "NameExistsError");
    assert_eq!(
        server
            .put(&format!("{SEGMENTS}/{first}"), body("second"))
            .await
            .status,
        409
    );
    let validate = "/api/admin/segments/validate";
    server
        .post(validate, json!({ "name": "first" }))
        .await
        .refused(StatusCode::CONFLICT, "NameExistsError");
    assert_eq!(server.post(validate, json!({ "name": "free" })).await.status, 204);
    server
        .post(validate, json!({}))
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
}

#[actix_web::test]
async fn a_put_replaces_a_segment_but_for_a_description_that_is_not_said() {
    let server = TestServer::new();
    let id = create(&server, "s").await;
    let path = format!("{SEGMENTS}/{id}");
    let body = json!({ "name": "t", "constraints": [], "project": "default" });
    assert_eq!(server.put(&path, body).await.status, 204);
    let segment = server.get(&path).await.ok();
    assert_eq!(segment["name"], "t");
    assert_eq!(segment["description"], "d");
    assert_eq!(segment["project"], "default");
    assert_eq!(segment["constraints"], json!([]));
    assert_eq!(event_types(&server).await.last().unwrap(), "segment-updated");
    server
        .put(
            &path,
            json!({ "name": "t", "constraints": [], "description": null }),
        )
        .await
        .ok();
    let segment = server.get(&path).await.ok();
    assert_eq!(segment["description"], json!(null));
    assert!(segment.get("project").is_none());
    let refusal = server
        .put(&path, json!({}))
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert_eq!(places(&refusal), ["/body/name", "/body/constraints"]);
}

#[actix_web::test]
async fn a_segment_that_is_not_there_is_not_found_and_an_id_must_be_a_number() {
    let server = TestServer::new();
    for path in ["/api/admin/segments/99", "/api/admin/segments/99/strategies"] {
        server
            .get(path)
            .await
            .refused(StatusCode::NOT_FOUND, "NotFoundError");
    }
    let body = json!({ "name": "s", "constraints": [] });
    server
        .put("/api/admin/segments/99", body)
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
    server
        .delete("/api/admin/segments/99")
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
    for id in ["x", "1.5", "99999999999999999999"] {
        let refusal = server
            .get(&format!("{SEGMENTS}/{id}"))
            .await
            .refused(StatusCode::BAD_REQUEST, "BadDataError");
        assert_eq!(places(&refusal), ["/params/segment"]);
    }
}

#[actix_web::test]
async fn a_segment_in_use_cannot_be_deleted() {
    let server = server_with("checkout").await;
    let id = create(&server, "s").await;
    let path = format!("{SEGMENTS}/{id}");
    let strategy = add_strategy(
        &server,
        "checkout",
        json!({ "name": "default", "segments": [id] }),
    )
    .await;
    assert_eq!(server.delete(&path).await.status, 409);
    let uses = server.get(&format!("{path}/strategies")).await.ok();
    let position = json!({
        "id": strategy, "projectId": "default", "featureName": "checkout", "strategyName": "default",
        "environment": "development",
    });
    assert_eq!(
        uses,
        json!({ "strategies": [position], "changeRequestStrategies": [] })
    );
    let of_strategy = server
        .get(&format!("{SEGMENTS}/strategies/{strategy}"))
        .await
        .ok();
    assert_eq!(of_strategy["segments"][0]["id"], id);
    assert_eq!(
        server.get(&format!("{SEGMENTS}/strategies/nope")).await.ok(),
        json!({ "segments": [] })
    );
    server
        .delete(&format!("{}/{strategy}", strategies_of("checkout")))
        .await
        .ok();
    assert_eq!(server.delete(&path).await.status, 204);
    server
        .get(&path)
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
    assert_ne!(create(&server, "s").await, id);
}

#[actix_web::test]
async fn a_segment_that_only_an_open_change_request_uses_counts_as_used() {
    let server = server_with("checkout").await;
    let id = create(&server, "s").await;
    let live = add_strategy(&server, "checkout", json!({ "name": "default" })).await;
    let changes = "/api/admin/projects/default/environments/development/change-requests";
    let add = json!({ "name": "default", "constraints": [], "parameters": {}, "segments": [id] });
    let update = json!({ "id": live, "segments": [id] });
    let body = json!([
        { "feature": "checkout", "action": "addStrategy", "payload": add },
        { "feature": "checkout", "action": "updateStrategy", "payload": update },
    ]);
    let opened = server.post(changes, body).await.ok();
    let request = opened["id"].as_i64().unwrap();
    let uses = server.get(&format!("{SEGMENTS}/{id}/strategies")).await.ok();
    assert_eq!(uses["strategies"], json!([]));
    let proposed = |strategy: Option<&str>| {
        let mut position = json!({
            "projectId": "default", "featureName": "checkout", "strategyName": "default",
            "environment": "development", "changeRequest": { "id": request, "title": null },
        });
        if let Some(strategy) = strategy {
            position["id"] = json!(strategy);
        }
        position
    };
    assert_eq!(
        uses["changeRequestStrategies"],
        json!([proposed(None), proposed(Some(&live))])
    );
    server
        .delete(&format!("{SEGMENTS}/{id}"))
        .await
        .refused(StatusCode::CONFLICT, "ConflictError");
    server
        .delete(&format!("/api/admin/projects/default/change-requests/{request}"))
        .await
        .ok();
    assert_eq!(server.delete(&format!("{SEGMENTS}/{id}")).await.status, 204);
}

#[actix_web::test]
async fn a_strategy_of_a_revived_flag_whose_segment_is_gone_applies_to_nobody() {
    let server = server_with("checkout").await;
    let id = create(&server, "s").await;
    add_strategy(
        &server,
        "checkout",
        json!({ "name": "default", "segments": [id] }),
    )
    .await;
    server.delete(&format!("{FEATURES}/checkout")).await.ok();
    assert_eq!(server.delete(&format!("{SEGMENTS}/{id}")).await.status, 204);
    server
        .post("/api/admin/archive/revive/checkout", json!({}))
        .await
        .ok();
    server
        .post(
            &format!("{FEATURES}/checkout/environments/development/on"),
            json!({}),
        )
        .await
        .ok();
    let question = json!({ "environments": ["development"], "context": { "appName": "a", "userId": "a" } });
    let answer = server.post("/api/admin/playground/advanced", question).await.ok();
    assert_eq!(
        answer["features"][0]["environments"]["development"][0]["isEnabled"],
        false
    );
}

#[actix_web::test]
async fn a_strategy_is_given_exactly_the_segments_named() {
    let server = server_with("checkout").await;
    let (first, second) = (create(&server, "a").await, create(&server, "b").await);
    let strategy = json!({ "name": "default", "title": "kept", "segments": [first] });
    let strategy = add_strategy(&server, "checkout", strategy).await;
    let path = "/api/admin/segments/strategies";
    let wanted = |project: &str, environment: &str, ids: Value| json!({ "projectId": project, "strategyId": strategy, "environmentId": environment, "segmentIds": ids });
    let given = server
        .post(path, wanted("default", "development", json!([second])))
        .await;
    assert_eq!(given.status, 201);
    let now = server
        .get(&format!("{}/{strategy}", strategies_of("checkout")))
        .await
        .ok();
    assert_eq!(
        (&now["segments"], &now["title"]),
        (&json!([second]), &json!("kept"))
    );
    for (project, environment) in [("nope", "development"), ("default", "production")] {
        let refused = server.post(path, wanted(project, environment, json!([]))).await;
        refused.refused(StatusCode::NOT_FOUND, "NotFoundError");
    }
    let missing = server
        .post(path, wanted("default", "development", json!([99])))
        .await;
    missing.refused(StatusCode::NOT_FOUND, "NotFoundError");
    let refusal = server
        .post(path, json!({ "segmentIds": ["x"] }))
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert_eq!(
        places(&refusal),
        [
            "/body/projectId",
            "/body/strategyId",
            "/body/environmentId",
            "/body/segmentIds/0"
        ]
    );
}
