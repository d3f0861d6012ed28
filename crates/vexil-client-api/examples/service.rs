//! A web service in small, under load: eight threads decide flags while the engine is replaced twice a second.
//!
//! `cargo run --features server --example service [-- URL TOKEN]`. Without a server it makes its documents itself.
//! `SERVICE_SECONDS` says how long it runs (3). It ends with an error where a count is wrong, a flag is answered for
//! another, a check allocates, or memory grows. Its last line is what it reported of each flag.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::indexing_slicing,
    reason = "an example for people"
)]

mod http;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use arc_swap::ArcSwap;
use http::Server;
use vexil_client_api::PolledEngine;
use vexil_client_api::report::Instance;
use vexil_engine::{
    ActivationStrategy, Ambient, Context, CustomStrategies, Engine, FlagId, FlagTally, OffsetDateTime, Tally,
};

type AnyError = Box<dyn std::error::Error + Send + Sync>;

const THREADS: u64 = 8;
const FLAGS: usize = 200;

fn main() -> Result<(), AnyError> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let server = match &*arguments {
        [] => None,
        [url, token] => Some(Server {
            url: url.clone(),
            token: token.clone(),
        }),
        _ => return Err("usage: service [URL TOKEN]".into()),
    };
    let seconds = std::env::var("SERVICE_SECONDS")
        .ok()
        .and_then(|text| text.parse().ok());
    let end = Instant::now() + Duration::from_secs(seconds.unwrap_or(3));
    let started = OffsetDateTime::now_utc();
    let me = Instance {
        application: "service-example".to_owned(),
        instance: std::process::id().to_string(),
        sdk_version: "vexil-example:0.1.0".to_owned(),
        strategies: custom().names().map(str::to_owned).collect(),
        started,
        interval: 500,
    };
    let source = Source { server };
    let (mut polled, _) = PolledEngine::load(source.document(0)?, custom())?;
    let engine = ArcSwap::from_pointee(polled.engine().clone());
    let service = Service {
        engine,
        ends: AtomicBool::new(false),
        checks: AtomicU64::new(0),
        tallies: Mutex::default(),
    };
    let mut reported = Reported::default();
    let (mut reloads, mut memory) = (0, Vec::new());
    let service = &service;
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|number| scope.spawn(move || service.serve(number)))
            .collect();
        let mut work = || -> Result<(), AnyError> {
            let mut start = started;
            while Instant::now() < end {
                std::thread::sleep(Duration::from_millis(500));
                reloads += 1;
                // twice a second there is another engine: now one that is updated, now one that is loaded anew
                let document = source.document(reloads)?;
                if reloads % 10 == 0 {
                    polled = PolledEngine::load(document, custom())?.0;
                } else {
                    polled.next(document)?;
                }
                service.engine.store(Arc::new(polled.engine().clone()));
                let stop = OffsetDateTime::now_utc();
                source.report(&me, start, stop, &service.take(), &mut reported)?;
                start = stop;
                memory.push(resident()?);
            }
            Ok(())
        };
        let worked = work();
        service.ends.store(true, Ordering::Relaxed);
        for thread in threads {
            thread.join().map_err(|_panic| "a thread gave up")??;
        }
        worked
    })?;
    source.report(
        &me,
        started,
        OffsetDateTime::now_utc(),
        &service.take(),
        &mut reported,
    )?;
    let (checks, counted) = (
        service.checks.load(Ordering::Relaxed),
        reported.0.values().map(|one| one.yes + one.no).sum::<u64>(),
    );
    println!("{checks} checks by {THREADS} threads, {counted} reported, {reloads} reloads");
    if checks != counted {
        return Err(format!("{checks} checks, but {counted} were reported").into());
    }
    let half = memory.len() / 2;
    if let (Some(first), Some(before), Some(after)) = (memory.first(), memory.get(half), memory.last()) {
        println!("{first} KiB in memory at first, {before} KiB at half time, {after} KiB at the end");
        if *after > *before + *before / 10 + 4_096 {
            return Err("memory grows".into());
        }
    }
    println!("{}", reported.document());
    Ok(())
}

/// What was reported, by flag.
#[derive(Default)]
struct Reported(BTreeMap<String, Counts>);

#[derive(Default)]
struct Counts {
    yes: u64,
    no: u64,
    variants: BTreeMap<String, u64>,
}

impl Reported {
    /// Adds a report, as it was sent.
    fn add(&mut self, report: &serde_json::Value) {
        for (flag, counts) in report["bucket"]["toggles"].as_object().into_iter().flatten() {
            let times = |value: &serde_json::Value| value.as_u64().unwrap_or_default();
            let of_flag = self.0.entry(flag.clone()).or_default();
            of_flag.yes += times(&counts["yes"]);
            of_flag.no += times(&counts["no"]);
            for (variant, count) in counts["variants"].as_object().into_iter().flatten() {
                *of_flag.variants.entry(variant.clone()).or_default() += times(count);
            }
        }
    }

    fn document(&self) -> serde_json::Value {
        let flags = self.0.iter().map(|(flag, counts)| {
            let Counts { yes, no, variants } = counts;
            (
                flag.clone(),
                serde_json::json!({ "yes": yes, "no": no, "variants": variants }),
            )
        });
        flags.collect()
    }
}

/// What the threads share.
struct Service {
    engine: ArcSwap<Engine>,
    ends: AtomicBool,
    checks: AtomicU64,
    tallies: Mutex<Tally>,
}

impl Service {
    fn serve(&self, number: u64) -> Result<(), AnyError> {
        let mut tally = Tally::default();
        let mut checks = 0;
        let mut seed = number + 1;
        while !self.ends.load(Ordering::Relaxed) {
            // a request: handles are those of the engine that is asked
            let engine = self.engine.load_full();
            let skipped = (seed >> 40) as usize % engine.len().max(21).saturating_sub(20);
            let ids = engine.flags().skip(skipped).take(20);
            let ids: Vec<(FlagId, &str)> = ids
                .filter_map(|id| Some((id, engine.name(id)?.as_str())))
                .collect();
            let mut choices = Vec::with_capacity(ids.len());
            for _ in 0..500 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let context = context(seed >> 40);
                let ambient = Ambient::new(OffsetDateTime::UNIX_EPOCH, seed);
                choices.clear();
                let info = allocation_counter::measure(|| {
                    choices.extend(
                        ids.iter()
                            .map(|(id, _)| engine.variant_by(*id, &context, &ambient)),
                    );
                });
                if info.count_total > 0 {
                    return Err(format!("{} allocations in a request", info.count_total).into());
                }
                for ((id, name), choice) in ids.iter().zip(&choices) {
                    // each flag hands out its own name
                    let is_wrong = |value: &str| value.starts_with("flag-") && value != *name;
                    if choice.payload.is_some_and(|payload| is_wrong(&payload.value)) {
                        return Err(format!("`{name}` was answered for another flag").into());
                    }
                    tally.variant(&engine, *id, choice);
                }
                tally.check_by_name(&engine, "nobody-made-this", false);
                checks += ids.len() as u64 + 1;
            }
            let mut all = self.tallies.lock().map_err(|_panic| "a thread gave up")?;
            all.add(&tally);
            tally.take();
        }
        self.checks.fetch_add(checks, Ordering::Relaxed);
        Ok(())
    }

    fn take(&self) -> BTreeMap<vexil_engine::FlagName, FlagTally> {
        let tallies = self.tallies.lock();
        tallies.map(|mut tallies| tallies.take()).unwrap_or_default()
    }
}

/// Lets in the tenants that the strategy lists.
fn custom() -> CustomStrategies {
    CustomStrategies::default().with("byTenant", ["tenant"], |asked| {
        let tenants = asked.parameter("tenants").unwrap_or_default();
        asked
            .value("tenant")
            .is_some_and(|tenant| tenants.split(',').any(|one| one == tenant))
    })
}

/// A user with thirty properties.
fn context(user: u64) -> Context {
    let mut context = Context::default().with("userId", format!("user-{user}"));
    for place in 0..29 {
        context.set(
            &format!("property{place}"),
            format!("value-{}", user % (place + 2)),
        );
    }
    context.with("tenant", ["acme", "umbrella", "initech"][(user % 3) as usize])
}

/// Where documents come from, and where reports go.
struct Source {
    server: Option<Server>,
}

impl Source {
    fn document(&self, number: usize) -> Result<Vec<u8>, AnyError> {
        match &self.server {
            Some(server) => {
                let answer = server.get("/api/client/features", None)?;
                if answer.status != 200 || answer.tag.is_none() {
                    return Err(format!("the server answers {}", answer.status).into());
                }
                Ok(answer.body)
            }
            None => Ok(made(number)),
        }
    }

    /// Adds up what is reported, and sends it where there is a server.
    fn report(
        &self,
        me: &Instance,
        start: OffsetDateTime,
        stop: OffsetDateTime,
        counts: &BTreeMap<vexil_engine::FlagName, FlagTally>,
        reported: &mut Reported,
    ) -> Result<(), AnyError> {
        let report = me.usage(start, stop, counts);
        if let Some(server) = &self.server {
            let status = server.post("/api/client/metrics", &report)?.status;
            if status != 202 {
                return Err(format!("the server answers {status} to a report").into());
            }
        }
        reported.add(&serde_json::from_str(&report)?);
        Ok(())
    }
}

/// A document of two hundred flags, of which a few differ from the one before; some come and go.
fn made(number: usize) -> Vec<u8> {
    let flag = |place: usize| {
        let rollout = (place * 7 + if place % 20 == number % 20 { number } else { 0 }) % 101;
        let strategy = if place.is_multiple_of(5) {
            let strategy =
                ActivationStrategy::new("s", "byTenant").with_parameter("tenants", "acme,umbrella");
            serde_json::json!({ "name": strategy.name, "parameters": strategy.parameters })
        } else {
            serde_json::json!({
                "name": "flexibleRollout",
                "parameters": { "rollout": rollout.to_string(), "stickiness": "userId", "groupId": "g" },
                "constraints": [{ "contextName": "property7", "operator": "NOT_IN", "values": ["value-8"] }]
            })
        };
        serde_json::json!({
            "name": format!("flag-{place}"), "enabled": true, "strategies": [strategy],
            "variants": [{ "name": "one", "weight": 1000, "payload": { "type": "string", "value": format!("flag-{place}") } }]
        })
    };
    let flags: Vec<_> = (0..FLAGS)
        .filter(|place| place % 50 != number % 50)
        .map(flag)
        .collect();
    serde_json::json!({ "features": flags }).to_string().into_bytes()
}

/// What this process has in memory, in KiB.
fn resident() -> Result<u64, AnyError> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let Some(line) = line else { return Ok(0) };
    Ok(line.trim().trim_end_matches(" kB").parse()?)
}
