//! Guards: what a change must not do, for any context.

use std::fmt;

use vexil_budget::Exhausted;
use vexil_domain::FlagName;

use super::atoms::{Atom, Part};
use super::boxes::{SHOWN_PATHS, boxes};
use super::diagram::{Kind, Node, SAME};
use super::fast::FastMap;
use super::rules::Dimension;
use super::walk::Walk;
use super::wanted::{LOOKED_UP_BY_UNIT, Wanted};
use super::witness::{Finder, Witness};
use crate::quoting::quoted;
use crate::{Comparison, Outcome, Share};

/// In so many boxes of a change a context is looked for that breaks a guard.
const MOST_LOOKED_AT: usize = 8;

/// What a change must not do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Guard {
    /// No context of these may change.
    Never(ContextSet),
    /// No other context than these may change.
    Only(ContextSet),
    /// Among users who differ in the value that is hashed only, no larger share may change. Users who are
    /// listed one by one are no share.
    AtMost(Share),
}

/// All contexts in which each of these fields has one of these values; an empty value means unset.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ContextSet {
    /// Fields with values.
    pub fields: Vec<(String, Vec<String>)>,
}

/// What became of a guard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuardFinding {
    /// The guard.
    pub guard: Guard,
    /// Whether it holds.
    pub verdict: GuardVerdict,
}

/// Whether a guard holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GuardVerdict {
    /// It holds for every context.
    Holds,
    /// It does not, for example for this context.
    Broken {
        /// The flag that changes.
        flag: FlagName,
        /// A context that changes and should not.
        witness: Witness,
        /// The largest share that changes, where the guard is about that.
        share: Option<Share>,
    },
    /// It holds as far as could be decided.
    Undecided,
}

/// Such as `never plan=enterprise`.
impl fmt::Display for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Never(set) => write!(f, "never {set}"),
            Self::Only(set) => write!(f, "only {set}"),
            Self::AtMost(share) => write!(f, "at most {share}"),
        }
    }
}

/// Such as `plan=enterprise;country=NO,SE`.
impl fmt::Display for ContextSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values = |values: &[String]| -> Vec<String> {
            let text = |value: &String| {
                if value.is_empty() {
                    "unset".to_owned()
                } else {
                    quoted(value)
                }
            };
            values.iter().map(text).collect()
        };
        let fields = self.fields.iter();
        let texts: Vec<String> = fields
            .map(|(field, list)| format!("{}={}", quoted(field), values(list).join(",")))
            .collect();
        f.write_str(&texts.join(";"))
    }
}

impl Guard {
    /// The texts that the guard names, by field.
    pub(crate) fn texts(&self) -> Vec<(String, String)> {
        let (Self::Never(set) | Self::Only(set)) = self else {
            return Vec::new();
        };
        let fields = set.fields.iter();
        let pairs =
            fields.flat_map(|(field, values)| values.iter().map(move |value| (field.clone(), value.clone())));
        pairs.filter(|(_, value)| !value.is_empty()).collect()
    }
}

/// Whether an atom has one of these values, and whether it has others.
fn overlap(atom: &Atom, wanted: &Wanted<'_>) -> (bool, bool) {
    let inside = |part: &Part| match part {
        Part::Unset | Part::Now(_) => wanted.has(""),
        Part::Listed(text) => wanted.has(text),
        _ => false,
    };
    let mut parts = atom.parts.iter().map(|(part, _)| inside(part));
    let first = parts.next().unwrap_or_default();
    let (any, all) = parts.fold((first, first), |(any, all), inside| (any | inside, all & inside));
    (any, !all)
}

impl<const N: usize> Walk<'_, '_, N> {
    fn level_of(&self, field: &str) -> Option<usize> {
        let rules = self.asked.rules;
        self.order.iter().position(|dimension| {
            matches!(rules.dimensions.get(*dimension), Some(Dimension::Field(known)) if known == field)
        })
    }

    /// The changes of contexts in which each field has one of the values (`inside`), or in which it has another.
    fn where_field(&mut self, root: Node, fields: &[Wanted<'_>], inside: bool) -> Result<Node, Exhausted> {
        let budget = self.asked.budget;
        budget.spend(fields.len() as u64)?;
        let wanted: Vec<(usize, &Wanted<'_>)> = fields
            .iter()
            .filter_map(|wanted| Some((self.level_of(wanted.field)?, wanted)))
            .collect();
        let mut keep: FastMap<(usize, usize), bool> = FastMap::default();
        for (level, wanted) in &wanted {
            let Some(known) = self.levels.get(*level).and_then(Option::as_ref) else {
                continue;
            };
            let parts: usize = known.atoms.list.iter().map(|atom| atom.parts.len()).sum();
            budget.spend(parts as u64 / LOOKED_UP_BY_UNIT)?;
            for (place, atom) in known.atoms.list.iter().enumerate() {
                let (has, has_others) = overlap(atom, wanted);
                keep.insert((*level, place), if inside { has } else { has_others });
            }
        }
        let keep = |level: usize, atom: usize| keep.get(&(level, atom)).copied().unwrap_or(true);
        self.diagram.restricted(root, &keep, budget)
    }

    /// The largest share of users who differ in hashed values and chance only; `None` where that is
    /// beyond counting.
    fn largest_share(
        &self,
        node: Node,
        known: &mut FastMap<Node, Option<Share>>,
    ) -> Result<Option<Share>, Exhausted> {
        if node == SAME {
            return Ok(Some(Share::NONE));
        }
        if let Some(known) = known.get(&node) {
            return Ok(*known);
        }
        let Some(Kind::Branch(level, children)) = self.diagram.kind(node) else {
            return Ok(Some(Share::ALL));
        };
        self.asked.budget.spend(1 + children.len() as u64 / 4)?;
        let Some(level) = self.levels.get(*level as usize).and_then(Option::as_ref) else {
            return Ok(None);
        };
        let dimension = self.asked.rules.dimensions.get(level.dimension);
        let drawn = matches!(dimension, Some(Dimension::Hash { .. } | Dimension::Chance { .. }));
        let users =
            matches!(dimension, Some(Dimension::Field(field)) if field == "userId" || field == "sessionId");
        let listed = |atom: &Atom| atom.parts.iter().all(|(part, _)| matches!(part, Part::Listed(_)));
        let mut largest = Some(Share::NONE);
        for (atom, child) in level.atoms.list.iter().zip(&**children) {
            if atom.pinned.is_some() || (users && listed(atom)) {
                continue;
            }
            let below = self.largest_share(*child, known)?;
            largest = if drawn {
                let part = below
                    .zip(atom.share)
                    .and_then(|(below, share)| below.times(share));
                largest.zip(part).and_then(|(all, part)| all.plus(part))
            } else {
                largest
                    .zip(below)
                    .map(|(all, part)| if part.exceeds(all) { part } else { all })
            };
        }
        known.insert(node, largest);
        Ok(largest)
    }
}

impl Comparison<'_> {
    /// What becomes of a guard for one flag, as far as its diagram tells; `None` where it holds.
    pub(crate) fn broken<const N: usize>(
        &self,
        guard: &Guard,
        walk: &mut Walk<'_, '_, N>,
        root: Node,
    ) -> Result<Option<GuardVerdict>, Exhausted> {
        match guard {
            Guard::Never(set) => {
                let wanted = Wanted::of(&set.fields, walk.asked.budget)?;
                let node = walk.where_field(root, &wanted, true)?;
                self.shown(walk, node, &wanted, true)
            }
            Guard::Only(set) => {
                for field in &Wanted::of(&set.fields, walk.asked.budget)? {
                    let fields = std::slice::from_ref(field);
                    let node = walk.where_field(root, fields, false)?;
                    if let Some(broken) = self.shown(walk, node, fields, false)? {
                        return Ok(Some(broken));
                    }
                }
                Ok(None)
            }
            Guard::AtMost(most) => match walk.largest_share(root, &mut FastMap::default())? {
                None => Ok(Some(GuardVerdict::Undecided)),
                Some(share) if share.exceeds(*most) => {
                    let shown = self.shown(walk, root, &[], true)?;
                    Ok(shown.map(|verdict| match verdict {
                        GuardVerdict::Broken { flag, witness, .. } => GuardVerdict::Broken {
                            flag,
                            witness,
                            share: Some(share),
                        },
                        other => other,
                    }))
                }
                Some(_) => Ok(None),
            },
        }
    }

    /// That contexts change which must not, with one of them; undecided where none is found.
    fn shown<const N: usize>(
        &self,
        walk: &mut Walk<'_, '_, N>,
        node: Node,
        fields: &[Wanted<'_>],
        inside: bool,
    ) -> Result<Option<GuardVerdict>, Exhausted> {
        if node == SAME {
            return Ok(None);
        }
        let budget = walk.asked.budget;
        let judges = self.judges(walk.asked.flag);
        for (before, after) in walk.diagram.changes(node) {
            let part = walk.diagram.only(node, (before, after), budget)?;
            let size = |_: usize| usize::MAX;
            let (places, _) = boxes(&walk.diagram, part, &size, SHOWN_PATHS, budget)?;
            let outcome = |number: u32| {
                let outcome = walk.asked.rules.outcomes.get(number as usize);
                outcome.cloned().unwrap_or(Outcome::Off)
            };
            let finder = Finder {
                comparison: self,
                flag: walk.asked.flag,
                walk,
                judges: &judges,
                fields,
                inside,
                texts: Default::default(),
            };
            for place in places.iter().take(MOST_LOOKED_AT) {
                let found = finder.find(place, &outcome(before), &outcome(after))?;
                if let Some(witness) = found {
                    return Ok(Some(GuardVerdict::Broken {
                        flag: walk.asked.flag.clone(),
                        witness,
                        share: None,
                    }));
                }
            }
        }
        // what no context shows may be none
        Ok(Some(GuardVerdict::Undecided))
    }
}
