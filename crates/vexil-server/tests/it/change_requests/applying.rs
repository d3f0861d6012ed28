//! Applying: all changes, or none.

use std::sync::Arc;

use actix_web::http::StatusCode;
use serde_json::json;
use vexil_domain::SegmentId;

use super::fixture::{
    approved, change, edit_flag, edit_settings, events, read, server, settings, to, turn_off,
};

#[actix_web::test]
async fn applying_makes_every_change_at_once() {
    let server = server();
    let strategy = json!({ "name": "flexibleRollout", "parameters": { "rollout": "20" }, "segments": [1] });
    let update = json!({ "id": "half", "parameters": { "rollout": "75" }, "title": "most" });
    let variants = json!({ "variants": [
        { "name": "b", "weight": 500, "weightType": "variable" },
        { "name": "a", "weight": 500, "weightType": "variable" },
    ] });
    let segment = json!({ "id": 1, "name": "early birds", "constraints": [] });
    let id = approved(
        &server,
        json!([
            change("banner", "updateEnabled", json!({ "enabled": true })),
            change("banner", "addStrategy", strategy),
            change("checkout", "updateStrategy", update),
            change("checkout", "patchVariant", variants),
            change("checkout", "addDependency", json!({ "feature": "banner" })),
            { "action": "updateSegment", "payload": segment },
        ]),
    )
    .await;
    let shown = to(&server, id, "Applied").await.ok();
    assert_eq!(shown["state"], "Applied");
    let banner = settings(&server, "banner");
    assert!(banner.enabled);
    let ids: Vec<&str> = banner.strategies.iter().map(|one| one.id.as_str()).collect();
    let added = shown["features"][0]["changes"][1]["id"].as_i64().unwrap();
    assert_eq!(ids, [format!("cr{id}-{added}")]);
    let checkout = settings(&server, "checkout");
    assert_eq!(checkout.strategies[0].title.as_deref(), Some("most"));
    assert_eq!(checkout.strategies[0].parameters["rollout"], "75");
    let names: Vec<&str> = checkout.variants.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["a", "b"]);
    let serving = server.app().serving();
    assert_eq!(
        serving.snapshot.flags["checkout"].dependencies[0].parent.as_str(),
        "banner"
    );
    assert_eq!(serving.snapshot.segments[&SegmentId(1)].name, "early birds");
}

#[actix_web::test]
async fn the_other_actions_are_applied_too() {
    let server = server();
    let body = json!({ "name": "default" });
    let depend = change("checkout", "addDependency", json!({ "feature": "banner" }));
    let first = approved(&server, json!([change("checkout", "addStrategy", body), depend])).await;
    to(&server, first, "Applied").await.ok();
    let added = settings(&server, "checkout").strategies[1].id.to_string();
    let places = json!([{ "id": added, "sortOrder": -1 }]);
    let id = approved(
        &server,
        json!([
            change("checkout", "reorderStrategy", places),
            change("checkout", "deleteStrategy", json!({ "id": "half" })),
            { "feature": "banner", "action": "archiveFeature" },
            { "feature": "checkout", "action": "deleteDependency" },
            { "action": "deleteSegment", "payload": { "id": 1 } },
        ]),
    )
    .await;
    to(&server, id, "Applied").await.ok();
    let ids: Vec<String> = settings(&server, "checkout")
        .strategies
        .iter()
        .map(|one| one.id.to_string())
        .collect();
    assert_eq!(ids, [added]);
    let serving = server.app().serving();
    assert!(serving.snapshot.flags["banner"].is_archived());
    assert!(serving.snapshot.flags["checkout"].dependencies.is_empty());
    assert!(serving.snapshot.segments.is_empty());
}

#[actix_web::test]
async fn sdks_see_what_was_applied() {
    let server = server();
    let id = approved(&server, turn_off()).await;
    let before = server.app().serving().revision;
    to(&server, id, "Applied").await.ok();
    let after = server.app().serving();
    assert!(after.revision.configuration > before.configuration);
    let flag = &after.environment("development").unwrap().snapshot.flags["checkout"];
    assert!(!flag.settings.enabled);
}

#[actix_web::test]
async fn steps_that_change_no_flag_change_nothing_for_sdks() {
    let server = server();
    let before = server.app().serving().revision;
    approved(&server, turn_off()).await;
    let after = server.app().serving().revision;
    assert_eq!(after.configuration, before.configuration);
    assert!(after.sequence > before.sequence);
}

#[actix_web::test]
async fn when_changes_are_blocked_nothing_is_applied_and_each_is_named() {
    let server = server();
    let id = approved(
        &server,
        json!([
            turn_off(),
            change("checkout", "updateStrategy", json!({ "id": "half" })),
            change("checkout", "deleteStrategy", json!({ "id": "half" })),
            change("banner", "updateEnabled", json!({ "enabled": true })),
        ]),
    )
    .await;
    edit_settings(&server, "checkout", |settings| settings.strategies.clear());
    edit_flag(&server, "banner", |flag| {
        flag.archived_at = Some(crate::support::START)
    });
    let before = server.app().serving();
    let logged = events(&server).len();
    let request = read(&server, id).await;
    let error = to(&server, id, "Applied")
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    let details = error["details"].as_array().unwrap();
    let of_update = request["features"][0]["changes"][1]["id"].as_i64().unwrap();
    let of_banner = request["features"][1]["changes"][0]["id"].as_i64().unwrap();
    let blocking: Vec<&str> = details.iter().map(|one| one["path"].as_str().unwrap()).collect();
    assert!(
        blocking.contains(&format!("/changes/{of_update}").as_str()),
        "{error}"
    );
    assert!(
        blocking.contains(&format!("/changes/{of_banner}").as_str()),
        "{error}"
    );
    let banner = details
        .iter()
        .find(|one| one["path"] == format!("/changes/{of_banner}"))
        .unwrap();
    let message = banner["message"].as_str().unwrap();
    assert!(
        message.contains("updateEnabled of flag `banner`") && message.contains("archived"),
        "{message}"
    );
    let after = server.app().serving();
    assert!(Arc::ptr_eq(&before, &after), "nothing was committed");
    assert_eq!(events(&server).len(), logged);
    assert_eq!(read(&server, id).await["state"], "Approved");
}

#[actix_web::test]
async fn release_plans_are_not_applied_and_it_is_said() {
    let server = server();
    let payload = json!({ "planId": "p", "milestoneId": "m" });
    let id = approved(
        &server,
        json!([turn_off(), change("checkout", "startMilestone", payload)]),
    )
    .await;
    let error = to(&server, id, "Applied")
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    let message = error["details"][0]["message"].as_str().unwrap();
    assert!(
        message.contains("startMilestone") && message.contains("not supported"),
        "{message}"
    );
    assert!(settings(&server, "checkout").enabled);
}

#[actix_web::test]
async fn what_was_edited_meanwhile_is_overwritten_only_once_it_was_approved_again() {
    let server = server();
    let update = json!({ "id": "half", "parameters": { "rollout": "10" } });
    let id = approved(&server, change("checkout", "updateStrategy", update)).await;
    edit_settings(&server, "checkout", |settings| {
        settings.strategies[0]
            .parameters
            .insert("rollout".to_owned(), "60".to_owned());
    });
    to(&server, id, "Applied")
        .await
        .refused(StatusCode::CONFLICT, "ConflictError");
    assert_eq!(
        settings(&server, "checkout").strategies[0].parameters["rollout"],
        "60"
    );
    let back = read(&server, id).await;
    assert_eq!(
        (&back["state"], &back["approvals"]),
        (&json!("In review"), &json!([]))
    );
    to(&server, id, "Approved").await.ok();
    to(&server, id, "Applied").await.ok();
    assert_eq!(
        settings(&server, "checkout").strategies[0].parameters["rollout"],
        "10"
    );
}

#[actix_web::test]
async fn a_flag_that_is_turned_on_without_a_strategy_gets_the_default_one_which_was_shown_before() {
    let server = server();
    let id = approved(
        &server,
        change("banner", "updateEnabled", json!({ "enabled": true })),
    )
    .await;
    let shown = read(&server, id).await;
    let default = &shown["features"][0]["defaultChange"];
    assert_eq!(default["action"], "addStrategy");
    assert_eq!(default["payload"]["name"], "flexibleRollout");
    to(&server, id, "Applied").await.ok();
    let banner = settings(&server, "banner");
    assert!(banner.enabled);
    assert_eq!(banner.strategies[0].parameters["rollout"], "100");
}
