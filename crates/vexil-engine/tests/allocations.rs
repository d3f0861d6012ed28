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
use vexil_engine::{
    ActivationStrategy, Ambient, CustomStrategies, Engine, EnvironmentFlag, Tally, Variant, Verdicts,
};

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
    let preparing = measure(|| {
        std::hint::black_box(engine.prepare(&context, &ambient));
    });
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
    let count_all = |tally: &mut Tally| {
        for flag in engine.flags() {
            tally.check(&engine, flag, prepared.is_enabled_by(flag));
            tally.variant(&engine, flag, &prepared.variant_by(flag));
        }
    };
    count_all(&mut tally);
    assert_eq!(measure(|| count_all(&mut tally)).count_total, 0);
    assert_eq!(tally.take().len(), 10_156);
    assert_eq!(
        measure(|| count_all(&mut tally)).count_total,
        0,
        "after a report too"
    );
}

#[test]
fn keeping_a_choice_allocates_nothing_and_a_custom_strategy_neither() {
    let custom = CustomStrategies::default().with("byPlan", ["plan"], |asked| {
        asked.value("plan") == asked.parameter("plan")
    });
    let strategy = ActivationStrategy::new("s", "byPlan").with_parameter("plan", "plan-1");
    let flag = EnvironmentFlag::new("f", "default")
        .with_strategy(strategy)
        .with_variant(Variant::new("red", 1).with_payload("string", "dark"));
    let engine = Engine::compile_with(&[flag].into_iter().collect(), custom).0;
    let context = state::context("user-42");
    let ambient = Ambient::new(OffsetDateTime::UNIX_EPOCH, 0);
    let info = measure(|| {
        let choice = engine.variant("f", &context, &ambient).into_owned();
        assert!(choice.enabled() && choice.payload().is_some_and(|payload| payload.value == "dark"));
    });
    assert_eq!(info.count_total, 0);
}

fn toggle(flag: vexil_engine::Resolved<'_>) -> Toggle<'_> {
    Toggle {
        name: flag.name,
        impression_data: flag.impression_data,
        variant: flag.variant,
    }
}
