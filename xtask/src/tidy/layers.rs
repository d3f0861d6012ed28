//! What operations may not name: HTTP, and what stands above them in the server.

use super::modules::{self, Module};
use crate::metadata::Package;
use crate::outcome::Outcome;

/// Crates that speak HTTP.
const HTTP: &[&str] = &[
    "actix_http",
    "actix_server",
    "actix_service",
    "actix_web",
    "http",
    "ureq",
];

/// Modules of the server that stand above its operations.
const ABOVE: &[&str] = &[
    "cli",
    "compression",
    "connections",
    "incoming",
    "listener",
    "routes",
    "serve",
];

/// Everything that operations name and may not.
pub(super) fn problems(packages: &[Package]) -> Outcome<Vec<String>> {
    let mut problems = Vec::new();
    for package in packages.iter().filter(|package| package.name == "vexil-server") {
        problems.extend(upward(&modules::read(&package.folder.join("src/lib.rs"))?));
    }
    Ok(problems)
}

/// The same for some modules.
pub(super) fn upward(modules: &[Module]) -> Vec<String> {
    let below = modules
        .iter()
        .filter(|module| module.path.first().is_some_and(|first| first == "operations"));
    let mut problems = Vec::new();
    for module in below {
        let imported = module.imports.iter().map(|import| &import.path);
        for path in imported.chain(&module.references) {
            let names: Vec<&str> = path.iter().map(String::as_str).collect();
            let is_upward = match names.as_slice() {
                ["crate", second, ..] => ABOVE.contains(second),
                [first, ..] => HTTP.contains(first),
                [] => false,
            };
            if is_upward {
                let module = module.path.join("::");
                problems.push(format!("{module} must not name `{}`", path.join("::")));
            }
        }
    }
    problems
}
