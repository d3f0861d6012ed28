//! The rules of a project.

use actix_web::http::StatusCode;
use serde_json::json;

use super::fixture::{ALL, number, propose, server, turn_off};

const RULE: &str = "/api/admin/projects/default/environments/development/change-requests/config";

#[actix_web::test]
async fn every_environment_of_the_project_has_its_rule() {
    let server = server();
    let expected = json!([
        { "environment": "development", "type": "development", "changeRequestEnabled": false, "requiredApprovals": null },
        { "environment": "production", "type": "production", "changeRequestEnabled": false, "requiredApprovals": null },
    ]);
    assert_eq!(server.get(&format!("{ALL}/config")).await.ok(), expected);
}

#[actix_web::test]
async fn a_rule_is_set_changed_and_lifted() {
    let server = server();
    let steps = [
        (json!({ "changeRequestsEnabled": true }), json!(1)),
        (
            json!({ "changeRequestsEnabled": true, "requiredApprovals": 3 }),
            json!(3),
        ),
        (json!({ "changeRequestsEnabled": true }), json!(3)),
        (
            json!({ "changeRequestsEnabled": true, "requiredApprovals": 0 }),
            json!(1),
        ),
        (
            json!({ "changeRequestsEnabled": true, "requiredApprovals": 99 }),
            json!(10),
        ),
        // as it is shown while there are none
        (
            json!({ "changeRequestsEnabled": true, "requiredApprovals": null }),
            json!(10),
        ),
        (
            json!({ "changeRequestsEnabled": false, "requiredApprovals": 0 }),
            json!(null),
        ),
    ];
    for (body, approvals) in steps {
        let answer = server.put(RULE, body.clone()).await;
        assert_eq!((answer.status, answer.text.as_str()), (204, ""));
        let rules = server.get(&format!("{ALL}/config")).await.ok();
        assert_eq!(rules[0]["changeRequestEnabled"], body["changeRequestsEnabled"]);
        assert_eq!(rules[0]["requiredApprovals"], approvals, "{body}");
        assert_eq!(rules[1]["changeRequestEnabled"], false);
    }
}

#[actix_web::test]
async fn a_request_needs_the_approvals_that_were_asked_for_when_it_was_opened() {
    let server = server();
    server
        .put(
            RULE,
            json!({ "changeRequestsEnabled": true, "requiredApprovals": 4 }),
        )
        .await
        .ok();
    let request = propose(&server, turn_off()).await;
    assert_eq!(request["minApprovals"], 4);
    server
        .put(RULE, json!({ "changeRequestsEnabled": false }))
        .await
        .ok();
    let same = propose(&server, turn_off()).await;
    assert_eq!(
        (number(&same), &same["minApprovals"]),
        (number(&request), &json!(4))
    );
}

#[actix_web::test]
async fn what_is_no_rule_is_refused() {
    let server = server();
    for body in [
        json!({}),
        json!([]),
        json!({ "changeRequestsEnabled": "perhaps" }),
    ] {
        server
            .put(RULE, body)
            .await
            .refused(StatusCode::BAD_REQUEST, "BadDataError");
    }
    for approvals in [json!(-1), json!(1.5), json!("many")] {
        let body = json!({ "changeRequestsEnabled": true, "requiredApprovals": approvals });
        let error = server
            .put(RULE, body)
            .await
            .refused(StatusCode::BAD_REQUEST, "BadDataError");
        assert_eq!(error["details"][0]["path"], "/body/requiredApprovals");
    }
}

#[actix_web::test]
async fn projects_and_environments_that_are_not_there_have_no_rules() {
    let server = server();
    let body = json!({ "changeRequestsEnabled": true });
    for path in [
        RULE.replace("default", "nope"),
        RULE.replace("development", "nope"),
    ] {
        server
            .put(&path, body.clone())
            .await
            .refused(StatusCode::NOT_FOUND, "NotFoundError");
    }
    let path = "/api/admin/projects/nope/change-requests/config";
    server
        .get(path)
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
}
