//! What every manifest has: the workspace's lints, and a first line in its crate's documentation.

use std::fs;

use crate::metadata::Package;
use crate::outcome::Outcome;
use anyhow::Context;

/// Every manifest that lacks something.
pub(super) fn problems(packages: &[Package]) -> Outcome<Vec<String>> {
    let mut problems = Vec::new();
    for package in packages {
        let file = package.folder.join("Cargo.toml");
        let manifest = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        problems.extend(lacking(&package.name, &manifest));
    }
    Ok(problems)
}

/// What one manifest lacks.
pub(super) fn lacking(name: &str, manifest: &str) -> Vec<String> {
    let mut problems = Vec::new();
    if !manifest.contains("[lints]\nworkspace = true") {
        problems.push(format!(
            "{name}: its manifest does not take the workspace's lints"
        ));
    }
    if !manifest.lines().any(|line| line.starts_with("description = ")) {
        problems.push(format!("{name}: its manifest has no description"));
    }
    for field in ["version", "edition", "license"] {
        if !manifest.contains(&format!("{field}.workspace = true")) {
            problems.push(format!("{name}: `{field}` is not the workspace's"));
        }
    }
    problems
}
