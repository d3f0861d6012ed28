//! Runs files in the shape of the client specification.

use std::fs;
use std::path::Path;

use serde_json::Value;
use vexil_client_api::{load_engine, read_delta, read_features};
use vexil_domain::EnvironmentSnapshot;
use vexil_engine::Engine;

use crate::cases::{failed, list};

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
