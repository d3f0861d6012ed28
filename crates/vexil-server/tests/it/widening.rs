//! A flag that is on for some, and a change request that turns it on for more.

use serde_json::{Value, json};

use crate::support::TestServer;

pub const FEATURES: &str = "/api/admin/projects/default/features";

pub fn rollout(percentage: &str, countries: &[&str]) -> Value {
    json!({ "name": "flexibleRollout",
            "parameters": { "rollout": percentage, "stickiness": "userId", "groupId": "g" },
            "constraints": [{ "contextName": "country", "operator": "IN", "values": countries }] })
}

/// `checkout`, which is on for 20 % of Norway, and a change request that makes it 60 % of Norway and Sweden.
pub async fn server() -> (TestServer, i64) {
    let server = TestServer::new();
    server.post(FEATURES, json!({ "name": "checkout" })).await.ok();
    let path = format!("{FEATURES}/checkout/environments/development");
    let strategy = server
        .post(&format!("{path}/strategies"), rollout("20", &["NO"]))
        .await
        .ok();
    server.post(&format!("{path}/on"), json!({})).await.ok();
    let mut payload = rollout("60", &["NO", "SE"]);
    payload["id"] = strategy["id"].clone();
    let change = json!({ "feature": "checkout", "action": "updateStrategy", "payload": payload });
    let requests = "/api/admin/projects/default/environments/development/change-requests";
    let answer = server.post(requests, change).await.ok();
    let request = if answer.is_array() { &answer[0] } else { &answer };
    let id = request["id"].as_i64().unwrap();
    (server, id)
}
