//! Changes to try: hostile ones, realistic ones, and those of case files.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use time::macros::datetime;
use vexil_budget::Budget;
use vexil_domain::EnvironmentSnapshot;
use vexil_engine::{Ambient, Engine};
use vexil_proof_check::Proof;
use vexil_proptest::{Shape, arb_environment_edit, arb_realistic_change};

use crate::{Comparison, Side};

/// A number from the environment, for runs that are longer than usual.
pub(crate) fn asked_for(name: &str, otherwise: u64) -> u64 {
    #[expect(clippy::disallowed_methods, reason = "whoever runs it says how long")]
    let text = std::env::var(name).ok();
    text.and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// What draws the values of one run.
pub(crate) fn runner(run: u8) -> TestRunner {
    let mut bytes = [run; 32];
    bytes[..8].copy_from_slice(&asked_for("SEED", 0).to_le_bytes());
    TestRunner::new_with_rng(
        Config::default(),
        TestRng::from_seed(RngAlgorithm::ChaCha, &bytes),
    )
}

/// A sequence of well-mixed numbers.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound.max(1)
    }

    pub(crate) fn one_of<'t, T>(&mut self, all: &'t [T]) -> &'t T {
        &all[self.below(all.len())]
    }
}

/// Both sides of a change, compiled.
pub(crate) struct Sides {
    pub(crate) before: EnvironmentSnapshot,
    pub(crate) after: EnvironmentSnapshot,
    engines: [Engine; 2],
}

impl Sides {
    pub(crate) fn new((before, after): (EnvironmentSnapshot, EnvironmentSnapshot)) -> Self {
        let engines = [&before, &after].map(|snapshot| Engine::compile(snapshot).0);
        Self {
            before,
            after,
            engines,
        }
    }

    pub(crate) fn both(&self) -> [Side<'_>; 2] {
        let [before, after] = &self.engines;
        [(&self.before, before), (&self.after, after)].map(|(snapshot, engine)| Side { snapshot, engine })
    }

    pub(crate) fn comparison(&self) -> Comparison<'_> {
        let [before, after] = self.both();
        Comparison {
            before,
            after,
            environment: "production",
            ambient: Ambient::new(datetime!(2024-07-01 00:00:30 UTC), 7),
        }
    }

    /// A proof of what becomes of the flag `f`, which the checker accepts.
    pub(crate) fn proof(&self) -> Proof {
        let proof = self.comparison().certificate(&"f".into(), &Budget::unlimited());
        let told = || format!("{:#?}\n{:#?}", self.before.flags, self.after.flags);
        let proof = proof.unwrap().unwrap_or_else(|| panic!("no proof: {}", told()));
        let checked = vexil_proof_check::check(self.to_check(), &proof);
        assert_eq!(checked, Ok(()), "{proof:#?}\n{}", told());
        proof
    }

    /// Both for the checker.
    pub(crate) fn to_check(&self) -> [vexil_proof_check::Side<'_>; 2] {
        self.both().map(|side| vexil_proof_check::Side {
            snapshot: side.snapshot,
            engine: side.engine,
        })
    }
}

/// An environment before and after some flags and segments were changed, added and taken away; or after one
/// realistic edit.
pub(crate) fn arb_sides() -> BoxedStrategy<(EnvironmentSnapshot, EnvironmentSnapshot)> {
    prop_oneof![2 => arb_environment_edit(), 1 => arb_realistic_change(Shape::USUAL)].boxed()
}
