//! The client specification over the wire: its states are put into a server, and what that sends decides every case.

#[path = "../../../../vexil-client-api/tests/conformance/cases.rs"]
mod cases;
#[path = "../../../../vexil-client-api/tests/conformance/locate.rs"]
mod locate;

use std::fs;
use std::sync::Arc;

use actix_web::http::Method;
use serde_json::{Value, json};
use vexil_client_api::{load_engine, read_delta, read_features};
use vexil_domain::{EnvironmentName, EnvironmentSnapshot, FeatureFlag};
use vexil_engine::Engine;

use super::{FEATURES, get};
use crate::flags::edit;
use crate::support::{FRONTEND, START, TestServer};
use cases::{failed, files_of_index, list};
use locate::Source;

#[actix_web::test]
async fn every_case_of_the_client_specification_holds_over_the_wire() {
    let source = Source {
        variable: "CLIENT_SPECIFICATION",
        beside: "../shared/client-specification/specifications",
        package: "node_modules/@unleash/client-specification/specifications",
    };
    let Some(folder) = source.folder() else { return };
    let (mut all, mut asked, mut wrong) = (0, 0, Vec::new());
    for file in files_of_index(&folder) {
        let suite: Value = serde_json::from_slice(&fs::read(folder.join(&file)).unwrap()).unwrap();
        let server = server_with(&snapshot(&suite["state"]));
        for engine in engines(&server).await {
            let failed = failed(&engine, &suite);
            wrong.extend(failed.into_iter().map(|case| format!("{file}: {case}")));
        }
        for case in list(&suite, "tests").iter().chain(list(&suite, "variantTests")) {
            all += 1;
            if is_for_front_ends(&file, &case["context"]) {
                asked += 1;
                let told = told(&server, case).await;
                if told != expected(case) {
                    wrong.push(format!("{file}: front end: {}: {told}", case["description"]));
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {all}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    println!("{all} cases, {asked} of them by the front-end API as well");
    assert_eq!(all, 279);
}

fn snapshot(state: &Value) -> EnvironmentSnapshot {
    let text = state.to_string();
    if state.get("events").is_some() {
        let mut snapshot = EnvironmentSnapshot::default();
        read_delta(text.as_bytes()).unwrap().apply(&mut snapshot);
        return snapshot;
    }
    read_features(text.as_bytes()).unwrap().snapshot
}

fn server_with(state: &EnvironmentSnapshot) -> TestServer {
    let server = TestServer::new();
    edit(&server, |tx| {
        for flag in state.flags.values() {
            let mut put = FeatureFlag::new(flag.name.clone(), "default", START);
            put.dependencies.clone_from(&flag.dependencies);
            let environments = [(EnvironmentName::from("development"), Arc::clone(&flag.settings))];
            put.environments = environments.into();
            tx.snapshot.flags.insert(flag.name.clone(), Arc::new(put));
        }
        tx.snapshot.segments.extend(state.segments.clone());
    });
    server
}

/// What an SDK that polls and one that takes deltas make of what they are sent.
async fn engines(server: &TestServer) -> [Engine; 2] {
    let headers = [("unleash-client-spec", "5.2.0")];
    let polled = get(server, FEATURES, &headers).await;
    polled.ok();
    let delta = get(server, "/api/client/delta", &[]).await;
    delta.ok();
    [
        load_engine(&polled.bytes).unwrap().engine,
        read_delta(&delta.bytes).unwrap().next(&Engine::default()).0,
    ]
}

/// A front end's environment is that of its token, and one that has no session is given one.
fn is_for_front_ends(file: &str, context: &Value) -> bool {
    let has_session = context.get("sessionId").is_some();
    context.get("environment").is_none() && (has_session || !file.contains("session-id"))
}

/// What a front end is told of the flag of a case: whether it is on, or its variant where the case is about that.
async fn told(server: &TestServer, case: &Value) -> Value {
    let body = json!({ "context": case["context"] });
    let answer = server.call(FRONTEND, Method::POST, "/api/frontend", Some(&body));
    let answer = answer.await.ok();
    let toggles = answer["toggles"].as_array().unwrap();
    let toggle = toggles.iter().find(|toggle| toggle["name"] == case["toggleName"]);
    match toggle {
        _ if case["expectedResult"].is_boolean() => json!(toggle.is_some()),
        None => off(),
        Some(toggle) => {
            let mut variant = toggle["variant"].clone();
            // an older name of `feature_enabled`, told beside it
            variant.as_object_mut().unwrap().remove("featureEnabled");
            variant
        }
    }
}

fn expected(case: &Value) -> Value {
    match &case["expectedResult"] {
        // front ends are not told of flags that are off
        variant if variant["feature_enabled"] == false => off(),
        result => result.clone(),
    }
}

fn off() -> Value {
    json!({ "name": "disabled", "enabled": false, "feature_enabled": false })
}
