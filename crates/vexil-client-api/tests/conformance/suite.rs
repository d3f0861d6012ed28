//! Runs files in the shape of the client specification.

use std::fs;
use std::path::Path;

use serde_json::Value;
use time::macros::datetime;
use vexil_client_api::{load_engine, read_context, read_delta, read_features};
use vexil_domain::EnvironmentSnapshot;
use vexil_engine::{Ambient, Choice, Engine};

/// The files that the index lists.
pub(crate) fn files_of_index(folder: &Path) -> Vec<String> {
    let index = fs::read(folder.join("index.json")).unwrap();
    serde_json::from_slice(&index).unwrap()
}

/// All files, by name.
pub(crate) fn files_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.retain(|name| name.ends_with(".json"));
    names.sort();
    names
}

/// Runs all cases of these files and counts them; every case that fails is named.
pub(crate) fn run(folder: &Path, files: &[String]) -> usize {
    let mut failures = Vec::new();
    let mut cases = 0;
    for file in files {
        let suite: Value = serde_json::from_slice(&fs::read(folder.join(file)).unwrap()).unwrap();
        for engine in engines(&suite["state"]) {
            failures.extend(
                failed(&engine, &suite)
                    .into_iter()
                    .map(|case| format!("{file}: {case}")),
            );
        }
        cases += list(&suite, "tests").len() + list(&suite, "variantTests").len();
    }
    assert!(
        failures.is_empty(),
        "{} failures:\n{}",
        failures.len(),
        failures.join("\n")
    );
    cases
}

/// The same state by every way in.
fn engines(state: &Value) -> Vec<Engine> {
    let json = state.to_string();
    if state.get("events").is_some() {
        let delta = read_delta(json.as_bytes()).unwrap();
        let mut snapshot = EnvironmentSnapshot::default();
        delta.apply(&mut snapshot);
        vec![Engine::compile(&snapshot).0, delta.next(&Engine::default()).0]
    } else {
        let features = read_features(json.as_bytes()).unwrap();
        let loaded = load_engine(json.as_bytes()).unwrap();
        assert_eq!(features.problems, loaded.problems);
        vec![Engine::compile(&features.snapshot).0, loaded.engine]
    }
}

fn list<'a>(suite: &'a Value, key: &str) -> &'a [Value] {
    suite
        .get(key)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

fn failed(engine: &Engine, suite: &Value) -> Vec<String> {
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
