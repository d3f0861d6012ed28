//! An application in small: it registers, polls flags, decides, counts and reports.
//!
//! `cargo run --example poll -- http://127.0.0.1:4242 TOKEN FLAG`, with a client token.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::indexing_slicing,
    reason = "an example for people"
)]

mod http;

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Duration;

use http::Server;
use vexil_client_api::PolledEngine;
use vexil_client_api::report::Instance;
use vexil_engine::{Ambient, Context, CustomStrategies, OffsetDateTime, Tally};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [url, token, flag] = &*arguments else {
        return Err("usage: poll URL TOKEN FLAG".into());
    };
    let server = Server {
        url: url.clone(),
        token: token.clone(),
    };
    let me = Instance {
        application: "poll-example".to_owned(),
        instance: std::process::id().to_string(),
        sdk_version: "vexil-example:0.1.0".to_owned(),
        strategies: Vec::new(),
        started: OffsetDateTime::now_utc(),
        interval: 1_000,
    };
    println!(
        "registered: {}",
        server.post("/api/client/register", &me.registration())?.status
    );

    let first = server.get("/api/client/features", None)?;
    if first.status != 200 {
        return Err(format!("{}: {}", first.status, String::from_utf8_lossy(&first.body)).into());
    }
    let mut tag = first.tag;
    let (mut polled, news) = PolledEngine::load(first.body, CustomStrategies::default())?;
    println!("{} flags and segments", news.changed);
    for wrong in news.everything_wrong() {
        println!("{wrong}");
    }

    let mut tally = Tally::default();
    let mut start = OffsetDateTime::now_utc();
    for round in 0..3 {
        let engine = polled.engine();
        for user in 0..10 {
            let context = Context::default().with("userId", format!("user-{user}"));
            let seed = RandomState::new().build_hasher().finish();
            let ambient = Ambient::new(OffsetDateTime::now_utc(), seed);
            let choice = engine.variant(flag, &context, &ambient);
            tally.variant_by_name(engine, flag, &choice);
            if round == 0 && user == 0 {
                match engine.explain(flag, &context, &ambient) {
                    Some(explanation) => println!("{explanation}"),
                    None => println!("there is no flag `{flag}`"),
                }
            }
        }
        let stop = OffsetDateTime::now_utc();
        let report = me.usage(start, stop, &tally.take());
        println!(
            "reported: {}",
            server.post("/api/client/metrics", &report)?.status
        );
        start = stop;

        std::thread::sleep(Duration::from_millis(200));
        let next = server.get("/api/client/features", tag.as_deref())?;
        if next.status == 200 {
            tag = next.tag;
            println!("{} changed", polled.next(next.body)?.changed);
        } else {
            println!("polled: {}", next.status);
        }
    }
    Ok(())
}
