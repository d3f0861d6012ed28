//! The program itself, as a process of its own.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{ADMIN, CLIENT};

/// The program.
pub struct Program {
    child: Child,
    address: SocketAddr,
}

impl Program {
    /// Starts it on a database in memory.
    pub fn start(more: &[&str]) -> Self {
        Self::start_on("sqlite::memory:", more)
    }

    pub fn start_on(database: &str, more: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_vexil"))
            .args(["serve", "--http-port", "0", "--database-url", database])
            .args(more)
            .env("INIT_ADMIN_API_TOKENS", ADMIN)
            .env("INIT_CLIENT_API_TOKENS", CLIENT)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let line = lines.next().unwrap().unwrap();
        let (_, address) = line.split_once("http://").unwrap();
        let address = address.trim().parse().unwrap();
        Self { child, address }
    }

    pub fn sent(&self, bytes: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.write_all(bytes.as_bytes()).unwrap();
        stream
    }

    /// The most memory that it ever had, in bytes, where the system tells.
    pub fn peak(&self) -> Option<usize> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        let kibibytes: usize = line.trim().strip_suffix(" kB")?.parse().ok()?;
        Some(kibibytes << 10)
    }

    /// Tells it to stop, and says how long that took.
    pub fn end(mut self) -> Duration {
        let begun = Instant::now();
        let id = self.child.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-TERM", &id])
                .status()
                .unwrap()
                .success()
        );
        let status = self.child.wait().unwrap();
        assert!(status.success(), "{status}");
        begun.elapsed()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // it has ended, unless an assertion failed
        let _ = self.child.kill();
    }
}
