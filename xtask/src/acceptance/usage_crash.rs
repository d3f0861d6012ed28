//! Fifty applications report while servers are killed with `kill -9` and started again: what is stored afterwards
//! is what was answered 202. A report whose answer never came may count or not, but whole, and once.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use crate::metadata::target_directory;
use crate::outcome::Outcome;
use crate::postgres::Postgres;
use crate::server::{CLIENT_TOKEN, Server, fresh_folder};
use anyhow::{Context, Error};

/// How many rounds there are on each database; `VEXIL_CRASH_ROUNDS` sets another number.
const ROUNDS: u32 = 4;
/// How many applications report at once.
const SENDERS: usize = 50;
/// How many flags each report counts. So many of them from so many applications are folded in several steps.
const FLAGS: usize = 50;
/// A round lasts at most so long: folding begins once a second.
const LONGEST: Duration = Duration::from_millis(1_600);
/// How long after the last report everything is folded, at the latest.
const FOLDED: Duration = Duration::from_secs(4);
/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// Kills one server on SQLite, and where there is one, two on PostgreSQL.
pub(super) fn run(vexil: &Path, postgres: Option<&Postgres>) -> Outcome {
    let rounds = match std::env::var("VEXIL_CRASH_ROUNDS") {
        Ok(text) => text.parse().context("VEXIL_CRASH_ROUNDS")?,
        Err(_) => ROUNDS,
    };
    let folder = fresh_folder(&target_directory()?, "usage-crash")?;
    let log = folder.join("vexil.log");
    let file = format!("sqlite:{}", folder.join("vexil.db").display());
    Trial::start(vexil, file, log.clone(), 1)?.run("one server on SQLite", rounds)?;
    if let Some(postgres) = postgres {
        let database = postgres.database("usage_crash")?;
        Trial::start(vexil, database, log, 2)?.run("two servers on PostgreSQL", rounds)?;
    }
    Ok(())
}

/// Servers on one database, and what they have promised to keep.
struct Trial {
    vexil: PathBuf,
    database: String,
    log: PathBuf,
    servers: Vec<Server>,
    /// How many reports of each application are stored.
    stored: Vec<u64>,
    lost_answers: u64,
}

/// What became of the reports of one application in a round.
#[derive(Clone, Copy, Default)]
struct Sent {
    accepted: u64,
    unanswered: u64,
}

impl Trial {
    fn start(vexil: &Path, database: String, log: PathBuf, servers: usize) -> Outcome<Self> {
        let mut trial = Self {
            vexil: vexil.to_owned(),
            database,
            log,
            servers: Vec::new(),
            stored: vec![0; SENDERS],
            lost_answers: 0,
        };
        for _ in 0..servers {
            trial.servers.push(trial.another()?);
        }
        Ok(trial)
    }

    fn another(&self) -> Outcome<Server> {
        Server::start(&self.vexil, &self.database, &self.log)
    }

    fn run(mut self, what: &str, rounds: u32) -> Outcome {
        for round in 1..=rounds {
            self.round()
                .map_err(|error| Error::msg(format!("{what}, round {round}: {error:#}")))?;
        }
        thread::sleep(FOLDED);
        let folded = self.read()?;
        if folded != self.stored {
            return Err(Error::msg(format!(
                "{what}: folding changed {:?} to {folded:?}",
                self.stored
            )));
        }
        let reports: u64 = self.stored.iter().sum();
        println!(
            "usage crash: {rounds} rounds, {what}: {reports} reports of {FLAGS} flags, {} without an answer, \
             nothing lost, nothing doubled",
            self.lost_answers
        );
        Ok(())
    }

    /// All report until some servers are killed; these are started again, and what is stored is looked at.
    fn round(&mut self) -> Outcome {
        let killed = 1 + random() % ((1 << self.servers.len()) - 1);
        let moment = LONGEST.mul_f64((random() % 1_000) as f64 / 1_000.0);
        let over = AtomicBool::new(false);
        let urls: Vec<String> = self.servers.iter().map(|server| server.url.clone()).collect();
        let sent: Vec<Outcome<Sent>> = thread::scope(|scope| {
            let senders: Vec<_> = (0..SENDERS)
                .map(|number| {
                    let (over, url) = (&over, &urls[number % urls.len()]);
                    scope.spawn(move || report_until(over, url, number))
                })
                .collect();
            thread::sleep(moment);
            let mut kept = Vec::new();
            let mut outcome = Ok(());
            for (place, server) in std::mem::take(&mut self.servers).into_iter().enumerate() {
                if killed >> place & 1 == 1 {
                    outcome = outcome.and(server.kill());
                } else {
                    kept.push(server);
                }
            }
            over.store(true, Ordering::Release);
            self.servers = kept;
            let died = |_| Err(Error::msg("a sender broke off"));
            let mut sent: Vec<_> = senders
                .into_iter()
                .map(|sender| sender.join().unwrap_or_else(died))
                .collect();
            sent.extend(outcome.err().map(Err));
            sent
        });
        while self.servers.len() < urls.len() {
            self.servers.push(self.another()?);
        }
        let stored = self.read()?;
        for (number, sent) in sent.into_iter().enumerate() {
            let sent = sent?;
            let before = self.stored[number];
            let least = before + sent.accepted;
            if !(least..=least + sent.unanswered).contains(&stored[number]) {
                return Err(Error::msg(format!(
                    "application {number}: {before} reports were stored, {} more were answered 202, {} were not \
                     answered, and {} are stored; killed {:?} after the start",
                    sent.accepted, sent.unanswered, stored[number], moment
                )));
            }
            self.lost_answers += sent.unanswered;
        }
        self.stored = stored;
        Ok(())
    }

    /// How many reports of each application are stored, by what each server says of each flag.
    fn read(&self) -> Outcome<Vec<u64>> {
        let mut seen = Vec::new();
        for server in &self.servers {
            for flag in 0..FLAGS {
                let path = format!(
                    "/api/admin/client-metrics/features/{}/minutes?last=120",
                    flag_name(flag)
                );
                let answer = server.admin().json("GET", &path, None)?;
                let applications = &answer["environments"][0]["applications"];
                let counts: Vec<u64> = (0..SENDERS)
                    .map(|number| {
                        let counts = &applications[application(number)];
                        let yes = counts["yes"].as_u64().unwrap_or_default();
                        let no = counts["no"].as_u64().unwrap_or_default();
                        if no == 2 * yes { yes } else { u64::MAX }
                    })
                    .collect();
                seen.push((counts, flag, server.url.clone()));
            }
        }
        let by_counts: BTreeMap<_, _> = seen
            .into_iter()
            .map(|(counts, flag, url)| (counts, (flag, url)))
            .collect();
        let mut all = by_counts.into_iter();
        match (all.next(), all.next()) {
            (Some((counts, _)), None) => Ok(counts),
            (one, other) => Err(Error::msg(format!(
                "flags of the same reports are counted differently: {one:?}, {other:?}"
            ))),
        }
    }
}

/// Reports one after the other until it is over, or the server has gone.
fn report_until(over: &AtomicBool, url: &str, number: usize) -> Outcome<Sent> {
    let mut sent = Sent::default();
    let host = url.strip_prefix("http://").unwrap_or(url);
    let request = request(number)?;
    let Ok(mut stream) = TcpStream::connect(host) else {
        return Ok(sent);
    };
    stream.set_read_timeout(Some(PATIENCE)).context("a socket")?;
    while !over.load(Ordering::Acquire) {
        if stream.write_all(request.as_bytes()).is_err() {
            sent.unanswered += 1;
            break;
        }
        match status(&mut stream)? {
            Some(202) => sent.accepted += 1,
            Some(status) => return Err(Error::msg(format!("a usage report was answered {status}"))),
            None => {
                sent.unanswered += 1;
                break;
            }
        }
    }
    Ok(sent)
}

/// The status of an answer without a body; none where the connection ends first.
fn status(stream: &mut TcpStream) -> Outcome<Option<u16>> {
    let begun = Instant::now();
    let mut head = Vec::new();
    let mut some = [0; 1024];
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read(&mut some) {
            Ok(0) => return Ok(None),
            Ok(length) => head.extend_from_slice(some.get(..length).unwrap_or_default()),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                return Err(Error::msg(format!("no answer within {:?}", begun.elapsed())));
            }
            Err(_) => return Ok(None),
        }
    }
    let head = String::from_utf8_lossy(&head);
    let status = head.split(' ').nth(1).and_then(|text| text.parse().ok());
    status.map(Some).ok_or_else(|| Error::msg("no HTTP answer"))
}

/// What an application reports now, the same counts of each flag.
pub(super) fn report(
    application: String,
    flags: impl Iterator<Item = String>,
    counts: &Value,
) -> Outcome<Value> {
    let now = std::time::SystemTime::now();
    let now = now
        .duration_since(std::time::UNIX_EPOCH)
        .context("the clock")?
        .as_secs();
    let toggles: Map<String, Value> = flags.map(|flag| (flag, counts.clone())).collect();
    Ok(json!({
        "appName": application,
        "bucket": { "start": now, "stop": now, "toggles": toggles },
    }))
}

fn request(number: usize) -> Outcome<String> {
    let counts = json!({ "yes": 1, "no": 2, "variants": { "blue": 1 } });
    let body = report(application(number), (0..FLAGS).map(flag_name), &counts)?.to_string();
    Ok(format!(
        "POST /api/client/metrics HTTP/1.1\r\nHost: localhost\r\nAuthorization: {CLIENT_TOKEN}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    ))
}

fn application(number: usize) -> String {
    format!("app-{number:02}")
}

fn flag_name(number: usize) -> String {
    format!("crash-usage-{number:02}")
}

fn random() -> u64 {
    RandomState::new().hash_one(0)
}
