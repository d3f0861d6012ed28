//! Two sides to compare, at random, and full previews of them.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use time::OffsetDateTime;
use time::macros::datetime;
use vexil_domain::{Context, EnvironmentSnapshot};
use vexil_engine::{Ambient, Engine, Evaluation, VariantOutcome, Verdict};
use vexil_preview::{ChosenVariant, Comparison, ContextMatrix, Outcome, Side};
use vexil_proptest::{arb_context_value, arb_field_name};

pub use vexil_proptest::arb_environment_edit as arb_sides;

pub const NOW: OffsetDateTime = datetime!(2026-11-27 12:30:20 UTC);
pub const SEED: u64 = 7;

/// A snapshot with its engine.
#[derive(Debug)]
pub struct Compiled {
    pub snapshot: EnvironmentSnapshot,
    pub engine: Engine,
}

impl Compiled {
    pub fn new(snapshot: EnvironmentSnapshot) -> Self {
        let (engine, _) = Engine::compile(&snapshot);
        Self { snapshot, engine }
    }

    pub fn side(&self) -> Side<'_> {
        Side {
            snapshot: &self.snapshot,
            engine: &self.engine,
        }
    }

    /// What a full preview shows of a flag: read off the explanation, as the playground does.
    pub fn shown(&self, flag: &str, context: &Context, ambient: &Ambient<'_>) -> Outcome {
        let Some(found) = self.snapshot.flags.get(flag) else {
            return Outcome::Absent;
        };
        let explanation = self.engine.explain(flag, context, ambient).unwrap();
        let variant = match explanation.variant {
            VariantOutcome::Disabled => None,
            VariantOutcome::OfStrategy { strategy, variant } => {
                Some(&found.settings.strategies[strategy].variants[variant])
            }
            VariantOutcome::OfFlag { variant } => Some(&found.settings.variants[variant]),
        };
        let open = explanation.enabled_in_environment
            && explanation.parents.iter().all(|parent| parent.satisfied)
            && explanation.strategies.iter().any(|strategy| {
                strategy.evaluation == Evaluation::Incomplete && strategy.verdict == Verdict::Unknown
            });
        match (explanation.enabled, open) {
            (true, _) => Outcome::On(variant.map(|variant| ChosenVariant {
                name: variant.name.clone(),
                payload: variant.payload.clone(),
            })),
            (false, true) => Outcome::Unknown,
            (false, false) => Outcome::Off,
        }
    }
}

pub fn comparison<'a>(before: &'a Compiled, after: &'a Compiled) -> Comparison<'a> {
    Comparison {
        before: before.side(),
        after: after.side(),
        environment: "production",
        ambient: Ambient::new(NOW, SEED),
    }
}

/// Values that constraints of these snapshots compare with, by field.
pub fn compared(snapshots: &[&EnvironmentSnapshot]) -> Vec<(String, String)> {
    let strategies = snapshots
        .iter()
        .flat_map(|snapshot| snapshot.flags.values())
        .flat_map(|flag| &flag.settings.strategies);
    let own = strategies.flat_map(|strategy| &strategy.constraints);
    let shared = snapshots
        .iter()
        .flat_map(|snapshot| snapshot.segments.values())
        .flat_map(|segment| &segment.constraints);
    own.chain(shared)
        .flat_map(|constraint| {
            let values = constraint.values.iter().chain(&constraint.value);
            values.map(|value| (constraint.context_name.clone(), value.trim().to_owned()))
        })
        .collect()
}

/// Values to try, most of them such that constraints compare with them, some twice.
pub fn arb_matrix(before: &EnvironmentSnapshot, after: &EnvironmentSnapshot) -> BoxedStrategy<ContextMatrix> {
    let known = compared(&[before, after]);
    let known_value = any::<(Index, Index)>().prop_map(move |(first, second)| {
        let fields: Vec<&str> = known.iter().map(|(field, _)| field.as_str()).collect();
        let field = if fields.is_empty() {
            "userId".to_owned()
        } else {
            (*first.get(&fields)).to_owned()
        };
        let values: Vec<&str> = known
            .iter()
            .filter(|(name, _)| *name == field)
            .map(|(_, value)| value.as_str())
            .collect();
        let value = if values.is_empty() {
            "u".to_owned()
        } else {
            (*second.get(&values)).to_owned()
        };
        (field, value)
    });
    let value = prop_oneof![
        5 => known_value,
        3 => (arb_field_name(), arb_context_value()),
        1 => (arb_field_name(), Just(String::new())),
    ];
    vec(value, 0..14)
        .prop_map(|values| {
            let mut matrix = ContextMatrix::new();
            for (field, value) in values {
                let known = matrix.fields().iter().find(|known| known.name == field);
                let mut all = known.map(|known| known.values.clone()).unwrap_or_default();
                if all.len() < 5 && (known.is_some() || matrix.fields().len() < 5) {
                    all.push(value);
                    matrix.set(&field, all);
                }
            }
            matrix
        })
        .boxed()
}
