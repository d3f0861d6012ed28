//! Benchmarks.

mod history;
mod http;
mod measured;
mod mix;
mod playground;
pub(crate) mod process;
mod streams;
mod wrk;

use crate::metadata;
use crate::outcome::Outcome;
use crate::program::{cargo, run as run_program};
use anyhow::Error;

/// The package that measures the engine beside other vendors'.
pub(crate) const PEERS: &str = "crates/vexil-engine/benches/peers/Cargo.toml";

/// Runs the benchmarks of one crate, or all.
pub(crate) fn run(which: Option<&str>) -> Outcome {
    match which {
        None => {
            bench(&["--workspace", "--benches"])?;
            peers()
        }
        Some("engine") => {
            bench(&["--benches", "-p", "vexil-engine"])?;
            peers()
        }
        Some("peers") => peers(),
        Some("server") => bench(&["--benches", "-p", "vexil-server"]),
        Some("http") => http::run(),
        Some("playground") => playground::run(),
        Some("streams") => streams::run(),
        Some("preview") => bench(&["--bench", "preview", "-p", "vexil-server"]),
        Some(other) => Err(Error::msg(format!(
            "no benchmarks `{other}`: there are `engine`, `peers`, `server`, `preview`, `streams`, `playground` and `http`"
        ))),
    }
}

fn bench(arguments: &[&str]) -> Outcome {
    run_program(cargo().arg("bench").args(arguments))
}

/// The engine beside other vendors'. That package is outside the workspace, so that nobody else builds them.
fn peers() -> Outcome {
    let mut command = cargo();
    command.args(["run", "--release", "--locked", "--manifest-path", PEERS]);
    command.arg("--target-dir").arg(metadata::target_directory()?);
    run_program(&mut command)
}
