//! Faults that users of such systems met, and that must not come back.

use actix_web::http::StatusCode;
use serde_json::json;

use super::fixture::{
    ALL, approved, change, edit_flag, edit_settings, number, propose, read, scheduled, server, settings, to,
};
use crate::support::START;

#[actix_web::test]
async fn o03_missing_segments_and_no_segments_are_the_same() {
    let server = server();
    for segments in [None, Some(json!([]))] {
        let mut update = json!({
            "id": "half", "name": "flexibleRollout", "constraints": [], "variants": [],
            "parameters": { "rollout": "50", "stickiness": "default", "groupId": "checkout" },
        });
        if let Some(segments) = &segments {
            update["segments"] = segments.clone();
        }
        let id = scheduled(&server, change("checkout", "updateStrategy", update), 10).await;
        vexil_service::operations::change_requests::apply_due(server.app()).unwrap();
        assert_eq!(
            read(&server, id).await["schedule"]["status"],
            "pending",
            "{segments:?}"
        );
        to(&server, id, "Rejected").await.ok();
    }
}

#[actix_web::test]
async fn o05_a_parent_that_was_archived_meanwhile_is_reported_and_nothing_is_half_applied() {
    let server = server();
    let id = approved(
        &server,
        json!([
            change("checkout", "updateEnabled", json!({ "enabled": false })),
            change("checkout", "addDependency", json!({ "feature": "banner" })),
        ]),
    )
    .await;
    edit_flag(&server, "banner", |flag| flag.archived_at = Some(START));
    let shown = read(&server, id).await;
    let changes = &shown["features"][0]["changes"];
    assert_eq!(changes[0].get("conflict"), None);
    assert!(
        changes[1]["conflict"].as_str().unwrap().contains("banner"),
        "{changes}"
    );
    let error = to(&server, id, "Applied")
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert_eq!(error["details"].as_array().unwrap().len(), 1);
    assert_eq!(
        error["details"][0]["path"],
        format!("/changes/{}", changes[1]["id"])
    );
    assert!(settings(&server, "checkout").enabled);
    assert!(
        server.app().serving().snapshot.flags["checkout"]
            .dependencies
            .is_empty()
    );
}

#[actix_web::test]
async fn o07_a_strategy_that_was_deleted_meanwhile_is_not_brought_back() {
    let server = server();
    let id = approved(
        &server,
        change("checkout", "updateStrategy", json!({ "id": "half" })),
    )
    .await;
    edit_settings(&server, "checkout", |settings| settings.strategies.clear());
    to(&server, id, "Applied")
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert_eq!(read(&server, id).await["state"], "Approved");
    assert!(settings(&server, "checkout").strategies.is_empty());
}

#[actix_web::test]
async fn o09_a_segment_that_only_an_open_request_uses_is_in_use() {
    let server = server();
    let strategy = json!({ "name": "default", "segments": [1] });
    let id = number(&propose(&server, change("checkout", "addStrategy", strategy)).await);
    let usage = server.get("/api/admin/segments/1/strategies").await.ok();
    let users = usage["changeRequestStrategies"].as_array().unwrap();
    assert_eq!(users.len(), 1, "{usage}");
    assert_eq!(users[0]["featureName"], "checkout");
    assert_eq!(users[0]["strategyName"], "default");
    assert_eq!(users[0]["changeRequest"]["id"], id);
    let answer = server.delete("/api/admin/segments/1").await;
    assert_eq!(answer.status, 409, "{}", answer.text);
    server.delete(&format!("{ALL}/{id}")).await.ok();
    assert_eq!(server.delete("/api/admin/segments/1").await.status, 204);
}

#[actix_web::test]
async fn o13_reading_what_would_happen_leaves_no_trace() {
    let server = server();
    let id = number(
        &propose(
            &server,
            change("banner", "updateEnabled", json!({ "enabled": true })),
        )
        .await,
    );
    let before = server.app().serving();
    for _ in 0..5 {
        let shown = read(&server, id).await;
        assert!(shown["features"][0]["defaultChange"].is_object());
    }
    assert!(std::sync::Arc::ptr_eq(&before, &server.app().serving()));
    assert_eq!(server.app().reader().revision().unwrap(), before.revision);
}
