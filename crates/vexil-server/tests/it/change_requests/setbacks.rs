//! Whoever reviews sees that approvals went or do not count any more, why, and what was approved; and signs what was read.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};
use vexil_domain::SegmentId;

use super::fixture::*;
use crate::support::{ADMIN, TestServer};

/// Lets half of the users out of `checkout`, by hand.
fn cleared(server: &TestServer) {
    edit_settings(server, "checkout", |settings| settings.strategies.clear());
}

fn everybody() -> Value {
    change(
        "checkout",
        "addStrategy",
        json!({ "name": "default", "disabled": false }),
    )
}

/// How a request lost its approval: the steps, and a part of the reason.
type Way = (fn(&TestServer), &'static str, Value, &'static str);

#[actix_web::test]
async fn a_request_that_went_back_to_review_says_when_why_and_what_was_approved() {
    let discarded = |_: &TestServer| {};
    let ways: [Way; 2] = [
        (
            cleared,
            "Applied",
            json!({ "state": "Applied" }),
            "what it would do has become something else",
        ),
        (
            discarded,
            "edit",
            Value::Null,
            "what is asked was edited after that",
        ),
    ];
    for (edit, name, body, reason) in ways {
        let server = server();
        let id = approved(&server, everybody()).await;
        let before = read(&server, id).await;
        assert_eq!(before.get("setback"), None);
        edit(&server);
        if body.is_null() {
            propose(&server, turn_off()).await;
        } else {
            to_by(&server, ADMIN, id, body)
                .await
                .refused(StatusCode::CONFLICT, "ConflictError");
        }
        let shown = read(&server, id).await;
        assert_eq!(
            (&shown["state"], &shown["approvals"]),
            (&json!("In review"), &json!([])),
            "{name}"
        );
        let setback = &shown["setback"];
        assert_eq!(setback["createdAt"], json!("2026-11-27T12:30:20.000Z"), "{name}");
        assert_eq!(setback["createdBy"], before["createdBy"]);
        assert_eq!(setback["reason"], json!(reason));
        assert_eq!(setback["approvals"], before["approvals"]);
        assert_eq!(shown["approvedEffect"]["words"], before["effect"]["words"]);
        assert_eq!(shown["effectChanged"], json!(true));
        assert_ne!(shown["effect"]["words"], before["effect"]["words"]);
        assert_eq!(
            (&shown["approvalsCounted"], &shown["approvalsNeeded"]),
            (&json!(0), &json!(1))
        );
        // the list stays as it is
        let listed: Value = server.get(ALL).await.ok();
        assert_eq!(listed[0].get("setback"), None);
    }
}

#[actix_web::test]
async fn approvals_of_another_effect_are_not_counted_before_they_go() {
    let server = server();
    edit(&server, |snapshot| {
        let project = std::sync::Arc::make_mut(snapshot.projects.get_mut("default").unwrap());
        let rules = project.environments.get_mut("development").unwrap();
        rules.change_requests = Some(vexil_domain::ChangeRequestRule {
            required_approvals: 2,
            changed_effect: vexil_domain::ChangedEffect::Refuse,
        });
    });
    let id = approved(&server, everybody()).await;
    let counted = |shown: &Value| {
        (
            shown["approvals"].as_array().unwrap().len(),
            shown["approvalsCounted"].clone(),
        )
    };
    assert_eq!(counted(&read(&server, id).await), (1, json!(1)));
    let half = "/api/admin/projects/default/features/checkout/environments/development/strategies/half";
    server.delete(half).await.ok();
    let shown = read(&server, id).await;
    assert_eq!(counted(&shown), (1, json!(0)));
    assert_eq!(
        (&shown["effectChanged"], &shown["approvalsNeeded"]),
        (&json!(true), &json!(2))
    );
}

/// The ids of the changes that a document shows.
fn ids(request: &Value) -> Vec<i64> {
    let features = request["features"].as_array().unwrap().iter();
    let of_flags = features.flat_map(|feature| feature["changes"].as_array().unwrap());
    of_flags
        .chain(request["segments"].as_array().unwrap())
        .map(number)
        .collect()
}

#[actix_web::test]
async fn what_was_edited_since_it_was_read_is_neither_approved_nor_applied() {
    let server = server();
    // the flag is off, so neither change does anything to anybody now
    let of = |percentage: &str| {
        let parameters = json!({ "rollout": percentage, "stickiness": "default", "groupId": "banner" });
        change(
            "banner",
            "addStrategy",
            json!({ "name": "flexibleRollout", "parameters": parameters }),
        )
    };
    let id = number(&propose(&server, json!([of("1"), turn_off()])).await);
    to(&server, id, "In review").await.ok();
    let seen = read(&server, id).await;
    let signed = |state: &str, seen: &Value| json!({ "state": state, "effect": seen["effect"]["digest"], "changes": ids(seen) });
    let (path, body) = (format!("{ALL}/{id}/changes/{}", ids(&seen)[0]), of("100"));
    server.call(ADMIN, Method::PUT, &path, Some(&body)).await.ok();
    let now = read(&server, id).await;
    assert_eq!(
        now["effect"]["digest"], seen["effect"]["digest"],
        "nobody would notice"
    );
    let refused = to_by(&server, ADMIN, id, signed("Approved", &seen)).await;
    let said = refused.refused(StatusCode::CONFLICT, "ConflictError");
    assert_eq!(
        said["details"][0]["message"],
        "What is asked has changed since you read it; read it again."
    );
    to_by(&server, ADMIN, id, signed("Approved", &now)).await.ok();
    let refused = to_by(&server, ADMIN, id, signed("Applied", &seen)).await;
    refused.refused(StatusCode::CONFLICT, "ConflictError");
    to_by(&server, ADMIN, id, signed("Applied", &now)).await.ok();
    let wrong = to_by(
        &server,
        ADMIN,
        id,
        json!({ "state": "Applied", "changes": ["x"] }),
    )
    .await;
    wrong.refused(StatusCode::BAD_REQUEST, "BadDataError");
}

/// `checkout` on in production as well, for those in segment 1.
fn in_production(server: &TestServer) {
    edit(server, |snapshot| {
        let flag = std::sync::Arc::make_mut(snapshot.flags.get_mut("checkout").unwrap());
        let mut settings = vexil_domain::FlagSettings {
            enabled: true,
            ..Default::default()
        };
        let mut strategy = vexil_domain::ActivationStrategy::new("p", "default");
        strategy.segments = vec![SegmentId(1)];
        settings.strategies = vec![strategy];
        flag.environments
            .insert("production".into(), std::sync::Arc::new(settings));
    });
}

#[actix_web::test]
async fn a_proof_of_a_request_tells_of_every_environment_that_it_reaches() {
    let swedes = json!([{ "contextName": "country", "operator": "IN", "values": ["NO", "SE"] }]);
    let reaching = [
        json!({ "action": "updateSegment", "payload": { "id": 1, "name": "beta", "constraints": swedes } }),
        change("checkout", "archiveFeature", Value::Null),
        change("checkout", "addDependency", json!({ "feature": "banner" })),
    ];
    for asked in reaching {
        let server = server();
        in_production(&server);
        let mut asked = asked;
        if asked["payload"].is_null() {
            asked.as_object_mut().unwrap().remove("payload");
        }
        let opened = propose(&server, json!([asked.clone()])).await;
        let id = number(&opened);
        let path = format!("/api/admin/playground/change-request/{id}/proof");
        let guards = json!({ "never": ["country=SE", "country=NO", "country=FI"] });
        let proof = server.post(&path, guards.clone()).await.ok();
        let elsewhere: Vec<&Value> = proof["features"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|feature| feature["environment"] == json!("production"))
            .collect();
        assert_eq!(elsewhere.len(), 1, "{asked} {proof}");
        assert_eq!(elsewhere[0]["name"], json!("checkout"));
        assert_eq!(proof["flags"]["changed"], json!(1), "{proof}");
        // what is asked of nobody is broken where anybody is hit, wherever that is
        let broken = proof["guards"].as_array().unwrap().iter();
        let broken = broken.filter(|guard| guard["verdict"] == json!("broken")).count();
        assert!(broken > 0, "{proof}");
        let read = read(&server, id).await;
        assert_eq!(proof["approves"], read["effect"]["digest"]);
        assert!(
            read["effect"]["words"]
                .as_str()
                .unwrap()
                .contains("in production"),
            "{read}"
        );
        // the same of changes that nobody has proposed yet
        let mut question = json!({ "project": "default", "environment": "development", "changes": [asked] });
        question["never"] = guards["never"].clone();
        let proposed = server
            .post("/api/admin/playground/changes/proof", question)
            .await
            .ok();
        assert_eq!(proposed["features"], proof["features"]);
        assert_eq!(proposed["guards"], proof["guards"]);
    }
}
