//! Finding what is hashed.

use vexil_budget::{Budget, Exhausted};
use vexil_domain::{ActivationStrategy, EnvironmentFlag, FlagName, StrategyId};

use crate::{Comparison, Side};

/// The ids of all strategies of a flag on either side, those before first, each once. To look each of
/// them up takes as many steps as there are, and that is paid here.
pub(super) fn strategy_ids(
    comparison: &Comparison<'_>,
    flag: &FlagName,
    budget: &Budget,
) -> Result<Vec<StrategyId>, Exhausted> {
    let mut ids: Vec<StrategyId> = Vec::new();
    for side in [comparison.before, comparison.after] {
        let strategies = side
            .snapshot
            .flags
            .get(flag)
            .into_iter()
            .flat_map(|flag| &flag.settings.strategies);
        for strategy in strategies {
            budget.spend(4 + ids.len() as u64)?;
            if !ids.contains(&strategy.id) {
                ids.push(strategy.id.clone());
            }
        }
    }
    Ok(ids)
}

/// A strategy by id with its place, unless it is disabled.
pub(super) fn strategy<'a>(
    side: Side<'a>,
    flag: &FlagName,
    id: &StrategyId,
) -> Option<(usize, &'a EnvironmentFlag, &'a ActivationStrategy)> {
    let flag = side.snapshot.flags.get(flag)?;
    let mut places = flag.settings.strategies.iter().enumerate();
    let (place, strategy) = places.find(|(_, strategy)| strategy.id == *id)?;
    (!strategy.disabled).then_some((place, flag, strategy))
}

/// What is hashed together with the value.
pub(super) fn group<'a>(flag: &'a EnvironmentFlag, strategy: &'a ActivationStrategy) -> &'a str {
    strategy
        .parameters
        .get("groupId")
        .map_or(flag.name.as_str(), String::as_str)
}
