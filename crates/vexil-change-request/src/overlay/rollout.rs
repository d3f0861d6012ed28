//! Gradual rollouts: what a new one says where nothing is said.

use std::collections::BTreeMap;

use vexil_domain::{ActivationStrategy, FlagName, Stickiness, StrategyId};

/// The type of strategy whose parameters are filled in.
pub(super) const ROLLOUT: &str = "flexibleRollout";

/// Fills the parameters of a gradual rollout: everybody, by `stickiness`, in the flag's own group.
pub(super) fn fill_rollout(flag: &FlagName, stickiness: &str, parameters: &mut BTreeMap<String, String>) {
    let mut fill = |name: &str, value: &str| {
        let given = parameters.entry(name.to_owned()).or_default();
        if given.is_empty() {
            value.clone_into(given);
        }
    };
    fill("rollout", "100");
    fill("stickiness", stickiness);
    fill("groupId", flag.as_str());
}

/// A strategy that admits everybody.
pub(super) fn for_everybody(id: StrategyId, flag: &FlagName) -> ActivationStrategy {
    let mut strategy = ActivationStrategy::new(id, ROLLOUT);
    fill_rollout(flag, Stickiness::Default.name(), &mut strategy.parameters);
    strategy
}
