//! The walk: which change each combination of atoms undergoes, without visiting each.
//!
//! The dimensions are asked one after the other, those that tell most about what differs first. What
//! remains open is known by the rules that are still alive on both sides; equal remainders are
//! decided once. A path ends where what is alive decides the same on both sides, or is decided.

use std::cell::OnceCell;
use std::hash::Hasher as _;

use vexil_budget::Exhausted;

use super::atoms::{Asked, Atom, Atoms};
use super::diagram::{Diagram, Node, SAME};
use super::fast::{FastMap, Index, Mixer};
use super::probe::{ChanceProber, HashProber, Prober};
use super::remainders::{Remainders, Remaining};
use super::rules::{Dimension, Rules, SideRules};
use super::set::Set;

/// One dimension in the order of the walk.
#[derive(Debug)]
pub(crate) struct Level<'r, const N: usize> {
    pub(crate) dimension: usize,
    pub(crate) atoms: Atoms<'r>,
    /// What atoms do to the rules: which they end, and whether they settle the hashes of their field.
    pub(crate) kinds: Vec<(Set<N>, bool)>,
    /// The kind of each atom.
    pub(crate) kind_of: Vec<u32>,
}

/// Asks the tests of a dimension that is no field.
#[derive(Debug)]
pub(crate) enum Asker<'r> {
    Hash(HashProber),
    Chance(ChanceProber),
    Host(Box<Prober<'r>>),
}

/// The walk of one flag.
pub(crate) struct Walk<'w, 'r, const N: usize> {
    pub(crate) asked: &'w Asked<'w, 'r>,
    /// The flag on the two sides that are compared.
    sides: &'w [SideRules; 2],
    /// The dimensions in the order in which they are asked.
    pub(crate) order: Vec<usize>,
    pub(crate) levels: Vec<Option<Level<'r, N>>>,
    pub(crate) diagram: Diagram,
    /// The rules that each literal is part of.
    parts_of: Vec<Set<N>>,
    remainders: Remainders,
    /// For each level of a field that is hashed, its number among those.
    pub(crate) hashes: Vec<Option<u32>>,
    /// Who asks each hash, draw and host, by the number of the dimension; made when it is needed.
    askers: Vec<OnceCell<Option<Asker<'r>>>>,
    known: Known,
    /// What visits need on their way, to be used again.
    spare: Vec<Visit<N>>,
    pub(crate) visited: u64,
}

/// Remainders that were decided, by their keys, which stand one after another.
#[derive(Default)]
struct Known {
    index: Index,
    /// Of each remainder in the index where its key is, and its node.
    decided: Vec<(Key, Node)>,
    keys: Vec<u32>,
}

/// Where the key of a remainder is.
#[derive(Debug, Clone, Copy)]
struct Key {
    hash: u64,
    start: usize,
    len: usize,
}

impl Known {
    /// The node of a remainder; where it is not decided, its key, which is kept.
    fn find(&mut self, key: &[u32]) -> Result<Node, Key> {
        let mut mixer = Mixer::default();
        mixer.write_words(key);
        let hash = mixer.finish();
        let is_it = |number: usize| {
            let known = self.decided.get(number);
            known.is_some_and(|(known, _)| self.keys.get(known.start..known.start + known.len) == Some(key))
        };
        let known = self.index.find(hash, is_it);
        if let Some((_, node)) = known.and_then(|number| self.decided.get(number)) {
            return Ok(*node);
        }
        let (start, len) = (self.keys.len(), key.len());
        self.keys.extend_from_slice(key);
        Err(Key { hash, start, len })
    }

    fn insert(&mut self, key: &Key, node: Node) {
        self.index.push(key.hash);
        self.decided.push((*key, node));
    }
}

/// What a visit needs on its way.
#[derive(Default)]
struct Visit<const N: usize> {
    /// Where what is left alive with some hashes settled leads.
    seen: FastMap<(Set<N>, u64), Node>,
    /// Where each kind of atom leads.
    leads: Vec<Node>,
    /// Where each atom leads.
    children: Vec<Node>,
}

impl<'w, 'r, const N: usize> Walk<'w, 'r, N> {
    pub(crate) fn new(asked: &'w Asked<'w, 'r>) -> Self {
        let rules = asked.rules;
        let order = order(rules);
        let mut place = vec![0; order.len()];
        for (level, dimension) in order.iter().enumerate() {
            if let Some(place) = place.get_mut(*dimension) {
                *place = level;
            }
        }
        let mut parts_of = vec![Set::EMPTY; rules.literals.len()];
        for (number, literals) in rules.conjunctions.iter().enumerate() {
            for literal in literals {
                if let Some(set) = parts_of.get_mut(*literal) {
                    set.insert(number);
                }
            }
        }
        let mut fields: Vec<&str> = Vec::new();
        for dimension in &rules.dimensions {
            if let Dimension::Hash { field, .. } = dimension
                && !fields.contains(&field.as_str())
            {
                fields.push(field);
            }
        }
        let number = |field: &str| {
            fields
                .iter()
                .position(|known| *known == field)
                .map(|at| at as u32)
        };
        let dimensions = || order.iter().map(|dimension| rules.dimensions.get(*dimension));
        let hashed = dimensions().map(|dimension| match dimension {
            Some(Dimension::Hash { field, .. }) => number(field),
            _ => None,
        });
        let hashes = dimensions().map(|dimension| match dimension {
            Some(Dimension::Field(field)) => number(field),
            _ => None,
        });
        Self {
            asked,
            sides: &rules.sides,
            remainders: Remainders::new(rules, place, hashed.collect()),
            hashes: hashes.collect(),
            levels: order.iter().map(|_| None).collect(),
            order,
            diagram: Diagram::default(),
            parts_of,
            askers: rules.dimensions.iter().map(|_| OnceCell::new()).collect(),
            known: Known::default(),
            spare: Vec::new(),
            visited: 0,
        }
    }

    /// Of a level of a hash, the number of its field among those that are hashed.
    #[cfg(test)]
    pub(crate) fn hashed(&self, level: usize) -> Option<u32> {
        self.remainders.hashed.get(level).copied().flatten()
    }

    /// The diagram of all changes.
    pub(crate) fn run(&mut self) -> Result<Node, Exhausted> {
        let mut alive = Set::EMPTY;
        for number in 0..self.asked.rules.conjunctions.len() {
            alive.insert(number);
        }
        self.visit(0, 0, alive)
    }

    /// The diagram of all changes between two other sides of the same rules, in the same nodes.
    pub(crate) fn run_between(&mut self, sides: &'w [SideRules; 2]) -> Result<Node, Exhausted> {
        self.sides = sides;
        self.run()
    }

    fn visit(&mut self, level: usize, pinned: u64, alive: Set<N>) -> Result<Node, Exhausted> {
        let sides = self.sides;
        let rules: usize = sides.iter().map(SideRules::len).sum();
        self.asked.budget.spend(4 + rules as u64 / 4)?;
        let (what, used) = self.remainders.of(sides, &alive, level, pinned);
        let next = match what {
            Remaining::Same => return Ok(SAME),
            Remaining::Decided(before, after) => return Ok(self.diagram.leaf(before, after)),
            Remaining::Open(next) => next,
        };
        let key = match self.known.find(self.remainders.key()) {
            Ok(known) => return Ok(known),
            Err(key) => key,
        };
        let alive = alive.common(&used);
        let budget = self.asked.budget;
        self.fill(next)?;
        let Some(level) = self.levels.get(next).and_then(Option::as_ref) else {
            return Ok(SAME);
        };
        let (kinds, count) = (level.kinds.len(), level.kind_of.len());
        self.visited += 1;
        // what is kept of each node takes memory, and so counts more than the time to make it
        budget.spend(16 + (3 * key.len + kinds + count / 2) as u64)?;
        let hashes = self.hashes.get(next).copied().flatten();
        let mut visit = self.spare.pop().unwrap_or_default();
        for kind in 0..kinds {
            let level = self.levels.get(next).and_then(Option::as_ref);
            let Some((ends, is_pinned)) = level.and_then(|level| level.kinds.get(kind)) else {
                continue;
            };
            let left = alive.without(ends);
            let pinned = match hashes {
                Some(number) if *is_pinned => pinned | 1_u64.checked_shl(number).unwrap_or_default(),
                _ => pinned,
            };
            let child = match visit.seen.get(&(left, pinned)) {
                Some(child) => *child,
                None => {
                    let child = self.visit(next + 1, pinned, left)?;
                    visit.seen.insert((left, pinned), child);
                    child
                }
            };
            visit.leads.push(child);
        }
        let level = self.levels.get(next).and_then(Option::as_ref);
        let kind_of = level.map_or(&[][..], |level| &level.kind_of);
        let lead = |kind: &u32| visit.leads.get(*kind as usize).copied().unwrap_or(SAME);
        visit.children.extend(kind_of.iter().map(lead));
        let node = self.diagram.branch(next, &visit.children);
        self.known.insert(&key, node);
        visit.seen.clear();
        visit.leads.clear();
        visit.children.clear();
        self.spare.push(visit);
        Ok(node)
    }

    /// Makes the atoms of a level, unless they are made.
    pub(crate) fn fill(&mut self, level: usize) -> Result<(), Exhausted> {
        let (Some(slot), Some(dimension)) = (self.levels.get(level), self.order.get(level).copied()) else {
            return Ok(());
        };
        if slot.is_some() {
            return Ok(());
        }
        let atoms = self.asked.atoms(dimension)?;
        self.asked
            .budget
            .spend(atoms.list.len() as u64 * (1 + N as u64 / 8))?;
        let mut kinds: Vec<(Set<N>, bool)> = Vec::with_capacity(atoms.list.len());
        let mut known: FastMap<(Set<N>, bool), u32> = FastMap::default();
        known.reserve(atoms.list.len());
        let kind_of = atoms.list.iter().map(|atom| {
            let kind = (self.ended(dimension, atom), atom.pinned.is_some());
            *known.entry(kind).or_insert_with(|| {
                kinds.push(kind);
                kinds.len() as u32 - 1
            })
        });
        let kind_of = kind_of.collect();
        if let Some(slot) = self.levels.get_mut(level) {
            *slot = Some(Level {
                dimension,
                atoms,
                kinds,
                kind_of,
            });
        }
        Ok(())
    }

    /// Asks the tests of a dimension that is no field.
    pub(crate) fn asker(&self, dimension: usize) -> Option<&Asker<'r>> {
        let rules = self.asked.rules;
        let made = self.askers.get(dimension)?;
        let asker = made.get_or_init(|| match rules.dimensions.get(dimension)? {
            Dimension::Hash { .. } => HashProber::new(rules, dimension).map(Asker::Hash),
            Dimension::Chance { .. } => ChanceProber::new(rules, dimension).map(Asker::Chance),
            Dimension::Host => Some(Asker::Host(Box::new(Prober::of_field(rules, dimension, "")))),
            Dimension::Field(_) | Dimension::Custom { .. } => None,
        });
        asker.as_ref()
    }

    /// The rules that an atom ends: those of which a test does not hold.
    pub(crate) fn ended(&self, dimension: usize, atom: &Atom) -> Set<N> {
        let literals = self.asked.rules.by_dimension.get(dimension).into_iter().flatten();
        let own = literals
            .zip(&atom.holds)
            .map(|(literal, holds)| (*literal, *holds));
        let pinned = atom.pinned.iter().flatten().copied();
        let failed = own.chain(pinned).filter(|(_, holds)| !holds);
        failed.fold(Set::EMPTY, |ended, (literal, _)| {
            match self.parts_of.get(literal) {
                Some(rules) => ended.with(rules),
                None => ended,
            }
        })
    }
}

/// The dimensions in the order in which they are best asked: fields first, those that most of the
/// rules ask that are on one side only; then what custom strategies say, hashes, and chance.
fn order(rules: &Rules<'_>) -> Vec<usize> {
    let [before, after] = &rules.sides;
    let all = |side: &SideRules| -> Vec<(usize, u32)> {
        let lists = side.parents.iter().chain([&side.own]);
        lists.flat_map(|list| list.rules.iter().copied()).collect()
    };
    let (before, after) = (all(before), all(after));
    let differs = |one: &[(usize, u32)], other: &[(usize, u32)]| -> Vec<usize> {
        let missing = one.iter().filter(|rule| !other.contains(rule));
        missing.map(|(rule, _)| *rule).collect()
    };
    let mut changed = differs(&before, &after);
    changed.extend(differs(&after, &before));
    if changed.is_empty() {
        changed.extend(0..rules.conjunctions.len());
    }
    let mut asked = vec![0_usize; rules.dimensions.len()];
    for literals in changed.iter().filter_map(|rule| rules.conjunctions.get(*rule)) {
        let mut dimensions: Vec<usize> = literals
            .iter()
            .filter_map(|literal| rules.literals.get(*literal))
            .map(|literal| literal.dimension)
            .collect();
        dimensions.sort_unstable();
        dimensions.dedup();
        for dimension in dimensions {
            if let Some(count) = asked.get_mut(dimension) {
                *count += 1;
            }
        }
    }
    let rank = |dimension: &usize| {
        let what = rules.dimensions.get(*dimension);
        let kind = match what {
            Some(Dimension::Field(_) | Dimension::Host) => 0,
            Some(Dimension::Custom { .. }) => 1,
            Some(Dimension::Hash { .. }) => 2,
            Some(Dimension::Chance { .. }) | None => 3,
        };
        let count = asked.get(*dimension).copied().unwrap_or_default();
        let tests = rules.by_dimension.get(*dimension).map_or(0, Vec::len);
        (kind, std::cmp::Reverse(count), tests, what)
    };
    let mut order: Vec<usize> = (0..rules.dimensions.len()).collect();
    order.sort_by(|one, other| rank(one).cmp(&rank(other)));
    order
}
