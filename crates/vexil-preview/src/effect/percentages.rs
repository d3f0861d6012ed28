//! The percentages of rollouts, as the engine reads them.

use std::sync::Arc;

use vexil_domain::{ActivationStrategy, Context, EnvironmentFlag, FlagSettings};
use vexil_engine::{Ambient, Engine, Rule};

/// By the place of the strategy; none where it is no rollout, or cannot be read.
pub(crate) struct Percentages(Vec<Option<u64>>);

impl Percentages {
    pub(crate) fn of(strategies: &[ActivationStrategy]) -> Self {
        let is_rollout = |strategy: &&ActivationStrategy| {
            strategy.name == "flexibleRollout" || strategy.name.starts_with("gradualRollout")
        };
        let bare = |strategy: &ActivationStrategy| {
            let mut bare = ActivationStrategy::new("", strategy.name.as_str());
            for name in ["rollout", "percentage"] {
                if let Some(value) = strategy.parameters.get(name) {
                    bare = bare.with_parameter(name, value.as_str());
                }
            }
            bare
        };
        let rollouts: Vec<_> = strategies.iter().filter(is_rollout).map(bare).collect();
        if rollouts.is_empty() {
            return Self(Vec::new());
        }
        let engine = engine_of(rollouts);
        let ambient = Ambient::new(time::OffsetDateTime::UNIX_EPOCH, 0);
        let explanation = engine.explain("", &Context::default(), &ambient);
        let mut found = explanation.into_iter().flat_map(|found| found.strategies);
        let of = |strategy: &ActivationStrategy| {
            let explained = is_rollout(&strategy).then(|| found.next()).flatten()?;
            match explained.rule {
                Rule::Rollout(rollout) => Some(u64::from(rollout.bound)),
                _ => None,
            }
        };
        Self(strategies.iter().map(of).collect())
    }

    pub(crate) fn get(&self, place: usize) -> Option<u64> {
        self.0.get(place).copied().flatten()
    }
}

/// An engine of one flag without a name, with these strategies.
pub(crate) fn engine_of(strategies: Vec<ActivationStrategy>) -> Engine {
    let flag = EnvironmentFlag {
        name: "".into(),
        project: "".into(),
        kind: String::new(),
        description: None,
        stale: false,
        impression_data: false,
        dependencies: Vec::new(),
        settings: Arc::new(FlagSettings {
            enabled: true,
            strategies,
            variants: Vec::new(),
        }),
    };
    let mut builder = Engine::builder();
    builder.flag(&flag);
    builder.finish().0
}
