//! What is said of an effect.

use std::fmt;
use std::sync::Arc;

use vexil_domain::{FlagName, ProjectId};

use super::guards::GuardFinding;
use super::undecided::Undecided;
use super::witness::Witness;
use crate::{Outcome, Share};

/// What a change does to some flags, for every context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effect {
    /// The flags that were asked for, in that order.
    pub flags: Vec<FlagEffect>,
    /// What became of the guards, in their order.
    pub guards: Vec<GuardFinding>,
}

/// What a change does to one flag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlagEffect {
    /// The flag.
    pub flag: FlagName,
    /// The project that owns it, where the flag is there on either side.
    pub project: Option<ProjectId>,
    /// Contexts that change, put together by what the flag was and what it becomes.
    pub groups: Vec<EffectGroup>,
    /// Why contexts may change that are in no group; empty where the groups are all there is.
    pub undecided: Vec<Undecided>,
    /// How many nodes the walk visited.
    pub nodes: u64,
    /// Tells the effect from every other: equal effects have equal digests, whatever the edits were.
    /// `None` where it is not complete.
    pub digest: Option<[u8; 32]>,
}

/// Contexts that change alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EffectGroup {
    /// What the flag was for them.
    pub before: Outcome,
    /// What it becomes.
    pub after: Outcome,
    /// Which they are: those in these boxes, none of which meets another.
    pub boxes: Vec<EffectBox>,
    /// Whether there are more boxes, too many to list.
    pub more: bool,
}

/// All contexts that meet some conditions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EffectBox {
    /// Conditions that all hold; without any, every context.
    pub conditions: Vec<EffectCondition>,
    /// The part of those who meet the conditions on fields that meets those on hashes and chance as
    /// well; `None` where no condition is on these, or where it is beyond counting.
    pub share: Option<Share>,
    /// One of the contexts.
    pub witness: Option<Witness>,
}

/// A condition on one thing that decisions depend on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EffectCondition {
    /// What it is on.
    pub on: ConditionOn,
    /// The condition, in the words of the constraints: `country is NO or SE`.
    pub words: Arc<str>,
}

/// What a condition is on.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum ConditionOn {
    /// A context field.
    Field(Arc<str>),
    /// The name of the host.
    Host,
    /// What a custom strategy says.
    Strategy(Arc<str>),
    /// The bucket that a field's value falls into.
    Bucket(Arc<str>),
    /// Chance.
    Chance,
}

impl FlagEffect {
    /// Whether the groups are all there is.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.undecided.is_empty()
    }
}

impl Effect {
    /// Whether the groups of all flags are all there is.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.flags.iter().all(FlagEffect::is_complete)
    }

    /// Whether nothing changes for anybody.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.is_complete() && self.flags.iter().all(|flag| flag.groups.is_empty())
    }
}

/// Such as `country is NO or SE, plan is pro`.
impl fmt::Display for EffectBox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<&str> = self.conditions.iter().map(|one| &*one.words).collect();
        if words.is_empty() {
            return f.write_str("every context");
        }
        f.write_str(&words.join(", "))
    }
}
