//! The cases of a file in the shape of the client specification, put to an engine.

use std::fs;
use std::path::Path;

use serde_json::Value;
use time::macros::datetime;
use vexil_client_api::read_context;
use vexil_engine::{Ambient, Choice, Engine};

/// The files that the index lists.
pub(crate) fn files_of_index(folder: &Path) -> Vec<String> {
    let index = fs::read(folder.join("index.json")).unwrap();
    serde_json::from_slice(&index).unwrap()
}

/// A list of a file; none where it has no such member.
pub(crate) fn list<'a>(suite: &'a Value, key: &str) -> &'a [Value] {
    suite
        .get(key)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

/// The cases of a suite that come out otherwise.
pub(crate) fn failed(engine: &Engine, suite: &Value) -> Vec<String> {
    let ambient = Ambient::new(datetime!(2026-01-01 0:00 UTC), 1);
    let mut failures = Vec::new();
    for case in list(suite, "tests") {
        let context = read_context(&case["context"]);
        let name = case["toggleName"].as_str().unwrap();
        let enabled = engine.is_enabled(name, &context, &ambient);
        if enabled != case["expectedResult"].as_bool().unwrap() {
            failures.push(format!("{}: {enabled}", case["description"]));
        }
    }
    for case in list(suite, "variantTests") {
        let context = read_context(&case["context"]);
        let choice = engine.variant(case["toggleName"].as_str().unwrap(), &context, &ambient);
        if !same(&choice, &case["expectedResult"]) {
            failures.push(format!("{}: {choice:?}", case["description"]));
        }
    }
    failures
}

fn same(choice: &Choice<'_>, expected: &Value) -> bool {
    let payload = choice
        .payload
        .map(|payload| serde_json::json!({"type": payload.kind, "value": payload.value}));
    expected["name"].as_str() == Some(choice.name)
        && expected.get("payload").cloned() == payload
        && expected["enabled"].as_bool() == Some(choice.enabled)
        && expected["feature_enabled"].as_bool() == Some(choice.feature_enabled)
}
