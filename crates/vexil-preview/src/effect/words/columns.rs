//! What the tests of a dimension say of its atoms, turned round: of each test, the atoms of which it holds.

use crate::effect::atoms::Atoms;

/// Atoms by place, as bits.
pub(super) type Bits = Vec<u64>;

/// Of each test of a dimension, the atoms of which it holds.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    holds: Vec<Bits>,
    words: usize,
}

impl Columns {
    pub(crate) fn new(atoms: &Atoms<'_>) -> Self {
        let words = atoms.list.len().div_ceil(64);
        let tests = atoms.list.iter().map(|atom| atom.holds.len()).max();
        let mut holds = vec![vec![0; words]; tests.unwrap_or_default()];
        for (place, atom) in atoms.list.iter().enumerate() {
            for (column, _) in holds.iter_mut().zip(&atom.holds).filter(|(_, holds)| **holds) {
                insert(column, place);
            }
        }
        Self { holds, words }
    }

    /// A set of atoms.
    pub(super) fn set(&self, places: impl Iterator<Item = usize>) -> Bits {
        let mut set = vec![0; self.words];
        places.for_each(|place| insert(&mut set, place));
        set
    }

    /// Whether a test says this of all atoms of one set, and of none of another.
    pub(super) fn tells(&self, test: usize, wanted: bool, inside: &Bits, outside: &Bits) -> bool {
        let Some(column) = self.holds.get(test) else {
            return false;
        };
        let (all, none) = if wanted {
            (inside, outside)
        } else {
            (outside, inside)
        };
        let mut words = column.iter().zip(all).zip(none);
        words.all(|((column, all), none)| column & all == *all && column & none == 0)
    }

    /// Tests that together say of none of `others` what they say of an atom: greedily.
    pub(super) fn conjunction(&self, holds: &[bool], others: &Bits) -> Vec<usize> {
        let mut left = others.clone();
        let mut chosen = Vec::new();
        while left.iter().any(|word| *word != 0) {
            let differs = |column: &Bits, own: bool| -> u32 {
                let turned = if own { u64::MAX } else { 0 };
                let words = left.iter().zip(column);
                words
                    .map(|(left, column)| (left & (column ^ turned)).count_ones())
                    .sum()
            };
            let tests = self.holds.iter().zip(holds).enumerate();
            let best = tests
                .map(|(test, (column, own))| (differs(column, *own), *own, std::cmp::Reverse(test)))
                .max();
            let Some((1.., own, std::cmp::Reverse(test))) = best else {
                break;
            };
            for (left, column) in left.iter_mut().zip(self.holds.get(test).into_iter().flatten()) {
                *left &= if own { *column } else { !column };
            }
            chosen.push(test);
        }
        chosen.sort_unstable();
        chosen
    }
}

fn insert(set: &mut Bits, place: usize) {
    if let Some(word) = set.get_mut(place / 64) {
        *word |= 1 << (place % 64);
    }
}
