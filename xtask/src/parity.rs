//! Asks a real Unleash and this server the same questions and compares the answers.

use std::path::PathBuf;
use std::process::Command;

use crate::built::program;
use crate::http::Api;
use crate::metadata::target_directory;
use crate::outcome::Outcome;
use crate::postgres::free_port;
use crate::program::{read, run as run_program, shared};
use crate::server::{ADMIN_TOKEN, CLIENT_TOKEN, Server, fresh_folder};
use crate::watchdog::Watchdog;
use anyhow::{Context, Error};

/// The tokens of the peer.
const PEER_ADMIN_TOKEN: &str = "*:*.peer-admin-token";
const PEER_CLIENT_TOKEN: &str = "default:development.peer-client-token";
const PEER_FRONTEND_TOKEN: &str = "default:development.peer-frontend-token";

/// How many evaluations the peer allows a question; ours must refuse the same ones.
const PEER_LIMIT: &str = "15000";

/// A real Unleash; dropping this stops it.
pub(crate) struct Peer {
    url: String,
    _stop: Watchdog,
}

impl Peer {
    /// Starts one on a free port.
    pub(crate) fn start() -> Outcome<Peer> {
        let start = peer_folder()?.join("peer/start.sh");
        let port = peer_port()?;
        let stop = Watchdog::new(&format!("bash '{}' --stop {port}", start.display()), None)?;
        println!("starting the peer on port {port}");
        let status = Command::new("bash").arg(&start).arg(port.to_string()).status();
        let status = status.with_context(|| start.display().to_string())?;
        if !status.success() {
            return Err(Error::msg(format!("the peer did not start ({status})")));
        }
        Ok(Peer {
            url: format!("http://127.0.0.1:{port}"),
            _stop: stop,
        })
    }

    /// The peer, asked as a backend SDK.
    pub(crate) fn client(&self) -> Api {
        Api {
            url: self.url.clone(),
            token: PEER_CLIENT_TOKEN.to_owned(),
        }
    }

    /// The peer, asked as a frontend SDK.
    pub(crate) fn frontend(&self) -> Api {
        Api {
            url: self.url.clone(),
            token: PEER_FRONTEND_TOKEN.to_owned(),
        }
    }

    /// The peer, asked as an administrator.
    pub(crate) fn admin(&self) -> Api {
        Api {
            url: self.url.clone(),
            token: PEER_ADMIN_TOKEN.to_owned(),
        }
    }
}

fn peer_folder() -> Outcome<PathBuf> {
    shared().ok_or_else(|| {
        Error::msg("no folder `shared` beside the workspace, so there is no peer server to compare with")
    })
}

/// Runs the seeds `A:B`.
pub(crate) fn run(seeds: &str) -> Outcome {
    let compare = peer_folder()?.join("parity/parity.py");
    let vexil = program()?;
    let folder = fresh_folder(&target_directory()?, "parity")?;
    let database = format!("sqlite:{}", folder.join("vexil.db").display());
    let log = folder.join("vexil.log");
    let ours = Server::start_with(&vexil, &database, &log, &[("PLAYGROUND_LIMIT", PEER_LIMIT)])?;
    let peer = Peer::start()?;
    read(Command::new("python3").arg("--version"))?;
    let mut command = Command::new("python3");
    command
        .arg("-B")
        .arg(&compare)
        .args(["--peer", &peer.url, "--peer-token", PEER_ADMIN_TOKEN]);
    command.args(["--ours", &ours.url, "--ours-token", ADMIN_TOKEN, "--seeds", seeds]);
    command.args(["--change-requests", "--usage", PEER_CLIENT_TOKEN, CLIENT_TOKEN]);
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
    Err(Error::msg("no free port below 55000"))
}
