//! What SDKs are told in an environment, by every kind of document, without what decides nothing: flags that are off,
//! and what is said of flags for people.

use std::collections::BTreeSet;

use actix_web::http::Method;
use serde_json::{Value, json};

use crate::support::{AnyService, ask};

/// A token of a server and one of a page, for one project in one environment.
pub(crate) const SERVER: &str = "default:production.told-server";
pub(crate) const PAGE: &str = "default:production.told-page";

/// Who is asked for.
const USERS: [&str; 3] = ["1", "7", "42"];

/// What is told, document by document.
pub(crate) async fn told(service: &impl AnyService) -> Vec<(String, Value)> {
    let mut all = Vec::new();
    for (spec, path) in [
        ("5.1.9", "/api/client/features"),
        ("4.0.0", "/api/client/features"),
        ("5.2.0", "/api/client/delta"),
    ] {
        let headers = [("authorization", SERVER), ("unleash-client-spec", spec)];
        let answer = ask(service, Method::GET, path, &headers, Vec::new()).await;
        all.push((format!("{path} {spec}"), deciding(answer.ok())));
    }
    for user in USERS {
        for path in [
            "/api/frontend",
            "/api/proxy",
            "/api/frontend/all",
            "/api/proxy/all",
        ] {
            let path = format!("{path}?userId={user}&properties[country]=NO");
            let headers = [("authorization", PAGE)];
            let answer = ask(service, Method::GET, &path, &headers, Vec::new()).await;
            all.push((path, on_alone(answer.ok(), "toggles", "enabled")));
        }
        let context = json!({ "context": { "targetingKey": user, "country": "NO" } });
        let headers = [("authorization", PAGE), ("content-type", "application/json")];
        let path = "/ofrep/v1/evaluate/flags";
        let answer = ask(service, Method::POST, path, &headers, context.to_string().into()).await;
        all.push((format!("{path} {user}"), on_alone(answer.ok(), "flags", "value")));
    }
    all
}

/// The flags that are on and what they need.
fn deciding(mut document: Value) -> Value {
    let (mut flags, mut segments) = (Vec::new(), Vec::new());
    collect(&mut document, &mut flags, &mut segments);
    let is_on = |flag: &Value| flag["enabled"] == true;
    let parents: BTreeSet<String> = flags
        .iter()
        .filter(|flag| is_on(flag))
        .flat_map(|flag| flag["dependencies"].as_array().cloned().unwrap_or_default())
        .filter_map(|parent| parent["feature"].as_str().map(str::to_owned))
        .collect();
    flags.retain(|flag| is_on(flag) || parents.contains(flag["name"].as_str().unwrap()));
    let used = Value::Array(flags.clone()).to_string();
    segments.retain(|segment| {
        let uses = flags
            .iter()
            .flat_map(|flag| flag["strategies"].as_array().into_iter().flatten());
        uses.flat_map(|strategy| strategy["segments"].as_array().into_iter().flatten())
            .any(|id| *id == segment["id"])
    });
    for said in flags.iter_mut().chain(&mut segments) {
        for member in ["description", "type", "stale", "name", "impressionData"] {
            let is_name = member == "name" && said.get("enabled").is_some();
            if !is_name && let Some(members) = said.as_object_mut() {
                members.remove(member);
            }
        }
    }
    assert!(
        used.contains("checkout"),
        "production decides something: {document}"
    );
    json!({ "flags": flags, "segments": segments })
}

/// Takes flags and segments from a document of features or from one of events.
fn collect(document: &mut Value, flags: &mut Vec<Value>, segments: &mut Vec<Value>) {
    for (member, into) in [("features", flags), ("segments", segments)] {
        into.extend(document[member].as_array().into_iter().flatten().cloned());
        for event in document["events"].as_array().into_iter().flatten() {
            into.extend(event[member].as_array().into_iter().flatten().cloned());
        }
    }
}

/// The flags that are on, without whether they are asked to be counted.
fn on_alone(mut document: Value, list: &str, is_on: &str) -> Value {
    let mut flags = document[list].take();
    let flags = flags.as_array_mut().unwrap();
    flags.retain(|flag| flag[is_on] == true);
    for flag in flags.iter_mut() {
        for member in ["impressionData", "impression_data"] {
            flag.as_object_mut().unwrap().remove(member);
        }
    }
    json!(flags)
}
