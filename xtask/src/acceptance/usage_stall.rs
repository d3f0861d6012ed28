//! Fifty applications report while the database stands still for longer than anybody waits: each is answered in time, told to
//! come back, and what was answered 202 is stored once. Everybody else is served meanwhile.

use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Error;
use serde_json::json;

use super::usage_crash::report;
use crate::bench::process::{peak, resident};
use crate::http::Api;
use crate::metadata::target_directory;
use crate::outcome::Outcome;
use crate::postgres::Postgres;
use crate::server::{Server, fresh_folder};

/// How many applications report at once.
const SENDERS: usize = 50;
/// How many flags each report counts.
const FLAGS: usize = 50;
/// For how long the database stands still; whoever waits for it is answered within ten seconds.
const STILL: Duration = Duration::from_secs(13);
/// How long an answer to a report may take: the wait for room and that for the database.
const PATIENCE: Duration = Duration::from_secs(16);
/// How long an answer that needs no database may take.
const AT_ONCE: Duration = Duration::from_secs(1);
/// How long after the last report everything is folded, at the latest.
const FOLDED: Duration = Duration::from_secs(4);

/// How many MiB more a server may take: what waits is bounded.
const MOST_GROWN: u64 = 64;

/// What became of the reports of one application.
#[derive(Clone, Copy, Default)]
struct Sent {
    accepted: u64,
    refused: u64,
    unknown: u64,
    slowest: Duration,
}

pub(super) fn run(vexil: &Path, postgres: &Postgres) -> Outcome {
    let folder = fresh_folder(&target_directory()?, "usage-stall")?;
    let database = postgres.database("usage_stall")?;
    let server = Server::start(vexil, &database, &folder.join("vexil.log"))?;
    let over = AtomicBool::new(false);
    let client = server.client();
    let before = resident(server.id())?;
    let (sent, slowest) = thread::scope(|scope| {
        let (client, over) = (&client, &over);
        let senders: Vec<_> = (0..SENDERS)
            .map(|number| scope.spawn(move || report_until(over, client, number)))
            .collect();
        let reader = scope.spawn(move || read_until(over, client));
        thread::sleep(Duration::from_secs(1));
        let still = postgres.stand_still(&database, "usage_inbox", STILL);
        thread::sleep(Duration::from_secs(2));
        over.store(true, Ordering::Release);
        still?;
        let died = |_| Err(Error::msg("a sender broke off"));
        let senders = senders.into_iter();
        let sent: Outcome<Vec<Sent>> = senders.map(|sender| sender.join().unwrap_or_else(died)).collect();
        let slowest = reader
            .join()
            .unwrap_or_else(|_| Err(Error::msg("a reader broke off")));
        Ok::<_, Error>((sent?, slowest?))
    })?;
    let grown = peak(server.id())?.saturating_sub(before) / 1024;
    if grown > MOST_GROWN {
        return Err(Error::msg(format!(
            "usage stall: the server took {grown} MiB more"
        )));
    }
    thread::sleep(FOLDED);
    for (number, sent) in sent.iter().enumerate() {
        let stored = stored(&server.admin(), number)?;
        let promised: RangeInclusive<u64> = sent.accepted..=sent.accepted + sent.unknown;
        if !promised.contains(&stored) {
            return Err(Error::msg(format!(
                "usage stall: of application {number} {} reports were answered 202, of {} nobody knew, and {stored} are stored",
                sent.accepted, sent.unknown
            )));
        }
    }
    let sum = |count: fn(&Sent) -> u64| sent.iter().map(count).sum::<u64>();
    let refused = sum(|it| it.refused);
    if refused == 0 {
        return Err(Error::msg("usage stall: nobody was told to come back"));
    }
    println!(
        "usage stall: {} reports stored, {refused} told to come back, {} of which nobody knew, within {:.1} s, {grown} MiB more; {} ms for whoever read flags",
        sum(|it| it.accepted),
        sum(|it| it.unknown),
        sent.iter()
            .map(|it| it.slowest)
            .max()
            .unwrap_or_default()
            .as_secs_f64(),
        slowest.as_millis()
    );
    Ok(())
}

/// Reports one after the other until it is over, and whoever is told to come back does so a second later.
fn report_until(over: &AtomicBool, api: &Api, number: usize) -> Outcome<Sent> {
    let mut sent = Sent::default();
    let counts = json!({ "yes": 1, "no": 2 });
    let report = report(application(number), (0..FLAGS).map(flag_name), &counts)?;
    while !over.load(Ordering::Acquire) {
        let begun = Instant::now();
        let answer = api.call("POST", "/api/client/metrics", Some(&report))?;
        sent.slowest = sent.slowest.max(begun.elapsed());
        if sent.slowest > PATIENCE {
            return Err(Error::msg(format!(
                "a report was answered after {:?}",
                sent.slowest
            )));
        }
        match answer.status {
            202 => sent.accepted += 1,
            503 if answer.says_header("retry-after") => {
                sent.refused += 1;
                thread::sleep(Duration::from_secs(1));
            }
            504 => sent.unknown += 1,
            status => {
                return Err(Error::msg(format!(
                    "a report was answered {status} {}",
                    answer.body
                )));
            }
        }
    }
    Ok(sent)
}

/// Reads the flags until it is over, and says how long the slowest answer took.
fn read_until(over: &AtomicBool, api: &Api) -> Outcome<Duration> {
    let mut slowest = Duration::ZERO;
    while !over.load(Ordering::Acquire) {
        let begun = Instant::now();
        api.json("GET", "/api/client/features", None)?;
        slowest = slowest.max(begun.elapsed());
        if slowest > AT_ONCE {
            return Err(Error::msg(format!("the flags were read in {slowest:?}")));
        }
        thread::sleep(Duration::from_millis(50));
    }
    Ok(slowest)
}

/// How many reports of an application are stored; each flag must say the same.
fn stored(api: &Api, number: usize) -> Outcome<u64> {
    let counts = (0..FLAGS).map(|flag| {
        let path = format!(
            "/api/admin/client-metrics/features/{}/minutes?last=120",
            flag_name(flag)
        );
        let answer = api.json("GET", &path, None)?;
        let counts = &answer["environments"][0]["applications"][application(number)];
        Ok(counts["yes"].as_u64().unwrap_or_default())
    });
    let counts = counts.collect::<Outcome<Vec<u64>>>()?;
    let first = counts.first().copied().unwrap_or_default();
    if counts.iter().any(|count| *count != first) {
        return Err(Error::msg(format!(
            "usage stall: flags of the same reports are counted differently: {counts:?}"
        )));
    }
    Ok(first)
}

fn application(number: usize) -> String {
    format!("stalled-{number:02}")
}

fn flag_name(number: usize) -> String {
    format!("usage-stall-{number:02}")
}
