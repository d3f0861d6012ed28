//! The exact effect of a change: for every context there is, what becomes of each flag.
//!
//! A flag is decided by the first of its strategies that holds. Each constraint asks one field, and so
//! does each hash, so the values of a field fall into finitely many *atoms* that no test tells apart. A
//! walk over the atoms, field by field, finds all combinations that change; equal remainders are
//! decided once (`walk`). Nothing is sampled: where the answer says that it is complete, no other
//! context changes. Where something cannot be decided, the answer names it.
//!
//! Two assumptions turn regions into shares: hashes are spread evenly, and hashes of different groups
//! have nothing to do with each other. Which contexts change does not rest on them, but for this: that
//! among the texts of an atom without an end each bucket occurs.

mod addresses;
mod atoms;
mod automaton;
mod boxes;
mod cells;
mod covers;
mod diagram;
mod digest;
mod guards;
mod locate;
mod moments;
mod ordered;
mod patterns;
mod percentages;
mod preimage;
mod probe;
mod rules;
mod set;
mod texts;
mod walk;
mod witness;
mod words;

#[cfg(test)]
mod tests;

use std::fmt;

use sha2::{Digest as _, Sha256};
use vexil_budget::{Budget, Exhausted};
use vexil_domain::{FlagName, ProjectId};

use crate::{Comparison, Outcome, Share};
use atoms::{Asked, Fixed};
use boxes::{AtomBox, boxes};
pub use covers::Covers;
use diagram::{Node, SAME};
use digest::Reader;
pub use guards::{ContextSet, Guard, GuardFinding, GuardVerdict};
use rules::{Dimension, Rules};
use walk::Walk;
use witness::Finder;
pub use witness::{CustomAnswer, Witness};

/// So many hashes of fields are told apart for one flag.
const MOST_HASHES: usize = 60;
/// So many fields, hashes and draws are told apart for one flag.
const MOST_DIMENSIONS: usize = 200;

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
    pub words: String,
}

/// What a condition is on.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum ConditionOn {
    /// A context field.
    Field(String),
    /// The name of the host.
    Host,
    /// What a custom strategy says.
    Strategy(String),
    /// The bucket that a field's value falls into.
    Bucket(String),
    /// Chance.
    Chance,
}

/// Something that could not be decided.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{flag}: {reason}")]
pub struct Undecided {
    /// The flag.
    pub flag: FlagName,
    /// Why.
    pub reason: Reason,
}

/// Why something could not be decided.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// The work would take more than it may.
    #[error("{0}")]
    Exhausted(Exhausted),
    /// The flag has more rules, or reads or hashes more fields, than are put together.
    #[error("there are too many strategies, variants or fields to put together")]
    TooManyRules,
    /// The constraints of a field can hold in more combinations than are told apart.
    #[error("what is looked for in `{field}` can occur in too many combinations")]
    TooManyTexts {
        /// The field.
        field: String,
    },
    /// The constraints of a field look for texts and compare values at once, or match patterns, so that
    /// only some of the combinations were found.
    #[error("not every combination of the conditions on `{field}` was found or ruled out")]
    TextsNotTold {
        /// The field.
        field: String,
    },
    /// A change is possible as far as the conditions go, but no context was found that shows it.
    #[error("a change from {before} to {after} is possible, but no context that shows it was found")]
    NoWitness {
        /// What the flag would be before.
        before: String,
        /// What the flag would be after.
        after: String,
    },
}

impl Undecided {
    fn new(flag: &FlagName, reason: Reason) -> Self {
        Self {
            flag: flag.clone(),
            reason,
        }
    }
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

    /// Tells the effect from every other, over all flags that change; `None` where it is not complete.
    /// The digest is written as `sha256:` with hexadecimal digits.
    #[must_use]
    pub fn digest(&self) -> Option<String> {
        let mut changing: Vec<_> = self.flags.iter().filter(|flag| !flag.groups.is_empty()).collect();
        changing.sort_by(|one, other| one.flag.cmp(&other.flag));
        let mut hash = Sha256::new();
        if !self.is_complete() {
            return None;
        }
        for flag in changing {
            hash.update((flag.flag.as_str().len() as u64).to_le_bytes());
            hash.update(flag.flag.as_str());
            hash.update(flag.digest?);
        }
        let digits = hash
            .finalize()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>();
        Some(format!("sha256:{digits}"))
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
        let words: Vec<&str> = self.conditions.iter().map(|one| one.words.as_str()).collect();
        if words.is_empty() {
            return f.write_str("every context");
        }
        f.write_str(&words.join(", "))
    }
}

impl Comparison<'_> {
    /// What becomes of `flags` for every context, whatever the present, chance and the host; and whether
    /// the guards hold.
    ///
    /// Name all flags that can differ: [`affected_flags`](crate::affected_flags) finds them. What the
    /// budget does not last for is named as undecided.
    #[must_use]
    pub fn effect(&self, flags: &[FlagName], guards: &[Guard], budget: &Budget) -> Effect {
        let mut findings: Vec<GuardFinding> = guards
            .iter()
            .map(|guard| GuardFinding {
                guard: guard.clone(),
                verdict: GuardVerdict::Holds,
            })
            .collect();
        let mut list = Vec::with_capacity(flags.len());
        for flag in flags {
            let effect = self.flag_effect(flag, &mut findings, budget);
            for finding in findings.iter_mut().filter(|it| it.verdict == GuardVerdict::Holds) {
                if !effect.is_complete() {
                    finding.verdict = GuardVerdict::Undecided;
                }
            }
            list.push(effect);
        }
        Effect {
            flags: list,
            guards: findings,
        }
    }

    pub(crate) fn flag_effect(
        &self,
        flag: &FlagName,
        guards: &mut [GuardFinding],
        budget: &Budget,
    ) -> FlagEffect {
        let rules = Rules::of([self.before, self.after], flag);
        let texts: Vec<_> = guards.iter().flat_map(|finding| finding.guard.texts()).collect();
        let asked = Asked {
            flag,
            rules: &rules,
            fixed: &Fixed {
                texts: &texts,
                now: None,
            },
            budget,
        };
        let project = [self.after, self.before]
            .iter()
            .find_map(|side| side.snapshot.flags.get(flag))
            .map(|flag| flag.project.clone());
        let mut effect = FlagEffect {
            flag: flag.clone(),
            project,
            groups: Vec::new(),
            undecided: Vec::new(),
            nodes: 0,
            digest: None,
        };
        let hashed = rules.dimensions.iter();
        let hashed = hashed.filter(|it| matches!(it, Dimension::Hash { .. })).count();
        let found = match rules.conjunctions.len() {
            _ if hashed > MOST_HASHES || rules.dimensions.len() > MOST_DIMENSIONS => {
                Err(Reason::TooManyRules)
            }
            0..=64 => self.walked::<1>(&asked, guards, &mut effect),
            65..=512 => self.walked::<8>(&asked, guards, &mut effect),
            513..=4096 => self.walked::<64>(&asked, guards, &mut effect),
            _ => Err(Reason::TooManyRules),
        };
        if let Err(reason) = found {
            effect.undecided.push(Undecided::new(flag, reason));
        }
        effect
    }

    fn walked<const N: usize>(
        &self,
        asked: &Asked<'_, '_>,
        guards: &mut [GuardFinding],
        effect: &mut FlagEffect,
    ) -> Result<(), Reason> {
        let mut walk = Walk::<N>::new(asked);
        let root = walk.run().map_err(Reason::Exhausted);
        effect.nodes = walk.visited;
        let levels = walk.levels.iter().flatten();
        effect
            .undecided
            .extend(levels.flat_map(|level| level.atoms.undecided.iter().cloned()));
        let root = root?;
        for finding in guards {
            let open = matches!(finding.verdict, GuardVerdict::Holds | GuardVerdict::Undecided);
            let broken = self
                .broken(&finding.guard, &mut walk, root)
                .map_err(Reason::Exhausted)?;
            if let Some(verdict) = broken.filter(|_| open) {
                finding.verdict = verdict;
            }
        }
        self.describe(&mut walk, root, effect)
            .map_err(Reason::Exhausted)?;
        if effect.is_complete() {
            let digest = Reader::new(&mut walk).digest(root);
            effect.digest = Some(digest.map_err(Reason::Exhausted)?);
        }
        Ok(())
    }

    fn describe<const N: usize>(
        &self,
        walk: &mut Walk<'_, '_, N>,
        root: Node,
        effect: &mut FlagEffect,
    ) -> Result<(), Exhausted> {
        let budget = walk.asked.budget;
        for (before, after) in walk.diagram.changes(root) {
            let part = walk.diagram.only(root, (before, after), budget)?;
            if part == SAME {
                continue;
            }
            let size = |level: usize| {
                let level = walk.levels.get(level).and_then(Option::as_ref);
                level.map_or(usize::MAX, |level| level.atoms.list.len())
            };
            let (places, more) = boxes(&walk.diagram, part, &size, budget)?;
            let outcomes = &walk.asked.rules.outcomes;
            let [before, after] =
                [before, after].map(|it| outcomes.get(it as usize).cloned().unwrap_or(Outcome::Off));
            let finder = Finder {
                comparison: self,
                flag: &effect.flag,
                walk,
                fields: &[],
                inside: true,
            };
            let mut list = Vec::new();
            for place in &places {
                let witness = finder.find(place, &before, &after)?;
                if witness.is_none() {
                    let reason = Reason::NoWitness {
                        before: before.to_string(),
                        after: after.to_string(),
                    };
                    effect.undecided.push(Undecided::new(&effect.flag, reason));
                    continue;
                }
                list.push(described(walk, place, witness));
            }
            effect.groups.push(EffectGroup {
                before,
                after,
                boxes: list,
                more,
            });
        }
        Ok(())
    }
}

/// A box in words.
fn described<const N: usize>(walk: &Walk<'_, '_, N>, place: &AtomBox, witness: Option<Witness>) -> EffectBox {
    let rules = walk.asked.rules;
    let mut share = Some(Share::ALL);
    let mut hashed = false;
    let mut conditions = Vec::new();
    for (level, chosen) in place {
        let Some(known) = walk.levels.get(*level).and_then(Option::as_ref) else {
            continue;
        };
        let on = match rules.dimensions.get(known.dimension) {
            Some(Dimension::Field(field)) => ConditionOn::Field(field.clone()),
            Some(Dimension::Custom { name, .. }) => ConditionOn::Strategy(name.clone()),
            Some(Dimension::Hash { field, .. }) => ConditionOn::Bucket(field.clone()),
            Some(Dimension::Chance { .. }) => ConditionOn::Chance,
            Some(Dimension::Host) | None => ConditionOn::Host,
        };
        if matches!(on, ConditionOn::Bucket(_) | ConditionOn::Chance) {
            hashed = true;
            let cells = chosen
                .iter()
                .filter_map(|atom| known.atoms.list.get(*atom as usize));
            let part = cells
                .map(|cell| cell.share)
                .try_fold(Share::NONE, |all, one| all.plus(one?));
            share = share.zip(part).and_then(|(all, part)| all.times(part));
        }
        let words = words::words(rules, known.dimension, &known.atoms, chosen);
        conditions.push(EffectCondition { on, words });
    }
    EffectBox {
        conditions,
        share: share.filter(|_| hashed),
        witness,
    }
}
