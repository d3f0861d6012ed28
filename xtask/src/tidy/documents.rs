//! What documents must agree with: the crates of the workspace and the routes of the server.

use std::collections::BTreeSet;
use std::fs;

use crate::failure::{During, Outcome};
use crate::metadata::Package;
use crate::program::root;

/// The HTTP methods that a route can have.
const METHODS: &[&str] = &["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

/// Every crate that `docs/ARCHITECTURE.md` does not name, and every name there that is no crate.
pub(super) fn problems(packages: &[Package]) -> Outcome<Vec<String>> {
    let file = root().join("docs/ARCHITECTURE.md");
    let text = fs::read_to_string(&file).during(file.display())?;
    let crates: Vec<&str> = packages.iter().map(|package| package.name.as_str()).collect();
    Ok(crate_differences(&text, &crates))
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

/// Compares the routes that `docs/endpoints.md` lists (rows `| METHOD | path |`) with those the server prints
/// (lines `METHOD path`).
pub(crate) fn route_differences(document: &str, printed: &str) -> Vec<String> {
    let documented: BTreeSet<(&str, &str)> = document.lines().filter_map(table_row).collect();
    let served: BTreeSet<(&str, &str)> = printed
        .lines()
        .filter_map(|line| line.trim().split_once(' '))
        .collect();
    let missing = served
        .difference(&documented)
        .map(|(method, path)| format!("docs/endpoints.md does not list {method} {path}"));
    let stale = documented.difference(&served).map(|(method, path)| {
        format!("docs/endpoints.md lists {method} {path}, which the server does not have")
    });
    missing.chain(stale).collect()
}

/// The method and the path of a row such as `| GET | `/health` | … |`.
fn table_row(line: &str) -> Option<(&str, &str)> {
    let mut cells = line
        .strip_prefix('|')?
        .split('|')
        .map(|cell| cell.trim().trim_matches('`'));
    let (method, path) = (cells.next()?, cells.next()?);
    (METHODS.contains(&method) && path.starts_with('/')).then_some((method, path))
}
