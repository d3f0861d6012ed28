//! The walk: which change each combination of atoms undergoes, without visiting each.
//!
//! The dimensions are asked one after the other, those that tell most about what differs first. What
//! remains open is known by the rules that are still alive on both sides; equal remainders are
//! decided once. A path ends where what is alive decides the same on both sides, or is decided.

use std::cell::OnceCell;

use vexil_budget::Exhausted;

use super::atoms::{Asked, Atom, Atoms};
use super::diagram::{Diagram, Node, SAME};
use super::fast::FastMap;
use super::probe::{ChanceProber, HashProber, Prober};
use super::rules::{Dimension, List, OFF, Rules, SideRules};
use super::set::Set;

/// One dimension in the order of the walk.
#[derive(Debug)]
pub(crate) struct Level<'r, const N: usize> {
    pub(crate) dimension: usize,
    pub(crate) atoms: Atoms<'r>,
    /// Which rules an atom ends.
    pub(crate) ends: Vec<Set<N>>,
}

/// Asks the tests of a dimension that is no field.
#[derive(Debug)]
pub(crate) enum Asker<'r> {
    Hash(HashProber),
    Chance(ChanceProber),
    Host(Prober<'r>),
}

/// The walk of one flag.
pub(crate) struct Walk<'w, 'r, const N: usize> {
    pub(crate) asked: &'w Asked<'w, 'r>,
    /// The dimensions in the order in which they are asked.
    pub(crate) order: Vec<usize>,
    pub(crate) levels: Vec<Option<Level<'r, N>>>,
    pub(crate) diagram: Diagram,
    /// The rules that each literal is part of.
    parts_of: Vec<Set<N>>,
    /// The levels that each rule asks, ascending.
    asks: Vec<Vec<usize>>,
    /// For each level of a hash, the number of its field among those that are hashed.
    pub(crate) hashed: Vec<Option<u32>>,
    /// For each level of a field that is hashed, its number among those.
    pub(crate) hashes: Vec<Option<u32>>,
    /// Who asks each hash, draw and host, by the number of the dimension; made when it is needed.
    askers: Vec<OnceCell<Option<Asker<'r>>>>,
    known: FastMap<(usize, u64, Set<N>), Node>,
    pub(crate) visited: u64,
}

/// What is left of a list of rules.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rest {
    /// Values with rules, in order; neighbours of equal value in the order of their numbers.
    rules: Vec<(u32, usize)>,
    otherwise: u32,
}

/// What is left of a side.
#[derive(Debug, PartialEq, Eq)]
enum SideRest {
    Decided(u32),
    Open { own: Rest, parents: Vec<Rest> },
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
        let mut asks = Vec::with_capacity(rules.conjunctions.len());
        for (number, literals) in rules.conjunctions.iter().enumerate() {
            let mut levels = Vec::with_capacity(literals.len());
            for literal in literals {
                if let Some(set) = parts_of.get_mut(*literal) {
                    set.insert(number);
                }
                let dimension = rules.literals.get(*literal).map(|literal| literal.dimension);
                levels.extend(dimension.and_then(|dimension| place.get(dimension)));
            }
            levels.sort_unstable();
            levels.dedup();
            asks.push(levels);
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
            hashed: hashed.collect(),
            hashes: hashes.collect(),
            levels: order.iter().map(|_| None).collect(),
            order,
            diagram: Diagram::default(),
            parts_of,
            asks,
            askers: rules.dimensions.iter().map(|_| OnceCell::new()).collect(),
            known: FastMap::default(),
            visited: 0,
        }
    }

    /// The diagram of all changes.
    pub(crate) fn run(&mut self) -> Result<Node, Exhausted> {
        let mut alive = Set::EMPTY;
        for number in 0..self.asked.rules.conjunctions.len() {
            alive.insert(number);
        }
        self.visit(0, 0, alive)
    }

    fn visit(&mut self, level: usize, pinned: u64, alive: Set<N>) -> Result<Node, Exhausted> {
        let [before, after] = &self.asked.rules.sides;
        let mut used = Set::EMPTY;
        let before = self.rest(before, &alive, level, pinned, &mut used);
        let after = self.rest(after, &alive, level, pinned, &mut used);
        if before == after {
            return Ok(SAME);
        }
        if let (SideRest::Decided(before), SideRest::Decided(after)) = (&before, &after) {
            return Ok(self.diagram.leaf(*before, *after));
        }
        let mut next = usize::MAX;
        for number in before.open().chain(after.open()) {
            next = next.min(self.next_level(number, level, pinned).unwrap_or(usize::MAX));
        }
        let alive = alive.common(&used);
        let key = (next, pinned, alive);
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        let budget = self.asked.budget;
        self.fill(next)?;
        let atoms = self.levels.get(next).and_then(Option::as_ref);
        let count = atoms.map_or(0, |level| level.ends.len());
        self.visited += 1;
        budget.spend(2 + (count as u64) * (1 + N as u64 / 8) / 2)?;
        let hashes = self.hashes.get(next).copied().flatten();
        let mut children: Vec<Node> = Vec::with_capacity(count);
        let mut seen: Vec<(Set<N>, u64, Node)> = Vec::new();
        for atom in 0..count {
            let level = self.levels.get(next).and_then(Option::as_ref);
            let ends = level.and_then(|level| level.ends.get(atom));
            let left = alive.without(ends.unwrap_or(&Set::EMPTY));
            let is_pinned = level.and_then(|level| level.atoms.list.get(atom));
            let is_pinned = is_pinned.is_some_and(|atom| atom.pinned.is_some());
            let pinned = match hashes {
                Some(number) if is_pinned => pinned | 1_u64.checked_shl(number).unwrap_or_default(),
                _ => pinned,
            };
            let known = seen.iter().find(|known| known.0 == left && known.1 == pinned);
            let child = match known {
                Some((_, _, child)) => *child,
                None => {
                    let child = self.visit(next + 1, pinned, left)?;
                    if seen.len() < 64 {
                        seen.push((left, pinned, child));
                    }
                    child
                }
            };
            children.push(child);
        }
        let node = self.diagram.branch(next, children);
        self.known.insert(key, node);
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
        let ends = atoms
            .list
            .iter()
            .map(|atom| self.ended(dimension, atom))
            .collect();
        if let Some(slot) = self.levels.get_mut(level) {
            *slot = Some(Level {
                dimension,
                atoms,
                ends,
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
            Dimension::Host => Some(Asker::Host(Prober::of_field(rules, dimension, ""))),
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

    /// The next level that a rule asks and that is not known yet.
    fn next_level(&self, rule: usize, level: usize, pinned: u64) -> Option<usize> {
        let asks = self.asks.get(rule)?;
        let open = |asked: &&usize| {
            let hashed = self.hashed.get(**asked).copied().flatten();
            let known = hashed.is_some_and(|number| pinned >> number & 1 == 1);
            **asked >= level && !known
        };
        asks.iter().find(open).copied()
    }

    /// What is left of a side; adds to `used` the rules that it follows from.
    fn rest(
        &self,
        side: &SideRules,
        alive: &Set<N>,
        level: usize,
        pinned: u64,
        used: &mut Set<N>,
    ) -> SideRest {
        let own = self.rest_of(&side.own, alive, level, pinned, used);
        if own.rules.is_empty() && (own.otherwise == OFF || side.parents.is_empty()) {
            return SideRest::Decided(own.otherwise);
        }
        let mut parents = Vec::new();
        for parent in &side.parents {
            let rest = self.rest_of(parent, alive, level, pinned, used);
            if rest.rules.is_empty() {
                if rest.otherwise == 0 {
                    return SideRest::Decided(OFF);
                }
                continue;
            }
            parents.push(rest);
        }
        if own.rules.is_empty() && parents.is_empty() {
            return SideRest::Decided(own.otherwise);
        }
        parents.sort_unstable();
        parents.dedup();
        SideRest::Open { own, parents }
    }

    fn rest_of(&self, list: &List, alive: &Set<N>, level: usize, pinned: u64, used: &mut Set<N>) -> Rest {
        let mut rest = Rest {
            rules: Vec::new(),
            otherwise: list.otherwise,
        };
        for (rule, value) in &list.rules {
            if !alive.contains(*rule) {
                continue;
            }
            if self.next_level(*rule, level, pinned).is_none() {
                rest.otherwise = *value;
                used.insert(*rule);
                break;
            }
            let run = rest.rules.iter().rposition(|(known, _)| known != value);
            let run = run.map_or(0, |last| last + 1);
            let within = rest.rules.get(run..).unwrap_or_default();
            let place = within.partition_point(|(_, known)| known < rule);
            rest.rules.insert(run + place, (*value, *rule));
        }
        while rest
            .rules
            .last()
            .is_some_and(|(value, _)| *value == rest.otherwise)
        {
            rest.rules.pop();
        }
        rest.rules.iter().for_each(|(_, rule)| used.insert(*rule));
        rest
    }
}

impl SideRest {
    fn open(&self) -> impl Iterator<Item = usize> {
        let (own, parents) = match self {
            Self::Decided(_) => (None, &[][..]),
            Self::Open { own, parents } => (Some(own), parents.as_slice()),
        };
        own.into_iter()
            .chain(parents)
            .flat_map(|rest| rest.rules.iter().map(|(_, rule)| *rule))
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
