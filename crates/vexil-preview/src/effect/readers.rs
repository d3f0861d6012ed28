//! Values in texts, read letter by letter.
//!
//! A reader is an automaton that never misses what a text says. Where it cannot count so far, or two readings
//! would need an endless memory, it says all that is possible; which of it holds of one text the engine's own
//! parsers say.

mod addresses;
mod dates;
mod moments;
mod numbers;
mod powers;
mod versions;
mod zones;

use std::hash::Hash;

use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

use super::fast::FastMap;

pub(crate) use addresses::{V4, V6};
pub(crate) use moments::{Moments, Precision};
pub(crate) use numbers::Numbers;
pub(crate) use powers::Powers;
pub(crate) use versions::Versions;

/// What a text may say that ends here: a value at or above so many of the cuts, from the fewest to the most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Said {
    pub(crate) fewest: usize,
    pub(crate) most: usize,
    /// Whether it may say no value.
    pub(crate) perhaps_none: bool,
}

impl Said {
    fn exactly(passed: usize) -> Self {
        Self {
            fewest: passed,
            most: passed,
            perhaps_none: false,
        }
    }
}

/// The cuts that all letters so far agree with: those before are below the value, those behind above it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Open {
    from: usize,
    to: usize,
}

impl Open {
    fn all(count: usize) -> Self {
        Self { from: 0, to: count }
    }

    fn of<'c, T>(&self, cuts: &'c [T]) -> &'c [T] {
        cuts.get(self.from..self.to).unwrap_or_default()
    }

    /// What is left where the value's next part stands to that of each cut so; the parts ascend with the cuts.
    fn narrowed<T>(&self, cuts: &[T], compare: impl Fn(&T) -> std::cmp::Ordering) -> Self {
        let own = self.of(cuts);
        Self {
            from: self.from + own.partition_point(|cut| compare(cut).is_gt()),
            to: self.from + own.partition_point(|cut| compare(cut).is_ge()),
        }
    }
}

/// Reads one kind of value.
pub(crate) trait Reader {
    /// What is known behind some letters.
    type State: Clone + Ord + Hash;
    /// What is known before the first letter.
    fn start(&self) -> Self::State;
    /// Adds what may be known behind one more letter.
    fn step(&self, state: &Self::State, letter: char, next: &mut Vec<Self::State>);
    /// What a text says that ends here; `None` where it says no value.
    fn says(&self, state: &Self::State) -> Option<Said>;
    /// Sets of letters that are to be told apart.
    fn letters(&self) -> Vec<ClassUnicode>;
}

/// A reader whose states have numbers.
pub(crate) trait Table {
    /// Where a letter leads from a state; the number stands for all letters like it.
    fn next(&mut self, state: u32, class: usize, letter: char) -> u32;
    /// What a text may say that ends here.
    fn says(&self, state: u32) -> Option<Said>;
    /// Sets of letters that are to be told apart.
    fn letters(&self) -> Vec<ClassUnicode>;
}

/// The states of a reader that were visited. The first is the start.
pub(crate) struct Visited<R: Reader> {
    reader: R,
    /// All that may be known at once.
    states: Vec<Vec<R::State>>,
    known: FastMap<Vec<R::State>, u32>,
    steps: FastMap<(u32, usize), u32>,
}

impl<R: Reader> Visited<R> {
    pub(crate) fn new(reader: R) -> Self {
        let start = vec![reader.start()];
        Self {
            known: std::iter::once((start.clone(), 0)).collect(),
            states: vec![start],
            steps: FastMap::default(),
            reader,
        }
    }
}

impl<R: Reader> Table for Visited<R> {
    fn next(&mut self, state: u32, class: usize, letter: char) -> u32 {
        if let Some(known) = self.steps.get(&(state, class)) {
            return *known;
        }
        let mut next = Vec::new();
        for one in self.states.get(state as usize).into_iter().flatten() {
            self.reader.step(one, letter, &mut next);
        }
        next.sort_unstable();
        next.dedup();
        let count = self.states.len() as u32;
        let to = *self.known.entry(next).or_insert_with_key(|next| {
            self.states.push(next.clone());
            count
        });
        self.steps.insert((state, class), to);
        to
    }

    fn says(&self, state: u32) -> Option<Said> {
        let all = self.states.get(state as usize).into_iter().flatten();
        let said = all.filter_map(|state| self.reader.says(state));
        said.reduce(|one, other| Said {
            fewest: one.fewest.min(other.fewest),
            most: one.most.max(other.most),
            perhaps_none: one.perhaps_none || other.perhaps_none,
        })
    }

    fn letters(&self) -> Vec<ClassUnicode> {
        self.reader.letters()
    }
}

/// Letters as a set.
fn set(letters: &str) -> ClassUnicode {
    ClassUnicode::new(
        letters
            .chars()
            .map(|letter| ClassUnicodeRange::new(letter, letter)),
    )
}

/// The digits, each by itself.
fn digits() -> impl Iterator<Item = ClassUnicode> {
    "0123456789".split("").filter(|digit| !digit.is_empty()).map(set)
}

#[cfg(test)]
mod tests;
