//! The program ends soon after it is told to, whatever its peers do then.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The program, on a database in memory.
struct Program {
    child: Child,
    address: SocketAddr,
}

impl Program {
    fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_vexil"))
            .args(["serve", "--http-port", "0", "--database-url", "sqlite::memory:"])
            .env("INIT_ADMIN_API_TOKENS", crate::support::ADMIN)
            .env("INIT_CLIENT_API_TOKENS", crate::support::CLIENT)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let line = lines.next().unwrap().unwrap();
        let (_, address) = line.split_once("http://").unwrap();
        let address = address.trim().parse().unwrap();
        Self { child, address }
    }

    fn sent(&self, bytes: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.write_all(bytes.as_bytes()).unwrap();
        stream
    }

    /// Tells it to stop, and says how long that took.
    fn end(mut self) -> Duration {
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

#[test]
fn it_ends_within_five_seconds_whatever_is_half_sent_or_unread() {
    let program = Program::start();
    let half = "POST /edge/validate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{";
    let client = crate::support::CLIENT;
    let _held = [
        program.sent(""),
        program.sent("GET /hea"),
        program.sent(half),
        program.sent(&format!("POST /api/client/metrics HTTP/1.1\r\nAuthorization: {client}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{{")),
        program.sent("POST /edge/validate HTTP/1.1\r\nUpgrade: websocket\r\nConnection: upgrade\r\nContent-Type: application/json\r\n\r\n"),
        program.sent("GET /health HTTP/1.1\r\nHost: x\r\n\r\n"),
    ];
    let took = program.end();
    assert!(took < Duration::from_secs(5), "{took:?}");
}
