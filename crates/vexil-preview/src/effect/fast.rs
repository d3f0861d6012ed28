//! A quick hash for tables that only configuration fills.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasherDefault, Hasher};

/// A table by a quick hash.
pub(crate) type FastMap<K, V> = HashMap<K, V, BuildHasherDefault<Mixer>>;

/// So many things there is room for at first.
const USUAL: usize = 14;

/// Finds things of a list by hashes of them.
#[derive(Debug, Default)]
pub(crate) struct Index {
    /// By its hash, the last that has it.
    last: FastMap<u64, u32>,
    /// Of each the one before it that has the same hash.
    earlier: Vec<Option<u32>>,
}

impl Index {
    /// The one of this hash that is it.
    pub(crate) fn find(&self, hash: u64, is_it: impl Fn(usize) -> bool) -> Option<usize> {
        let mut number = self.last.get(&hash).copied();
        while let Some(known) = number.filter(|known| !is_it(*known as usize)) {
            number = self.earlier.get(known as usize).copied().flatten();
        }
        number.map(|number| number as usize)
    }

    /// The one of this hash that is it; where there is none, adds one behind all others.
    pub(crate) fn find_or_push(&mut self, hash: u64, is_it: impl Fn(usize) -> bool) -> Option<usize> {
        let new = self.earlier.len() as u32;
        let mut last = match self.last.entry(hash) {
            Entry::Vacant(place) => {
                place.insert(new);
                self.earlier.push(None);
                return None;
            }
            Entry::Occupied(place) => place,
        };
        let mut number = Some(*last.get());
        while let Some(known) = number.filter(|known| !is_it(*known as usize)) {
            number = self.earlier.get(known as usize).copied().flatten();
        }
        if number.is_none() {
            self.earlier.push(Some(last.insert(new)));
        }
        number.map(|number| number as usize)
    }

    /// Forgets all of them.
    pub(crate) fn clear(&mut self) {
        self.last.clear();
        self.earlier.clear();
    }

    /// Adds one of this hash behind all others; gives its number.
    pub(crate) fn push(&mut self, hash: u64) -> usize {
        let number = self.earlier.len();
        if number == 0 {
            // a table that grows from the least size is made anew three times for a dozen things
            self.last.reserve(USUAL);
            self.earlier.reserve(USUAL);
        }
        self.earlier.push(self.last.insert(hash, number as u32));
        number
    }
}

/// Folded multiplication of eight bytes at a time.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Mixer(u64);

impl Mixer {
    /// Writes many numbers, four at a time.
    pub(crate) fn write_words(&mut self, words: &[u32]) {
        let (fours, rest) = words.as_chunks::<4>();
        for [a, b, c, d] in fours {
            let one = self.0 ^ (u64::from(*a) << 32 | u64::from(*b));
            let other = (u64::from(*c) << 32 | u64::from(*d)) ^ FACTOR;
            let product = u128::from(one) * u128::from(FACTOR.rotate_left(17) | 1);
            let second = u128::from(other) * u128::from(FACTOR.rotate_left(40) | 1);
            self.0 = ((product as u64) ^ (second >> 64) as u64).rotate_left(23)
                ^ (product >> 64) as u64
                ^ second as u64;
        }
        rest.iter().for_each(|word| self.write_u32(*word));
        self.write_u64(words.len() as u64);
    }

    /// Writes many answers, 63 at a time.
    pub(crate) fn write_bits(&mut self, bits: impl Iterator<Item = bool>) {
        let mut word = 1_u64;
        for bit in bits {
            word = word << 1 | u64::from(bit);
            if word >> 63 == 1 {
                self.write_u64(word);
                word = 1;
            }
        }
        self.write_u64(word);
    }
}

const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        words
            .iter()
            .for_each(|word| self.write_u64(u64::from_le_bytes(*word)));
        if !rest.is_empty() {
            let last = rest.iter().fold(1, |sum, byte| sum << 8 | u64::from(*byte));
            self.write_u64(last);
        }
    }

    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word ^ FACTOR) * u128::from(FACTOR.rotate_left(17) | 1);
        self.0 = (product as u64).rotate_left(23) ^ (product >> 64) as u64;
    }

    fn write_u8(&mut self, byte: u8) {
        self.write_u64(u64::from(byte));
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(u64::from(word));
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
}
