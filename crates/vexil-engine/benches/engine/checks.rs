//! One check at a time: by name, by handle, with a context as it comes, variants.

use std::hint::black_box;

use time::OffsetDateTime;
use unleash_yggdrasil::EngineState;
use vexil_engine::{Ambient, Engine, Prepared};

use crate::measure::{report, versus};
use crate::state;

const SAMPLES: usize = 40;
const ALL: [&str; 8] = [
    "none", "default", "rollout", "in10", "in1000", "in100000", "5c1seg", "10strat",
];

pub(crate) fn run() {
    let json = state::scenarios().to_string();
    let (ours, theirs) = (state::ours(json.as_bytes()), state::theirs(json.as_bytes()));
    let context = state::context("user-42");
    let their_context = state::their_context(&context);
    let ambient = Ambient::new(OffsetDateTime::UNIX_EPOCH, 0);
    let prepared = ours.prepare(&context, &ambient);
    for name in ALL {
        let both = (
            prepared.is_enabled(name),
            theirs.is_enabled(name, &their_context, &None),
        );
        assert_eq!(both, (true, true), "{name}");
    }
    let their_check = |name: &str| theirs.is_enabled(black_box(name), black_box(&their_context), &None);
    println!("E1, E2: on or off by name, prepared context");
    for name in ALL {
        report(
            name,
            &versus(
                SAMPLES,
                || prepared.is_enabled(black_box(name)),
                || their_check(name),
            ),
        );
    }
    println!("E3: on or off by handle, prepared context");
    for name in ALL {
        let id = ours.flag(name).unwrap();
        report(
            name,
            &versus(
                SAMPLES,
                || prepared.is_enabled_by(black_box(id)),
                || their_check(name),
            ),
        );
    }
    println!("E4: on or off by name, context as it comes");
    for name in ALL {
        let check = || ours.is_enabled(black_box(name), black_box(&context), &ambient);
        report(name, &versus(SAMPLES, check, || their_check(name)));
    }
    println!("E4: on or off by handle, context as it comes");
    for name in ALL {
        let id = ours.flag(name).unwrap();
        let check = || ours.is_enabled_by(black_box(id), black_box(&context), &ambient);
        report(name, &versus(SAMPLES, check, || their_check(name)));
    }
    variants(&prepared, &ours, &theirs, &their_context);
}

fn variants(
    prepared: &Prepared<'_>,
    ours: &Engine,
    theirs: &EngineState,
    their_context: &unleash_yggdrasil::Context,
) {
    println!("E5: variant by name, prepared context");
    let mut product = 1.0;
    for name in ALL {
        let name = format!("{name}-variant");
        let their_variant = || theirs.get_variant(black_box(&name), black_box(their_context), &None);
        product *= report(
            &name,
            &versus(SAMPLES, || prepared.variant(black_box(&name)), their_variant),
        );
    }
    println!(
        "{:<34} {:>40.1}x",
        "geometric mean",
        f64::powf(product, 1.0 / ALL.len() as f64)
    );
    println!("E5: variant by handle, prepared context");
    for name in ALL {
        let name = format!("{name}-variant");
        let id = ours.flag(&name).unwrap();
        let their_variant = || theirs.get_variant(black_box(&name), black_box(their_context), &None);
        report(
            &name,
            &versus(SAMPLES, || prepared.variant_by(black_box(id)), their_variant),
        );
    }
}
