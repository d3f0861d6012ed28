//! All that must hold before a change lands, cheapest first.

use std::time::Instant;

use crate::outcome::Outcome;
use crate::program::{cargo, run as run_program, shared, strict};
use crate::{bench, licences, metadata, packages, parity, semver, test, tidy};

/// Runs every check and stops at the first that fails.
pub(crate) fn run() -> Outcome {
    step("fetch", fetch)?;
    step("format", || {
        run_program(cargo().args(["fmt", "--all", "--check"]))
    })?;
    step("licences", licences::run)?;
    step("tidy", tidy::run)?;
    step("clippy", clippy)?;
    step("databases alone", databases_alone)?;
    step("libraries alone", libraries_alone)?;
    step("outside", outside)?;
    step("documentation", documentation)?;
    step("semver", semver::run)?;
    step("packages", packages::run)?;
    step("test", test::run)?;
    match shared() {
        Some(_) => step("parity", || parity::run("1:5")),
        None => {
            println!("LEFT OUT: parity, since there is no peer server to start beside the workspace");
            Ok(())
        }
    }
}

/// Runs one step and says how long it took.
fn step(name: &str, task: impl FnOnce() -> Outcome) -> Outcome {
    println!("\n=== {name} ===");
    let start = Instant::now();
    task()?;
    println!("=== {name}: {} s ===", start.elapsed().as_secs());
    Ok(())
}

/// Brings every dependency here; in CI the lock file must be up to date.
fn fetch() -> Outcome {
    let mut command = cargo();
    command.arg("fetch");
    if strict() {
        command.arg("--locked");
    }
    run_program(&mut command)
}

/// Lints every target, so benchmarks and examples are type-checked as well.
fn clippy() -> Outcome {
    run_program(cargo().args([
        "clippy",
        "--workspace",
        "--all-targets",
        "--all-features",
        "--",
        "-D",
        "warnings",
    ]))
}

/// Each database without the other: what is compiled for both would hide a line that belongs to one.
fn databases_alone() -> Outcome {
    for database in ["sqlite", "postgres"] {
        let mut command = cargo();
        command.args(["check", "-p", "vexil-server", "--no-default-features"]);
        run_program(command.args(["--features", database]))?;
    }
    Ok(())
}

/// Each library as somebody gets it who depends on it alone: features that another crate of the workspace asks for would
/// hide those that its own manifest leaves out.
fn libraries_alone() -> Outcome {
    for package in metadata::workspace()? {
        if package.folder.join("src/lib.rs").exists() {
            run_program(cargo().args(["check", "-p", &package.name, "--lib"]))?;
        }
    }
    Ok(())
}

/// What lies outside of the workspace, since nobody else should build what it depends on.
fn outside() -> Outcome {
    for manifest in ["fuzz/Cargo.toml", bench::PEERS] {
        let mut command = cargo();
        command.args(["check", "--locked", "--manifest-path", manifest]);
        command.arg("--target-dir").arg(metadata::target_directory()?);
        run_program(&mut command)?;
    }
    Ok(())
}

fn documentation() -> Outcome {
    let mut command = cargo();
    command.args(["doc", "--workspace", "--all-features", "--no-deps"]);
    run_program(command.env("RUSTDOCFLAGS", "-D warnings"))
}
