//! Asks a real Unleash and this server the same questions and compares the answers.

use std::process::Command;

use crate::failure::{During, Failure, Outcome};
use crate::metadata::target_directory;
use crate::postgres::free_port;
use crate::program::{read, run as run_program, shared};
use crate::server::{ADMIN_TOKEN, CLIENT_TOKEN, Server, fresh_folder};
use crate::test::program;
use crate::watchdog::Watchdog;

/// The tokens of the peer.
const PEER_ADMIN_TOKEN: &str = "*:*.peer-admin-token";
const PEER_CLIENT_TOKEN: &str = "default:development.peer-client-token";

/// Runs the seeds `A:B`.
pub(crate) fn run(seeds: &str) -> Outcome {
    let shared = shared().ok_or_else(|| {
        Failure::new("no folder `shared` beside the workspace, so there is no peer server to compare with")
    })?;
    let vexil = program()?;
    let (start, compare) = (shared.join("peer/start.sh"), shared.join("parity/parity.py"));
    let folder = fresh_folder(&target_directory()?, "parity")?;
    let database = format!("sqlite:{}", folder.join("vexil.db").display());
    let ours = Server::start(&vexil, &database, &folder.join("vexil.log"))?;
    let port = peer_port()?;
    let _stop = Watchdog::new(&format!("bash '{}' --stop {port}", start.display()), None)?;
    println!("starting the peer on port {port}");
    let status = Command::new("bash")
        .arg(&start)
        .arg(port.to_string())
        .status()
        .during(start.display())?;
    if !status.success() {
        return Err(Failure::new(format!("the peer did not start ({status})")));
    }
    read(Command::new("python3").arg("--version"))?;
    let mut command = Command::new("python3");
    command
        .arg("-B")
        .arg(&compare)
        .args(["--peer", &format!("http://127.0.0.1:{port}")]);
    command.args([
        "--peer-token",
        PEER_ADMIN_TOKEN,
        "--ours",
        &ours.url,
        "--ours-token",
        ADMIN_TOKEN,
    ]);
    command.args([
        "--seeds",
        seeds,
        "--change-requests",
        "--usage",
        PEER_CLIENT_TOKEN,
        CLIENT_TOKEN,
    ]);
    run_program(&mut command)
}

/// A free port whose neighbour ten thousand higher, where the peer puts its database, exists as well.
fn peer_port() -> Outcome<u16> {
    for _ in 0..100 {
        let port = free_port()?;
        if port < 55_000 {
            return Ok(port);
        }
    }
    Err(Failure::new("no free port below 55000"))
}
