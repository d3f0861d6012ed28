//! What cargo knows of the workspace and of its dependencies.

use std::path::PathBuf;

use serde_json::Value;

use crate::outcome::Outcome;
use crate::program::{cargo, read};
use anyhow::{Context, Error};

/// One package.
#[derive(Debug)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    /// An SPDX expression.
    pub(crate) license: Option<String>,
    /// The oldest Rust that it says it builds with.
    pub(crate) rust_version: Option<String>,
    /// The folder of its manifest.
    pub(crate) folder: PathBuf,
    pub(crate) dependencies: Vec<Dependency>,
}

/// A dependency as a manifest declares it.
#[derive(Debug)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    pub(crate) kind: Kind,
}

/// When a dependency is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Normal,
    Build,
    Dev,
}

/// The packages of the workspace, by name.
pub(crate) fn workspace() -> Outcome<Vec<Package>> {
    packages(&metadata(&["--no-deps", "--offline"])?)
}

/// Every package of the lock file that some crate here can need, on any platform and with any feature.
pub(crate) fn everything() -> Outcome<Vec<Package>> {
    packages(&metadata(&["--all-features"])?)
}

/// Where cargo writes what it builds.
pub(crate) fn target_directory() -> Outcome<PathBuf> {
    let metadata = metadata(&["--no-deps", "--offline"])?;
    Ok(PathBuf::from(text(&metadata, "target_directory")?))
}

fn metadata(arguments: &[&str]) -> Outcome<Value> {
    let output = read(
        cargo()
            .args(["metadata", "--format-version", "1"])
            .args(arguments),
    )?;
    serde_json::from_str(&output).context("cargo metadata")
}

fn packages(metadata: &Value) -> Outcome<Vec<Package>> {
    let mut packages: Vec<Package> = list(metadata, "packages").map(package).collect::<Outcome<_>>()?;
    packages.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(packages)
}

fn package(value: &Value) -> Outcome<Package> {
    let manifest = PathBuf::from(text(value, "manifest_path")?);
    Ok(Package {
        name: text(value, "name")?,
        version: text(value, "version")?,
        license: value["license"].as_str().map(str::to_owned),
        rust_version: value["rust_version"].as_str().map(str::to_owned),
        folder: manifest.parent().map(PathBuf::from).unwrap_or_default(),
        dependencies: list(value, "dependencies")
            .map(dependency)
            .collect::<Outcome<_>>()?,
    })
}

fn dependency(value: &Value) -> Outcome<Dependency> {
    let kind = match value["kind"].as_str() {
        Some("dev") => Kind::Dev,
        Some("build") => Kind::Build,
        _ => Kind::Normal,
    };
    Ok(Dependency {
        name: text(value, "name")?,
        kind,
    })
}

fn text(value: &Value, field: &str) -> Outcome<String> {
    let text = value.get(field).and_then(Value::as_str).map(str::to_owned);
    text.ok_or_else(|| Error::msg(format!("cargo metadata: no text `{field}`")))
}

fn list<'a>(value: &'a Value, field: &str) -> impl Iterator<Item = &'a Value> {
    value.get(field).and_then(Value::as_array).into_iter().flatten()
}
