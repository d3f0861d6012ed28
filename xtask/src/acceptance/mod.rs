//! What a user sees: real, unchanged SDKs against the running server, and what a crash leaves behind.

mod crash;
mod decision;
mod demo;
mod examples;
mod nodes;
mod scenario;
mod sdk;
mod service;
mod usage;
mod usage_crash;
mod usage_stall;

use std::collections::BTreeSet;
use std::path::Path;

use crate::built::program;
use crate::http::Api;
use crate::metadata::target_directory;
use crate::outcome::Outcome;
use crate::postgres::Postgres;
use crate::report::Report;
use crate::server::{self, Server, fresh_folder};
use anyhow::{Context, Error};
use scenario::Scenario;
pub(crate) use sdk::install_evaluator;
use sdk::{Sdk, Tokens};
use usage::{Expected, Reading};

/// Runs the SDKs, the demo and the crash tests against the server of this workspace.
pub(crate) fn run() -> Outcome {
    let vexil = program()?;
    let mut report = Report::default();
    let postgres = report.unless_missing(
        "the crash tests on PostgreSQL, and its database that stands still",
        Postgres::start(),
    );
    run_all(&vexil, postgres.as_ref(), &mut report);
    report.close()
}

/// Runs the crash tests alone.
pub(crate) fn run_crashes() -> Outcome {
    let vexil = program()?;
    let mut report = Report::default();
    let postgres = report.unless_missing(
        "the crash tests on PostgreSQL, and its database that stands still",
        Postgres::start(),
    );
    crashes(&vexil, postgres.as_ref(), &mut report);
    report.close()
}

/// Runs the examples of the libraries alone.
pub(crate) fn run_examples() -> Outcome {
    examples::run(&program()?)
}

/// Runs two servers on one PostgreSQL, of which one is edited fast.
pub(crate) fn run_nodes() -> Outcome {
    nodes::run(&program()?, &Postgres::start()?)
}

/// All of it with a server that is built and a PostgreSQL that runs.
pub(crate) fn run_all(vexil: &Path, postgres: Option<&Postgres>, report: &mut Report) {
    let installed = installed_sdks(report);
    report.step("the SDKs", || sdks(vexil, &installed));
    report.step("the demo", || demo::run(vexil));
    report.step("the examples", || examples::run(vexil));
    crashes(vexil, postgres, report);
}

/// What a crash leaves behind, and a database that stands still.
fn crashes(vexil: &Path, postgres: Option<&Postgres>, report: &mut Report) {
    report.step("crashes", || crash::run(vexil, postgres));
    report.step("crashes under reports of usage", || {
        usage_crash::run(vexil, postgres)
    });
    if let Some(postgres) = postgres {
        report.step("a database that stands still", || {
            usage_stall::run(vexil, postgres)
        });
    }
}

/// Runs the SDKs against a server that speaks the same API and was started by someone else. Its tokens are taken
/// from `ADMIN_TOKEN`, `CLIENT_TOKEN` and `FRONTEND_TOKEN`.
pub(crate) fn run_against(url: &str) -> Outcome {
    let token = |name: &str| std::env::var(name).with_context(|| format!("no token in `{name}`"));
    let tokens = Tokens {
        client: token("CLIENT_TOKEN")?,
        frontend: token("FRONTEND_TOKEN")?,
    };
    let api = Api {
        url: url.trim_end_matches('/').to_owned(),
        token: token("ADMIN_TOKEN")?,
    };
    let mut report = Report::default();
    let sdks = installed_sdks(&mut report);
    let prefix = format!("acc-{}-", std::process::id());
    report.record(drive(&api, &tokens, &sdks, &prefix, Reading::Unleash));
    report.close()
}

/// The SDKs that this machine can run.
fn installed_sdks(report: &mut Report) -> Vec<Sdk> {
    let target = match target_directory() {
        Ok(target) => target,
        Err(error) => {
            report.record(Err(error));
            return Vec::new();
        }
    };
    let node = report.unless_missing("the SDKs for JavaScript", Sdk::install_node(&target));
    let python = report.unless_missing("the SDKs for Python", Sdk::install_python(&target));
    let rust = Sdk::build_rust(&target);
    let rust = rust.map_err(|error| report.record(Err(error))).ok();
    node.into_iter()
        .flatten()
        .chain(python.into_iter().flatten())
        .chain(rust)
        .collect()
}

/// Runs the SDKs against a fresh server.
fn sdks(vexil: &Path, installed: &[Sdk]) -> Outcome {
    let folder = fresh_folder(&target_directory()?, "sdks")?;
    let database = format!("sqlite:{}", folder.join("vexil.db").display());
    let server = Server::start(vexil, &database, &folder.join("vexil.log"))?;
    let tokens = Tokens {
        client: server::CLIENT_TOKEN.to_owned(),
        frontend: server::FRONTEND_TOKEN.to_owned(),
    };
    drive(&server.admin(), &tokens, installed, "acc-", Reading::Complete)
}

/// Makes the scenario on a server, then lets each SDK decide and report, and compares both with what the server says.
fn drive(api: &Api, tokens: &Tokens, sdks: &[Sdk], prefix: &str, reading: Reading) -> Outcome {
    let scenario = Scenario::read(prefix)?;
    scenario.create(api)?;
    let playground = scenario.ask_playground(api)?;
    let mut wrong = scenario.differences(&playground);
    let mut checks = scenario.expectations();
    let mut expected = Expected::default();
    for sdk in sdks {
        let decisions = sdk.run(api, tokens, &scenario)?;
        checks += decisions.len();
        wrong.extend(scenario.disagreements(sdk.app_name, &decisions, &playground));
        let reported = decisions.iter().filter(|_| sdk.reports);
        reported.for_each(|decision| expected.count(sdk.app_name, decision));
        let names: BTreeSet<&str> = scenario.flag_names().collect();
        checks += names.len();
        wrong.extend(expected.differences(api, names, reading)?);
    }
    for line in &wrong {
        println!("acceptance: {line}");
    }
    println!(
        "acceptance: {} passed, {} failed",
        checks.saturating_sub(wrong.len()),
        wrong.len()
    );
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(Error::msg("the SDKs and the server disagree"))
    }
}
