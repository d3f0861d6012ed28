//! `GET` and `POST /api/frontend`: what SDKs in browsers and apps read.

mod answer;
mod context;
mod more;

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};
use std::sync::Arc;
use vexil_domain::{
    ActivationStrategy, Constraint, EnvironmentName, FlagSettings, Operator, Payload, Variant, WeightType,
};

use crate::flags::{for_values, on, put_flag};
use crate::support::{ADMIN, Answer, CLIENT, FRONTEND, TestServer, places};

const FRONTEND_PATH: &str = "/api/frontend";

async fn get(server: &TestServer, query: &str) -> Answer {
    server
        .call(FRONTEND, Method::GET, &format!("{FRONTEND_PATH}{query}"), None)
        .await
}

async fn post(server: &TestServer, body: Value) -> Answer {
    server
        .call(FRONTEND, Method::POST, FRONTEND_PATH, Some(&body))
        .await
}

fn names(answer: &Answer) -> Vec<String> {
    let body = answer.ok();
    body["toggles"]
        .as_array()
        .unwrap()
        .iter()
        .map(|toggle| toggle["name"].as_str().unwrap().to_owned())
        .collect()
}

async fn on_for(server: &TestServer, query: &str) -> Vec<String> {
    names(&get(server, query).await)
}

/// A server with a flag for one value of each of some fields.
fn server_with_flags_by_field(fields: &[(&str, &str)]) -> TestServer {
    let server = TestServer::new();
    for (field, value) in fields {
        put_flag(&server, field, |flag| on(flag, vec![for_values(field, &[value])]));
    }
    server
}

fn variant(name: &str, payload: Option<Payload>) -> Variant {
    Variant {
        name: name.to_owned(),
        weight: 1000,
        weight_type: WeightType::Variable,
        stickiness: None,
        payload,
        overrides: Vec::new(),
    }
}
