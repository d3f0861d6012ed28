//! Every dependency may be used, changed and passed on under a permissive licence.

use std::fs;

use serde_json::Value;

use crate::metadata;
use crate::outcome::Outcome;
use crate::program::root;
use crate::spdx;
use anyhow::{Context, Error};

/// Licences that ask for no more than their own text to be kept.
const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "BlueOak-1.0.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "PostgreSQL",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// The lock files of npm packages that tests run.
const NODE_LOCKS: &[&str] = &[
    "acceptance/node/package-lock.json",
    "fixtures/client-specification/package-lock.json",
];

/// npm packages that bring their licence along as a file and leave it out of what they say of themselves.
const BROUGHT: &[(&str, &str)] = &[
    ("node_modules/@openfeature/ofrep-core", "Apache-2.0"),
    ("node_modules/@openfeature/ofrep-provider", "Apache-2.0"),
];

/// This project's own licences, and how each begins.
const OWN: &[(&str, &str)] = &[
    ("LICENSE-MIT", "MIT License"),
    ("LICENSE-APACHE", "Apache License"),
];

/// Fails and names each package whose licence is not on the list.
pub(crate) fn run() -> Outcome {
    let packages = metadata::everything()?;
    let crates = packages.iter().map(|package| {
        let licence = package.license.as_deref();
        (
            format!("{} {}", package.name, package.version),
            licence.map(str::to_owned),
        )
    });
    let mut licences: Vec<(String, Option<String>)> = crates.collect();
    for lock in NODE_LOCKS {
        licences.extend(node_packages(lock)?);
    }
    let mut problems: Vec<String> = licences
        .iter()
        .filter_map(|(name, licence)| complaint(name, licence.as_deref()))
        .collect();
    for (file, beginning) in OWN {
        let text = fs::read_to_string(root().join(file)).with_context(|| file.to_string())?;
        if !text.trim_start().starts_with(beginning) {
            problems.push(format!("{file} does not begin with `{beginning}`"));
        }
    }
    for problem in &problems {
        println!("licences: {problem}");
    }
    if problems.is_empty() {
        println!("licences: {} packages, all permissive", licences.len());
        return Ok(());
    }
    Err(Error::msg(format!("licences: {} problems", problems.len())))
}

/// What is wrong with a package's licence.
fn complaint(name: &str, licence: Option<&str>) -> Option<String> {
    let Some(licence) = licence else {
        return Some(format!("{name} declares no licence"));
    };
    match spdx::allows(licence, ALLOWED) {
        Some(true) => None,
        Some(false) => Some(format!(
            "{name} is under {licence}, which is not on the list in xtask/src/licences.rs"
        )),
        None => Some(format!(
            "{name} declares `{licence}`, which is no licence expression"
        )),
    }
}

/// The packages of an npm lock file with their licences.
fn node_packages(lock: &str) -> Outcome<Vec<(String, Option<String>)>> {
    let text = fs::read_to_string(root().join(lock)).with_context(|| lock.to_string())?;
    let document: Value = serde_json::from_str(&text).with_context(|| lock.to_string())?;
    let packages = document["packages"].as_object().into_iter().flatten();
    let installed = packages.filter(|(folder, _)| !folder.is_empty());
    Ok(installed
        .map(|(folder, package)| {
            let said = package["license"].as_str();
            let brought = || BROUGHT.iter().find(|(name, _)| name == folder);
            let licence = said.or_else(|| brought().map(|(_, licence)| *licence));
            (folder.clone(), licence.map(str::to_owned))
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::complaint;

    #[test]
    fn a_copyleft_a_missing_and_an_unreadable_licence_are_complaints() {
        assert_eq!(complaint("a 1.0.0", Some("MIT OR Apache-2.0")), None);
        for licence in [Some("AGPL-3.0-only"), None, Some("see file")] {
            assert!(complaint("a 1.0.0", licence).is_some(), "{licence:?}");
        }
    }
}
