//! The administration API.

mod access;
mod archive;
mod context_fields;
mod context_values;
mod dashboard;
mod dependencies;
mod differences;
mod environments;
mod events;
mod favorites;
mod figures;
mod flag_upkeep;
mod flags;
mod imports;
mod instance;
mod lifetimes;
mod maintenance;
mod members;
mod moving;
mod names;
mod not_there;
mod parameters;
mod patches;
mod projects;
mod queries;
mod races;
mod search;
mod segments;
mod strategies;
mod strategy_types;
mod switches;
mod tags;
mod token_access;
mod tokens;
mod unleash_ui;
mod variants;

use serde_json::{Value, json};

use crate::support::{TestServer, places};

pub const FEATURES: &str = "/api/admin/projects/default/features";

/// A server with a flag of this name.
async fn server_with(flag: &str) -> TestServer {
    let server = TestServer::new();
    server.post(FEATURES, json!({ "name": flag })).await.ok();
    server
}

/// The path of the strategies of a flag in development.
fn strategies_of(flag: &str) -> String {
    format!("{FEATURES}/{flag}/environments/development/strategies")
}

/// A flag in development.
async fn in_development(server: &TestServer, flag: &str) -> Value {
    server
        .get(&format!("{FEATURES}/{flag}/environments/development"))
        .await
        .ok()
}

/// Adds a strategy to a flag in development, and returns its id.
async fn add_strategy(server: &TestServer, flag: &str, strategy: Value) -> String {
    let added = server.post(&strategies_of(flag), strategy).await.ok();
    added["id"].as_str().unwrap().to_owned()
}

/// The types of all events, the oldest first.
async fn event_types(server: &TestServer) -> Vec<String> {
    let events = server.get("/api/admin/search/events?limit=1000").await.ok();
    let types = events["events"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| event["type"].as_str().unwrap().to_owned());
    types.rev().collect()
}
