//! Gradual rollouts: what a new one says where nothing is said.

use vexil_domain::{ActivationStrategy, FlagName, Parameters, Stickiness, StrategyId};

/// The type of strategy whose parameters are filled in.
pub(super) const ROLLOUT: &str = "flexibleRollout";

/// Fills the parameters of a gradual rollout: everybody, by `stickiness`, in the flag's own group.
pub(super) fn fill_rollout(flag: &FlagName, stickiness: &str, parameters: &mut Parameters) {
    let mut fill = |name: &str, value: &str| {
        let given = parameters.get_or_insert_with(name.to_owned(), String::new);
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
