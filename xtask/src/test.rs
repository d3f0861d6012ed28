//! Every test: units, laws, databases, documentation, real SDKs, crashes.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::acceptance;
use crate::failure::{During, Failure, Outcome};
use crate::postgres::Postgres;
use crate::program::{cargo, find, read, run as run_program, shared, strict};
use crate::specification;

/// What every build of the tests selects, so that nothing is built twice.
const SELECTION: [&str; 2] = ["--workspace", "--all-features"];

/// Runs everything, goes on after a failure, and says at the end what failed and what was left out.
pub(crate) fn run() -> Outcome {
    let mut report = Report::default();
    let postgres = report.unless_missing("the tests on PostgreSQL", Postgres::start());
    let specification = report.unless_missing(
        "the official client specification",
        specification::find_or_fetch(),
    );
    let environment = environment(postgres.as_ref(), specification);
    let vexil = build()?;
    report.record(run_program(tests().envs(environment.clone())));
    if find("cargo-nextest").is_some() {
        report.record(run_program(
            cargo().arg("test").args(SELECTION).arg("--doc").envs(environment),
        ));
    }
    acceptance::run_all(&vexil, postgres.as_ref(), &mut report);
    report.close()
}

/// Tells the tests where to find what lies outside the workspace. Where something is missing they may skip what
/// needs it: the report at the end says so, and decides whether that is a failure.
fn environment(postgres: Option<&Postgres>, specification: Option<PathBuf>) -> Vec<(&'static str, String)> {
    let mut environment = Vec::new();
    if let Some(postgres) = postgres {
        environment.push(("VEXIL_TEST_POSTGRES", postgres.url.clone()));
    }
    if let Some(folder) = specification {
        environment.push(("CLIENT_SPECIFICATION", folder.display().to_string()));
    }
    if let Some(folder) = specification::engine_cases() {
        environment.push(("ENGINE_CASES", folder.display().to_string()));
    }
    if environment.len() < 3 {
        environment.push(("VEXIL_TESTS_MAY_SKIP", "1".to_owned()));
    }
    environment
}

/// All tests but those of the documentation where nextest is installed, else all.
fn tests() -> Command {
    let mut command = cargo();
    if find("cargo-nextest").is_some() {
        command
            .args(["nextest", "run"])
            .args(SELECTION)
            .arg("--no-fail-fast");
    } else {
        command.arg("test").args(SELECTION).arg("--no-fail-fast");
    }
    command
}

/// The program to test: the one that `VEXIL_PROGRAM` names, else one that is built now.
pub(crate) fn program() -> Outcome<PathBuf> {
    match std::env::var_os("VEXIL_PROGRAM") {
        Some(program) => Ok(PathBuf::from(program)),
        None => build(),
    }
}

/// Builds every test and gives back the path of the binary `vexil` that was built with them.
fn build() -> Outcome<PathBuf> {
    println!("$ cargo test --no-run");
    let mut command = cargo();
    command
        .arg("test")
        .args(SELECTION)
        .args(["--no-run", "--message-format", "json-render-diagnostics"]);
    let output = command
        .stderr(std::process::Stdio::inherit())
        .output()
        .during("cargo test --no-run")?;
    if !output.status.success() {
        return Err(Failure::new("the tests do not build"));
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
    built.ok_or_else(|| Failure::new("cargo built no program `vexil`"))
}

/// What failed, and what was left out because this machine lacks something.
#[derive(Debug, Default)]
pub(crate) struct Report {
    failures: Vec<String>,
    left_out: Vec<String>,
}

impl Report {
    /// Notes how a step ended.
    pub(crate) fn record(&mut self, outcome: Outcome) {
        match outcome {
            Ok(()) => {}
            Err(failure) if failure.is_missing() => self.left_out.push(failure.to_string()),
            Err(failure) => {
                eprintln!("{failure}");
                self.failures.push(failure.to_string());
            }
        }
    }

    /// Notes that `what` is left out when this machine lacks the means, and a failure when they do not work.
    pub(crate) fn unless_missing<T>(&mut self, what: &str, means: Outcome<T>) -> Option<T> {
        match means {
            Ok(means) => Some(means),
            Err(failure) if failure.is_missing() => {
                self.left_out.push(format!("{what}: {failure}"));
                None
            }
            Err(failure) => {
                self.failures.push(format!("{what}: {failure}"));
                None
            }
        }
    }

    /// Says what was left out and what failed; in CI to leave something out is to fail.
    pub(crate) fn close(self) -> Outcome {
        if shared().is_none() {
            println!(
                "no folder `shared` beside the workspace: the reported engine faults there were not run"
            );
        }
        for left_out in &self.left_out {
            println!("LEFT OUT: {left_out}");
        }
        for failure in &self.failures {
            println!("FAILED: {}", failure.lines().next().unwrap_or_default());
        }
        match (self.failures.len(), self.left_out.len()) {
            (0, 0) => Ok(()),
            (0, _) if !strict() => Ok(()),
            (failed, left_out) => Err(Failure::new(format!(
                "{failed} steps failed, {left_out} were left out"
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Report, vexil};
    use crate::failure::Failure;

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

    #[test]
    fn what_fails_and_what_is_missing_are_told_apart() {
        let mut report = Report::default();
        report.record(Err(Failure::missing("no node")));
        report.record(Err(Failure::new("broken")));
        report.unless_missing::<()>("databases", Err(Failure::missing("no initdb")));
        assert_eq!(report.left_out, ["no node", "databases: no initdb"]);
        assert_eq!(report.failures, ["broken"]);
        assert!(report.close().is_err());
    }
}
