//! A request asks for what is asked for wherever it takes effect.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::scene::{PROJECT, Scene, change, open_segment};
use crate::support::{ADMIN, START};
use crate::users::grant;

/// Changes that are proposed in development and take effect in production too.
fn far_reaching() -> [(&'static str, Value); 4] {
    [
        ("archive", change("checkout", "archiveFeature", json!(null))),
        (
            "depend",
            change("checkout", "addDependency", json!({ "feature": "banner" })),
        ),
        ("segment", open_segment()),
        (
            "several",
            json!([
                change("banner", "updateEnabled", json!({ "enabled": true })),
                open_segment(),
            ]),
        ),
    ]
}

#[actix_web::test]
async fn who_may_approve_in_one_environment_cannot_change_another() {
    for (what, changes) in far_reaching() {
        let scene = Scene::new().await;
        let before = scene.server.app().serving().snapshot.clone();
        let id = scene.proposed("development", changes).await;
        assert_eq!(scene.read(id).await["minApprovals"], 2, "{what}");
        let refused = scene.to(&scene.developer, id, "Approved").await;
        refused.refused(StatusCode::FORBIDDEN, "PermissionError");
        let [one, other] = &scene.operators;
        scene.to(one, id, "Approved").await.ok();
        assert_eq!(scene.state(id).await, "In review", "{what}");
        scene.to(other, id, "Approved").await.ok();
        let refused = scene.to(&scene.developer, id, "Applied").await;
        refused.refused(StatusCode::FORBIDDEN, "PermissionError");
        assert_eq!(scene.server.app().serving().snapshot, before, "{what}");
        scene.to(other, id, "Applied").await.ok();
        assert_ne!(scene.server.app().serving().snapshot, before, "{what}");
    }
}

#[actix_web::test]
async fn what_stays_in_its_environment_asks_for_what_is_asked_for_there() {
    let scene = Scene::new().await;
    let turn_on = change("banner", "updateEnabled", json!({ "enabled": true }));
    let id = scene.proposed("development", turn_on).await;
    assert_eq!(scene.read(id).await["minApprovals"], 1);
    scene.to(&scene.developer, id, "Approved").await.ok();
    scene.to(&scene.developer, id, "Applied").await.ok();
}

#[actix_web::test]
async fn another_projects_rule_counts_where_its_flags_use_the_segment() {
    let scene = Scene::new().await;
    let other = json!({ "id": "bank", "name": "Bank", "changeRequestEnvironments": [{ "name": "production", "requiredApprovals": 3 }] });
    scene.server.post("/api/admin/projects", other).await.ok();
    let flag = json!({ "name": "vault" });
    scene
        .server
        .post("/api/admin/projects/bank/features", flag)
        .await
        .ok();
    let id = scene.proposed("development", open_segment()).await;
    assert_eq!(scene.read(id).await["minApprovals"], 2);
    // the segment comes into use there after the request was opened
    let strategies = "/api/admin/projects/bank/features/vault/environments/production/strategies";
    let strategy = json!({ "name": "default", "segments": [1] });
    scene.server.post(strategies, strategy).await.ok();
    for operator in &scene.operators {
        let refused = scene.to(operator, id, "Approved").await;
        refused.refused(StatusCode::FORBIDDEN, "PermissionError");
    }
}

#[actix_web::test]
async fn what_a_request_reaches_is_asked_anew_when_it_is_applied() {
    let scene = Scene::new().await;
    let strategies = "/api/admin/projects/bank/features/vault/environments/production";
    let other = json!({ "id": "bank", "name": "Bank" });
    scene.server.post("/api/admin/projects", other).await.ok();
    let flag = json!({ "name": "vault" });
    scene
        .server
        .post("/api/admin/projects/bank/features", flag)
        .await
        .ok();
    let id = scene.scheduled("development", open_segment()).await;
    let strategy = json!({ "name": "default", "segments": [1] });
    scene
        .server
        .post(&format!("{strategies}/strategies"), strategy)
        .await
        .ok();
    scene
        .server
        .post(&format!("{strategies}/on"), json!({}))
        .await
        .ok();
    scene.wait();
    let request = scene.read(id).await;
    assert_eq!(request["schedule"]["status"], "suspended", "{request}");
    let reason = request["schedule"]["reason"].as_str().unwrap();
    assert!(reason.contains("has changed since it was approved"), "{reason}");
    let segment = &scene
        .server
        .app()
        .serving()
        .snapshot
        .segments
        .values()
        .next()
        .unwrap()
        .clone();
    assert_eq!(segment.constraints.len(), 1);
    assert_eq!(segment.created_at, Some(START));
}

/// What an Editor tries who may skip nothing: each reaches production, whatever it names.
fn edits_that_reach_production() -> [(&'static str, Method, String, Value); 8] {
    let checkout = format!("{PROJECT}/features/checkout");
    let default = json!({ "name": "flexibleRollout", "parameters": { "rollout": "100" } });
    let open = json!({ "name": "pilot", "constraints": [] });
    let rule = json!({ "changeRequestsEnabled": true, "requiredApprovals": 1 });
    let random = json!({ "name": "Default", "defaultStickiness": "random" });
    let environments = format!("{PROJECT}/environments/production");
    [
        ("leaving", Method::DELETE, environments.clone(), json!(null)),
        (
            "a segment of nobody",
            Method::PUT,
            "/api/admin/segments/1".to_owned(),
            open,
        ),
        (
            "the default strategy",
            Method::POST,
            format!("{environments}/default-strategy"),
            default,
        ),
        ("the default stickiness", Method::PUT, PROJECT.to_owned(), random),
        (
            "fewer approvals",
            Method::PUT,
            format!("{environments}/change-requests/config"),
            rule,
        ),
        (
            "no approvals",
            Method::PUT,
            format!("{environments}/change-requests/config"),
            json!({ "changeRequestsEnabled": false }),
        ),
        ("archiving", Method::DELETE, checkout.clone(), json!(null)),
        (
            "a dependency",
            Method::POST,
            format!("{checkout}/dependencies"),
            json!({ "feature": "banner" }),
        ),
    ]
}

#[actix_web::test]
async fn an_edit_is_judged_by_where_it_takes_effect_and_not_by_what_it_names() {
    let scene = Scene::new().await;
    for (what, method, path, body) in edits_that_reach_production() {
        let before = scene.server.app().serving().snapshot.clone();
        let refused = scene
            .call(&scene.author, method.clone(), &path, body.clone())
            .await;
        assert_eq!(refused.status, 403, "{what}: {}", refused.text);
        assert_eq!(scene.server.app().serving().snapshot, before, "{what}");
    }
    // in the order in which they can follow each other
    for (what, method, path, body) in edits_that_reach_production().into_iter().rev() {
        let done = scene.server.call(ADMIN, method, &path, Some(&body)).await;
        assert!(done.status < 300, "{what}: {}", done.text);
    }
}

#[actix_web::test]
async fn whoever_may_skip_change_requests_there_may_edit_what_reaches_there() {
    let scene = Scene::new().await;
    let open = json!({ "name": "pilot", "constraints": [] });
    let edit = || scene.call(&scene.author, Method::PUT, "/api/admin/segments/1", open.clone());
    grant(
        &scene.server,
        &scene.author,
        &[("SKIP_CHANGE_REQUEST", Some("development"))],
    )
    .await;
    edit().await.refused(StatusCode::FORBIDDEN, "PermissionError");
    grant(
        &scene.server,
        &scene.author,
        &[("SKIP_CHANGE_REQUEST", Some("production"))],
    )
    .await;
    edit().await.ok();
}
