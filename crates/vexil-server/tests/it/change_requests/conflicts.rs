//! What stands against the changes of an open request is shown with them.

use serde_json::{Value, json};

use super::fixture::{
    ALL, approved, change, edit_flag, edit_settings, number, propose, read, scheduled, server, to, turn_off,
};
use crate::support::START;

#[actix_web::test]
async fn a_flag_that_was_archived_is_a_conflict_of_all_its_changes() {
    let server = server();
    let id = number(&propose(&server, turn_off()).await);
    assert_eq!(read(&server, id).await["features"][0].get("conflict"), None);
    edit_flag(&server, "checkout", |flag| flag.archived_at = Some(START));
    let shown = read(&server, id).await;
    let conflict = shown["features"][0]["conflict"].as_str().unwrap();
    assert!(conflict.contains("archived"), "{conflict}");
    edit_flag(&server, "checkout", |flag| flag.archived_at = None);
    assert_eq!(read(&server, id).await["features"][0].get("conflict"), None);
}

#[actix_web::test]
async fn a_strategy_that_was_deleted_is_a_conflict_of_the_change_that_needs_it() {
    let server = server();
    let update = change("checkout", "updateStrategy", json!({ "id": "half" }));
    let id = number(&propose(&server, json!([update, turn_off()])).await);
    edit_settings(&server, "checkout", |settings| settings.strategies.clear());
    let shown = read(&server, id).await;
    let changes = &shown["features"][0]["changes"];
    assert!(
        changes[0]["conflict"].as_str().unwrap().contains("half"),
        "{changes}"
    );
    assert_eq!(changes[1].get("conflict"), None);
}

#[actix_web::test]
async fn a_segment_in_use_is_a_conflict_until_the_request_takes_it_out_of_use() {
    let server = server();
    edit_settings(&server, "checkout", |settings| {
        settings.strategies[0].segments.push(vexil_domain::SegmentId(1));
    });
    let delete = json!({ "action": "deleteSegment", "payload": { "id": 1 } });
    let request = propose(&server, delete).await;
    assert!(request["segments"][0]["conflict"].is_string(), "{request}");
    let update = change(
        "checkout",
        "updateStrategy",
        json!({ "id": "half", "segments": [] }),
    );
    let request = propose(&server, update).await;
    assert_eq!(request["segments"][0].get("conflict"), None);
}

#[actix_web::test]
async fn a_change_tells_which_scheduled_requests_it_would_break() {
    let server = server();
    let update = json!({ "id": "half", "parameters": { "rollout": "10" } });
    let waiting = scheduled(&server, change("checkout", "updateStrategy", update), 10).await;
    server
        .put(&format!("{ALL}/{waiting}/title"), json!({ "title": "slowly" }))
        .await
        .ok();
    let delete = change("checkout", "deleteStrategy", json!({ "id": "half" }));
    let request = propose(&server, json!([delete, turn_off()])).await;
    let changes = &request["features"][0]["changes"];
    assert_eq!(
        changes[0]["scheduleConflicts"],
        json!({ "changeRequests": [{ "id": waiting, "title": "slowly" }] })
    );
    assert_eq!(changes[1].get("scheduleConflicts"), None);
}

#[actix_web::test]
async fn a_closed_request_is_shown_as_it_was_with_nothing_against_it() {
    let server = server();
    let id = approved(&server, turn_off()).await;
    to(&server, id, "Applied").await.ok();
    edit_flag(&server, "checkout", |flag| flag.archived_at = Some(START));
    let feature = &read(&server, id).await["features"][0];
    assert_eq!(feature.get("conflict"), None);
    assert_eq!(feature["changes"][0].get("conflict"), None);
}

#[actix_web::test]
async fn removing_the_last_strategy_turns_the_flag_off_and_it_is_shown() {
    let server = server();
    let request = propose(
        &server,
        change("checkout", "deleteStrategy", json!({ "id": "half" })),
    )
    .await;
    let default = &request["features"][0]["defaultChange"];
    assert_eq!(default["action"], "updateEnabled");
    assert_eq!(default["payload"]["enabled"], Value::Bool(false));
}

#[actix_web::test]
async fn asked_on_and_given_a_strategy_a_flag_gets_no_other() {
    let server = server();
    let request = propose(
        &server,
        json!([
            change("banner", "updateEnabled", json!({ "enabled": true })),
            change("banner", "addStrategy", json!({ "name": "default" })),
        ]),
    )
    .await;
    assert_eq!(request["features"][0].get("defaultChange"), None);
}
