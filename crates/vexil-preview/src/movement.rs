//! Movements: the exact shares of the hash space that a change of rollouts and variants moves.
//!
//! A stickiness value is hashed together with a group; the hash modulo 100 gives the bucket of a
//! rollout, modulo the sum of the weights that of a variant. As long as group and stickiness stay, a
//! value keeps its hash, so the share that moves follows from the bucket ranges alone. Otherwise
//! every value gets a new hash that has nothing to do with the old one, and the share is what
//! two independent draws give; such shares are marked.
//!
//! All shares are of those whom the strategy otherwise admits. The hash has 32 bits, so buckets are
//! equally large up to one part in four billion.

mod rollouts;
mod variants;

use vexil_budget::{Budget, Exhausted};
use vexil_domain::{ActivationStrategy, EnvironmentFlag, FlagName, Stickiness, StrategyId};

use crate::{Comparison, Share, Side, cost};

/// What moves between the strategies and variants of a flag before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlagMovement {
    /// The flag.
    pub flag: FlagName,
    /// Rollouts whose range, group or stickiness changes, strategy by strategy.
    pub rollouts: Vec<RolloutMovement>,
    /// Sets of variants that change.
    pub variants: Vec<VariantMovement>,
}

/// What moves when a rollout changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RolloutMovement {
    /// The strategy.
    pub strategy: StrategyId,
    /// The rollout before; `None` where there is none.
    pub before: Option<RolloutRange>,
    /// The rollout after; `None` where there is none.
    pub after: Option<RolloutRange>,
    /// The share that is let in only after.
    pub enters: Share,
    /// The share that is let in only before.
    pub leaves: Share,
    /// Whether group or stickiness changes, so that the shares are those of independent draws.
    pub redrawn: bool,
}

/// The buckets that a rollout lets in: 1 to `percentage` of 100.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RolloutRange {
    /// What is hashed together with the value.
    pub group: String,
    /// Whose value is hashed.
    pub stickiness: Stickiness,
    /// The last bucket that is let in, 0 to 100.
    pub percentage: u32,
}

/// What moves when variants change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VariantMovement {
    /// The strategy whose variants they are; `None` for those of the flag itself.
    pub strategy: Option<StrategyId>,
    /// The shares that move, the largest first.
    pub moves: Vec<VariantMove>,
    /// The share that keeps its variant.
    pub stays: Share,
    /// Whether group or stickiness changes, so that the shares are those of independent draws.
    pub redrawn: bool,
}

/// The share that moves from one variant to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VariantMove {
    /// The variant before; `None` where there is none.
    pub from: Option<String>,
    /// The variant after; `None` where there is none.
    pub to: Option<String>,
    /// How many move.
    pub share: Share,
}

impl Comparison<'_> {
    /// What moves in the hash space for each of `flags`. Flags for which nothing does are left out.
    ///
    /// Overrides of variants are not part of the hash space, and not looked at.
    ///
    /// # Errors
    ///
    /// When the budget does not last.
    pub fn movements(&self, flags: &[FlagName], budget: &Budget) -> Result<Vec<FlagMovement>, Exhausted> {
        let mut movements = Vec::new();
        for flag in flags {
            budget.spend(cost::of(flag, &[self.before.snapshot, self.after.snapshot]))?;
            let movement = FlagMovement {
                flag: flag.clone(),
                rollouts: rollouts::movements(self, flag, budget)?,
                variants: variants::movements(self, flag, budget)?,
            };
            if !movement.rollouts.is_empty() || !movement.variants.is_empty() {
                movements.push(movement);
            }
        }
        Ok(movements)
    }
}

/// The ids of all strategies of a flag on either side, those before first, each once. To look each of
/// them up takes as many steps as there are, and that is paid here.
fn strategy_ids(
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
fn strategy<'a>(
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
fn group<'a>(flag: &'a EnvironmentFlag, strategy: &'a ActivationStrategy) -> &'a str {
    strategy
        .parameters
        .get("groupId")
        .map_or(flag.name.as_str(), String::as_str)
}

#[cfg(test)]
mod tests;
