//! Who moves a flag.

use super::*;
use crate::users::{Person, grant, person};

async fn moved_by(server: &TestServer, who: &Person) -> Answer {
    let body = json!({ "newProjectId": "shop" });
    server
        .call(
            &who.token,
            Method::POST,
            &path("default", "checkout"),
            Some(&body),
        )
        .await
}

#[actix_web::test]
async fn whoever_moves_a_flag_may_do_so_in_both_projects() {
    let server = with_shop().await;
    for project in ["default", "shop"] {
        let protected = json!({ "mode": "protected" });
        server
            .put(&format!("/api/admin/projects/{project}/settings"), protected)
            .await
            .ok();
    }
    let mover = person(&server, "mover", "Viewer").await;
    let may_not = async |permissions: Value| {
        let refused = moved_by(&server, &mover)
            .await
            .refused(StatusCode::FORBIDDEN, "PermissionError");
        assert_eq!(refused["permissions"], permissions, "{refused}");
    };
    may_not(json!(["MOVE_FEATURE_TOGGLE"])).await;
    grant(&server, &mover, &[("MOVE_FEATURE_TOGGLE", None)]).await;
    may_not(json!(["MOVE_FEATURE_TOGGLE"])).await;
    let there = json!({ "permissions": [{ "permission": "MOVE_FEATURE_TOGGLE" }] });
    let access = |project: &str| format!("/api/admin/projects/{project}/access/users/{}", mover.id);
    server.put(&access("shop"), there).await.ok();
    grant(&server, &mover, &[]).await;
    may_not(json!(["MOVE_FEATURE_TOGGLE"])).await;
    grant(&server, &mover, &[("MOVE_FEATURE_TOGGLE", None)]).await;
    moved_by(&server, &mover).await.ok();
}

/// Switches change requests on or off.
async fn rule(server: &TestServer, project: &str, environment: &str, on: bool) {
    let path = format!("/api/admin/projects/{project}/environments/{environment}/change-requests/config");
    let body = json!({ "changeRequestsEnabled": on, "requiredApprovals": 1 });
    server.put(&path, body).await.ok();
}

#[actix_web::test]
async fn nobody_walks_round_an_approval_by_moving_a_flag() {
    let server = with_shop().await;
    let mover = person(&server, "mover", "Viewer").await;
    grant(&server, &mover, &[("MOVE_FEATURE_TOGGLE", None)]).await;
    let access = format!("/api/admin/projects/shop/access/users/{}", mover.id);
    let there = |permissions: &[&str]| {
        let permissions: Vec<_> = permissions
            .iter()
            .map(|name| json!({ "permission": name }))
            .collect();
        json!({ "permissions": permissions })
    };
    server.put(&access, there(&["MOVE_FEATURE_TOGGLE"])).await.ok();
    // a rule in whatever environment of either project, also where the flag is off
    for (project, environment) in [
        ("default", "development"),
        ("default", "production"),
        ("shop", "development"),
        ("shop", "production"),
    ] {
        rule(&server, project, environment, true).await;
        let refused = moved_by(&server, &mover)
            .await
            .refused(StatusCode::FORBIDDEN, "PermissionError");
        assert_eq!(
            refused["permissions"],
            json!(["SKIP_CHANGE_REQUEST"]),
            "{project} {environment}"
        );
        rule(&server, project, environment, false).await;
    }
    // whoever may skip them may
    rule(&server, "shop", "production", true).await;
    server
        .put(&access, there(&["MOVE_FEATURE_TOGGLE", "SKIP_CHANGE_REQUEST"]))
        .await
        .ok();
    // but nobody, admins too, where a request is open
    let change =
        json!([{ "feature": "checkout", "action": "updateEnabled", "payload": { "enabled": false } }]);
    let requests = "/api/admin/projects/default/environments/development/change-requests";
    let id = server.post(requests, change).await.ok()["id"].as_i64().unwrap();
    for answer in [
        moved_by(&server, &mover).await,
        moved(&server, "default", "checkout", "shop").await,
    ] {
        told(&answer, StatusCode::CONFLICT, "ConflictError", &format!("#{id}"));
    }
    let state = format!("/api/admin/projects/default/change-requests/{id}/state");
    for next in ["In review", "Cancelled"] {
        server.put(&state, json!({ "state": next })).await.ok();
    }
    moved_by(&server, &mover).await.ok();
    // which leaves what was decided where it was
    let closed = server
        .get(&format!("/api/admin/projects/default/change-requests/{id}"))
        .await
        .ok();
    assert_eq!(closed["state"], "Cancelled");
}
