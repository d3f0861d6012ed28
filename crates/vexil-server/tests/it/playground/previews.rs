//! What a preview does with the change request, and what it leaves alone (interface 4.1 row 1).

use actix_web::http::StatusCode;
use serde_json::{Value, json};

use super::{Playground, STRATEGIES, entry, everybody, preview_path};

#[actix_web::test]
async fn the_flags_are_evaluated_as_if_the_changes_were_applied() {
    let playground = Playground::new();
    playground.flag("f").await;
    let nordic = everybody(json!([{ "contextName": "country", "operator": "IN", "values": ["NO"] }]));
    let id = playground
        .request(json!([
            { "feature": "f", "action": "addStrategy", "payload": nordic },
            { "feature": "f", "action": "updateEnabled", "payload": { "enabled": true } },
        ]))
        .await;
    let context = json!({ "appName": "a", "userId": "u", "properties": { "country": "NO,SE" } });
    let answer = playground.preview(id, context.clone()).await;
    let enabled: Vec<_> = super::entries(&answer, "f")
        .iter()
        .map(|entry| entry["isEnabled"].clone())
        .collect();
    assert_eq!(enabled, [json!(true), json!(false)]);
    let again = playground.preview(id, context.clone()).await;
    assert_eq!(
        again, answer,
        "ids of added strategies are the same in each preview"
    );

    for state in ["In review", "Approved", "Applied"] {
        playground.state(id, state).await;
    }
    let question = json!({ "environments": ["development"], "projects": ["default"], "context": context });
    let path = "/api/admin/playground/advanced?strategyResult=documented";
    let after = playground.server.post(path, question).await.ok();
    assert_eq!(
        after["features"], answer["features"],
        "ids of added strategies are the same when applied"
    );
}

#[actix_web::test]
async fn previews_leave_no_trace() {
    let playground = Playground::new();
    playground.flag_with("f", &[everybody(json!([]))]).await;
    let id = playground
        .request(json!({ "feature": "f", "action": "archiveFeature" }))
        .await;
    let before = traces(&playground, id).await;
    for _ in 0..5 {
        let answer = playground
            .preview(id, json!({ "appName": "a", "userId": "u" }))
            .await;
        assert_eq!(answer["features"], json!([]));
    }
    assert_eq!(traces(&playground, id).await, before);
}

/// Everything that could show that something happened.
async fn traces(playground: &Playground, id: i64) -> Vec<Value> {
    let server = &playground.server;
    let revision = server.app().serving().revision;
    let client = server
        .call(
            crate::support::CLIENT,
            actix_web::http::Method::GET,
            "/api/client/features",
            None,
        )
        .await;
    vec![
        json!([
            revision.sequence,
            revision.configuration,
            client.header("etag"),
            client.text
        ]),
        server.get("/api/admin/events").await.ok(),
        server.get("/api/admin/client-metrics/features/f").await.ok(),
        server.get(&format!("{STRATEGIES}/f")).await.ok(),
        server
            .get(&format!("/api/admin/projects/default/change-requests/{id}"))
            .await
            .ok(),
    ]
}

#[actix_web::test]
async fn every_open_state_can_be_previewed_and_no_closed_one() {
    let playground = Playground::new();
    let context = json!({ "context": { "appName": "a" } });
    for (states, closed) in [
        (vec!["In review", "Approved", "Applied"], true),
        (vec!["In review", "Rejected"], true),
        (vec!["In review", "Cancelled"], true),
    ] {
        playground
            .flag(&format!("f-{}", states.len() * 10 + states.last().unwrap().len()))
            .await;
        let id = playground.request(json!({ "feature": format!("f-{}", states.len() * 10 + states.last().unwrap().len()), "action": "updateEnabled", "payload": { "enabled": true } })).await;
        for state in &states {
            playground
                .server
                .post(&preview_path(id), context.clone())
                .await
                .ok();
            playground.state(id, state).await;
        }
        assert!(closed);
        let error = playground
            .server
            .post(&preview_path(id), context.clone())
            .await
            .refused(StatusCode::BAD_REQUEST, "BadDataError");
        assert!(
            error["message"]
                .as_str()
                .unwrap()
                .contains(states.last().unwrap()),
            "{error}"
        );
    }
}

#[actix_web::test]
async fn changes_that_cannot_apply_are_all_named_with_the_reason() {
    let playground = Playground::new();
    playground.flag_with("f", &[everybody(json!([]))]).await;
    playground.flag("parent").await;
    let strategies = playground
        .server
        .get(&format!("{STRATEGIES}/f/environments/development/strategies"))
        .await
        .ok();
    let strategy = strategies[0]["id"].clone();
    let id = playground
        .request(json!([
            { "feature": "f", "action": "updateStrategy", "payload": { "id": strategy, "name": "default" } },
            { "feature": "f", "action": "addDependency", "payload": { "feature": "parent" } },
            { "feature": "f", "action": "updateEnabled", "payload": { "enabled": true } },
        ]))
        .await;
    playground.preview(id, json!({ "appName": "a" })).await;
    let path = format!(
        "{STRATEGIES}/f/environments/development/strategies/{}",
        strategy.as_str().unwrap()
    );
    playground.server.delete(&path).await.ok();
    playground
        .server
        .delete(&format!("{STRATEGIES}/parent"))
        .await
        .ok();
    let error = playground
        .server
        .post(&preview_path(id), json!({ "context": { "appName": "a" } }))
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    let details = error["details"].as_array().unwrap();
    assert_eq!(details.len(), 2, "{error}");
    assert!(
        details[0]["message"]
            .as_str()
            .unwrap()
            .contains(strategy.as_str().unwrap()),
        "{error}"
    );
    assert!(
        details[1]["message"].as_str().unwrap().contains("parent"),
        "{error}"
    );
}

#[actix_web::test]
async fn a_stale_change_is_previewed_and_warned_of() {
    let playground = Playground::new();
    playground.flag_with("f", &[everybody(json!([]))]).await;
    let strategies = playground
        .server
        .get(&format!("{STRATEGIES}/f/environments/development/strategies"))
        .await
        .ok();
    let strategy = strategies[0]["id"].as_str().unwrap().to_owned();
    let payload = json!({ "id": strategy, "name": "flexibleRollout", "parameters": { "rollout": "0", "stickiness": "userId", "groupId": "g" } });
    let id = playground
        .request(json!({ "feature": "f", "action": "updateStrategy", "payload": payload }))
        .await;
    let fresh = playground
        .preview(id, json!({ "appName": "a", "userId": "u" }))
        .await;
    assert!(fresh.get("warnings").is_none(), "{fresh}");
    let path = format!("{STRATEGIES}/f/environments/development/strategies/{strategy}");
    let newer = json!({ "name": "flexibleRollout", "title": "newer", "parameters": { "rollout": "70", "stickiness": "userId", "groupId": "g" } });
    playground.server.put(&path, newer).await.ok();
    let stale = playground
        .preview(id, json!({ "appName": "a", "userId": "u" }))
        .await;
    assert_eq!(entry(&stale, "f")["isEnabled"], false, "the proposal wins");
    let conflicts = stale["warnings"]["changeRequestConflicts"].as_array().unwrap();
    assert_eq!(conflicts.len(), 1, "{stale}");
    assert!(
        conflicts[0]["changeId"].is_i64() && conflicts[0]["message"].is_string(),
        "{stale}"
    );
}
