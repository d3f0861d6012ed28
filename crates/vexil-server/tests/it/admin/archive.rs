//! Flags: archived, revived, deleted.

use actix_web::http::StatusCode;
use serde_json::json;

use super::{FEATURES, add_strategy, event_types, in_development, places, server_with};
use crate::support::TestServer;

#[actix_web::test]
async fn an_archived_flag_is_gone_until_it_is_revived_and_then_off() {
    let server = server_with("checkout").await;
    add_strategy(&server, "checkout", json!({ "name": "default" })).await;
    server
        .post(
            &format!("{FEATURES}/checkout/environments/development/on"),
            json!({}),
        )
        .await
        .ok();
    let path = format!("{FEATURES}/checkout");
    assert_eq!(server.delete(&path).await.status, 202);
    assert_eq!(server.delete(&path).await.status, 202);
    server
        .get(&path)
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
    let archived = server.get("/api/admin/archive/features").await.ok();
    assert_eq!(archived["features"][0]["name"], "checkout");
    assert_eq!(archived["features"][0]["archivedAt"], "2026-11-27T12:30:20.000Z");
    assert_eq!(
        server.get("/api/admin/archive/features/default").await.ok()["features"],
        archived["features"]
    );
    assert_eq!(server.get("/api/admin/archive/features/other").await.status, 404);

    assert_eq!(
        server
            .post("/api/admin/archive/revive/checkout", json!({}))
            .await
            .status,
        200
    );
    let settings = in_development(&server, "checkout").await;
    assert_eq!(settings["enabled"], false);
    assert_eq!(settings["strategies"].as_array().unwrap().len(), 1);
    let types = event_types(&server).await;
    let tail: Vec<_> = types.iter().rev().take(3).rev().collect();
    assert_eq!(
        tail,
        [
            "feature-archived",
            "feature-revived",
            "feature-environment-disabled"
        ]
    );
}

#[actix_web::test]
async fn reviving_a_live_flag_leaves_it_as_it_is() {
    let server = server_with("live").await;
    server
        .post(&format!("{FEATURES}/live/environments/development/on"), json!({}))
        .await
        .ok();
    let revived = server
        .post(
            "/api/admin/projects/default/revive",
            json!({ "features": ["live", "nope"] }),
        )
        .await;
    assert_eq!(revived.status, 200);
    assert_eq!(
        server
            .post("/api/admin/archive/revive/live", json!({}))
            .await
            .status,
        200
    );
    assert_eq!(in_development(&server, "live").await["enabled"], true);
    let missing = server.post("/api/admin/archive/revive/nope", json!({})).await;
    missing.refused(StatusCode::NOT_FOUND, "NotFoundError");
    let nowhere = server
        .post("/api/admin/projects/nope/revive", json!({ "features": [] }))
        .await;
    nowhere.refused(StatusCode::NOT_FOUND, "NotFoundError");
}

async fn with_parent_and_child() -> TestServer {
    let server = server_with("parent").await;
    server.post(FEATURES, json!({ "name": "child" })).await.ok();
    server
        .post(
            &format!("{FEATURES}/child/dependencies"),
            json!({ "feature": "parent" }),
        )
        .await
        .ok();
    server
}

#[actix_web::test]
async fn a_flag_that_others_depend_on_cannot_be_archived_in_any_way() {
    let server = with_parent_and_child().await;
    let path = format!("{FEATURES}/parent");
    server
        .delete(&path)
        .await
        .refused(StatusCode::FORBIDDEN, "InvalidOperationError");
    server
        .put(&path, json!({ "archived": true }))
        .await
        .refused(StatusCode::FORBIDDEN, "InvalidOperationError");
    let patch = json!([{ "op": "replace", "path": "/archived", "value": true }]);
    server
        .patch(&path, patch)
        .await
        .refused(StatusCode::FORBIDDEN, "InvalidOperationError");
    let bulk = server
        .post(
            "/api/admin/projects/default/archive",
            json!({ "features": ["parent"] }),
        )
        .await;
    bulk.refused(StatusCode::FORBIDDEN, "InvalidOperationError");
    assert_eq!(server.get(&path).await.ok()["archived"], false);
    let validated = server
        .post(
            "/api/admin/projects/default/archive/validate",
            json!({ "features": ["parent"] }),
        )
        .await;
    assert_eq!(
        validated.ok(),
        json!({ "parentsWithChildFeatures": ["parent"], "hasDeletedDependencies": true })
    );
}

#[actix_web::test]
async fn it_is_told_whether_archiving_takes_dependencies_away() {
    let server = with_parent_and_child().await;
    server.post(FEATURES, json!({ "name": "alone" })).await.ok();
    let told = async |names: &[&str]| {
        let path = "/api/admin/projects/default/archive/validate";
        let answer = server.post(path, json!({ "features": names })).await.ok();
        answer["hasDeletedDependencies"] == true
    };
    assert!(told(&["parent"]).await);
    assert!(told(&["alone", "child"]).await);
    assert!(told(&["parent", "child"]).await);
    assert!(!told(&["alone", "nope"]).await);
    // what is archived depends on nothing any more
    server.delete(&format!("{FEATURES}/child")).await.ok();
    assert!(!told(&["parent"]).await);
    assert!(!told(&["child"]).await);
}

#[actix_web::test]
async fn a_parent_is_archived_together_with_its_children() {
    let server = with_parent_and_child().await;
    let both = json!({ "features": ["parent", "child", "nope"] });
    let validated = server
        .post("/api/admin/projects/default/archive/validate", both.clone())
        .await
        .ok();
    assert_eq!(validated["parentsWithChildFeatures"], json!([]));
    assert_eq!(
        server
            .post("/api/admin/projects/default/archive", both.clone())
            .await
            .status,
        202
    );
    assert_eq!(
        server.get("/api/admin/archive/features").await.ok()["features"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
    assert_eq!(
        server
            .post("/api/admin/projects/default/archive", both)
            .await
            .status,
        202
    );
}

#[actix_web::test]
async fn a_flag_can_be_archived_and_revived_by_a_patch() {
    let server = server_with("checkout").await;
    let path = format!("{FEATURES}/checkout");
    let set = |value| json!([{ "op": "replace", "path": "/archived", "value": value }]);
    assert_eq!(server.patch(&path, set(true)).await.ok()["archived"], true);
    server
        .get(&path)
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
    let revived = server.patch(&path, set(false)).await.ok();
    assert_eq!(revived["archived"], false);
    assert!(revived.get("archivedAt").is_none());
}

#[actix_web::test]
async fn only_archived_flags_can_be_deleted() {
    let server = server_with("checkout").await;
    let path = "/api/admin/archive/checkout";
    server
        .delete(path)
        .await
        .refused(StatusCode::FORBIDDEN, "InvalidOperationError");
    let bulk = "/api/admin/projects/default/delete";
    let live = server.post(bulk, json!({ "features": ["checkout"] })).await;
    live.refused(StatusCode::FORBIDDEN, "InvalidOperationError");
    server.delete(&format!("{FEATURES}/checkout")).await.ok();
    assert_eq!(server.delete(path).await.status, 200);
    assert_eq!(server.delete(path).await.status, 200);
    assert_eq!(
        server
            .post(bulk, json!({ "features": ["checkout"] }))
            .await
            .status,
        200
    );
    assert_eq!(
        server.get("/api/admin/archive/features").await.ok()["features"],
        json!([])
    );
    assert_eq!(event_types(&server).await.last().unwrap(), "feature-deleted");
    assert_eq!(
        server.post(FEATURES, json!({ "name": "checkout" })).await.status,
        201
    );
}

#[actix_web::test]
async fn flags_of_another_project_are_not_touched_by_operations_on_many() {
    let server = server_with("checkout").await;
    server
        .post("/api/admin/projects", json!({ "id": "other", "name": "Other" }))
        .await
        .ok();
    for operation in ["archive", "revive", "delete", "stale"] {
        let body = json!({ "features": ["checkout"], "stale": true });
        let answer = server
            .post(&format!("/api/admin/projects/other/{operation}"), body)
            .await;
        answer.refused(StatusCode::FORBIDDEN, "InvalidOperationError");
    }
    assert_eq!(
        server.get(&format!("{FEATURES}/checkout")).await.ok()["stale"],
        false
    );
}

#[actix_web::test]
async fn operations_on_many_flags_need_a_list_of_them() {
    let server = TestServer::new();
    for operation in ["archive", "archive/validate", "revive", "delete"] {
        for body in [json!({}), json!({ "features": "x" }), json!({ "features": [{}] })] {
            let answer = server
                .post(&format!("/api/admin/projects/default/{operation}"), body)
                .await;
            let refusal = answer.refused(StatusCode::BAD_REQUEST, "BadDataError");
            assert!(places(&refusal)[0].starts_with("/body/features"), "{refusal}");
        }
    }
}
