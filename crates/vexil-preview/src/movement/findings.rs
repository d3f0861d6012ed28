//! What moves in the hash space.

use vexil_domain::{Stickiness, StrategyId};

use crate::Share;

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
