//! The documents hold what their schemas say, and nothing else.

use serde_json::{Value, json};

use super::fixture::{ALL, change, change_id, edit_flag, number, propose, read, rfc3339, server, to, to_by};
use crate::support::{ADMIN, START};

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[actix_web::test]
async fn a_whole_document_has_exactly_the_fields_of_its_schema() {
    let server = server();
    let update = json!({ "action": "updateSegment", "payload": { "id": 1, "name": "x", "constraints": [] } });
    let strategy = change("checkout", "updateStrategy", json!({ "id": "half" }));
    let id = number(&propose(&server, json!([strategy, update])).await);
    server
        .put(&format!("{ALL}/{id}/title"), json!({ "title": "a title" }))
        .await
        .ok();
    to(&server, id, "In review").await.ok();
    let at = rfc3339(START + time::Duration::hours(1));
    to(&server, id, "Approved").await.ok();
    to_by(
        &server,
        ADMIN,
        id,
        json!({ "state": "Scheduled", "scheduledAt": at, "comment": "go" }),
    )
    .await
    .ok();
    let shown = read(&server, id).await;
    let expected = [
        "id",
        "title",
        "environment",
        "project",
        "minApprovals",
        "state",
        "features",
        "segments",
        "approvals",
        "rejections",
        "comments",
        "createdBy",
        "createdAt",
        "schedule",
        "stateTimestamps",
        "effect",
        "approvedEffect",
        "effectChanged",
        "effectConflicts",
        "approvalsCounted",
        "approvalsNeeded",
        "mayApprove",
        "mayNotApproveBecause",
        "mayApply",
    ];
    assert_eq!(keys(&shown), expected);
    assert_eq!(shown["effectChanged"], json!(false));
    assert_eq!(shown["mayApply"], json!(true));
    assert_eq!(shown["effect"]["digest"], shown["approvedEffect"]["digest"]);
    assert_eq!(
        shown["schedule"],
        json!({ "scheduledAt": "2026-11-27T13:30:20.000Z", "status": "pending" })
    );
    assert_eq!(keys(&shown["features"][0]), ["name", "changes"]);
    let of_change = ["id", "action", "payload", "createdBy", "createdAt"];
    assert_eq!(keys(&shown["features"][0]["changes"][0]), of_change);
    assert_eq!(
        keys(&shown["segments"][0]),
        ["name", "id", "action", "payload", "createdBy", "createdAt"]
    );
    let person = json!({ "id": -1001, "username": "admin-1", "imageUrl": null });
    assert_eq!(shown["createdBy"], person);
    assert_eq!(
        shown["approvals"],
        json!([{ "createdBy": person, "createdAt": "2026-11-27T12:30:20.000Z" }])
    );
    let comment = &shown["comments"][0];
    assert_eq!(keys(comment), ["id", "text", "createdBy", "createdAt"]);
    assert_eq!(comment["text"], "go");
}

#[actix_web::test]
async fn a_document_without_a_title_or_a_schedule_has_no_such_field() {
    let server = server();
    let request = propose(&server, super::fixture::turn_off()).await;
    assert_eq!(request.get("title"), None);
    assert_eq!(request.get("schedule"), None);
}

#[actix_web::test]
async fn payloads_show_what_was_there_when_they_were_proposed() {
    let server = server();
    let variants = json!({ "variants": [{ "name": "a", "weight": 1000, "weightType": "variable" }] });
    let request = propose(
        &server,
        json!([
            change("checkout", "updateStrategy", json!({ "id": "half" })),
            change("checkout", "deleteStrategy", json!({ "id": "half" })),
            change("checkout", "patchVariant", variants),
            { "action": "deleteSegment", "payload": { "id": 1 } },
        ]),
    )
    .await;
    let changes = &request["features"][0]["changes"];
    for place in 0..2 {
        let snapshot = &changes[place]["payload"]["snapshot"];
        assert_eq!(snapshot["id"], "half");
        assert_eq!(snapshot["name"], "flexibleRollout");
        assert_eq!(snapshot["parameters"]["rollout"], "50");
    }
    assert_eq!(changes[2]["payload"]["snapshot"], json!([]));
    let segment = &request["segments"][0]["payload"];
    assert_eq!(segment["id"], 1);
    assert_eq!(segment["snapshot"]["name"], "beta");
    assert_eq!(segment["snapshot"]["constraints"][0]["contextName"], "country");
    assert!(change_id(&request, 0) > 0);
}

#[actix_web::test]
async fn changes_without_a_payload_have_none() {
    let server = server();
    edit_flag(&server, "checkout", |flag| {
        flag.dependencies.push(vexil_domain::Dependency {
            parent: "banner".into(),
            enabled: true,
            variants: Vec::new(),
        });
    });
    let request = propose(
        &server,
        json!([
            { "feature": "banner", "action": "archiveFeature", "payload": {} },
            { "feature": "checkout", "action": "deleteDependency" },
        ]),
    )
    .await;
    for feature in request["features"].as_array().unwrap() {
        assert_eq!(feature["changes"][0].get("payload"), None, "{feature}");
    }
}
