//! The client API: what SDKs on servers read.

mod compressed;
mod delta;
mod document;
mod edge;
mod scope;
mod specification;
pub(crate) mod streaming;
mod tagged;
mod transfer;

use std::io::Read as _;

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};
use std::sync::Arc;
use vexil_domain::{
    ActivationStrategy, Dependency, EnvironmentName, FlagSettings, Operator, Payload, SegmentId, Stickiness,
    Variant, WeightType,
};

use crate::flags::{edit, for_values, on, put_flag, put_segment};
use crate::support::{ADMIN, Answer, CLIENT, FRONTEND, PRODUCTION_CLIENT, TestServer};

const FEATURES: &str = "/api/client/features";

async fn get(server: &TestServer, path: &str, headers: &[(&str, &str)]) -> Answer {
    let mut all = vec![("authorization", CLIENT)];
    all.extend(headers);
    server.send(Method::GET, path, &all, "").await
}

async fn features(server: &TestServer, path: &str) -> Vec<Value> {
    get(server, path, &[]).await.ok()["features"]
        .as_array()
        .unwrap()
        .clone()
}

async fn names(server: &TestServer, path: &str) -> Vec<String> {
    features(server, path)
        .await
        .iter()
        .map(|flag| flag["name"].as_str().unwrap().to_owned())
        .collect()
}

fn variant(name: &str) -> Variant {
    Variant {
        name: name.to_owned(),
        weight: 1000,
        weight_type: WeightType::Variable,
        stickiness: Some(Stickiness::Default),
        payload: Some(Payload {
            kind: "string".to_owned(),
            value: "x".to_owned(),
        }),
        overrides: Vec::new(),
    }
}
