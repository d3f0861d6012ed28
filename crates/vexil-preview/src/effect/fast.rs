//! A quick hash for tables that only configuration fills.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A table by a quick hash.
pub(crate) type FastMap<K, V> = HashMap<K, V, BuildHasherDefault<Mixer>>;

/// So many things there is room for at first: a table that grows from the least size is made anew three times for a
/// dozen things.
const USUAL: usize = 16;

/// Finds things of a list by hashes of them.
#[derive(Debug, Default)]
pub(crate) struct Index {
    /// The hash of each.
    hashes: Vec<u64>,
    /// Open addressing: of each place the number of the thing that is there, from 1; at most half of them are taken.
    slots: Vec<u32>,
}

impl Index {
    /// The one of this hash that is it.
    pub(crate) fn find(&self, hash: u64, is_it: impl Fn(usize) -> bool) -> Option<usize> {
        self.place(hash, is_it).ok()
    }

    /// The number of the one of this hash that is it; else the free slot that it would be in.
    fn place(&self, hash: u64, is_it: impl Fn(usize) -> bool) -> Result<usize, usize> {
        let last = self.slots.len().wrapping_sub(1);
        let mut slot = hash as usize & last;
        loop {
            let number = match self.slots.get(slot) {
                None | Some(0) => return Err(slot),
                Some(number) => *number as usize - 1,
            };
            if self.hashes.get(number) == Some(&hash) && is_it(number) {
                return Ok(number);
            }
            slot = (slot + 1) & last;
        }
    }

    /// The one of this hash that is it; where there is none, adds one behind all others.
    pub(crate) fn find_or_push(&mut self, hash: u64, is_it: impl Fn(usize) -> bool) -> Option<usize> {
        match self.place(hash, is_it) {
            Ok(number) => Some(number),
            Err(slot) => {
                self.put(hash, slot);
                None
            }
        }
    }

    /// Forgets all of them.
    pub(crate) fn clear(&mut self) {
        self.hashes.clear();
        self.slots.fill(0);
    }

    /// Adds one of this hash behind all others; gives its number.
    pub(crate) fn push(&mut self, hash: u64) -> usize {
        let slot = self.place(hash, |_| false).unwrap_or_else(|slot| slot);
        self.put(hash, slot)
    }

    /// Adds one in its slot, which is free.
    fn put(&mut self, hash: u64, slot: usize) -> usize {
        let number = self.hashes.len();
        if 2 * number >= self.slots.len() {
            self.grow();
            return self.push(hash);
        }
        self.hashes.push(hash);
        if let Some(slot) = self.slots.get_mut(slot) {
            *slot = number as u32 + 1;
        }
        number
    }

    fn grow(&mut self) {
        let hashes = std::mem::take(&mut self.hashes);
        let count = (4 * hashes.len()).max(2 * USUAL);
        self.slots.clear();
        self.slots.resize(count, 0);
        self.hashes.reserve(count / 2);
        hashes.into_iter().for_each(|hash| {
            self.push(hash);
        });
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::hash::Hasher as _;

    use super::{Index, Mixer};

    #[test]
    fn things_are_found_again_among_many_of_one_hash() {
        let mut index = Index::default();
        for round in 0..2 {
            // hashes that agree in all of the bits that slots are chosen by, in some, or in none
            let hashes: Vec<u64> = (0..300_u64)
                .map(|thing| ((thing % 7) << 40) | (thing % 11))
                .collect();
            for (thing, hash) in hashes.iter().enumerate() {
                assert_eq!(index.find(*hash, |known| known == thing), None, "{round}");
                let found = match thing % 2 {
                    0 => index.find_or_push(*hash, |known| known == thing),
                    _ => Some(index.push(*hash)).filter(|number| *number != thing),
                };
                assert_eq!(found, None, "{thing}");
            }
            for (thing, hash) in hashes.iter().enumerate() {
                assert_eq!(index.find(*hash, |known| known == thing), Some(thing));
                assert_eq!(index.find_or_push(*hash, |known| known == thing), Some(thing));
                assert_eq!(index.find(*hash, |_| false), None);
            }
            index.clear();
        }
    }

    /// That none of these are alike, nor in the bits that places are chosen by any more often than chance has it.
    fn are_apart(hashes: Vec<u64>) {
        let distinct: BTreeSet<u64> = hashes.iter().copied().collect();
        assert_eq!(distinct.len(), hashes.len());
        for shift in [0, 20, 52] {
            let low: BTreeSet<u64> = hashes.iter().map(|hash| hash >> shift & 0xfff).collect();
            // of as many draws as there are places two thirds are taken
            let least = hashes.len().min(4_096) * 11 / 20;
            assert!(low.len() >= least, "{shift}: {} of {}", low.len(), hashes.len());
        }
    }

    #[test]
    fn hashes_of_what_differs_a_little_differ() {
        let of = |write: &dyn Fn(&mut Mixer)| {
            let mut mixer = Mixer::default();
            write(&mut mixer);
            mixer.finish()
        };
        // answers: all up to ten, and many of which one is another
        let short = (0..11).flat_map(|length| (0..1_u32 << length).map(move |bits| (length, bits)));
        let answers = short.map(|(length, bits)| {
            of(&|mixer| mixer.write_bits((0..length).map(|place| bits >> place & 1 == 1)))
        });
        are_apart(answers.collect());
        let long = (60..68).flat_map(|length| (0..=length).map(move |own| (length, own)));
        let answers =
            long.map(|(length, own)| of(&|mixer| mixer.write_bits((0..length).map(|place| place == own))));
        are_apart(answers.collect());
        // lists of numbers, each with one that is another
        let lists = (0..10_usize).flat_map(|length| {
            (0..length).flat_map(move |place| (1..70).map(move |own| (length, place, own)))
        });
        let lists = lists.map(|(length, place, own)| {
            let mut words = vec![0; length];
            words[place] = own;
            of(&|mixer| mixer.write_words(&words))
        });
        are_apart(lists.collect());
        let bytes = (1..20_usize).flat_map(|length| (0..length).map(move |place| (length, place)));
        let bytes = bytes.flat_map(|(length, place)| {
            (1..20).map(move |own| {
                let mut bytes = vec![0; length];
                bytes[place] = own;
                bytes
            })
        });
        are_apart(bytes.map(|bytes| of(&|mixer| mixer.write(&bytes))).collect());
        are_apart(
            (0..5_000)
                .map(|number| of(&|mixer| mixer.write_u32(number)))
                .collect(),
        );
    }
}
