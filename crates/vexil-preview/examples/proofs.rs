//! Changes with their proofs, a line of JSON each, for whoever wants to check them by other means:
//! `cargo run -p vexil-preview --example proofs -- 100`.
//!
//! Arguments: how many changes, and the seed of the first.

#![expect(clippy::print_stdout, reason = "what an example prints is what it is for")]

use serde_json::{Value, json};
use time::macros::datetime;
use vexil_budget::Budget;
use vexil_domain::{EnvironmentSnapshot, FlagName};
use vexil_engine::{Ambient, Engine};
use vexil_preview::{Comparison, Side, affected_flags};
use vexil_proptest::{Shape, realistic_change};

/// Fields of every kind of value.
const SHAPE: Shape = Shape {
    fields: 16,
    ..Shape::USUAL
};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut argument = |otherwise: u64| {
        let text = arguments.next();
        text.and_then(|text| text.parse().ok()).unwrap_or(otherwise)
    };
    let (count, seed) = (argument(100), argument(0));
    for change in seed..seed + count {
        let (before, after) = realistic_change(SHAPE, change);
        let engines = [&before, &after].map(|snapshot| Engine::compile(snapshot).0);
        let comparison = Comparison {
            before: Side {
                snapshot: &before,
                engine: &engines[0],
            },
            after: Side {
                snapshot: &after,
                engine: &engines[1],
            },
            environment: "production",
            ambient: Ambient::new(datetime!(2024-07-01 00:00 UTC), 0),
        };
        for flag in affected_flags(&before, &after) {
            let proof = comparison.certificate(&flag, &Budget::unlimited());
            let sides = [&before, &after].map(|side| side_of(side, &flag));
            println!(
                "{}",
                json!({
                    "change": change,
                    "flag": flag,
                    "sides": sides,
                    "proof": proof.ok().flatten(),
                })
            );
        }
    }
}

/// A flag and its parents on one side, with all segments.
fn side_of(side: &EnvironmentSnapshot, flag: &FlagName) -> Value {
    let own = side.flags.get(flag);
    let parents = own.into_iter().flat_map(|flag| &flag.dependencies);
    let parents = parents.filter_map(|it| side.flags.get(&it.parent));
    let written = own.into_iter().chain(parents).map(|flag| {
        let settings = json!({
            "enabled": flag.settings.enabled,
            "strategies": flag.settings.strategies,
            "variants": flag.settings.variants,
            "dependencies": flag.dependencies,
        });
        (flag.name.to_string(), settings)
    });
    let segments = side.segments.iter();
    let segments = segments.map(|(id, segment)| (id.0.to_string(), json!(segment.constraints)));
    json!({
        "flags": written.collect::<serde_json::Map<_, _>>(),
        "segments": segments.collect::<serde_json::Map<_, _>>(),
    })
}
