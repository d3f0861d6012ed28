//! Benchmarks.

mod playground;

use crate::failure::{Failure, Outcome};
use crate::program::{cargo, run as run_program};

/// Runs the benchmarks of one crate, or all.
pub(crate) fn run(which: Option<&str>) -> Outcome {
    let mut command = cargo();
    command.arg("bench");
    match which {
        None => command.args(["--workspace", "--benches"]),
        Some(name @ ("engine" | "server")) => command.args(["--benches", "-p", &format!("vexil-{name}")]),
        Some("playground") => return playground::run(),
        Some("preview") => command.args(["--bench", "preview", "-p", "vexil-server"]),
        Some(other) => {
            return Err(Failure::new(format!(
                "no benchmarks `{other}`: there are `engine`, `server`, `preview` and `playground`"
            )));
        }
    };
    run_program(&mut command)
}
