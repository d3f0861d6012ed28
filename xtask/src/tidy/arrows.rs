//! Which crate may depend on which, and what no library may reach at all.

use crate::metadata::{Kind, Package};
use crate::outcome::Outcome;
use crate::program::{cargo, read};

/// The crates of this workspace that each may need outside its tests.
const ARROWS: &[(&str, &[&str])] = &[
    ("vexil-access", &["vexil-domain"]),
    ("vexil-budget", &[]),
    ("vexil-domain", &[]),
    ("vexil-values", &["vexil-domain"]),
    ("vexil-engine", &["vexil-domain", "vexil-values"]),
    (
        "vexil-change-request",
        &["vexil-budget", "vexil-domain", "vexil-values"],
    ),
    ("vexil-metrics", &["vexil-domain"]),
    (
        "vexil-preview",
        &[
            "vexil-budget",
            "vexil-domain",
            "vexil-engine",
            "vexil-proof-check",
            "vexil-values",
        ],
    ),
    (
        "vexil-proof-check",
        &["vexil-domain", "vexil-engine", "vexil-values"],
    ),
    (
        "vexil-client-api",
        &["vexil-domain", "vexil-engine", "vexil-metrics", "vexil-values"],
    ),
    (
        "vexil-admin-api",
        &[
            "vexil-access",
            "vexil-budget",
            "vexil-change-request",
            "vexil-client-api",
            "vexil-domain",
            "vexil-engine",
            "vexil-metrics",
            "vexil-preview",
            "vexil-values",
        ],
    ),
    (
        "vexil-store",
        &[
            "vexil-access",
            "vexil-change-request",
            "vexil-domain",
            "vexil-metrics",
            // for the suite that each store must pass
            "vexil-proptest",
        ],
    ),
    (
        "vexil-store-diesel",
        &[
            "vexil-access",
            "vexil-change-request",
            "vexil-domain",
            "vexil-metrics",
            "vexil-store",
        ],
    ),
    (
        "vexil-proptest",
        &["vexil-change-request", "vexil-domain", "vexil-metrics"],
    ),
    (
        "vexil-service",
        &[
            "vexil-access",
            "vexil-admin-api",
            "vexil-budget",
            "vexil-change-request",
            "vexil-client-api",
            "vexil-domain",
            "vexil-engine",
            "vexil-metrics",
            "vexil-preview",
            "vexil-proof-check",
            "vexil-store",
            "vexil-values",
        ],
    ),
    (
        "vexil-server",
        &[
            "vexil-access",
            "vexil-admin-api",
            "vexil-budget",
            "vexil-change-request",
            "vexil-client-api",
            "vexil-domain",
            "vexil-engine",
            "vexil-metrics",
            "vexil-preview",
            "vexil-proof-check",
            "vexil-service",
            "vexil-store",
            "vexil-store-diesel",
            "vexil-ui",
            "vexil-values",
        ],
    ),
    ("vexil-ui", &[]),
    ("xtask", &[]),
];

/// What no library may reach, not even through others: an async runtime, HTTP, chance.
const NOT_IN_LIBRARIES: &[&str] = &[
    "actix-http",
    "actix-rt",
    "actix-web",
    "async-std",
    "futures",
    "getrandom",
    "http",
    "hyper",
    "proptest",
    "rand",
    "tokio",
    "ureq",
];

/// What the engine may not reach besides: documents and databases.
const NOT_IN_ENGINE: &[&str] = &["diesel", "serde", "serde_json"];

/// Every arrow that is not allowed.
pub(super) fn problems(packages: &[Package]) -> Outcome<Vec<String>> {
    let mut problems = Vec::new();
    for package in packages {
        problems.extend(direct(package));
        let forbidden = forbidden(&package.name);
        if !forbidden.is_empty() {
            let reached = reached(&package.name)?;
            problems.extend(beyond_reach(&package.name, &forbidden, &reached));
        }
    }
    Ok(problems)
}

/// The arrows between crates of this workspace, as one manifest declares them.
pub(super) fn direct(package: &Package) -> Vec<String> {
    let Some((_, allowed)) = ARROWS.iter().find(|(name, _)| *name == package.name) else {
        return vec![format!(
            "{} has no line in the table of arrows (xtask/src/tidy/arrows.rs)",
            package.name
        )];
    };
    let needed = package
        .dependencies
        .iter()
        .filter(|dependency| dependency.kind != Kind::Dev);
    needed
        .filter(|dependency| ARROWS.iter().any(|(name, _)| *name == dependency.name))
        .filter(|dependency| !allowed.contains(&dependency.name.as_str()))
        .map(|dependency| format!("{} must not depend on {}", package.name, dependency.name))
        .collect()
}

/// The packages among `reached` that `name` must not reach.
pub(super) fn beyond_reach(name: &str, forbidden: &[&str], reached: &[String]) -> Vec<String> {
    forbidden
        .iter()
        .filter(|package| reached.iter().any(|it| it == *package))
        .map(|package| {
            format!("{name} must not reach {package} (`cargo tree -e normal -p {name} -i {package}`)")
        })
        .collect()
}

/// What a crate must not reach.
pub(super) fn forbidden(name: &str) -> Vec<&'static str> {
    match name {
        "vexil-server" => vec!["proptest"],
        "vexil-service" => vec!["actix-http", "actix-rt", "actix-web", "diesel", "proptest"],
        "xtask" | "vexil-proptest" => Vec::new(),
        "vexil-engine" => [NOT_IN_LIBRARIES, NOT_IN_ENGINE].concat(),
        _ => NOT_IN_LIBRARIES.to_vec(),
    }
}

/// The names of all packages that a crate is built with, itself included.
fn reached(name: &str) -> Outcome<Vec<String>> {
    let mut command = cargo();
    command.args([
        "tree",
        "--offline",
        "-e",
        "normal",
        "--prefix",
        "none",
        "-f",
        "{p}",
        "-p",
        name,
    ]);
    let lines = read(&mut command)?;
    Ok(lines
        .lines()
        .filter_map(|line| line.split(' ').next())
        .map(str::to_owned)
        .collect())
}
