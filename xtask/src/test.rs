//! Every test: units, laws, databases, documentation, real SDKs, crashes.

use std::path::PathBuf;
use std::process::Command;

use crate::acceptance;
use crate::built::{SELECTION, build};
use crate::outcome::Outcome;
use crate::postgres::Postgres;
use crate::program::{cargo, find, run as run_program};
use crate::report::Report;
use crate::solvers;
use crate::specification;
use crate::ui;

/// Runs everything, goes on after a failure, and says at the end what failed and what was left out.
pub(crate) fn run() -> Outcome {
    let mut report = Report::default();
    let postgres = report.unless_missing("the tests on PostgreSQL", Postgres::start());
    let specification = report.unless_missing(
        "the official client specification",
        specification::find_or_fetch(),
    );
    let mut environment = environment(postgres.as_ref(), specification);
    let evaluator = acceptance::install_evaluator();
    if let Some(script) = report.unless_missing("the SDK for Node.js beside the engine", evaluator) {
        environment.push(("VEXIL_NODE_SDK", script.display().to_string()));
    }
    let vexil = build()?;
    report.record(run_program(tests().envs(environment.clone())));
    if find("cargo-nextest").is_some() {
        report.record(run_program(
            cargo().arg("test").args(SELECTION).arg("--doc").envs(environment),
        ));
    }
    acceptance::run_all(&vexil, postgres.as_ref(), &mut report);
    report.unless_missing("proofs against z3 and cvc5", solvers::run());
    ui::run_all(&vexil, &[], &mut report);
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
    if environment.len() < 2 {
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
