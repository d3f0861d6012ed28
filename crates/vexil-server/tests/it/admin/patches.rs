//! Edits by JSON Patch.

use actix_web::http::StatusCode;
use serde_json::{Value, json};

use super::{FEATURES, add_strategy, places, server_with, strategies_of};
use crate::support::TestServer;

#[actix_web::test]
async fn a_patch_edits_a_flag_and_leaves_the_rest() {
    let server = server_with("checkout").await;
    let path = format!("{FEATURES}/checkout");
    let patch = json!([
        { "op": "test", "path": "/stale", "value": false },
        { "op": "replace", "path": "/description", "value": "patched" },
        { "op": "add", "path": "/stale", "value": true },
    ]);
    let patched = server.patch(&path, patch).await.ok();
    assert_eq!(patched["description"], "patched");
    assert_eq!(patched["stale"], true);
    assert_eq!(patched["type"], "release");
    assert_eq!(server.patch(&path, json!([])).await.ok(), patched);
    server
        .patch(&format!("{FEATURES}/nope"), json!([]))
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
}

async fn refused(server: &TestServer, path: &str, patch: Value, status: StatusCode) -> Value {
    let name = if status == StatusCode::CONFLICT {
        "ConflictError"
    } else {
        "BadDataError"
    };
    server.patch(path, patch).await.refused(status, name)
}

#[actix_web::test]
async fn a_patch_that_leads_to_nonsense_changes_nothing() {
    let server = server_with("checkout").await;
    let path = format!("{FEATURES}/checkout");
    let before = server.get(&path).await.ok();
    let cases = [
        (
            json!([{ "op": "replace", "path": "/type", "value": "nope" }]),
            "/type",
        ),
        (
            json!([{ "op": "replace", "path": "/description", "value": { "a": 1 } }]),
            "/description",
        ),
        (
            json!([{ "op": "replace", "path": "/impressionData", "value": "yes" }]),
            "/impressionData",
        ),
        (json!([{ "op": "frob", "path": "/name" }]), "/body/0/op"),
        (
            json!([{ "op": "add", "path": "/strategies/-", "value": {} }]),
            "/body/0",
        ),
        (json!([{ "op": "remove", "path": "/nope" }]), "/body/0"),
        (json!({ "op": "replace" }), "/body"),
    ];
    for (patch, place) in cases {
        let refusal = refused(&server, &path, patch, StatusCode::BAD_REQUEST).await;
        assert_eq!(places(&refusal), [place]);
    }
    let renamed = json!([{ "op": "replace", "path": "/name", "value": "other" }]);
    refused(&server, &path, renamed, StatusCode::BAD_REQUEST).await;
    let failed = json!([
        { "op": "replace", "path": "/description", "value": "x" },
        { "op": "test", "path": "/stale", "value": true },
    ]);
    refused(&server, &path, failed, StatusCode::CONFLICT).await;
    assert_eq!(server.get(&path).await.ok(), before);
}

#[actix_web::test]
async fn a_patch_edits_a_strategy_and_leaves_the_rest() {
    let server = server_with("checkout").await;
    let strategy = json!({ "name": "flexibleRollout", "title": "t", "parameters": { "rollout": "20" } });
    let id = add_strategy(&server, "checkout", strategy).await;
    let path = format!("{}/{id}", strategies_of("checkout"));
    let constraint = json!({ "contextName": "userId", "operator": "IN", "values": ["a"] });
    let patch = json!([
        { "op": "replace", "path": "/parameters/rollout", "value": "30" },
        { "op": "add", "path": "/constraints/-", "value": constraint },
    ]);
    let patched = server.patch(&path, patch).await.ok();
    assert_eq!(patched["parameters"]["rollout"], "30");
    assert_eq!(patched["constraints"], json!([constraint]));
    assert_eq!(patched["title"], "t");

    let cases = [
        (
            json!([{ "op": "replace", "path": "/constraints", "value": { "a": 1 } }]),
            "/constraints",
        ),
        (
            json!([{ "op": "replace", "path": "/constraints/0/operator", "value": "NOPE" }]),
            "/constraints/0/operator",
        ),
        (
            json!([{ "op": "replace", "path": "/parameters/rollout", "value": "200" }]),
            "/body/parameters/rollout",
        ),
        (
            json!([{ "op": "replace", "path": "/name", "value": "nope" }]),
            "/body/name",
        ),
    ];
    for (patch, place) in cases {
        let refusal = refused(&server, &path, patch, StatusCode::BAD_REQUEST).await;
        assert_eq!(places(&refusal), [place]);
    }
    let failed = json!([{ "op": "test", "path": "/title", "value": "x" }]);
    refused(&server, &path, failed, StatusCode::CONFLICT).await;
    assert_eq!(server.get(&path).await.ok(), patched);
}

#[actix_web::test]
async fn a_patch_of_what_no_patch_changes_is_refused_with_its_place() {
    let server = server_with("checkout").await;
    let strategy = add_strategy(&server, "checkout", json!({ "name": "default" })).await;
    let of_flag = [
        "name",
        "project",
        "createdAt",
        "archivedAt",
        "children",
        "environments",
    ];
    let of_strategy = ["id", "sortOrder", "featureName", "milestoneId"];
    let paths = [
        (format!("{FEATURES}/checkout"), &of_flag[..]),
        (
            format!("{}/{strategy}", strategies_of("checkout")),
            &of_strategy[..],
        ),
    ];
    for (path, members) in paths {
        let before = server.get(&path).await.ok();
        for member in members {
            let place = format!("/{member}");
            let patch = json!([{ "op": "add", "path": place, "value": 7 }]);
            let refusal = refused(&server, &path, patch, StatusCode::BAD_REQUEST).await;
            assert_eq!(places(&refusal), [place]);
            // what it is already, it may say
            if let Some(value) = before
                .get(member)
                .filter(|_| *member != "environments" && *member != "children")
            {
                let same = json!([{ "op": "replace", "path": format!("/{member}"), "value": value }]);
                server.patch(&path, same).await.ok();
            }
        }
    }
}

#[actix_web::test]
async fn a_name_is_free_where_the_project_that_it_is_for_takes_it() {
    let server = TestServer::new();
    let naming = json!({ "featureNaming": { "pattern": "[a-z]+-[0-9]+", "example": "shop-7" } });
    server
        .put("/api/admin/projects/default/settings", naming)
        .await
        .ok();
    let ask = async |body: Value| server.post("/api/admin/features/validate", body).await;
    ask(json!({ "name": "anything" })).await.ok();
    ask(json!({ "name": "shop-8", "projectId": "default" }))
        .await
        .ok();
    let refusal = ask(json!({ "name": "anything", "projectId": "default" })).await;
    let refusal = refusal.refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert!(
        refusal["message"].as_str().unwrap().contains("shop-7"),
        "{refusal}"
    );
    ask(json!({ "name": "shop-9", "projectId": "nowhere" }))
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
}
