//! Every step is in the audit log.

use actix_web::http::StatusCode;
use serde_json::{Value, json};

use super::fixture::{
    ALL, approved, change, change_id, events, last_kinds, number, propose, read, scheduled, server, to,
    to_by, turn_off,
};
use crate::support::{ADMIN, START, TestServer};

fn data(server: &TestServer, kind: &str) -> Value {
    let found = events(server).into_iter().rev().find(|event| event.kind == kind);
    let event = found.unwrap_or_else(|| panic!("no {kind}"));
    serde_json::from_str(&event.data.unwrap()).unwrap()
}

#[actix_web::test]
async fn the_way_from_draft_to_applied_is_logged_step_by_step() {
    let server = server();
    let earlier = events(&server).len();
    let id = approved(&server, turn_off()).await;
    to(&server, id, "Applied").await.ok();
    let new = events(&server).split_off(earlier);
    let kinds: Vec<&str> = new.iter().map(|event| event.kind.as_str()).collect();
    assert_eq!(
        kinds,
        [
            "change-request-created",
            "change-added",
            "change-request-sent-to-review",
            "change-request-approval-added",
            "change-request-approved",
            "feature-environment-disabled",
            "change-request-applied",
        ]
    );
    for event in &new {
        assert_eq!(event.change_request.map(|id| id.0), Some(id), "{}", event.kind);
        assert_eq!(event.project.as_ref().map(|name| name.as_str()), Some("default"));
        assert_eq!(
            event.environment.as_ref().map(|name| name.as_str()),
            Some("development")
        );
        assert_eq!(event.actor.name, "admin-1");
        assert_eq!(event.created_at, START);
    }
    assert_eq!(new[1].flag.as_ref().map(|name| name.as_str()), Some("checkout"));
    assert_eq!(data(&server, "change-request-applied")["changeRequestId"], id);
}

#[actix_web::test]
async fn changes_that_are_edited_and_taken_out_are_logged() {
    let server = server();
    let request = propose(&server, turn_off()).await;
    let path = format!("{ALL}/{}/changes/{}", request["id"], change_id(&request, 0));
    let edited = server
        .put(
            &path,
            change("banner", "updateEnabled", json!({ "enabled": true })),
        )
        .await
        .ok();
    assert_eq!(last_kinds(&server, 1), ["change-edited"]);
    let told = data(&server, "change-edited");
    assert_eq!(told["changeId"], change_id(&edited, 0));
    assert_eq!(told["action"], "updateEnabled");
    let path = format!("{ALL}/{}/changes/{}", request["id"], change_id(&edited, 0));
    server.delete(&path).await.ok();
    assert_eq!(last_kinds(&server, 1), ["change-discarded"]);
    server.delete(&format!("{ALL}/{}", request["id"])).await.ok();
    assert_eq!(last_kinds(&server, 1), ["change-request-discarded"]);
}

#[actix_web::test]
async fn ends_are_logged() {
    let server = server();
    for (state, kind) in [
        ("Rejected", "change-request-rejected"),
        ("Cancelled", "change-request-cancelled"),
    ] {
        let id = number(&propose(&server, turn_off()).await);
        to(&server, id, "In review").await.ok();
        to(&server, id, state).await.ok();
        assert_eq!(last_kinds(&server, 1), [kind]);
    }
}

#[actix_web::test]
async fn a_schedule_is_logged_with_its_time() {
    let server = server();
    scheduled(&server, turn_off(), 10).await;
    assert_eq!(last_kinds(&server, 1), ["change-request-scheduled"]);
    assert_eq!(
        data(&server, "change-request-scheduled")["scheduledDate"],
        "2026-11-27T12:40:20Z"
    );
}

#[actix_web::test]
async fn reviewers_and_rules_are_logged() {
    let server = server();
    let id = number(&propose(&server, turn_off()).await);
    let people = server
        .get(&format!("{ALL}/available-reviewers/development"))
        .await
        .ok();
    let reviewer = people["reviewers"][0]["id"].clone();
    server
        .put(
            &format!("{ALL}/{id}/approvers"),
            json!({ "reviewers": [reviewer] }),
        )
        .await
        .ok();
    assert_eq!(
        last_kinds(&server, 1),
        ["change-request-requested-approvers-updated"]
    );
    let rule = "/api/admin/projects/default/environments/production/change-requests/config";
    server
        .put(
            rule,
            json!({ "changeRequestsEnabled": true, "requiredApprovals": 3 }),
        )
        .await
        .ok();
    assert_eq!(last_kinds(&server, 1), ["change-request-configuration-updated"]);
    let told = data(&server, "change-request-configuration-updated");
    assert_eq!(
        told,
        json!({ "changeRequestsEnabled": true, "requiredApprovals": 3, "changedEffect": "refuse" })
    );
}

#[actix_web::test]
async fn a_title_that_changes_after_approvals_is_logged_and_told_with_the_request() {
    let server = server();
    let id = approved(&server, turn_off()).await;
    let path = format!("{ALL}/{id}/title");
    let signed = read(&server, id).await["approvals"].clone();
    assert_eq!(signed.as_array().unwrap().len(), 1);
    for title in ["Off for the night", "Off for good", "Off for good"] {
        server.put(&path, json!({ "title": title })).await.ok();
    }
    let earlier = events(&server).len();
    assert_eq!(
        last_kinds(&server, 3),
        [
            "change-request-approved",
            "change-request-title-updated",
            "change-request-title-updated"
        ]
    );
    let last = events(&server).pop().unwrap();
    assert_eq!(last.change_request.map(|id| id.0), Some(id));
    assert_eq!(
        data(&server, "change-request-title-updated"),
        json!({ "changeRequestId": id, "title": "Off for good" })
    );
    assert_eq!(last.pre_data.as_deref(), Some(r#"{"title":"Off for the night"}"#));
    let told = read(&server, id).await;
    assert_eq!(
        (&told["state"], &told["approvals"]),
        (&json!("Approved"), &signed)
    );
    let person = &told["createdBy"];
    let at = "2026-11-27T12:30:20.000Z";
    assert_eq!(
        told["earlierTitles"],
        json!([{ "createdAt": at, "createdBy": person }, { "title": "Off for the night", "createdAt": at, "createdBy": person }])
    );
    server
        .put(&path, json!({ "title": "x".repeat(256) }))
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert_eq!(events(&server).len(), earlier);
}

#[actix_web::test]
async fn what_is_refused_is_not_logged() {
    let server = server();
    let id = number(&propose(&server, turn_off()).await);
    let earlier = events(&server).len();
    to(&server, id, "Applied").await;
    to_by(
        &server,
        ADMIN,
        id,
        json!({ "state": "In review", "comment": "x".repeat(2000) }),
    )
    .await;
    assert_eq!(events(&server).len(), earlier);
}
