//! Nobody who sends or reads slowly, or asks for much, keeps the server from others: over real connections.

mod answers;
mod bodies;
mod ending;
mod heads;
mod program;
mod proofs;
mod questions;
mod streams;

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use vexil_metrics::Retention;
use vexil_server::config::ListenArguments;
use vexil_server::{Arguments, Command, system_clock};
use vexil_service::deadlines::Deadlines;
use vexil_service::{App, InitialTokens, Limits, bootstrap};
use vexil_store::{MemoryStore, TokenKind};

use crate::support::{ADMIN, CLIENT, FRONTEND};

/// Longer than any deadline of these tests: an answer that takes longer is none.
const FOR_EVER: Duration = Duration::from_secs(20);

/// Deadlines that tests can wait for.
pub fn short() -> Limits {
    Limits {
        deadlines: Deadlines {
            head: Duration::from_millis(700),
            idle: Duration::from_millis(700),
            body: Duration::from_millis(1500),
            window: Duration::from_millis(500),
            ..Deadlines::default()
        },
        ..Limits::default()
    }
}

/// A server that listens on a port of its own.
pub struct Listening {
    pub address: SocketAddr,
}

impl Listening {
    pub fn with(limits: Limits) -> Self {
        let app = App::open(Arc::new(MemoryStore::default()), limits, system_clock()).unwrap();
        let tokens = [
            (TokenKind::Admin, ADMIN),
            (TokenKind::Client, CLIENT),
            (TokenKind::Frontend, FRONTEND),
        ];
        let tokens = tokens.map(|(kind, text)| (kind, text.to_owned())).into();
        bootstrap(&app, &InitialTokens(tokens)).unwrap();
        let (tell, told) = mpsc::channel();
        thread::spawn(move || {
            let retention = Retention::default();
            vexil_server::serve(&app, &listen(), retention, move |address, _| {
                tell.send(address).unwrap();
                Ok(String::new())
            })
        });
        let address = told.recv().unwrap();
        Self { address }
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(FOR_EVER)).unwrap();
        stream.set_write_timeout(Some(FOR_EVER)).unwrap();
        stream
    }

    /// A connection on which this was sent.
    pub fn sent(&self, bytes: impl AsRef<[u8]>) -> TcpStream {
        let mut stream = self.connect();
        stream.write_all(bytes.as_ref()).unwrap();
        stream
    }

    /// Sends a whole request on a connection of its own.
    pub fn ask(&self, method: &str, path: &str, token: &str, body: Option<&str>) -> Reply {
        reply(&mut self.sent(request(method, path, token, body)))
    }

    /// Asserts that somebody who asks properly is answered soon.
    #[track_caller]
    pub fn serves_others(&self) {
        let begun = Instant::now();
        for (method, path, token, body, status) in [
            ("GET", "/health", "", None, 200),
            ("GET", "/api/client/features", CLIENT, None, 200),
            ("POST", "/api/frontend", FRONTEND, Some("{}"), 200),
            ("GET", "/api/admin/projects", ADMIN, None, 200),
            ("POST", "/api/client/metrics", CLIENT, Some(REPORT), 202),
        ] {
            let reply = self.ask(method, path, token, body);
            assert_eq!(reply.status, status, "{method} {path}: {}", reply.text);
        }
        let took = begun.elapsed();
        assert!(took < Duration::from_secs(5), "{took:?}");
    }
}

const REPORT: &str = r#"{"appName":"a","bucket":{"start":"2026-11-28T10:00:00Z","stop":"2026-11-28T10:01:00Z","toggles":{"f":{"yes":1,"no":0}}}}"#;

fn listen() -> ListenArguments {
    use clap::Parser;
    let arguments = Arguments::parse_from(["vexil", "serve", "--http-port=0", "--http-host=127.0.0.1"]);
    match arguments.command {
        Command::Serve(serve) => serve.listen,
        other => panic!("{other:?}"),
    }
}

/// A request as text.
pub fn request(method: &str, path: &str, token: &str, body: Option<&str>) -> String {
    let mut text = format!("{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n");
    if !token.is_empty() {
        text.push_str(&format!("Authorization: {token}\r\n"));
    }
    match body {
        Some(body) => text.push_str(&format!(
            "Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )),
        None => text.push_str("\r\n"),
    }
    text
}

/// What was answered, if anything was before the connection was closed.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub head: String,
    pub text: String,
}

impl Reply {
    /// Asserts a refusal in the one shape of all errors.
    #[track_caller]
    pub fn refused(&self, status: u16, name: &str) {
        assert_eq!(self.status, status, "{self:?}");
        let body: Value = serde_json::from_str(&self.text).unwrap();
        assert_eq!(body["name"], name, "{body}");
        assert!(body["id"].is_string() && body["message"].is_string(), "{body}");
        assert!(body["details"][0]["message"].is_string(), "{body}");
    }
}

/// Reads until the connection is closed, which must come.
#[track_caller]
pub fn reply(stream: &mut TcpStream) -> Reply {
    let begun = Instant::now();
    let mut bytes = Vec::new();
    // a reset after an answer is an end, too
    let end = stream.read_to_end(&mut bytes);
    let took = begun.elapsed();
    assert!(took < FOR_EVER, "not closed: {end:?}");
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    Reply {
        status: status.unwrap_or(0),
        head: head.to_owned(),
        text: body.to_owned(),
    }
}
