//! Open streams: what each costs the server, and how soon the last of them hears of an edit. Needs as many open files as
//! streams (`ulimit -n 50000`).

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::json;

use super::process::{processor_seconds, resident};
use crate::built::released;
use crate::metadata::target_directory;
use crate::outcome::Outcome;
use crate::server::{CLIENT_TOKEN, Server, fresh_folder};
use anyhow::{Context, Error};

/// How many listen, unless `STREAMS` says otherwise.
const STREAMS: usize = 20_000;
/// How many edits are timed; the median counts.
const EDITS: usize = 7;
/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// Somebody who listens.
struct Listener {
    stream: TcpStream,
    heard: Vec<u8>,
}

/// Opens the streams, and edits.
pub(super) fn run() -> Outcome {
    let wanted = match std::env::var("STREAMS") {
        Ok(text) => text.parse().context("STREAMS")?,
        Err(_) => STREAMS,
    };
    let target = target_directory()?;
    let program = released(&target)?;
    let folder = fresh_folder(&target, "bench-streams")?;
    let database = format!("sqlite:{}", folder.join("vexil.db").display());
    let (most, connections) = (wanted.to_string(), (wanted + wanted / 4).to_string());
    let variables = [("MAX_STREAMS", &*most), ("MAX_CONNECTIONS", &*connections)];
    let server = Server::start_with(&program, &database, &folder.join("vexil.log"), &variables)?;
    let admin = server.admin();
    let features = "/api/admin/projects/default/features";
    admin.json("POST", features, Some(&json!({ "name": "edited" })))?;

    let before = resident(server.id())?;
    let begun = Instant::now();
    let mut listeners = Vec::with_capacity(wanted);
    for _ in 0..wanted {
        listeners.push(Listener::open(&server)?);
    }
    wait_for(&mut listeners, "unleash-connected")?;
    let opened = begun.elapsed();
    // what was needed to open them is given back, or reused
    sleep(Duration::from_secs(2));
    let each = (resident(server.id())?.saturating_sub(before)) as f64 / wanted as f64;
    println!(
        "streams: {wanted} open after {:.1} s, {each:.2} KiB each",
        opened.as_secs_f64()
    );

    let environment = format!("{features}/edited/environments/development");
    let mut times = Vec::new();
    for number in 0..EDITS {
        let switch = if number % 2 == 0 { "on" } else { "off" };
        let used = processor_seconds(server.id())?;
        let begun = Instant::now();
        admin.json("POST", &format!("{environment}/{switch}"), None)?;
        let answered = begun.elapsed();
        wait_for(&mut listeners, "unleash-updated")?;
        let last = begun.elapsed();
        let used = processor_seconds(server.id())? - used;
        println!(
            "streams: the edit was answered after {} ms, the last stream had it after {} ms; {used:.2} s of the server's processor",
            answered.as_millis(),
            last.as_millis()
        );
        times.push(last);
    }
    times.sort();
    let median = times.get(times.len() / 2).copied().unwrap_or_default();
    println!(
        "streams: edit to last stream {} ms at the median",
        median.as_millis()
    );
    let after = resident(server.id())?.saturating_sub(before) as f64 / wanted as f64;
    println!("streams: {after:.2} KiB each after the edits");
    drop(listeners);
    server.terminate()?;
    Ok(())
}

impl Listener {
    fn open(server: &Server) -> Outcome<Self> {
        let address = server.url.trim_start_matches("http://");
        let mut stream = TcpStream::connect(address).context("a stream; is `ulimit -n` high enough?")?;
        let request = format!(
            "GET /api/client/streaming HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\nAuthorization: {CLIENT_TOKEN}\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).context("a stream")?;
        stream.set_nonblocking(true).context("a stream")?;
        Ok(Self {
            stream,
            heard: Vec::new(),
        })
    }

    /// Reads what is there, and says whether the event has come. What was before it is forgotten.
    fn hears(&mut self, event: &str) -> Outcome<bool> {
        let mut piece = [0; 4096];
        loop {
            match self.stream.read(&mut piece) {
                Ok(0) => return Err(Error::msg("a stream has ended")),
                Ok(read) => self
                    .heard
                    .extend_from_slice(piece.get(..read).unwrap_or_default()),
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) => return Err(error).context("a stream"),
            }
        }
        let text = String::from_utf8_lossy(&self.heard);
        let has_come = text
            .split_once(event)
            .is_some_and(|(_, data)| data.contains("\n\n"));
        if has_come {
            self.heard = Vec::new();
        }
        Ok(has_come)
    }
}

/// Waits until all have heard an event.
fn wait_for(listeners: &mut [Listener], event: &str) -> Outcome {
    let deadline = Instant::now() + PATIENCE;
    let mut waiting: Vec<&mut Listener> = listeners.iter_mut().collect();
    while !waiting.is_empty() {
        let mut still = Vec::with_capacity(waiting.len());
        for listener in waiting {
            if !listener.hears(event)? {
                still.push(listener);
            }
        }
        waiting = still;
        if Instant::now() > deadline {
            return Err(Error::msg(format!(
                "{} streams never had `{event}`",
                waiting.len()
            )));
        }
        sleep(Duration::from_millis(1));
    }
    Ok(())
}
