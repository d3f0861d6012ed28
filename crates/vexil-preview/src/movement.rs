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

mod findings;
mod lookup;
mod rollouts;
mod variants;

use vexil_budget::{Budget, Exhausted};
use vexil_domain::FlagName;

use crate::{Comparison, cost};

pub use findings::{RolloutMovement, RolloutRange, VariantMove, VariantMovement};

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

#[cfg(test)]
mod tests;
