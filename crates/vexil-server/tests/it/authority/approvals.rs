//! What was approved is what is applied, or nothing is.

use actix_web::http::StatusCode;
use serde_json::json;
use vexil_service::operations::change_requests::apply_due;

use super::scene::{PROJECT, Scene, change};

fn turn_on() -> serde_json::Value {
    change("banner", "updateEnabled", json!({ "enabled": true }))
}

/// Sets the strategy that flags get in production when they are turned on without one.
async fn set_default(scene: &Scene, rollout: &str) {
    let path = format!("{PROJECT}/environments/production/default-strategy");
    let body = json!({ "name": "flexibleRollout", "parameters": { "rollout": rollout }, "constraints": [] });
    scene.server.post(&path, body).await.ok();
}

fn production_of_banner(scene: &Scene) -> vexil_domain::FlagSettings {
    let serving = scene.server.app().serving();
    let settings = serving.snapshot.flags["banner"].environments.get("production");
    settings
        .map(|settings| vexil_domain::FlagSettings::clone(settings))
        .unwrap_or_default()
}

#[actix_web::test]
async fn a_default_strategy_that_changed_after_the_approval_is_not_applied() {
    let scene = Scene::new().await;
    set_default(&scene, "1").await;
    let id = scene.approved("production", turn_on()).await;
    set_default(&scene, "100").await;
    let refused = scene.to(&scene.operators[0], id, "Applied").await;
    let body = refused.refused(StatusCode::CONFLICT, "ConflictError");
    let message = body["message"].as_str().unwrap();
    assert!(message.contains("has changed since it was approved"), "{message}");
    assert!(!production_of_banner(&scene).enabled);
    assert_eq!(scene.state(id).await, "In review");
    for operator in &scene.operators {
        scene.to(operator, id, "Approved").await.ok();
    }
    scene.to(&scene.operators[0], id, "Applied").await.ok();
    assert_eq!(
        production_of_banner(&scene).strategies[0].parameters["rollout"],
        "100"
    );
}

#[actix_web::test]
async fn an_approved_request_goes_back_to_review_by_itself_when_its_effect_changes() {
    let scene = Scene::new().await;
    set_default(&scene, "1").await;
    let id = scene.approved("production", turn_on()).await;
    apply_due(scene.server.app()).unwrap();
    assert_eq!(scene.state(id).await, "Approved");
    set_default(&scene, "100").await;
    apply_due(scene.server.app()).unwrap();
    assert_eq!(scene.state(id).await, "In review");
    let events = scene.server.get("/api/admin/events").await.ok();
    let last = &events["events"][0];
    assert_eq!(last["type"], "change-request-sent-to-review");
    assert_eq!(last["createdBy"], "system");
}

#[actix_web::test]
async fn a_default_stickiness_that_changed_suspends_the_schedule() {
    let scene = Scene::new().await;
    let id = scene.scheduled("production", turn_on()).await;
    let project = json!({ "name": "Default", "defaultStickiness": "random" });
    set_default(&scene, "50").await;
    scene.server.put(PROJECT, project).await.ok();
    scene.wait();
    assert_eq!(scene.read(id).await["schedule"]["status"], "suspended");
    assert!(!production_of_banner(&scene).enabled);
}

#[actix_web::test]
async fn edits_of_something_else_leave_an_approval_as_it_is() {
    let scene = Scene::new().await;
    let id = scene.scheduled("production", turn_on()).await;
    let checkout = format!("{PROJECT}/features/checkout/environments");
    scene
        .server
        .post(&format!("{checkout}/production/off"), json!({}))
        .await
        .ok();
    scene
        .server
        .post(&format!("{checkout}/development/on"), json!({}))
        .await
        .ok();
    scene.wait();
    assert_eq!(scene.state(id).await, "Applied");
    assert!(production_of_banner(&scene).enabled);
}
