//! People who are gone, or may do less than they might, count for as much as they may do now.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::scene::{Scene, change};
use crate::users::{Person, grant};

fn turn_on() -> Value {
    change("banner", "updateEnabled", json!({ "enabled": true }))
}

async fn remove(scene: &Scene, who: &Person) {
    let path = format!("/api/admin/user-admin/{}", who.id);
    scene.server.delete(&path).await.ok();
}

async fn demote(scene: &Scene, who: &Person) {
    grant(&scene.server, who, &[]).await;
}

#[actix_web::test]
async fn the_approval_of_somebody_who_is_gone_does_not_count() {
    let scene = Scene::new().await;
    let id = scene.approved("production", turn_on()).await;
    remove(&scene, &scene.operators[1]).await;
    let refused = scene.to(&scene.operators[0], id, "Applied").await;
    let body = refused.refused(StatusCode::CONFLICT, "ConflictError");
    let message = body["message"].as_str().unwrap();
    assert!(message.contains("1 of the 2 approvals"), "{message}");
    let request = scene.read(id).await;
    assert_eq!(request["state"], "In review");
    let approvals = request["approvals"].as_array().unwrap();
    assert_eq!(approvals.len(), 1);
    assert_eq!(approvals[0]["createdBy"]["id"], scene.operators[0].id);
}

#[actix_web::test]
async fn the_approval_of_somebody_who_was_demoted_does_not_count() {
    let scene = Scene::new().await;
    let id = scene.scheduled("production", turn_on()).await;
    demote(&scene, &scene.operators[1]).await;
    scene.wait();
    assert_eq!(scene.read(id).await["schedule"]["status"], "suspended");
}

#[actix_web::test]
async fn a_schedule_ends_with_the_right_of_whoever_made_it() {
    for gone in [true, false] {
        let scene = Scene::new().await;
        // three may approve, so that the scheduler's own approval is not what is missing
        let id = scene.proposed("production", turn_on()).await;
        let admin = crate::users::person(&scene.server, "root", "Admin").await;
        scene.to(&scene.operators[1], id, "Approved").await.ok();
        scene.to(&admin, id, "Approved").await.ok();
        let body = json!({ "state": "Scheduled", "scheduledAt": "2026-11-27T13:30:20Z" });
        let path = format!("{}/change-requests/{id}/state", super::scene::PROJECT);
        scene
            .call(&scene.operators[0], Method::PUT, &path, body)
            .await
            .ok();
        if gone {
            remove(&scene, &scene.operators[0]).await;
        } else {
            demote(&scene, &scene.operators[0]).await;
        }
        scene.wait();
        let request = scene.read(id).await;
        let reason = request["schedule"]["reason"].as_str().unwrap();
        assert!(reason.contains("may not apply it any more"), "{reason}");
    }
}

#[actix_web::test]
async fn a_rule_that_was_raised_holds_for_what_is_open() {
    let scene = Scene::new().await;
    let id = scene.approved("production", turn_on()).await;
    scene.rule("production", 3).await;
    let refused = scene.to(&scene.operators[0], id, "Applied").await;
    refused.refused(StatusCode::CONFLICT, "ConflictError");
    assert_eq!(scene.state(id).await, "In review");
    // and one that was lowered asks for what it asked for
    scene.rule("production", 1).await;
    let refused = scene.to(&scene.operators[0], id, "Applied").await;
    assert_eq!(refused.status, 400, "{}", refused.text);
    scene.to(&scene.author, id, "Cancelled").await.ok();
    scene.rule("production", 2).await;
    let id = scene.proposed("production", turn_on()).await;
    scene.rule("production", 1).await;
    scene.to(&scene.operators[0], id, "Approved").await.ok();
    assert_eq!(scene.state(id).await, "In review");
    scene.to(&scene.operators[1], id, "Approved").await.ok();
    assert_eq!(scene.state(id).await, "Approved");
}
