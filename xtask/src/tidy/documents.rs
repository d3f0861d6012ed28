//! What documents must agree with: the crates and the files of the workspace.

use std::collections::BTreeSet;
use std::fs;

use super::files::TextFile;
use crate::metadata::Package;
use crate::outcome::Outcome;
use crate::program::root;
use anyhow::Context;

/// Every crate that `docs/ARCHITECTURE.md` does not name, and every name there that is no crate.
pub(super) fn problems(packages: &[Package]) -> Outcome<Vec<String>> {
    let file = root().join("docs/ARCHITECTURE.md");
    let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
    let crates: Vec<&str> = packages.iter().map(|package| package.name.as_str()).collect();
    Ok(crate_differences(&text, &crates))
}

/// The files that documents for readers name in backticks and that are not there.
pub(super) fn missing_files(files: &[TextFile]) -> Vec<String> {
    let documents = files
        .iter()
        .filter(|file| file.path == "README.md" || file.path.starts_with("docs/"));
    documents
        .flat_map(|document| {
            let missing = named_files(&document.text).filter(|name| {
                let below = format!("/{name}");
                !files
                    .iter()
                    .any(|file| file.path == *name || file.path.ends_with(&below))
            });
            missing.map(|name| format!("{} names `{name}`, which is no file", document.path))
        })
        .collect()
}

/// What stands in backticks and looks like the path of a file of the tree.
fn named_files(document: &str) -> impl Iterator<Item = &str> {
    let named = document.split('`').skip(1).step_by(2);
    named.filter(|name| {
        let letters = name
            .chars()
            .all(|letter| letter.is_alphanumeric() || "_-./".contains(letter));
        let kind = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty());
        letters && kind.is_some_and(|(_, kind)| ["md", "mjs", "rs"].contains(&kind))
    })
}

/// Compares the crates that a document names in backticks with those that exist.
pub(super) fn crate_differences(document: &str, crates: &[&str]) -> Vec<String> {
    let named: BTreeSet<&str> = document.split('`').skip(1).step_by(2).collect();
    let unknown = named
        .iter()
        .filter(|name| name.strip_prefix("vexil-").is_some_and(is_word) && !crates.contains(*name))
        .map(|name| format!("docs/ARCHITECTURE.md names `{name}`, which is no crate"));
    let unnamed = crates
        .iter()
        .filter(|name| !named.contains(*name))
        .map(|name| format!("docs/ARCHITECTURE.md does not name `{name}`"));
    unknown.chain(unnamed).collect()
}

fn is_word(text: &str) -> bool {
    text.chars()
        .all(|character| character.is_ascii_lowercase() || character == '-')
}
