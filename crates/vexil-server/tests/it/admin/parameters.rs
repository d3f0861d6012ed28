//! Parameters of strategies that their type does not have.

use std::sync::Arc;

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{add_strategy, places, server_with, strategies_of};
use crate::support::TestServer;
use crate::users::person;

/// Each of these narrows nothing, and whoever sent it meant to narrow: type, parameter, what its type has.
const NARROWS_NOTHING: [(&str, &str, &str); 11] = [
    ("default", "rollout", "flexibleRollout"),
    ("default", "groupId", "flexibleRollout"),
    ("default", "stickiness", "flexibleRollout"),
    ("default", "userIds", "flexibleRollout"),
    ("default", "anything", "flexibleRollout"),
    ("flexibleRollout", "rolout", "rollout, stickiness, groupId"),
    ("flexibleRollout", "Rollout", "rollout, stickiness, groupId"),
    ("flexibleRollout", "percentage", "rollout, stickiness, groupId"),
    ("flexibleRollout", "a/b~c", "rollout, stickiness, groupId"),
    ("remoteAddress", "ips", "IPs"),
    ("applicationHostname", "hostnames", "hostNames"),
];

/// A strategy with this parameter beside a share, where its type has one.
fn strategy(kind: &str, parameter: &str) -> Value {
    let mut parameters = json!({ parameter: "10" });
    if kind == "flexibleRollout" && parameter.len().is_multiple_of(2) {
        parameters["rollout"] = json!("20");
    }
    json!({ "name": kind, "parameters": parameters })
}

#[actix_web::test]
async fn what_no_type_of_strategy_would_look_at_is_refused_at_every_door() {
    let server = server_with("checkout").await;
    let somebody = person(&server, "importer", "Admin").await;
    let (path, environment) = (strategies_of("checkout"), "environments/development");
    let propose = "/api/admin/projects/default/environments/development/change-requests";
    let default_strategy = format!("/api/admin/projects/default/{environment}/default-strategy");
    for (kind, name, known) in NARROWS_NOTHING {
        let there = add_strategy(&server, "checkout", json!({ "name": kind })).await;
        let (one, sent) = (format!("{path}/{there}"), strategy(kind, name));
        let change = |action: &str, payload: &Value| json!({ "feature": "checkout", "action": action, "payload": payload });
        let mut update = sent.clone();
        update["id"] = json!(there);
        let patch = json!([{ "op": "add", "path": "/parameters", "value": sent["parameters"] }]);
        let place = format!("/parameters/{}", name.replace('~', "~0").replace('/', "~1"));
        for (door, refusal, at) in [
            ("post", server.post(&path, sent.clone()).await, "/body"),
            ("put", server.put(&one, sent.clone()).await, "/body"),
            ("patch", server.patch(&one, patch).await, "/body"),
            (
                "default",
                server.post(&default_strategy, sent.clone()).await,
                "/body",
            ),
            (
                "add",
                server.post(propose, change("addStrategy", &sent)).await,
                "/body/payload",
            ),
            (
                "update",
                server.post(propose, change("updateStrategy", &update)).await,
                "/body/payload",
            ),
        ] {
            let refusal = refusal.refused(StatusCode::BAD_REQUEST, "BadDataError");
            assert_eq!(places(&refusal), [format!("{at}{place}")], "{door} {kind} {name}");
            let told = refusal["details"][0]["message"].to_string();
            assert!(told.contains(kind) && told.contains(known), "{told}");
        }
        let mut row = sent.clone();
        row["featureName"] = json!("checkout");
        let data =
            json!({ "features": [{ "name": "checkout" }], "featureStrategies": [row], "tagTypes": [] });
        let import = json!({ "project": "default", "environment": "development", "data": data });
        let batch = async |what: &str| {
            let path = format!("/api/admin/features-batch/{what}");
            server
                .call(&somebody.token, Method::POST, &path, Some(&import))
                .await
        };
        let validated = batch("validate").await.ok();
        let refusal = batch("import")
            .await
            .refused(StatusCode::BAD_REQUEST, "BadDataError");
        for told in [validated["errors"].to_string(), refusal.to_string()] {
            assert!(
                told.contains(known) && told.contains("/parameters/"),
                "{kind} {name}: {told}"
            );
        }
        let kept = server.get(&one).await.ok();
        assert_ne!(kept["parameters"][name], "10", "{kind} {name}");
        server.delete(&one).await.ok();
    }
    assert_eq!(server.get(&path).await.ok(), json!([]));
}

/// Whoever turns a strategy into another type sends what the old one had, blanked; an export has empty objects.
#[actix_web::test]
async fn a_parameter_without_a_value_narrows_nothing_and_is_taken() {
    let server = server_with("checkout").await;
    for parameters in [json!({}), json!({ "rollout": "", "groupId": null })] {
        let sent = json!({ "name": "default", "parameters": parameters });
        server.post(&strategies_of("checkout"), sent).await.ok();
    }
}

/// Applications that know a custom type are told all of its parameters; its definition is what pages ask for.
#[actix_web::test]
async fn strategies_of_custom_types_may_have_parameters_that_no_definition_names() {
    let server = server_with("checkout").await;
    let kind = json!({ "name": "byRegion", "parameters": [] });
    server.post("/api/admin/strategies", kind).await.ok();
    let sent = json!({ "name": "byRegion", "parameters": { "region": "north" } });
    let id = add_strategy(&server, "checkout", sent).await;
    let one = format!("{}/{id}", strategies_of("checkout"));
    assert_eq!(server.get(&one).await.ok()["parameters"]["region"], "north");
}

/// Whoever reads a strategy that an earlier version took, and sends it back, did not mean anything new by it.
#[actix_web::test]
async fn what_a_strategy_had_before_may_be_sent_back_as_it_is() {
    let server = server_with("checkout").await;
    let id = add_strategy(&server, "checkout", json!({ "name": "default" })).await;
    let name = vexil_domain::FlagName::from("checkout");
    let stored = server.app().edit_blocking(&vexil_service::system(), move |tx| {
        let flag = Arc::make_mut(tx.snapshot.flags.get_mut(&name).unwrap());
        let settings = Arc::make_mut(flag.environments.get_mut("development").unwrap());
        let parameters = &mut settings.strategies[0].parameters;
        parameters.insert("rollout".to_owned(), "10".to_owned());
        Ok(())
    });
    stored.unwrap();
    let one = format!("{}/{id}", strategies_of("checkout"));
    let with = |share: &str| json!({ "name": "default", "parameters": { "rollout": share } });
    server.put(&one, with("10")).await.ok();
    server
        .put(&one, with("20"))
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert_eq!(server.get(&one).await.ok()["parameters"]["rollout"], "10");
}

#[actix_web::test]
async fn the_types_that_come_with_the_server_have_the_parameters_that_are_looked_at() {
    let server = TestServer::new();
    let types = server.get("/api/admin/strategies").await.ok();
    for kind in types["strategies"].as_array().unwrap() {
        let named = kind["parameters"].as_array().unwrap().iter();
        let named: Vec<&str> = named.map(|it| it["name"].as_str().unwrap()).collect();
        let own = vexil_change_request::validate::own_parameters(kind["name"].as_str().unwrap());
        assert_eq!(own, Some(named.as_slice()), "{kind}");
    }
}
