//! What the engine allocates, counted.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test stops at what it does not expect"
)]

use allocation_counter::measure;
use time::OffsetDateTime;
use vexil_client_api::frontend::{Toggle, write_toggles};
use vexil_client_api::load_engine;
use vexil_engine::{Ambient, Engine, Tally, Verdicts};

#[path = "../benches/engine/state.rs"]
#[expect(dead_code, reason = "only a part of it is needed here")]
mod state;

const SCENARIOS: [&str; 8] = [
    "none", "default", "rollout", "in10", "in1000", "in100000", "5c1seg", "10strat",
];

fn engine() -> Engine {
    load_engine(state::scenarios().to_string().as_bytes())
        .unwrap()
        .engine
}

#[test]
fn neither_a_check_nor_a_variant_allocates() {
    let engine = engine();
    let context = state::context("user-42");
    let ambient = Ambient::new(OffsetDateTime::UNIX_EPOCH, 0);
    let prepared = engine.prepare(&context, &ambient);
    for name in SCENARIOS {
        let with_variants = format!("{name}-variant");
        let info = measure(|| {
            assert!(engine.is_enabled(name, &context, &ambient), "{name}");
            assert!(prepared.is_enabled(name), "{name}");
            assert!(
                engine.variant(&with_variants, &context, &ambient).enabled,
                "{name}"
            );
            assert!(prepared.variant(&with_variants).enabled, "{name}");
        });
        assert_eq!(info.count_total, 0, "{name}");
    }
}

#[test]
fn resolving_all_flags_allocates_nothing_per_flag() {
    let engine = engine();
    let context = state::context("user-42");
    let ambient = Ambient::new(OffsetDateTime::UNIX_EPOCH, 0);
    let prepared = engine.prepare(&context, &ambient);
    let mut buffer = Vec::with_capacity(1 << 22);
    let mut flags = 0;
    let info = measure(|| {
        flags = prepared.resolve_all().count();
        write_toggles(prepared.resolve_all().map(toggle), &mut buffer);
    });
    assert_eq!((flags, info.count_total), (10_156, 0));
    let preparing = measure(|| drop(std::hint::black_box(engine.prepare(&context, &ambient))));
    assert_eq!(preparing.count_total, 0);
}

#[test]
fn verdicts_in_used_memory_allocate_nothing() {
    let engine = engine();
    let context = state::context("user-42");
    let ambient = Ambient::new(OffsetDateTime::UNIX_EPOCH, 0);
    let prepared = engine.prepare(&context, &ambient);
    let mut verdicts = Verdicts::default();
    let mut all = || {
        engine
            .flags()
            .filter(|flag| prepared.verdicts_by(*flag, &mut verdicts))
            .count()
    };
    assert_eq!(all(), 10_156);
    assert_eq!(measure(|| assert_eq!(all(), 10_156)).count_total, 0);
}

#[test]
fn counting_again_allocates_nothing() {
    let engine = engine();
    let context = state::context("user-42");
    let ambient = Ambient::new(OffsetDateTime::UNIX_EPOCH, 0);
    let prepared = engine.prepare(&context, &ambient);
    let mut tally = Tally::default();
    let mut count_all = || {
        for flag in engine.flags() {
            tally.check(flag, prepared.is_enabled_by(flag));
            tally.variant(flag, &prepared.variant_by(flag));
        }
    };
    count_all();
    assert_eq!(measure(count_all).count_total, 0);
    assert_eq!(tally.iter().count(), 10_156);
}

fn toggle(flag: vexil_engine::Resolved<'_>) -> Toggle<'_> {
    Toggle {
        name: flag.name,
        impression_data: flag.impression_data,
        variant: flag.variant,
    }
}
