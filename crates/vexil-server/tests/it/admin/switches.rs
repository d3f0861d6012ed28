//! Flags in one environment: turned on and off.

use actix_web::http::StatusCode;
use serde_json::json;

use super::{FEATURES, add_strategy, event_types, in_development, server_with};
use crate::support::TestServer;

#[actix_web::test]
async fn a_flag_that_is_turned_on_without_a_strategy_gets_one_for_everybody() {
    let server = server_with("checkout").await;
    let on = format!("{FEATURES}/checkout/environments/development/on");
    assert_eq!(server.post(&on, json!({})).await.status, 200);
    let settings = in_development(&server, "checkout").await;
    assert_eq!(settings["name"], "checkout");
    assert_eq!(settings["environment"], "development");
    assert_eq!(settings["enabled"], true);
    let strategies = settings["strategies"].as_array().unwrap();
    assert_eq!(strategies.len(), 1);
    assert_eq!(strategies[0]["name"], "flexibleRollout");
    assert_eq!(
        strategies[0]["parameters"],
        json!({ "rollout": "100", "stickiness": "default", "groupId": "checkout" })
    );
    let types = event_types(&server).await;
    assert_eq!(
        types[types.len() - 2..],
        ["feature-strategy-add", "feature-environment-enabled"]
    );

    server.post(&on, json!({})).await.ok();
    assert_eq!(event_types(&server).await.len(), types.len());
    server
        .post(
            &format!("{FEATURES}/checkout/environments/development/off"),
            json!({}),
        )
        .await
        .ok();
    let settings = in_development(&server, "checkout").await;
    assert_eq!(settings["enabled"], false);
    assert_eq!(settings["strategies"].as_array().unwrap().len(), 1);
}

const KEPT: &str = r#"{"name":"default","title":"kept","disabled":true,"constraints":[{"contextName":"userId","operator":"IN","values":["a"]}]}"#;

#[actix_web::test]
async fn disabled_strategies_are_enabled_as_they_are_where_that_is_asked() {
    let server = server_with("checkout").await;
    add_strategy(&server, "checkout", serde_json::from_str(KEPT).unwrap()).await;
    let on = format!("{FEATURES}/checkout/environments/development/on?shouldActivateDisabledStrategies=true");
    server.post(&on, json!({})).await.ok();
    let settings = in_development(&server, "checkout").await;
    let strategies = settings["strategies"].as_array().unwrap();
    assert_eq!(strategies.len(), 1);
    assert_eq!(strategies[0]["disabled"], false);
    assert_eq!(strategies[0]["title"], "kept");
    assert_eq!(strategies[0]["constraints"][0]["values"], json!(["a"]));
}

#[actix_web::test]
async fn disabled_strategies_stay_disabled_beside_the_default_one_otherwise() {
    let server = server_with("checkout").await;
    add_strategy(&server, "checkout", serde_json::from_str(KEPT).unwrap()).await;
    server
        .post(
            &format!("{FEATURES}/checkout/environments/development/on"),
            json!({}),
        )
        .await
        .ok();
    let settings = in_development(&server, "checkout").await;
    let disabled: Vec<_> = settings["strategies"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["disabled"].as_bool().unwrap())
        .collect();
    assert_eq!(disabled, [true, false]);
}

#[actix_web::test]
async fn a_flag_or_environment_that_is_not_there_cannot_be_switched() {
    let server = server_with("checkout").await;
    for path in [
        format!("{FEATURES}/nope/environments/development"),
        format!("{FEATURES}/checkout/environments/nope"),
        "/api/admin/projects/nope/features/checkout/environments/development".to_owned(),
    ] {
        server
            .get(&path)
            .await
            .refused(StatusCode::NOT_FOUND, "NotFoundError");
        for switch in ["on", "off"] {
            let answer = server.post(&format!("{path}/{switch}"), json!({})).await;
            answer.refused(StatusCode::NOT_FOUND, "NotFoundError");
        }
    }
    server.delete(&format!("{FEATURES}/checkout")).await.ok();
    let archived = server
        .post(
            &format!("{FEATURES}/checkout/environments/development/on"),
            json!({}),
        )
        .await;
    archived.refused(StatusCode::NOT_FOUND, "NotFoundError");
}

#[actix_web::test]
async fn many_flags_are_switched_together_or_not_at_all() {
    let server = server_with("a").await;
    server.post(FEATURES, json!({ "name": "b" })).await.ok();
    let bulk = "/api/admin/projects/default/bulk_features/environments/development";
    let refused = server
        .post(&format!("{bulk}/on"), json!({ "features": ["a", "nope"] }))
        .await;
    refused.refused(StatusCode::NOT_FOUND, "NotFoundError");
    assert_eq!(in_development(&server, "a").await["enabled"], false);
    server
        .post(&format!("{bulk}/on"), json!({ "features": ["a", "b"] }))
        .await
        .ok();
    for flag in ["a", "b"] {
        assert_eq!(in_development(&server, flag).await["enabled"], true, "{flag}");
    }
    server
        .post(&format!("{bulk}/off"), json!({ "features": ["b"] }))
        .await
        .ok();
    assert_eq!(in_development(&server, "b").await["enabled"], false);
    let nowhere = "/api/admin/projects/default/bulk_features/environments/nope/on";
    server
        .post(nowhere, json!({ "features": ["a"] }))
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
    server
        .post(&format!("{bulk}/on"), json!({}))
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
}

#[actix_web::test]
async fn an_admin_token_edits_also_where_changes_go_through_change_requests() {
    let server = TestServer::new();
    let rules = json!([{ "name": "production", "requiredApprovals": 2 }]);
    let project = json!({ "id": "shop", "name": "Shop", "changeRequestEnvironments": rules });
    server.post("/api/admin/projects", project).await.ok();
    server
        .post("/api/admin/projects/shop/features", json!({ "name": "checkout" }))
        .await
        .ok();
    let on = "/api/admin/projects/shop/features/checkout/environments/production/on";
    assert_eq!(server.post(on, json!({})).await.status, 200);
}

#[actix_web::test]
async fn at_most_5_000_flags_are_edited_at_once() {
    let server = TestServer::new();
    let project = "/api/admin/projects/default";
    let named = |count: usize| json!({ "features": vec!["nope"; count], "stale": true });
    for path in [
        "archive",
        "archive/validate",
        "revive",
        "delete",
        "stale",
        "bulk_features/environments/development/on",
        "bulk_features/environments/development/off",
    ] {
        let path = format!("{project}/{path}");
        let answer = server.post(&path, named(5_001)).await;
        assert_eq!(answer.status, 400, "{path}: {}", answer.text);
        assert!(
            answer.text.contains("at most 5000 flags at once"),
            "{path}: {}",
            answer.text
        );
        let answer = server.post(&path, named(5_000)).await;
        assert!(!answer.text.contains("at once"), "{path}: {}", answer.text);
    }
    let tags = json!({ "addedTags": [], "removedTags": [] });
    let body = json!({ "features": vec!["nope"; 5_001], "tags": tags });
    let answer = server.put(&format!("{project}/tags"), body).await;
    assert!(
        answer.status == 400 && answer.text.contains("at most 5000 flags at once"),
        "{}",
        answer.text
    );
}
