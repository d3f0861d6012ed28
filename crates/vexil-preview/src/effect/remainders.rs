//! What is left of a flag once some dimensions were asked: which function is still to be decided.
//!
//! Rules of which the same tests are left are the same rule, so that it does not matter which of several
//! strategies met its conditions. Equal remainders are equal functions.

use std::rc::Rc;

use super::fast::FastMap;
use super::rules::{List, OFF, Rules, SideRules};
use super::set::Set;

/// What is left of both sides.
pub(crate) enum Remaining {
    /// Both sides decide the same.
    Same,
    /// What each side decides.
    Decided(u32, u32),
    /// It depends; on this level next.
    Open(usize),
}

/// The tests that are left of a rule, by number; those of the first level behind.
type Left = u32;

/// Where a list of rules stands.
struct Rest {
    /// Values with what is left of rules, in order; neighbours of equal value in the order of their numbers.
    rules: Vec<(u32, Left)>,
    otherwise: u32,
    /// The first level that one of them asks.
    asks: usize,
}

impl Rest {
    /// Sorts the rules from a place on, which are all of one value.
    fn sort_from(&mut self, run: usize) {
        if let Some(run) = self.rules.get_mut(run..) {
            run.sort_unstable_by_key(|(_, left)| *left);
        }
    }
}

/// What is left of rules.
struct Chains {
    /// Of one rule after another, the levels that it asks, ascending, each with what is left from there on.
    steps: Vec<(usize, Left)>,
    /// Of each rule where its steps end.
    ends: Vec<usize>,
    /// Of each level that was asked for, what is left of each rule from there on; 0 where nothing is.
    tables: Vec<Option<Rc<[Left]>>>,
}

impl Chains {
    /// What is left of each rule from a level on.
    fn table(&mut self, level: usize) -> Rc<[Left]> {
        if let Some(Some(known)) = self.tables.get(level) {
            return Rc::clone(known);
        }
        let mut start = 0;
        let left = |end: &usize| {
            let own = self.steps.get(std::mem::replace(&mut start, *end)..*end);
            let mut behind = own.into_iter().flatten().filter(|(asked, _)| *asked >= level);
            behind.next().map_or(0, |(_, left)| *left)
        };
        let table: Rc<[Left]> = self.ends.iter().map(left).collect();
        if let Some(known) = self.tables.get_mut(level) {
            *known = Some(Rc::clone(&table));
        }
        table
    }
}

/// Makes remainders.
pub(crate) struct Remainders {
    /// Of each rule its literals with their levels, the last level first.
    literals: Vec<Vec<(usize, usize)>>,
    /// For each level of a hash, the number of its field among those that are hashed.
    pub(super) hashed: Vec<Option<u32>>,
    /// For the fields whose hashes are settled, what is left of each rule from each level that it asks on.
    chains: FastMap<u64, Chains>,
    /// What is left behind a literal, and before the rest.
    numbers: FastMap<(Left, usize), Left>,
    /// The first level of each.
    first: Vec<usize>,
    /// When something that is left was last seen in a list.
    stamps: Vec<u32>,
    stamp: u32,
    key: Vec<u32>,
    rest: Rest,
}

impl Remainders {
    /// `place` is the level of each dimension.
    pub(crate) fn new(rules: &Rules<'_>, place: Vec<usize>, hashed: Vec<Option<u32>>) -> Self {
        let of = |literals: &Vec<usize>| {
            let level = |literal: &usize| {
                let dimension = rules.literals.get(*literal)?.dimension;
                Some((*place.get(dimension)?, *literal))
            };
            let mut levels: Vec<(usize, usize)> = literals.iter().filter_map(level).collect();
            levels.sort_unstable_by(|one, other| other.cmp(one));
            levels
        };
        Self {
            literals: rules.conjunctions.iter().map(of).collect(),
            hashed,
            chains: FastMap::default(),
            numbers: FastMap::default(),
            first: vec![usize::MAX],
            stamps: vec![0],
            stamp: 0,
            key: Vec::new(),
            rest: Rest {
                rules: Vec::new(),
                otherwise: OFF,
                asks: usize::MAX,
            },
        }
    }

    /// What tells the last remainder from others.
    pub(crate) fn key(&self) -> &[u32] {
        &self.key
    }

    /// What is left of both sides where these rules may still hold, and the rules that it follows from.
    pub(crate) fn of<const N: usize>(
        &mut self,
        sides: &[SideRules; 2],
        alive: &Set<N>,
        level: usize,
        pinned: u64,
    ) -> (Remaining, Set<N>) {
        let left = self.table(pinned, level);
        let mut used = Set::EMPTY;
        let mut next = usize::MAX;
        self.key.clear();
        let [before, after] = sides;
        let was = self.side(before, &left, alive, &mut used, &mut next);
        let middle = self.key.len();
        let is = self.side(after, &left, alive, &mut used, &mut next);
        let (one, other) = self.key.split_at(middle);
        let what = match (was, is) {
            _ if one == other => Remaining::Same,
            (Some(was), Some(is)) => Remaining::Decided(was, is),
            _ => Remaining::Open(next),
        };
        // where one side ends and the other begins
        self.key.push(middle as u32);
        (what, used)
    }

    /// What is left of each rule from a level on, where the hashes of some fields are settled.
    fn table(&mut self, pinned: u64, level: usize) -> Rc<[Left]> {
        if let Some(known) = self.chains.get_mut(&pinned) {
            return known.table(level);
        }
        let mut chains = self.chained(pinned);
        let table = chains.table(level);
        self.chains.insert(pinned, chains);
        table
    }

    fn chained(&mut self, pinned: u64) -> Chains {
        let count = self.literals.iter().map(Vec::len).sum::<usize>();
        self.numbers.reserve(count);
        self.first.reserve(count);
        let mut steps: Vec<(usize, Left)> = Vec::with_capacity(count);
        let mut ends = Vec::with_capacity(self.literals.len());
        for literals in &self.literals {
            let start = steps.len();
            let mut left = 0;
            for (level, literal) in literals {
                let settled = self.hashed.get(*level).copied().flatten();
                if settled.is_some_and(|number| pinned >> number & 1 == 1) {
                    continue;
                }
                let count = self.numbers.len() as u32;
                left = *self.numbers.entry((left, *literal)).or_insert_with(|| {
                    self.first.push(*level);
                    count + 1
                });
                match steps.get_mut(start..).and_then(<[_]>::last_mut) {
                    Some((known, number)) if known == level => *number = left,
                    _ => steps.push((*level, left)),
                }
            }
            if let Some(own) = steps.get_mut(start..) {
                own.reverse();
            }
            ends.push(steps.len());
        }
        self.stamps.resize(self.numbers.len() + 1, 0);
        Chains {
            steps,
            ends,
            tables: vec![None; self.hashed.len() + 1],
        }
    }

    /// Writes what is left of a side; what it decides, where nothing is left.
    fn side<const N: usize>(
        &mut self,
        side: &SideRules,
        left: &[Left],
        alive: &Set<N>,
        used: &mut Set<N>,
        next: &mut usize,
    ) -> Option<u32> {
        self.list(&side.own, left, alive, used);
        let mut first = self.rest.asks;
        let own = self.rest.otherwise;
        let is_decided = self.rest.rules.is_empty();
        if is_decided && (own == OFF || side.parents.is_empty()) {
            return self.decided(own);
        }
        let start = self.key.len();
        self.write();
        let mut parents: Vec<Vec<u32>> = Vec::new();
        for parent in &side.parents {
            self.list(parent, left, alive, used);
            first = first.min(self.rest.asks);
            if !self.rest.rules.is_empty() {
                let behind = self.key.len();
                self.write();
                parents.push(self.key.split_off(behind));
            } else if self.rest.otherwise == 0 {
                self.key.truncate(start);
                return self.decided(OFF);
            }
        }
        if is_decided && parents.is_empty() {
            self.key.truncate(start);
            return self.decided(own);
        }
        parents.sort_unstable();
        parents.dedup();
        self.key.extend(parents.into_iter().flatten());
        *next = first.min(*next);
        None
    }

    fn decided(&mut self, value: u32) -> Option<u32> {
        self.key.extend([u32::MAX, value]);
        Some(value)
    }

    /// Writes the list that was made last.
    fn write(&mut self) {
        self.key
            .extend([self.rest.otherwise, self.rest.rules.len() as u32]);
        self.key
            .extend(self.rest.rules.iter().flat_map(|(value, left)| [*value, *left]));
    }

    /// Makes what is left of a list.
    fn list<const N: usize>(&mut self, list: &List, left: &[Left], alive: &Set<N>, used: &mut Set<N>) {
        self.stamp += 1;
        let rest = &mut self.rest;
        rest.rules.clear();
        rest.otherwise = list.otherwise;
        // where the last of those begin that have one value
        let mut run = 0;
        for (rule, value) in &list.rules {
            if !alive.contains(*rule) {
                continue;
            }
            let left = left.get(*rule).copied().unwrap_or_default();
            if left == 0 {
                rest.otherwise = *value;
                used.insert(*rule);
                break;
            }
            // behind a rule of which the same is left, this one never decides
            match self.stamps.get_mut(left as usize) {
                Some(stamp) if *stamp == self.stamp => continue,
                Some(stamp) => *stamp = self.stamp,
                None => {}
            }
            used.insert(*rule);
            if rest.rules.last().is_some_and(|(known, _)| known != value) {
                rest.sort_from(run);
                run = rest.rules.len();
            }
            rest.rules.push((*value, left));
        }
        rest.sort_from(run);
        while rest
            .rules
            .last()
            .is_some_and(|(value, _)| *value == rest.otherwise)
        {
            rest.rules.pop();
        }
        let first = |(_, left): &(u32, Left)| self.first.get(*left as usize).copied();
        rest.asks = rest.rules.iter().filter_map(first).min().unwrap_or(usize::MAX);
    }
}

#[cfg(test)]
mod tests;
