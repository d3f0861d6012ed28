//! Proofs against z3 and cvc5: no context changes outside of a proof's regions.

use std::env;
use std::process::{Command, Stdio};

use crate::metadata::target_directory;
use crate::outcome::Outcome;
use crate::program::{cargo, root, run as run_program};
use crate::python;
use anyhow::{Context, Error};

/// So many changes are asked about where `CHANGES` names no other number: few seconds.
const CHANGES: &str = "60";

/// Asks both solvers about so many changes.
pub(crate) fn run() -> Outcome {
    let source = root().join("acceptance/solvers");
    let target = target_directory()?;
    let python = python::install(&source, &target.join("solvers"))?;
    let mut build = cargo();
    build.args(["build", "--quiet", "-p", "vexil-preview", "--all-features"]);
    run_program(build.args(["--example", "proofs"]))?;
    let asked = |name: &str, otherwise: &str| env::var(name).unwrap_or_else(|_| otherwise.to_owned());
    let mut proofs = Command::new(target.join("debug/examples/proofs"))
        .args([asked("CHANGES", CHANGES), asked("SEED", "0")])
        .stdout(Stdio::piped())
        .spawn()
        .context("proofs")?;
    let printed = proofs
        .stdout
        .take()
        .ok_or_else(|| Error::msg("proofs are not printed"))?;
    let checked = run_program(
        Command::new(python)
            .arg(source.join("prove.py"))
            .stdin(Stdio::from(printed))
            .env("PYTHONDONTWRITEBYTECODE", "1"),
    );
    if !proofs.wait().context("proofs")?.success() {
        return Err(Error::msg("the proofs were not all printed"));
    }
    checked
}
