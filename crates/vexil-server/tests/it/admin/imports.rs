//! Flags come out of an environment as a document, and into one.

mod exports;
mod parts;
mod protected;
mod refusals;
mod reports;
mod round_trip;
mod sizes;

use actix_web::http::Method;
use serde_json::{Value, json};
use vexil_service::Limits;

use super::FEATURES;
use crate::databases::scratch::Database;
use crate::support::{Answer, TestServer};
use crate::users::{Person, person};

const BATCH: &str = "/api/admin/features-batch";

/// A document with nothing in it.
fn nothing() -> Value {
    json!({ "features": [], "featureStrategies": [], "tagTypes": [] })
}

/// A document that has these lists.
fn with(lists: Value) -> Value {
    let mut document = nothing();
    for (name, list) in lists.as_object().unwrap() {
        document[name] = list.clone();
    }
    document
}

/// One flag with one strategy, for everybody.
fn one(flag: &str) -> Value {
    with(
        json!({ "features": [{ "name": flag }], "featureStrategies": [{ "name": "default", "featureName": flag }] }),
    )
}

fn into(project: &str, environment: &str, data: &Value) -> Value {
    json!({ "project": project, "environment": environment, "data": data })
}

async fn import(server: &TestServer, who: &Person, environment: &str, data: &Value) -> Answer {
    let body = into("default", environment, data);
    let answer = server
        .call(&who.token, Method::POST, &format!("{BATCH}/import"), Some(&body))
        .await;
    is_kept(server);
    answer
}

/// What a server serves is what its database holds.
fn is_kept(server: &TestServer) {
    let held = server.app().reader().load().unwrap();
    assert_eq!(held.snapshot, server.app().serving().snapshot);
    assert_eq!(held.counters, server.app().serving().counters);
}

async fn validate(server: &TestServer, who: &Person, environment: &str, data: &Value) -> Value {
    let body = into("default", environment, data);
    let path = format!("{BATCH}/validate");
    let answer = server.call(&who.token, Method::POST, &path, Some(&body)).await;
    answer.ok()
}

async fn export(server: &TestServer, question: Value) -> Value {
    server.post(&format!("{BATCH}/export"), question).await.ok()
}

/// On each database a server where `checkout` has one of everything in development, and somebody who may do everything.
async fn furnished() -> Vec<(Database, TestServer, Person)> {
    let mut furnished = Vec::new();
    for database in Database::each() {
        let server = TestServer::with(database.open(), Limits::default());
        let somebody = furnish(&server).await;
        furnished.push((database, server, somebody));
    }
    furnished
}

async fn furnish(server: &TestServer) -> Person {
    let somebody = person(server, "importer", "Admin").await;
    for (path, body) in [
        (
            "/api/admin/segments".to_owned(),
            json!({ "name": "pilot", "constraints": [{ "contextName": "userId", "operator": "IN", "values": ["1"] }] }),
        ),
        (
            "/api/admin/context".to_owned(),
            json!({ "name": "plan", "description": "What is paid for", "legalValues": [{ "value": "free" }, { "value": "pro", "description": "Paid" }] }),
        ),
        (
            "/api/admin/tag-types".to_owned(),
            json!({ "name": "team", "description": "Who", "icon": "T", "color": "#00ff00" }),
        ),
        (
            "/api/admin/strategies".to_owned(),
            json!({ "name": "weekdays", "parameters": [] }),
        ),
        (FEATURES.to_owned(), json!({ "name": "parent" })),
        (
            FEATURES.to_owned(),
            json!({ "name": "checkout", "type": "experiment", "description": "Pays", "impressionData": true, "tags": [{ "type": "team", "value": "red" }, { "type": "simple", "value": "red" }] }),
        ),
        (
            format!("{FEATURES}/checkout/dependencies"),
            json!({ "feature": "parent", "enabled": true, "variants": ["blue"] }),
        ),
        (
            format!("{FEATURES}/checkout/link"),
            json!({ "url": "https://example.org/why", "title": "Why" }),
        ),
        (
            format!("{FEATURES}/checkout/environments/development/strategies"),
            json!({
                "name": "flexibleRollout", "title": "Half", "segments": [1],
                "parameters": { "rollout": "50", "stickiness": "userId", "groupId": "checkout" },
                "constraints": [{ "contextName": "plan", "operator": "IN", "values": ["free"] }],
                "variants": [{ "name": "blue", "weight": 1000, "weightType": "variable", "stickiness": "default" }],
            }),
        ),
        (
            format!("{FEATURES}/checkout/environments/development/strategies"),
            json!({ "name": "weekdays", "disabled": true }),
        ),
        (
            format!("{FEATURES}/checkout/environments/development/on"),
            json!({}),
        ),
    ] {
        server.post(&path, body).await.ok();
    }
    let variants = json!({ "environments": ["development"], "variants": [{ "name": "own", "weight": 1000, "weightType": "variable", "stickiness": "default", "payload": { "type": "string", "value": "x" } }] });
    let path = format!("{FEATURES}/checkout/variants-batch");
    server.put(&path, variants).await.ok();
    somebody
}

async fn whole(server: &TestServer) -> Value {
    export(
        server,
        json!({ "environment": "development", "project": "default" }),
    )
    .await
}
