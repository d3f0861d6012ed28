//! Small parts that many tests need.

use std::sync::Arc;

use time::OffsetDateTime;
use time::macros::datetime;
use vexil_domain::{
    ActivationStrategy, Constraint, EnvironmentFlag, EnvironmentSnapshot, FlagSettings, Operator, Variant,
    WeightType,
};
use vexil_engine::{Ambient, Engine};

/// The present in all tests.
pub(crate) const NOW: OffsetDateTime = datetime!(2024-07-01 00:00:30 UTC);

pub(crate) fn ambient(seed: u64) -> Ambient<'static> {
    Ambient::new(NOW, seed)
}

/// A flag that is on, with these strategies.
pub(crate) fn flag(name: &str, strategies: Vec<ActivationStrategy>) -> EnvironmentFlag {
    EnvironmentFlag {
        settings: Arc::new(FlagSettings {
            enabled: true,
            strategies,
            variants: Vec::new(),
        }),
        ..EnvironmentFlag::new(name, "default")
    }
}

pub(crate) fn snapshot(flags: impl IntoIterator<Item = EnvironmentFlag>) -> EnvironmentSnapshot {
    EnvironmentSnapshot {
        flags: flags
            .into_iter()
            .map(|flag| (flag.name.clone(), Arc::new(flag)))
            .collect(),
        ..EnvironmentSnapshot::default()
    }
}

/// An engine with one flag, `f`, that has this strategy alone.
pub(crate) fn only(strategy: ActivationStrategy) -> Engine {
    Engine::compile(&snapshot([flag("f", vec![strategy])])).0
}

pub(crate) fn rollout(percentage: &str, stickiness: &str) -> ActivationStrategy {
    ActivationStrategy::new("s", "flexibleRollout")
        .with_parameter("rollout", percentage)
        .with_parameter("stickiness", stickiness)
        .with_parameter("groupId", "g1")
}

pub(crate) fn constraint(field: &str, operator: Operator, values: &[&str]) -> Constraint {
    let mut constraint = Constraint::new(field, operator);
    if constraint.operator.takes_values() {
        constraint.values = values.iter().map(ToString::to_string).collect();
    } else {
        constraint.value = values.first().map(ToString::to_string);
    }
    constraint
}

pub(crate) fn variant(name: &str, weight: u32) -> Variant {
    Variant {
        name: name.to_owned(),
        weight,
        weight_type: WeightType::Variable,
        stickiness: None,
        payload: None,
        overrides: Vec::new(),
    }
}
