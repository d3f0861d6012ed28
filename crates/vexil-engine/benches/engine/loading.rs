//! From JSON to ready, and from one state to the next.

use std::hint::black_box;

use unleash_yggdrasil::UpdateMessage;
use vexil_client_api::{load_engine, read_delta, read_features};

use crate::measure::{alone, report, report_alone, versus};
use crate::state;

pub(crate) fn run() {
    for (count, samples) in [(1_000, 15), (10_000, 7), (100_000, 3)] {
        let json = state::mix(count).to_string();
        println!("{count} flags, {} bytes of JSON", json.len());
        let load = || load_engine(black_box(json.as_bytes())).unwrap().engine;
        report(
            &format!("E9: JSON to ready, {count}"),
            &versus(samples, load, || state::theirs(black_box(json.as_bytes()))),
        );
        report_alone(
            "    JSON to a snapshot alone",
            &alone(samples, || read_features(black_box(json.as_bytes())).unwrap()),
        );
        one_flag_changed(count, samples, json.as_bytes());
    }
}

fn one_flag_changed(count: usize, samples: usize, json: &[u8]) {
    let (ours, theirs) = (state::ours(json), state::theirs(json));
    let feature = state::mixed_flag(count / 2);
    let event = serde_json::json!({
        "events": [{ "type": "feature-updated", "eventId": 1, "feature": feature }]
    });
    let delta = read_delta(event.to_string().as_bytes()).unwrap();
    let mut engine = ours;
    let next = || {
        engine = delta.next(&engine).0;
        engine.len()
    };
    let their_next = || {
        let delta = serde_json::from_value(event.clone()).unwrap();
        theirs.take_state(UpdateMessage::PartialUpdate(delta)).is_none()
    };
    report(
        &format!("E10: one flag changed, {count}"),
        &versus(samples, next, their_next),
    );
}
