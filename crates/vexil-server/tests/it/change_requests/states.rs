//! From state to state: every way there is, and what is refused.

use actix_web::http::StatusCode;
use serde_json::{Value, json};

use super::fixture::{
    ALL, OTHER_ADMIN, approved, change, change_id, edit_settings, number, propose, read, rfc3339, scheduled,
    server, to, to_by, turn_off,
};
use crate::support::{ADMIN, START, TestServer};

const STATES: [&str; 7] = [
    "Draft",
    "In review",
    "Approved",
    "Scheduled",
    "Applied",
    "Rejected",
    "Cancelled",
];

/// A request in a state.
async fn in_state(server: &TestServer, state: &str) -> i64 {
    match state {
        "Scheduled" => return scheduled(server, turn_off(), 10).await,
        "Approved" => return approved(server, turn_off()).await,
        "Applied" => {
            let id = approved(server, turn_off()).await;
            to(server, id, "Applied").await.ok();
            return id;
        }
        _ => {}
    }
    let id = number(&propose(server, turn_off()).await);
    if state == "Draft" {
        return id;
    }
    to(server, id, "In review").await.ok();
    if state != "In review" {
        to(server, id, state).await.ok();
    }
    id
}

#[actix_web::test]
async fn exactly_the_ways_between_states_are_open_and_the_rest_changes_nothing() {
    let ways = [
        ("Draft", vec!["In review"]),
        ("In review", vec!["Approved", "Rejected", "Cancelled"]),
        ("Approved", vec!["Scheduled", "Applied", "Rejected", "Cancelled"]),
        ("Scheduled", vec!["Scheduled", "Applied", "Rejected"]),
        ("Applied", vec![]),
        ("Rejected", vec![]),
        ("Cancelled", vec![]),
    ];
    for (from, open) in ways {
        for state in STATES {
            let server = server();
            let id = in_state(&server, from).await;
            let before = read(&server, id).await;
            assert_eq!(before["state"], from);
            let at = rfc3339(START + time::Duration::hours(1));
            let mut body = json!({ "state": state });
            if state == "Scheduled" {
                body["scheduledAt"] = json!(at);
            }
            let answer = to_by(&server, ADMIN, id, body).await;
            if open.contains(&state) {
                assert_eq!(answer.ok()["state"], state, "{from} to {state}");
            } else {
                let error = answer.refused(StatusCode::BAD_REQUEST, "BadDataError");
                let message = error["message"].as_str().unwrap();
                assert!(message.contains(from) && message.contains(state), "{message}");
                assert_eq!(read(&server, id).await, before, "{from} to {state}");
            }
        }
    }
}

#[actix_web::test]
async fn a_state_is_entered_with_its_time() {
    let server = server();
    let id = number(&propose(&server, turn_off()).await);
    server.set_time(START + time::Duration::seconds(5));
    let shown = to(&server, id, "In review").await.ok();
    assert_eq!(
        shown["stateTimestamps"],
        json!({ "Draft": "2026-11-27T12:30:20.000Z", "In review": "2026-11-27T12:30:25.000Z" })
    );
}

#[actix_web::test]
async fn as_many_people_must_approve_as_were_asked_for_when_it_was_opened() {
    let server = server();
    let rule = "/api/admin/projects/default/environments/development/change-requests/config";
    let two = json!({ "changeRequestsEnabled": true, "requiredApprovals": 2 });
    server.put(rule, two).await.ok();
    let id = number(&propose(&server, turn_off()).await);
    let one = json!({ "changeRequestsEnabled": true, "requiredApprovals": 1 });
    server.put(rule, one).await.ok();
    to(&server, id, "In review").await.ok();
    let first = to(&server, id, "Approved").await.ok();
    assert_eq!(first["state"], "In review");
    assert_eq!(first["approvals"].as_array().unwrap().len(), 1);
    to(&server, id, "Approved")
        .await
        .refused(StatusCode::CONFLICT, "ConflictError");
    let second = to_by(&server, OTHER_ADMIN, id, json!({ "state": "Approved" }))
        .await
        .ok();
    assert_eq!(second["state"], "Approved");
    let names: Vec<&Value> = second["approvals"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["createdBy"]["id"])
        .collect();
    assert_eq!(names.len(), 2);
    assert_ne!(names[0], names[1]);
}

#[actix_web::test]
async fn only_the_author_sends_a_draft_to_review() {
    let server = server();
    let id = number(&propose(&server, turn_off()).await);
    let answer = to_by(&server, OTHER_ADMIN, id, json!({ "state": "In review" })).await;
    answer.refused(StatusCode::FORBIDDEN, "PermissionError");
    assert_eq!(read(&server, id).await["state"], "Draft");
}

#[actix_web::test]
async fn a_request_without_changes_is_not_reviewed() {
    let server = server();
    let request = propose(&server, turn_off()).await;
    let id = number(&request);
    server
        .delete(&format!("{ALL}/{id}/changes/{}", change_id(&request, 0)))
        .await
        .ok();
    to(&server, id, "In review")
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
}

#[actix_web::test]
async fn a_rejection_says_who_rejected_and_with_what_words() {
    let server = server();
    let id = number(&propose(&server, turn_off()).await);
    to(&server, id, "In review").await.ok();
    let body = json!({ "state": "Rejected", "comment": "  not on a Friday " });
    let shown = to_by(&server, OTHER_ADMIN, id, body).await.ok();
    assert_eq!(shown["state"], "Rejected");
    assert_eq!(shown["rejections"].as_array().unwrap().len(), 1);
    assert_eq!(shown["comments"][0]["text"], "not on a Friday");
    assert_eq!(
        shown["comments"][0]["createdBy"],
        shown["rejections"][0]["createdBy"]
    );
}

#[actix_web::test]
async fn a_blank_comment_is_none_and_one_that_is_too_long_refuses_the_step() {
    let server = server();
    let id = number(&propose(&server, turn_off()).await);
    let long = json!({ "state": "In review", "comment": "x".repeat(1001) });
    to_by(&server, ADMIN, id, long)
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert_eq!(read(&server, id).await["state"], "Draft");
    let shown = to_by(
        &server,
        ADMIN,
        id,
        json!({ "state": "In review", "comment": "  " }),
    )
    .await
    .ok();
    assert_eq!(shown["comments"], json!([]));
}

#[actix_web::test]
async fn a_command_that_is_no_state_is_refused_with_the_states_there_are() {
    let server = server();
    let id = number(&propose(&server, turn_off()).await);
    for body in [
        json!({}),
        json!({ "state": "Done" }),
        json!({ "state": null }),
        json!([]),
    ] {
        let error = to_by(&server, ADMIN, id, body)
            .await
            .refused(StatusCode::BAD_REQUEST, "BadDataError");
        assert!(
            error["details"][0]["path"].as_str().unwrap().starts_with("/body"),
            "{error}"
        );
    }
    let error = to(&server, id, "Done")
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert!(
        error["details"][0]["message"]
            .as_str()
            .unwrap()
            .contains("\"In review\""),
        "{error}"
    );
}

#[actix_web::test]
async fn a_request_that_is_not_there_has_no_state() {
    let server = server();
    let id = number(&propose(&server, turn_off()).await);
    let paths = [
        format!("{ALL}/{}/state", id + 1),
        format!("{ALL}/one/state"),
        format!("/api/admin/projects/other/change-requests/{id}/state"),
    ];
    for path in paths {
        let answer = server.put(&path, json!({ "state": "In review" })).await;
        answer.refused(StatusCode::NOT_FOUND, "NotFoundError");
    }
}

#[actix_web::test]
async fn an_approval_of_what_was_read_is_for_nothing_else() {
    let server = server();
    let more = change(
        "checkout",
        "addStrategy",
        json!({ "name": "default", "disabled": false }),
    );
    let id = number(&propose(&server, more).await);
    to(&server, id, "In review").await.ok();
    let read_before = read(&server, id).await["effect"]["digest"].clone();
    let with = |state: &str, effect: &Value| json!({ "state": state, "effect": effect });
    // now everybody has it already
    edit_settings(&server, "checkout", |settings| settings.strategies.clear());
    let refused = to_by(&server, ADMIN, id, with("Approved", &read_before)).await;
    let said = refused.refused(StatusCode::CONFLICT, "ConflictError");
    let said = said["message"].as_str().unwrap();
    assert!(
        said.contains("since you read it") && said.contains("read it again"),
        "{said}"
    );
    let now = read(&server, id).await;
    assert_eq!(
        (&now["state"], &now["approvals"]),
        (&json!("In review"), &json!([]))
    );
    let misspelt = to_by(&server, ADMIN, id, with("Approved", &json!("2:0"))).await;
    misspelt.refused(StatusCode::CONFLICT, "ConflictError");
    to_by(&server, ADMIN, id, with("Approved", &now["effect"]["digest"]))
        .await
        .ok();
    // to apply is judged alike
    let refused = to_by(&server, ADMIN, id, with("Applied", &read_before)).await;
    refused.refused(StatusCode::CONFLICT, "ConflictError");
    assert_eq!(read(&server, id).await["state"], json!("Approved"));
    to_by(&server, ADMIN, id, with("Applied", &now["effect"]["digest"]))
        .await
        .ok();
}
