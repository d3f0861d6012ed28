//! What stands against the changes of an open request is shown with them.

use actix_web::http::Method;
use serde_json::{Value, json};

use super::fixture::{
    ALL, OTHER_ADMIN, PROPOSE, approved, change, edit_flag, edit_settings, number, propose, read, scheduled,
    server, to, to_by, turn_off,
};
use crate::support::{ADMIN, START, TestServer};

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

/// Proposes to let the users of some countries in.
async fn open_to(server: &TestServer, token: &str, countries: &[&str]) -> i64 {
    let constraint = json!({ "contextName": "country", "operator": "IN", "values": countries });
    let strategy = json!({ "name": "default", "parameters": {}, "constraints": [constraint] });
    let body = json!([change("checkout", "addStrategy", strategy)]);
    let answer = server.call(token, Method::POST, PROPOSE, Some(&body)).await;
    number(&answer.ok())
}

/// Two requests in review, by two people, each of which lets the users of some countries in.
async fn in_review(server: &TestServer, countries: [&[&str]; 2]) -> [i64; 2] {
    let mut ids = [0; 2];
    for ((id, token), countries) in ids.iter_mut().zip([ADMIN, OTHER_ADMIN]).zip(countries) {
        *id = open_to(server, token, countries).await;
        to_by(server, token, *id, json!({ "state": "In review" }))
            .await
            .ok();
    }
    ids
}

#[actix_web::test]
async fn requests_that_change_a_flag_for_the_same_contexts_tell_of_each_other() {
    let server = server();
    let [one, other] = in_review(&server, [&["NO", "DK"], &["NO", "SE"]]).await;
    for (id, meets) in [(one, other), (other, one)] {
        let shown = read(&server, id).await;
        let conflicts = shown["effectConflicts"]["found"].as_array().unwrap();
        assert_eq!(shown["effectConflicts"]["unread"], json!(0));
        assert_eq!(conflicts.len(), 1, "{conflicts:?}");
        assert_eq!(conflicts[0]["changeRequest"]["id"], json!(meets));
        assert_eq!(conflicts[0]["flag"], json!("checkout"));
        assert_eq!(conflicts[0]["environment"], json!("development"));
        assert_eq!(conflicts[0]["context"]["country"], json!("NO"));
        let words = conflicts[0]["words"].as_str().unwrap();
        assert!(words.contains("country is NO"), "{words}");
    }
}

#[actix_web::test]
async fn requests_that_change_a_flag_for_different_contexts_do_not_meet() {
    let server = server();
    for id in in_review(&server, [&["DK"], &["NO", "SE"]]).await {
        let none = json!({ "found": [], "unread": 0 });
        assert_eq!(read(&server, id).await["effectConflicts"], none);
    }
}

#[actix_web::test]
async fn of_drafts_and_of_closed_requests_no_effects_are_compared() {
    let server = server();
    let one = open_to(&server, ADMIN, &["NO"]).await;
    let draft = open_to(&server, OTHER_ADMIN, &["NO"]).await;
    to(&server, one, "In review").await.ok();
    assert_eq!(read(&server, one).await["effectConflicts"]["found"], json!([]));
    // who writes a draft is told
    let found = &read(&server, draft).await["effectConflicts"]["found"];
    assert_eq!(found[0]["changeRequest"]["id"], json!(one));
    to(&server, one, "Cancelled").await.ok();
    assert_eq!(read(&server, one).await.get("effectConflicts"), None);
    assert_eq!(read(&server, draft).await["effectConflicts"]["found"], json!([]));
}
