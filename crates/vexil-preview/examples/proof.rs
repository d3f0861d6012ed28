//! How long proofs take, the best of three for each change: `cargo run --release -p vexil-preview --example proof`.
//!
//! Arguments: how many changes of each shape; the number of one row, for it alone; and of how many microseconds on
//! a change is named.

#![expect(
    clippy::print_stdout,
    clippy::indexing_slicing,
    reason = "an example tells its user what it measured"
)]

use std::sync::Arc;
use std::time::Instant;

use time::macros::datetime;
use vexil_budget::Budget;
use vexil_domain::{
    ActivationStrategy, Constraint, EnvironmentFlag, EnvironmentSnapshot, FlagName, FlagSettings, Operator,
    Segment, SegmentId,
};
use vexil_engine::{Ambient, Engine};
use vexil_preview::{Comparison, Effect, Side, affected_flags};
use vexil_proptest::{Shape, realistic_change};

/// The program's own: proofs take and give back much memory.
#[cfg(unix)]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// The server's budget for one question.
const WORK: u64 = 100_000_000;

fn main() {
    let count = std::env::args().nth(1).and_then(|text| text.parse().ok());
    let count: u64 = count.unwrap_or(1_000);
    let only: Option<usize> = std::env::args().nth(2).and_then(|row| row.parse().ok());
    let is_asked = |row| only.is_none_or(|only| only == row);
    println!("| change | complete | p50 | p99 | most |\n| --- | --- | --- | --- | --- |");
    for (number, (name, strategies, constraints, fields)) in [
        ("≤ 6 strategies × 5 constraints, 6 fields", 6, 5, 6),
        ("≤ 30 strategies × 10 constraints, 8 fields", 30, 10, 8),
        ("≤ 30 strategies × 30 constraints, 16 fields", 30, 30, 16),
    ]
    .into_iter()
    .enumerate()
    {
        if is_asked(number) {
            let shape = Shape {
                strategies,
                constraints,
                fields,
            };
            row(name, (0..count).map(|seed| realistic_change(shape, seed)));
        }
    }
    if is_asked(3) {
        row(
            "a segment that 1,000 flags use",
            (0..5).map(|_| of_segment(1_000)),
        );
    }
    if is_asked(4) {
        row(
            "one environment against another, 10,000 flags",
            (0..3).map(|_| of_environment(10_000)),
        );
    }
    for (number, variables) in [(5, 8), (6, 12), (7, 16), (8, 24)] {
        if is_asked(number) {
            let name = format!("built to blow it up, {variables} fields");
            row(&name, (0..5).map(|seed| adversarial(variables, seed)));
        }
    }
    println!("\nmost memory: {}", most_memory());
}

fn row(name: &str, changes: impl Iterator<Item = (EnvironmentSnapshot, EnvironmentSnapshot)>) {
    let (mut times, mut complete, mut count) = (Vec::new(), 0, 0);
    let slow: Option<u64> = std::env::args().nth(3).and_then(|slow| slow.parse().ok());
    for (before, after) in changes {
        let engines = [&before, &after].map(|snapshot| Engine::compile(snapshot).0);
        let (mut is_complete, mut nodes) = (false, 0_u64);
        let best = (0..3).map(|_| {
            let start = Instant::now();
            let effect = effect([&before, &after], &engines);
            is_complete = effect.is_complete();
            nodes = effect.flags.iter().map(|flag| flag.nodes).sum();
            start.elapsed().as_nanos() as u64
        });
        let best = best.min().unwrap_or_default();
        if slow.is_some_and(|slow| best > slow * 1_000) {
            println!("{count}: {} µs, {nodes} nodes", best / 1_000);
        }
        times.push(best);
        complete += usize::from(is_complete);
        count += 1;
    }
    times.sort_unstable();
    let at = |part: usize| times.get((times.len() * part / 100).min(times.len() - 1));
    let shown = |time: Option<&u64>| {
        let micros = *time.unwrap_or(&0) as f64 / 1e3;
        match micros {
            ..1e3 => format!("{micros:.0} µs"),
            _ => format!("{:.1} ms", micros / 1e3),
        }
    };
    println!(
        "| {name} | {complete} of {count} | {} | {} | {} |",
        shown(at(50)),
        shown(at(99)),
        shown(times.last())
    );
}

fn effect(sides: [&EnvironmentSnapshot; 2], engines: &[Engine; 2]) -> Effect {
    let [before, after] = sides;
    let [engine, then] = engines;
    let comparison = Comparison {
        before: Side {
            snapshot: before,
            engine,
        },
        after: Side {
            snapshot: after,
            engine: then,
        },
        environment: "production",
        ambient: Ambient::new(datetime!(2026-11-28 12:00 UTC), 7),
    };
    let flags: Vec<FlagName> = affected_flags(before, after);
    comparison.effect(&flags, &[], &Budget::new(WORK))
}

fn most_memory() -> String {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("VmHWM"));
    line.unwrap_or_default()
        .trim_start_matches("VmHWM:")
        .trim()
        .to_owned()
}

fn flag(name: String, strategies: Vec<ActivationStrategy>) -> Arc<EnvironmentFlag> {
    Arc::new(EnvironmentFlag {
        settings: Arc::new(FlagSettings {
            enabled: true,
            strategies,
            variants: Vec::new(),
        }),
        ..EnvironmentFlag::new(name, "default")
    })
}

fn one_of(field: &str, values: &[&str]) -> Constraint {
    let values = values.iter().map(|value| (*value).to_owned()).collect();
    Constraint {
        values,
        ..Constraint::new(field, Operator::In)
    }
}

/// One segment of two constraints loses a value; flags use it beside a constraint and a rollout of their own.
fn of_segment(flags: usize) -> (EnvironmentSnapshot, EnvironmentSnapshot) {
    let segment = |countries: &[&str]| {
        let constraints = vec![one_of("country", countries), one_of("plan", &["pro", "team"])];
        Arc::new(Segment::new(SegmentId(1), "customers", constraints))
    };
    let mut before = EnvironmentSnapshot::default();
    before.segments.insert(SegmentId(1), segment(&["NO", "SE", "DK"]));
    for number in 0..flags {
        let mut strategy = ActivationStrategy::new("s", "flexibleRollout")
            .with_parameter("rollout", (number % 101).to_string())
            .with_parameter("stickiness", "userId")
            .with_parameter("groupId", format!("flag-{number}"));
        strategy.segments = vec![SegmentId(1)];
        strategy.constraints = vec![one_of("device", &["ios", "android"])];
        let flag = flag(format!("flag-{number}"), vec![strategy]);
        before.flags.insert(flag.name.clone(), flag);
    }
    let mut after = before.clone();
    after.segments.insert(SegmentId(1), segment(&["NO", "SE"]));
    (before, after)
}

/// Two environments of so many flags, each edited once between them.
fn of_environment(flags: usize) -> (EnvironmentSnapshot, EnvironmentSnapshot) {
    let (mut before, mut after) = (EnvironmentSnapshot::default(), EnvironmentSnapshot::default());
    for number in 0..flags {
        let (one, other) = realistic_change(Shape::USUAL, number as u64);
        let name: FlagName = format!("flag-{number}").into();
        for (from, into) in [(&one, &mut before), (&other, &mut after)] {
            if into.segments.is_empty() {
                into.segments.clone_from(&from.segments);
            }
            if let Some(flag) = from.flags.get("checkout") {
                let mut flag = EnvironmentFlag::clone(flag);
                flag.name = name.clone();
                flag.dependencies.clear();
                into.flags.insert(name.clone(), Arc::new(flag));
            }
        }
    }
    after.segments.clone_from(&before.segments);
    (before, after)
}

/// Strategies whose constraints each ask a few of many fields, so that what is left after any field differs:
/// whether any of them holds is as hard as a formula can be.
fn adversarial(fields: usize, seed: u64) -> (EnvironmentSnapshot, EnvironmentSnapshot) {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut below = |bound: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    let values = ["a", "b", "c", "d"];
    let mut strategies: Vec<ActivationStrategy> = (0..fields * 4)
        .map(|number| {
            let mut strategy = ActivationStrategy::new(format!("s{number}"), "default");
            for _ in 0..3 {
                let (one, other) = (values[below(4)], values[below(4)]);
                let field = format!("field-{}", below(fields));
                strategy.constraints.push(one_of(&field, &[one, other]));
            }
            strategy
        })
        .collect();
    let mut last = ActivationStrategy::new("last", "default");
    last.constraints = (0..fields)
        .map(|field| {
            let mut constraint = one_of(&format!("field-{field}"), &["e"]);
            constraint.inverted = Some(true);
            constraint
        })
        .collect();
    let mut before = EnvironmentSnapshot::default();
    let mut after = EnvironmentSnapshot::default();
    before
        .flags
        .insert("f".into(), flag("f".to_owned(), strategies.clone()));
    strategies.push(last);
    after.flags.insert("f".into(), flag("f".to_owned(), strategies));
    (before, after)
}
