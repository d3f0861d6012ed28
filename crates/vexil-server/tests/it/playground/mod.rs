//! `POST /api/admin/playground/change-request/{id}` against the documented interface, row by row,
//! and its two siblings.

mod context;
mod entries;
mod limits;
mod previews;
mod refusals;
mod siblings;
mod strategies;
mod unreadable;
mod variants;

use serde_json::{Value, json};

use crate::support::TestServer;

/// A server with some flags, and what its tests need to ask it.
struct Playground {
    server: TestServer,
}

const STRATEGIES: &str = "/api/admin/projects/default/features";

impl Playground {
    fn new() -> Self {
        Self {
            server: TestServer::new(),
        }
    }

    async fn flag(&self, name: &str) {
        self.server.post(STRATEGIES, json!({ "name": name })).await.ok();
    }

    /// Adds a strategy in development and returns its id.
    async fn strategy(&self, flag: &str, body: Value) -> String {
        let path = format!("{STRATEGIES}/{flag}/environments/development/strategies");
        self.server.post(&path, body).await.ok()["id"]
            .as_str()
            .unwrap()
            .to_owned()
    }

    async fn on(&self, flag: &str) {
        self.server
            .post(
                &format!("{STRATEGIES}/{flag}/environments/development/on"),
                json!({}),
            )
            .await
            .ok();
    }

    /// A flag that is on in development with the given strategies.
    async fn flag_with(&self, name: &str, strategies: &[Value]) {
        self.flag(name).await;
        for strategy in strategies {
            self.strategy(name, strategy.clone()).await;
        }
        self.on(name).await;
    }

    /// A flag that is on in development with this strategy, whose id is returned.
    async fn strategy_of(&self, flag: &str, strategy: Value) -> String {
        self.flag(flag).await;
        let id = self.strategy(flag, strategy).await;
        self.on(flag).await;
        id
    }

    async fn segment(&self, name: &str, constraints: Value) -> i64 {
        let body = json!({ "name": name, "constraints": constraints });
        self.server.post("/api/admin/segments", body).await.ok()["id"]
            .as_i64()
            .unwrap()
    }

    /// Opens a change request in development and returns its id.
    async fn request(&self, changes: Value) -> i64 {
        let path = "/api/admin/projects/default/environments/development/change-requests";
        let answer = self.server.post(path, changes).await.ok();
        let request = if answer.is_array() { &answer[0] } else { &answer };
        request["id"].as_i64().unwrap()
    }

    /// A change request that changes nothing that these tests look at.
    async fn idle_request(&self) -> i64 {
        self.flag("zz-idle").await;
        self.request(
            json!({ "feature": "zz-idle", "action": "updateEnabled", "payload": { "enabled": true } }),
        )
        .await
    }

    async fn state(&self, id: i64, state: &str) {
        let path = format!("/api/admin/projects/default/change-requests/{id}/state");
        self.server.put(&path, json!({ "state": state })).await.ok();
    }

    async fn preview(&self, id: i64, context: Value) -> Value {
        self.server
            .post(&preview_path(id), json!({ "context": context }))
            .await
            .ok()
    }

    /// Previews a change request that changes nothing of interest.
    async fn ask(&self, context: Value) -> Value {
        let id = self.idle_request().await;
        self.preview(id, context).await
    }
}

fn preview_path(id: i64) -> String {
    format!("/api/admin/playground/change-request/{id}")
}

/// The feature entry of a flag.
fn feature<'a>(answer: &'a Value, flag: &str) -> &'a Value {
    let features = answer["features"].as_array().unwrap();
    features
        .iter()
        .find(|feature| feature["name"] == flag)
        .unwrap_or_else(|| panic!("no {flag} in {answer}"))
}

/// The evaluation entries of a flag in development.
fn entries<'a>(answer: &'a Value, flag: &str) -> &'a Vec<Value> {
    feature(answer, flag)["environments"]["development"]
        .as_array()
        .unwrap()
}

/// The only evaluation entry of a flag.
fn entry<'a>(answer: &'a Value, flag: &str) -> &'a Value {
    let all = entries(answer, flag);
    assert_eq!(all.len(), 1, "{all:?}");
    &all[0]
}

/// The keys of an object, sorted.
fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<_> = value.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

/// A gradual rollout to everybody with the given constraints.
fn everybody(constraints: Value) -> Value {
    json!({ "name": "flexibleRollout", "constraints": constraints,
            "parameters": { "rollout": "100", "stickiness": "userId", "groupId": "g" } })
}
