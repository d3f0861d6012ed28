//! Tests of changes as they are proposed: every action, as clients write it.

use serde_json::{Value, json};
use vexil_change_request::Change;

use super::Proposal;

/// One change of every action, with everything said that can be said.
fn proposals() -> Vec<Value> {
    let safeguard = json!({
        "impactMetric": { "metricName": "errors", "timeRange": "hour", "aggregationMode": "count", "labelSelectors": {} },
        "triggerCondition": { "operator": ">", "threshold": 10 },
    });
    let change =
        |action: &str, payload: Value| json!({ "feature": "checkout", "action": action, "payload": payload });
    vec![
        change(
            "updateEnabled",
            json!({ "enabled": true, "shouldActivateDisabledStrategies": false }),
        ),
        change(
            "addStrategy",
            json!({
                "name": "flexibleRollout", "title": "Norway 20%", "disabled": false, "sortOrder": 3,
                "parameters": { "groupId": "checkout", "rollout": "20", "stickiness": "userId" },
                "constraints": [{
                    "contextName": "country", "operator": "IN", "values": ["NO"], "inverted": false,
                    "caseInsensitive": true,
                }],
                "segments": [3],
                "variants": [{
                    "name": "blue", "weight": 1000, "weightType": "variable", "stickiness": "default",
                    "payload": { "type": "json", "value": "{}" },
                    "overrides": [{ "contextName": "userId", "values": ["7"] }],
                }],
            }),
        ),
        change(
            "updateStrategy",
            json!({
                "id": "01J8ZK3T4X", "name": "flexibleRollout", "title": "", "disabled": true, "sortOrder": 1,
                "parameters": { "rollout": "55" },
                "constraints": [{ "contextName": "age", "operator": "NUM_GT", "values": [], "value": "18" }],
                "segments": [], "variants": [],
            }),
        ),
        change("deleteStrategy", json!({ "id": "01J8ZK3T4X" })),
        change(
            "reorderStrategy",
            json!([{ "id": "a", "sortOrder": 1 }, { "id": "b", "sortOrder": -1 }]),
        ),
        change(
            "patchVariant",
            json!({ "variants": [{ "name": "blue", "weight": 1, "weightType": "fix" }] }),
        ),
        change(
            "addDependency",
            json!({ "feature": "payments", "enabled": true, "variants": ["stripe"] }),
        ),
        change("deleteDependency", json!({ "feature": "payments" })),
        json!({ "feature": null, "action": "updateSegment", "payload": {
            "id": 3, "name": "beta-users", "description": "", "project": "shop",
            "constraints": [{ "contextName": "userId", "operator": "IN", "values": ["7", "8"] }],
        }}),
        json!({ "action": "deleteSegment", "payload": { "id": 3 } }),
        json!({ "feature": "checkout", "action": "archiveFeature" }),
        json!({ "feature": "checkout", "action": "deleteDependency" }),
        change("addReleasePlan", json!({ "templateId": "01JB" })),
        change("deleteReleasePlan", json!({ "planId": "01JB" })),
        change(
            "startMilestone",
            json!({ "planId": "01JB", "milestoneId": "01JC" }),
        ),
        change(
            "updateMilestoneStrategy",
            json!({ "id": "01JD", "parameters": {}, "constraints": [] }),
        ),
        change(
            "changeMilestoneProgression",
            json!({
                "sourceMilestone": "a", "targetMilestone": "b", "transitionCondition": { "intervalMinutes": 60 },
            }),
        ),
        change("deleteMilestoneProgression", json!({ "sourceMilestone": "a" })),
        change("resumeMilestoneProgression", json!({ "planId": "01JB" })),
        change(
            "changeReleasePlanSafeguard",
            json!({ "planId": "01JB", "safeguard": safeguard }),
        ),
        change(
            "changeSafeguard",
            json!({ "planId": "01JB", "safeguard": safeguard }),
        ),
        change(
            "deleteReleasePlanSafeguard",
            json!({ "planId": "01JB", "safeguardId": "s" }),
        ),
        change("deleteSafeguard", json!({ "planId": "01JB", "safeguardId": "s" })),
        change("changeFeatureEnvSafeguard", json!({ "safeguard": safeguard })),
        change("deleteFeatureEnvSafeguard", json!({ "safeguardId": "s" })),
    ]
}

#[test]
fn every_action_is_read_and_shown_as_it_was_written() {
    for body in proposals() {
        let proposal = Proposal::one(&body).unwrap_or_else(|problems| panic!("{problems:?}"));
        assert_eq!(proposal.change.action(), body["action"]);
        assert_eq!(
            proposal.change.payload().unwrap(),
            body.get("payload").cloned(),
            "{body}"
        );
        assert_eq!(
            proposal.flag.as_ref().map(|flag| flag.as_str()),
            body["feature"].as_str()
        );
        assert_eq!(proposal.path, "/body/payload");
    }
}

#[test]
fn no_action_is_left_out_above() {
    let proposed = proposals();
    for action in Change::ACTIONS.iter().chain(Change::UNSUPPORTED_ACTIONS) {
        assert!(proposed.iter().any(|body| body["action"] == *action), "{action}");
    }
}

#[test]
fn many_are_read_in_their_order_each_with_its_place() {
    let body = Value::Array(proposals());
    let read = Proposal::one_or_many(&body).unwrap();
    assert_eq!(read.len(), proposals().len());
    for (place, (proposal, body)) in read.iter().zip(proposals()).enumerate() {
        assert_eq!(proposal.change.action(), body["action"]);
        assert_eq!(proposal.path, format!("/body/{place}/payload"));
    }
}

#[test]
fn what_a_client_echoes_beside_the_payload_is_passed_over() {
    let body = json!({
        "id": 7, "feature": "checkout", "action": "updateStrategy", "conflict": "x",
        "payload": { "id": "a", "snapshot": { "id": "a", "name": "default" }, "links": [] },
    });
    let Change::UpdateStrategy(update) = Proposal::one(&body).unwrap().change.into_change() else {
        panic!()
    };
    assert_eq!(update, vexil_change_request::StrategyUpdate::new("a"));
}

#[test]
fn a_title_and_whether_a_strategy_is_disabled_may_be_null() {
    let body = json!({ "feature": "checkout", "action": "addStrategy", "payload": {
        "name": "default", "title": null, "disabled": null,
    }});
    let Change::AddStrategy(new) = Proposal::one(&body).unwrap().change.into_change() else {
        panic!()
    };
    let plain = vexil_change_request::NewStrategy {
        name: "default".to_owned(),
        ..Default::default()
    };
    assert_eq!(new, plain);
}

#[test]
fn a_payload_that_its_action_cannot_do_with_is_refused_with_its_place() {
    let cases = [
        ("updateEnabled", json!({}), "/body/payload/enabled"),
        ("updateEnabled", json!(true), "/body/payload"),
        ("addStrategy", json!({}), "/body/payload/name"),
        (
            "addStrategy",
            json!({ "name": "x", "constraints": [{}] }),
            "/body/payload/constraints/0/contextName",
        ),
        (
            "addStrategy",
            json!({ "name": "x", "parameters": { "a/b": [] } }),
            "/body/payload/parameters/a~1b",
        ),
        (
            "addStrategy",
            json!({ "name": "x", "sortOrder": 1.5 }),
            "/body/payload/sortOrder",
        ),
        ("updateStrategy", json!({ "name": "x" }), "/body/payload/id"),
        ("updateStrategy", json!({ "id": "" }), "/body/payload/id"),
        ("deleteStrategy", json!({ "id": null }), "/body/payload/id"),
        ("reorderStrategy", json!({}), "/body/payload"),
        ("reorderStrategy", json!([]), "/body/payload"),
        (
            "reorderStrategy",
            json!([{ "id": "a" }]),
            "/body/payload/0/sortOrder",
        ),
        ("patchVariant", json!({}), "/body/payload/variants"),
        (
            "patchVariant",
            json!({ "variants": [{ "name": "a", "weight": 1001 }] }),
            "/body/payload/variants/0/weight",
        ),
        (
            "patchVariant",
            json!({ "variants": [{ "weight": 1 }] }),
            "/body/payload/variants/0/name",
        ),
        ("addDependency", json!({}), "/body/payload/feature"),
        ("deleteDependency", json!(3), "/body/payload"),
        (
            "updateSegment",
            json!({ "id": "x", "name": "y", "constraints": [] }),
            "/body/payload/id",
        ),
        (
            "updateSegment",
            json!({ "id": 1, "name": "y" }),
            "/body/payload/constraints",
        ),
        (
            "updateSegment",
            json!({ "id": 1, "constraints": [] }),
            "/body/payload/name",
        ),
        ("deleteSegment", json!(null), "/body/payload"),
        ("startMilestone", json!("x"), "/body/payload"),
    ];
    for (action, payload, path) in cases {
        let body = json!({ "feature": "checkout", "action": action, "payload": payload });
        let problems = Proposal::one(&body).unwrap_err();
        assert!(
            problems.iter().any(|problem| problem.path == path),
            "{body}: {problems:?}"
        );
    }
}

#[test]
fn a_payload_that_is_needed_and_missing_is_asked_for() {
    for action in Change::ACTIONS {
        let body = json!({ "feature": "checkout", "action": action });
        let read = Proposal::one(&body);
        if matches!(*action, "archiveFeature" | "deleteDependency") {
            assert!(read.is_ok(), "{action}");
        } else {
            assert_eq!(read.unwrap_err()[0].path, "/body/payload", "{action}");
        }
    }
}
