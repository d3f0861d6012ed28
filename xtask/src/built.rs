//! Builds the tests, and with them the program to test.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::outcome::Outcome;
use crate::program::{cargo, read, run};
use anyhow::{Context, Error};

/// What every build of the tests selects, so that nothing is built twice.
pub(crate) const SELECTION: [&str; 2] = ["--workspace", "--all-features"];

/// The program to test: the one that `VEXIL_PROGRAM` names, else one that is built now.
pub(crate) fn program() -> Outcome<PathBuf> {
    match std::env::var_os("VEXIL_PROGRAM") {
        Some(program) => Ok(PathBuf::from(program)),
        None => build(),
    }
}

/// The program to measure: the one that `VEXIL_PROGRAM` names, else the present sources built as they are handed on.
pub(crate) fn released(target: &Path) -> Outcome<PathBuf> {
    if let Some(program) = std::env::var_os("VEXIL_PROGRAM") {
        return Ok(program.into());
    }
    run(cargo().args(["build", "--profile", "dist", "-p", "vexil-server"]))?;
    Ok(target.join("dist/vexil"))
}

/// Builds every test and gives back the path of the binary `vexil` that was built with them.
pub(crate) fn build() -> Outcome<PathBuf> {
    println!("$ cargo test --no-run");
    let mut command = cargo();
    command
        .arg("test")
        .args(SELECTION)
        .args(["--no-run", "--message-format", "json-render-diagnostics"]);
    let output = command
        .stderr(std::process::Stdio::inherit())
        .output()
        .context("cargo test --no-run")?;
    if !output.status.success() {
        return Err(Error::msg("the tests do not build"));
    }
    let messages = String::from_utf8_lossy(&output.stdout);
    let built = messages
        .lines()
        .find_map(|line| vexil(&serde_json::from_str(line).ok()?));
    match built {
        Some(path) => Ok(path),
        None => build_alone(),
    }
}

/// The path of `vexil` in a message of cargo that tells of it.
fn vexil(message: &Value) -> Option<PathBuf> {
    let is_vexil = message["target"]["name"] == "vexil" && message["target"]["kind"][0] == "bin";
    let executable = message["executable"]
        .as_str()
        .filter(|_| is_vexil && message["profile"]["test"] == false);
    executable.map(PathBuf::from)
}

/// Builds `vexil` where no integration test has asked for it.
fn build_alone() -> Outcome<PathBuf> {
    let output = read(cargo().args([
        "build",
        "-p",
        "vexil-server",
        "--all-features",
        "--message-format",
        "json",
    ]))?;
    let built = output
        .lines()
        .find_map(|line| vexil(&serde_json::from_str(line).ok()?));
    built.ok_or_else(|| Error::msg("cargo built no program `vexil`"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::vexil;

    #[test]
    fn the_program_is_told_from_its_tests_and_from_other_programs() {
        let message = |name: &str, test: bool| {
            json!({
                "target": { "name": name, "kind": ["bin"] },
                "profile": { "test": test },
                "executable": format!("/built/{name}"),
            })
        };
        assert_eq!(vexil(&message("vexil", false)), Some("/built/vexil".into()));
        assert_eq!(vexil(&message("vexil", true)), None);
        assert_eq!(vexil(&message("xtask", false)), None);
    }
}
