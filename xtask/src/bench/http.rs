//! What SDKs ask and report, under load, beside a real Unleash in the same run: requests a second by wrk, processor
//! time of the server for each from `/proc`.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use super::history::report_two_days;
use super::measured::{Measured, PEER};
use super::mix::{FLAGS, furnish};
use super::process::{processor_seconds, resident};
use super::wrk::{duration, wrk};
use crate::built;
use crate::http::Api;
use crate::metadata::target_directory;
use crate::outcome::{Outcome, missing};
use crate::parity::Peer;
use crate::program::{find, read};
use crate::server::{Server, fresh_folder};
use anyhow::{Context, Error};

/// How long each load lasts, and how often the servers take turns; the median counts.
const SECONDS: u32 = 2;
const TURNS: usize = 3;
/// When it answers again.
const AGAIN: Duration = Duration::from_secs(61);
/// How many flags a report counts.
const REPORTED: usize = 50;
/// How many applications report where keys are many: 50,000 of flag, environment and application.
const APPLICATIONS: usize = 1_000;

/// Kinds of load.
#[derive(Clone, Copy)]
struct Load {
    what: &'static str,
    connections: u32,
    /// The request as a script of wrk.
    script: fn(&Measured) -> Outcome<String>,
}

const LOADS: [Load; 5] = [
    Load {
        what: "client/features, 200",
        connections: 16,
        script: features,
    },
    Load {
        what: "client/features, 304",
        connections: 16,
        script: not_modified,
    },
    Load {
        what: "frontend, rotating user",
        connections: 16,
        script: frontend,
    },
    Load {
        what: "client/metrics, 50 flags",
        connections: 16,
        script: metrics,
    },
    Load {
        what: "client/metrics, 50 flags, 64 connections",
        connections: 64,
        script: metrics,
    },
];

/// What is asked of two days of usage.
const OF_HISTORY: [Load; 3] = [
    Load {
        what: "usage of a flag",
        connections: 4,
        script: usage,
    },
    Load {
        what: "usage of a flag, 24 hours",
        connections: 1,
        script: hours,
    },
    Load {
        what: "usage of a flag, 48 hours",
        connections: 1,
        script: all_hours,
    },
];

/// What a load came to.
struct Outcomes {
    per_second: f64,
    processor: Duration,
    /// Within which half, and 99 in 100, were answered.
    half: Duration,
    most: Duration,
}

/// Measures the servers in turn and prints medians and their ratio.
pub(super) fn run() -> Outcome {
    if find("wrk").is_none() {
        return Err(missing("`wrk` is not here: install it"));
    }
    let target = target_directory()?;
    let program = built::released(&target)?;
    let folder = fresh_folder(&target, "bench-http")?;
    let database = format!("sqlite:{}", folder.join("vexil.db").display());
    let server = Server::start(&program, &database, &folder.join("vexil.log"))?;
    let ours = Measured::ours(&server);
    let peer = Peer::start();
    let peer = peer.as_ref().map(Measured::peer).map_err(|error| {
        println!("without a real Unleash: {error:#}");
    });
    let mut servers = vec![ours];
    servers.extend(peer.ok().transpose()?);
    for server in &servers {
        furnish(&server.admin)?;
    }
    println!("{FLAGS} flags, wrk with one thread, medians of {TURNS} turns of {SECONDS} s");
    for load in LOADS {
        compare(&servers, load, &folder)?;
    }
    for server in &servers {
        report_two_days(server)?;
    }
    for load in OF_HISTORY {
        compare(&servers, load, &folder)?;
    }
    let Some(ours) = servers.first() else {
        return Ok(());
    };
    many_keys(ours, &folder)?;
    println!("memory after all that: {} MiB", resident(ours.process)? / 1024);
    Ok(())
}

fn compare(servers: &[Measured], load: Load, folder: &Path) -> Outcome {
    let mut all: Vec<Vec<Outcomes>> = servers.iter().map(|_| Vec::new()).collect();
    for _ in 0..TURNS {
        for (server, outcomes) in servers.iter().zip(&mut all) {
            let outcome = put_under(server, load, folder);
            outcomes.push(match outcome {
                Err(_) if server.name == PEER => {
                    thread::sleep(AGAIN);
                    put_under(server, load, folder)?
                }
                outcome => outcome?,
            });
        }
    }
    let mut first = None;
    println!("{}:", load.what);
    for (server, outcomes) in servers.iter().zip(&all) {
        let processor = median(outcomes.iter().map(|it| it.processor.as_secs_f64()).collect());
        let per_second = median(outcomes.iter().map(|it| it.per_second).collect());
        let half = median(outcomes.iter().map(|it| it.half.as_secs_f64()).collect());
        let most = median(outcomes.iter().map(|it| it.most.as_secs_f64()).collect());
        let ratio = processor / *first.get_or_insert(processor);
        println!(
            "  {:8} {:6.1} µs each, {per_second:6.0} a second, half within {:.2} ms, 99 % within {:.1} ms, {ratio:.1} ×",
            server.name,
            processor * 1e6,
            half * 1e3,
            most * 1e3,
        );
    }
    Ok(())
}

fn put_under(server: &Measured, load: Load, folder: &Path) -> Outcome<Outcomes> {
    let script = folder.join("load.lua");
    fs::write(&script, (load.script)(server)?).with_context(|| script.display().to_string())?;
    let before = processor_seconds(server.process)?;
    let said = wrk(&server.admin.url, load.connections, SECONDS, &script)?;
    let used = processor_seconds(server.process)? - before;
    let figure = |name: &str| {
        let line = said.lines().find_map(|line| line.trim().strip_prefix(name));
        line.and_then(|rest| rest.split_whitespace().next())
            .ok_or_else(|| Error::msg(format!("wrk does not say `{name}`:\n{said}")))
    };
    if let Some(line) = said
        .lines()
        .find(|line| line.contains("Non-2xx") || line.contains("Socket errors"))
    {
        return Err(Error::msg(format!("{} of {}: {line}", load.what, server.name)));
    }
    let requests = said
        .lines()
        .find_map(|line| line.trim().split_once(" requests in"))
        .map(|(requests, _)| requests);
    let requests = requests.ok_or_else(|| Error::msg(format!("wrk does not count requests:\n{said}")))?;
    let requests: f64 = requests.parse().context("wrk")?;
    Ok(Outcomes {
        per_second: figure("Requests/sec:")?.parse().context("wrk")?,
        processor: Duration::from_secs_f64(used / requests),
        half: duration(figure("50%")?)?,
        most: duration(figure("99%")?)?,
    })
}

/// Reports of many applications, and meanwhile the usage of a flag.
fn many_keys(server: &Measured, folder: &Path) -> Outcome {
    let load = Load {
        what: "client/metrics, 50,000 keys",
        connections: 64,
        script: metrics_of_many,
    };
    let path = "/api/admin/client-metrics/features/flag-0";
    let read = thread::scope(|scope| {
        let reading = scope.spawn(|| {
            let begun = Instant::now();
            let mut times = Vec::new();
            while begun.elapsed() < Duration::from_secs(SECONDS.into()) * 3 {
                let asked = Instant::now();
                server.admin.json("GET", path, None)?;
                times.push(asked.elapsed().as_secs_f64());
            }
            Ok(times)
        });
        let outcomes = compare(std::slice::from_ref(server), load, folder);
        let read: Outcome<Vec<f64>> = reading
            .join()
            .unwrap_or_else(|_| Err(Error::msg("a reader broke off")));
        outcomes.and(read)
    })?;
    println!(
        "usage of a flag meanwhile: {:.2} ms, median by the clock of {} questions",
        median(read.clone()) * 1e3,
        read.len()
    );
    Ok(())
}

fn features(server: &Measured) -> Outcome<String> {
    get(
        &server.client,
        "/api/client/features",
        &[("Unleash-Client-Spec", "5.2.0")],
    )
}

fn not_modified(server: &Measured) -> Outcome<String> {
    let answer = Command::new("curl")
        .args([
            "-s",
            "-D-",
            "-o/dev/null",
            "-H",
            "Unleash-Client-Spec: 5.2.0",
            "-H",
        ])
        .arg(format!("Authorization: {}", server.client.token))
        .arg(format!("{}/api/client/features", server.client.url))
        .output()
        .context("curl")?;
    let head = String::from_utf8_lossy(&answer.stdout).into_owned();
    let tag = head
        .lines()
        .find_map(|line| {
            line.split_once(':')
                .filter(|(name, _)| name.eq_ignore_ascii_case("etag"))
        })
        .map(|(_, tag)| tag.trim().to_owned())
        .ok_or_else(|| Error::msg(format!("no entity tag: {head}")))?;
    get(
        &server.client,
        "/api/client/features",
        &[("Unleash-Client-Spec", "5.2.0"), ("If-None-Match", &tag)],
    )
}

fn get(api: &Api, path: &str, headers: &[(&str, &str)]) -> Outcome<String> {
    let mut script = format!("wrk.path = {}\n{}", quoted(path), authorized(api));
    for (name, value) in headers {
        // with blanks, as `[[` opens a text of its own
        script.push_str(&format!("wrk.headers[ {} ] = {}\n", quoted(name), quoted(value)));
    }
    Ok(script)
}

fn frontend(server: &Measured) -> Outcome<String> {
    Ok(format!(
        "{}local number = 0\nfunction request()\n  number = number + 1\n  return wrk.format('GET', \
         '/api/frontend?appName=bench&userId=user-' .. number % 10000 .. \
         '&properties[country]=NO&properties[age]=30&properties[email]=a%40example.org&properties[version]=2.0.0')\nend\n",
        authorized(&server.frontend)
    ))
}

fn metrics(server: &Measured) -> Outcome<String> {
    Ok(format!(
        "{}wrk.path = '/api/client/metrics'\nwrk.method = 'POST'\nwrk.body = {}\n",
        authorized(&server.client),
        quoted(&report("bench")?)
    ))
}

fn metrics_of_many(server: &Measured) -> Outcome<String> {
    Ok(format!(
        "{}local report = {}\nlocal number = 0\nfunction request()\n  number = number + 1\n  local body = \
         string.gsub(report, 'APPLICATION', 'app-' .. number % {APPLICATIONS}, 1)\n  return wrk.format('POST', \
         '/api/client/metrics', nil, body)\nend\n",
        authorized(&server.client),
        quoted(&report("APPLICATION")?)
    ))
}

fn usage(server: &Measured) -> Outcome<String> {
    get(&server.admin, "/api/admin/client-metrics/features/flag-0", &[])
}

fn hours(server: &Measured) -> Outcome<String> {
    hours_back(server, 24)
}

fn all_hours(server: &Measured) -> Outcome<String> {
    hours_back(server, 48)
}

fn hours_back(server: &Measured, hours: u32) -> Outcome<String> {
    let path = format!("/api/admin/client-metrics/features/flag-0/raw?hoursBack={hours}");
    get(&server.admin, &path, &[])
}

/// The report of one application on the last minute.
fn report(application: &str) -> Outcome<String> {
    let now = read(Command::new("date").args(["-u", "+%Y-%m-%dT%H:%M:%S.123Z"]))?;
    let now = now.trim();
    let counts = |number: usize| {
        let variants = if number.is_multiple_of(5) {
            json!({ "blue": number, "red": 5 })
        } else {
            json!({})
        };
        (
            format!("flag-{number}"),
            json!({ "yes": number * 7, "no": 3, "variants": variants }),
        )
    };
    let toggles: Map<String, Value> = (0..REPORTED).map(counts).collect();
    let bucket = json!({ "start": now, "stop": now, "toggles": toggles });
    Ok(json!({ "appName": application, "instanceId": "i-1", "bucket": bucket }).to_string())
}

fn authorized(api: &Api) -> String {
    format!(
        "wrk.headers['Authorization'] = {}\nwrk.headers['Content-Type'] = 'application/json'\n",
        quoted(&api.token)
    )
}

fn quoted(text: &str) -> String {
    format!("[==[{text}]==]")
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_unstable_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or_default()
}
