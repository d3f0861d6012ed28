//! From JSON to ready, and from one state to the next.

use std::hint::black_box;

use cpu_time::ThreadTime;
use serde_json::Value;
use unleash_yggdrasil::UpdateMessage;
use vexil_client_api::{PolledEngine, load_engine, read_delta, read_features};
use vexil_engine::CustomStrategies;

use crate::measure::{alone, report, report_alone, versus};
use crate::state;

pub(crate) fn run() {
    for (count, samples) in [(1_000, 15), (10_000, 7), (100_000, 3)] {
        let document = state::mix(count);
        let json = document.to_string();
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
        random_flags_changed(count, json.as_bytes());
        polled(samples, document);
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

/// Another flag each time, in random order, then new flags one by one. Reading the JSON is left out.
fn random_flags_changed(count: usize, json: &[u8]) {
    let mut engine = state::ours(json);
    let delta = |feature: Value| {
        let event = serde_json::json!({
            "events": [{ "type": "feature-updated", "eventId": 1, "feature": feature }]
        });
        read_delta(event.to_string().as_bytes()).unwrap()
    };
    let mut microseconds = |name: &str, features: Vec<Value>| {
        let mut each: Vec<f64> = features
            .into_iter()
            .map(|feature| {
                let delta = delta(feature);
                let start = ThreadTime::now();
                engine = delta.next(&engine).0;
                start.elapsed().as_nanos() as f64 / 1e3
            })
            .collect();
        each.sort_by(f64::total_cmp);
        let (median, worst) = (each[each.len() / 2], each[each.len() - 1]);
        let late = each[each.len() * 99 / 100];
        println!("{name:<34} {median:>9.1} us, 99th of 100 {late:.1} us, worst {worst:.1} us");
    };
    let changed = (0..3_000).map(|step| state::mixed_flag(step * 7_919 % count));
    microseconds("E10: a random flag changed", changed.collect());
    let added = (0..10_000).map(|number| {
        let mut flag = state::mixed_flag(number % count);
        flag["name"] = format!("added-{number}").into();
        flag
    });
    microseconds("E10: a flag added", added.collect());
}

/// A whole document again and again, of which ten flags are not as they were.
fn polled(samples: usize, mut document: Value) {
    let before = document.to_string();
    let count = document["features"].as_array().unwrap().len();
    for step in 0..10 {
        let flag = &mut document["features"][step * 7_919 % count];
        flag["description"] = "another one".into();
        flag["enabled"] = (!flag["enabled"].as_bool().unwrap()).into();
    }
    let documents = [document.to_string().into_bytes(), before.into_bytes()];
    let mut polled = PolledEngine::load(documents[1].clone(), CustomStrategies::default())
        .unwrap()
        .0;
    let mut turn = 0;
    let next = || {
        let document = documents[turn % 2].clone();
        turn += 1;
        let changed = polled.next(black_box(document)).unwrap().changed;
        assert!(changed >= 9, "{changed}");
    };
    let ours = alone(samples.max(5), next);
    report_alone(&format!("polled, ten of {count} changed"), &ours);
}
