//! The playground over HTTP, beside a real Unleash in the same run.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::json;

use super::mix::{FLAGS, furnish};
use super::process::{peak, resident};
use crate::built;
use crate::http::Api;
use crate::metadata::target_directory;
use crate::outcome::Outcome;
use crate::parity::Peer;
use crate::server::{Server, fresh_folder};
use anyhow::{Context, Error};

/// How often the servers take turns, and how often one is asked in a row.
const TURNS: usize = 4;
const IN_A_ROW: usize = 5;
/// How many combinations both are asked for; more than 30 are over Unleash's limit.
const COMPARED: [usize; 3] = [1, 16, 30];
/// How many only Vexil is asked for.
const ALONE: usize = 256;

/// Measures both servers in turn and prints medians and their ratio.
pub(super) fn run() -> Outcome {
    let target = target_directory()?;
    let program = built::released(&target)?;
    let folder = fresh_folder(&target, "bench-playground")?;
    let database = format!("sqlite:{}", folder.join("vexil.db").display());
    let ours = Server::start(&program, &database, &folder.join("vexil.log"))?;
    let peer = Peer::start()?;
    for api in [peer.admin(), ours.admin()] {
        furnish(&api)?;
    }
    println!("{FLAGS} flags, wall time until the last byte, median of {TURNS} turns of {IN_A_ROW} questions");
    for combinations in COMPARED {
        let (mut theirs, mut own) = (Vec::new(), Vec::new());
        for _ in 0..TURNS {
            for _ in 0..IN_A_ROW {
                theirs.push(ask(&peer.admin(), combinations)?.whole);
            }
            for _ in 0..IN_A_ROW {
                own.push(ask(&ours.admin(), combinations)?.whole);
            }
        }
        let (theirs, own) = (median(theirs), median(own));
        let ratio = theirs.as_secs_f64() / own.as_secs_f64();
        println!("x {combinations}: Unleash {theirs:.1?}, Vexil {own:.1?}, ratio {ratio:.0}");
    }
    alone(&ours)
}

/// A question that Unleash refuses.
fn alone(ours: &Server) -> Outcome {
    let before = resident(ours.id())?;
    let mut asked = Vec::new();
    for _ in 0..TURNS * IN_A_ROW {
        asked.push(ask(&ours.admin(), ALONE)?);
    }
    let bytes = asked.first().map_or(0, |answer| answer.bytes);
    let whole = median(asked.iter().map(|answer| answer.whole).collect());
    let first = median(asked.iter().map(|answer| answer.first).collect());
    let more = peak(ours.id())?.saturating_sub(before) / 1024;
    println!(
        "x {ALONE}: Vexil {whole:.1?} for {} MB, first byte {first:.1?}, {more} MiB of memory more",
        bytes / 1_000_000
    );
    Ok(())
}

/// How long an answer took, and its size.
struct Asked {
    first: Duration,
    whole: Duration,
    bytes: usize,
}

/// Asks for so many users, on a connection of its own.
fn ask(api: &Api, combinations: usize) -> Outcome<Asked> {
    let users: Vec<_> = (0..combinations).map(|user| format!("user-{user}")).collect();
    let context = json!({ "appName": "bench", "userId": users.join(","), "properties": { "country": "NO", "age": "30", "email": "a@example.org", "version": "2.0.0" } });
    let body =
        json!({ "environments": ["development"], "projects": ["default"], "context": context }).to_string();
    let host = api.url.strip_prefix("http://").unwrap_or(&api.url);
    let doing = "asking the playground";
    let mut stream = TcpStream::connect(host).with_context(|| doing.to_string())?;
    let head = format!(
        "POST /api/admin/playground/advanced HTTP/1.1\r\nHost: {host}\r\nAuthorization: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        api.token,
        body.len()
    );
    let start = Instant::now();
    stream
        .write_all(format!("{head}{body}").as_bytes())
        .with_context(|| doing.to_string())?;
    let mut buffer = vec![0; 1 << 20];
    let (mut bytes, mut first) = (0, None);
    loop {
        let read = stream.read(&mut buffer).with_context(|| doing.to_string())?;
        if first.is_none() {
            first = Some(start.elapsed());
            if !buffer.starts_with(b"HTTP/1.1 200") {
                let said = String::from_utf8_lossy(buffer.get(..read).unwrap_or_default()).into_owned();
                return Err(Error::msg(format!("{doing}: {said}")));
            }
        }
        if read == 0 {
            return Ok(Asked {
                first: first.unwrap_or_default(),
                whole: start.elapsed(),
                bytes,
            });
        }
        bytes += read;
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
