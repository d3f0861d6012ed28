//! Sets of small numbers, as bits.

use std::hash::{Hash, Hasher};

/// A set of numbers below `64 * N`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Set<const N: usize>([u64; N]);

impl<const N: usize> Hash for Set<N> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // all are of one length
        self.0.iter().for_each(|word| state.write_u64(*word));
    }
}

impl<const N: usize> Set<N> {
    pub(crate) const EMPTY: Self = Self([0; N]);

    pub(crate) fn insert(&mut self, number: usize) {
        if let Some(word) = self.0.get_mut(number / 64) {
            *word |= 1 << (number % 64);
        }
    }

    pub(crate) fn contains(&self, number: usize) -> bool {
        let word = self.0.get(number / 64).copied().unwrap_or_default();
        word >> (number % 64) & 1 == 1
    }

    pub(crate) fn without(&self, other: &Self) -> Self {
        let mut left = *self;
        for (word, other) in left.0.iter_mut().zip(&other.0) {
            *word &= !other;
        }
        left
    }

    pub(crate) fn with(&self, other: &Self) -> Self {
        let mut both = *self;
        for (word, other) in both.0.iter_mut().zip(&other.0) {
            *word |= other;
        }
        both
    }

    pub(crate) fn common(&self, other: &Self) -> Self {
        let mut common = *self;
        for (word, other) in common.0.iter_mut().zip(&other.0) {
            *word &= other;
        }
        common
    }

    pub(crate) fn words(&self) -> &[u64; N] {
        &self.0
    }

    /// The numbers in the set, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> {
        bits(&self.0)
    }
}

/// The numbers of the bits that are set, ascending.
pub(crate) fn bits(words: &[u64]) -> impl Iterator<Item = usize> {
    words.iter().enumerate().flat_map(|(place, word)| {
        let mut left = *word;
        std::iter::from_fn(move || {
            let bit = left.trailing_zeros() as usize;
            let found = (left != 0).then_some(place * 64 + bit);
            left &= left.wrapping_sub(1);
            found
        })
    })
}
