//! How long a usage report takes: `cargo bench -p vexil-client-api --features server --bench usage`.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a program for people that prints what it measures"
)]

use std::hint::black_box;
use std::time::Instant;

use serde_json::json;
use time::macros::datetime;
use vexil_client_api::usage::UsageReport;
use vexil_metrics::{Merge, Packed};

const ROUNDS: u32 = 2_000;
const GROUP: usize = 32;

fn main() {
    let toggles: serde_json::Map<_, _> = (0..50)
        .map(|number| {
            let counts = if number % 5 == 0 {
                json!({ "yes": number * 7, "no": 3, "variants": { "blue": number, "red": 5 } })
            } else {
                json!({ "yes": number * 7, "no": 3, "variants": {} })
            };
            (format!("feature.flag-{:03}", (number * 37) % 50), counts)
        })
        .collect();
    let body = json!({
        "appName": "checkout", "instanceId": "i-1",
        "bucket": { "start": "2026-11-28T06:00:00.123Z", "stop": "2026-11-28T06:01:00.123Z", "toggles": toggles },
    });
    let text = body.to_string();
    let now = datetime!(2026-11-28 06:01:02 UTC);
    let environment = "production".into();
    let pack = || -> Packed {
        let read = UsageReport::read_fast(text.as_bytes(), 800).unwrap();
        read.into_report(&environment, now).unwrap().pack()
    };
    println!("{} bytes of JSON, {} packed", text.len(), pack().as_bytes().len());
    time("read and packed", || drop(black_box(pack())));
    let group: Vec<Packed> = (0..GROUP).map(|_| pack()).collect();
    time("a group of 32 merged and packed again, each", || {
        let mut merge = Merge::default();
        group.iter().for_each(|packed| merge.add(packed).unwrap());
        black_box(merge.pack(1 << 18));
    });
}

fn time(what: &str, work: impl Fn()) {
    let mut best = f64::MAX;
    for _ in 0..10 {
        let start = Instant::now();
        (0..ROUNDS).for_each(|_| work());
        best = best.min(start.elapsed().as_secs_f64() / f64::from(ROUNDS));
    }
    println!("{what}: {:.2} µs", best * 1e6);
}
