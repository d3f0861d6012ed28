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
mod answer;
mod atoms;
mod automaton;
mod boxes;
mod cells;
mod certificate;
mod covers;
mod diagram;
mod digest;
mod fast;
mod frames;
mod guards;
mod locate;
mod meeting;
mod moments;
mod ordered;
mod patterns;
mod preimage;
mod probe;
mod readers;
mod remainders;
mod rules;
mod said;
mod set;
mod summary;
mod texts;
mod undecided;
mod verdicts;
mod walk;
mod wanted;
mod witness;
mod words;

#[cfg(test)]
mod tests;

use time::OffsetDateTime;
use vexil_budget::{Budget, Exhausted};
use vexil_domain::FlagName;

use crate::{Comparison, Outcome};
pub use answer::{ConditionOn, Effect, EffectBox, EffectCondition, EffectGroup, FlagEffect};
use atoms::{Asked, Fixed};
use boxes::{AtomBox, SHOWN_PATHS, boxes};
pub use covers::Covers;
use diagram::{Node, SAME};
use digest::Reader;
use fast::FastMap;
pub use guards::{ContextSet, Guard, GuardFinding, GuardVerdict};
pub use meeting::Meeting;
use rules::{Dimension, Rules};
use said::{Said, described};
pub use summary::EffectSummary;
pub use undecided::{Reason, Undecided};
use walk::Walk;
use witness::Finder;
pub use witness::{CustomAnswer, Witness};

/// So many hashes of fields are told apart for one flag.
const MOST_HASHES: usize = 60;
/// So many boxes of a group are shown, each with a context.
const MOST_SHOWN: usize = 24;
/// So many fields, hashes and draws are told apart for one flag.
const MOST_DIMENSIONS: usize = 200;

impl Comparison<'_> {
    /// What becomes of `flags` for every context, whatever the present, chance and the host; and whether
    /// the guards hold.
    ///
    /// Name all flags that can differ: [`affected_flags`](crate::affected_flags) finds them. What the
    /// budget does not last for is named as undecided.
    #[must_use]
    pub fn effect(&self, flags: &[FlagName], guards: &[Guard], budget: &Budget) -> Effect {
        let mut list = Vec::with_capacity(flags.len());
        let guards = self.each_effect(flags, guards, budget, |effect| list.push(effect));
        Effect { flags: list, guards }
    }

    /// The same told flag by flag, for whoever does not keep it: each goes to `tell`, in their order. What became
    /// of the guards is known at the end.
    pub fn each_effect(
        &self,
        flags: &[FlagName],
        guards: &[Guard],
        budget: &Budget,
        mut tell: impl FnMut(FlagEffect),
    ) -> Vec<GuardFinding> {
        let mut findings: Vec<GuardFinding> = guards
            .iter()
            .map(|guard| GuardFinding {
                guard: guard.clone(),
                verdict: GuardVerdict::Holds,
            })
            .collect();
        let mut texts: Vec<_> = guards.iter().flat_map(Guard::texts).collect();
        texts.sort_unstable();
        texts.dedup();
        let fixed = Fixed {
            texts: &texts,
            now: None,
        };
        for flag in flags {
            let effect = self.guarded_effect(flag, &mut findings, &fixed, budget);
            for finding in findings.iter_mut().filter(|it| it.verdict == GuardVerdict::Holds) {
                if !effect.is_complete() {
                    finding.verdict = GuardVerdict::Undecided;
                }
            }
            tell(effect);
        }
        findings
    }

    /// The effect on one flag, at one present or at any.
    pub(crate) fn flag_effect(
        &self,
        flag: &FlagName,
        now: Option<OffsetDateTime>,
        budget: &Budget,
    ) -> FlagEffect {
        self.guarded_effect(flag, &mut [], &Fixed { texts: &[], now }, budget)
    }

    /// The effect on one flag, and what becomes of guards whose texts are fixed.
    fn guarded_effect(
        &self,
        flag: &FlagName,
        guards: &mut [GuardFinding],
        fixed: &Fixed<'_>,
        budget: &Budget,
    ) -> FlagEffect {
        let rules = Rules::of([self.before, self.after], flag);
        let asked = Asked {
            flag,
            rules: &rules,
            fixed,
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
        let found: Vec<Option<GuardVerdict>> = guards
            .iter()
            .map(|finding| self.broken(&finding.guard, &mut walk, root))
            .collect::<Result<_, _>>()
            .map_err(Reason::Exhausted)?;
        let told = self.told(&mut walk, root, effect).map_err(Reason::Exhausted);
        for (finding, verdict) in guards.iter_mut().zip(found) {
            let open = matches!(finding.verdict, GuardVerdict::Holds | GuardVerdict::Undecided);
            if let Some(verdict) = verdict.filter(|_| open) {
                let all = told.is_ok() && effect.is_complete();
                finding.verdict = verdict.shown_by(effect, all, &finding.guard, asked.rules);
            }
        }
        told
    }

    /// The groups, and the digest where they are all.
    fn told<const N: usize>(
        &self,
        walk: &mut Walk<'_, '_, N>,
        root: Node,
        effect: &mut FlagEffect,
    ) -> Result<(), Exhausted> {
        self.describe(walk, root, effect)?;
        if effect.is_complete() {
            effect.digest = Some(Reader::new(walk).whole(root)?);
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
        let judges = self.judges(&effect.flag);
        let mut said = Said::default();
        let reached = walk.diagram.reached(root);
        for (before, after) in reached.changes.iter().copied() {
            let part = walk.diagram.part(root, (before, after), &reached, budget)?;
            if part == SAME {
                continue;
            }
            let outcomes = &walk.asked.rules.outcomes;
            let [before, after] =
                [before, after].map(|it| outcomes.get(it as usize).cloned().unwrap_or(Outcome::Off));
            let finder = Finder {
                comparison: self,
                flag: &effect.flag,
                walk,
                judges: &judges,
                fields: &[],
                inside: true,
                texts: Default::default(),
            };
            let (group, unseen) = group(&finder, part, (before, after), &mut said)?;
            for _ in 0..unseen {
                let reason = Reason::NoWitness {
                    before: group.before.to_string(),
                    after: group.after.to_string(),
                };
                effect.undecided.push(Undecided::new(&effect.flag, reason));
            }
            effect.groups.push(group);
        }
        Ok(())
    }
}

/// What changes alike, in boxes with a context each; and how often no context was found.
fn group<const N: usize>(
    finder: &Finder<'_, '_, '_, N>,
    part: Node,
    (before, after): (Outcome, Outcome),
    said: &mut Said,
) -> Result<(EffectGroup, usize), Exhausted> {
    let walk = finder.walk;
    let size = |level: usize| {
        let level = walk.levels.get(level).and_then(Option::as_ref);
        level.map_or(usize::MAX, |level| level.atoms.list.len())
    };
    let (places, more) = boxes(&walk.diagram, part, &size, SHOWN_PATHS, walk.asked.budget)?;
    let levels = walk.diagram.levels(part);
    let is_open = more && !levels.iter().all(|level| is_known(walk, *level));
    let mut unseen = usize::from(is_open);
    let few = fewest(&places);
    let mut list = Vec::with_capacity(few.len());
    for (number, place) in places.iter().enumerate() {
        let is_shown = few.binary_search(&number).is_ok();
        if !is_shown && has_samples(walk, place) {
            continue;
        }
        let witness = finder.find(place, &before, &after)?;
        if witness.is_none() {
            unseen += 1;
        } else if is_shown {
            list.push(described(walk, place, witness, said));
        }
    }
    let group = EffectGroup {
        before,
        after,
        boxes: list,
        more: more || places.len() > few.len(),
    };
    Ok((group, unseen))
}

/// The places of boxes that are shown: those with the fewest conditions.
fn fewest(places: &[AtomBox]) -> Vec<usize> {
    let mut few: Vec<usize> = (0..places.len()).collect();
    if few.len() > MOST_SHOWN {
        few.sort_by_key(|place| places.get(*place).map(Vec::len));
        few.truncate(MOST_SHOWN);
        few.sort_unstable();
    }
    few
}

/// Whether a value is known for all atoms of a level.
fn is_known<const N: usize>(walk: &Walk<'_, '_, N>, level: usize) -> bool {
    let known = walk.levels.get(level).and_then(Option::as_ref);
    known.is_some_and(|known| known.atoms.list.iter().all(|atom| !atom.parts.is_empty()))
}

/// Whether a value is known for all atoms of a box.
fn has_samples<const N: usize>(walk: &Walk<'_, '_, N>, place: &AtomBox) -> bool {
    place.iter().all(|(level, chosen)| {
        let known = walk.levels.get(*level).and_then(Option::as_ref);
        known.is_some_and(|known| {
            let mut atoms = chosen
                .iter()
                .filter_map(|atom| known.atoms.list.get(*atom as usize));
            atoms.all(|atom| !atom.parts.is_empty())
        })
    })
}
