//! Texts with two hashes as wanted, for ranges so narrow that trying finds none.
//!
//! Where the groups are of one length modulo four, both hashes take in the same blocks of the text. A block leads from
//! two states to two others only where the former differ as the latter do, undone: so the differences of many wanted
//! states are kept in a table, and beginnings are looked through until their states differ like one of them.

use super::{Counted, Preimages, Target, begun, mix, rounds, scramble, undone, unmixed, unscramble, wanted};
use crate::effect::fast::FastMap;
use crate::effect::frames::Frame;
use crate::effect::rules::Range;

/// So many differences are kept.
const KEPT: u32 = 1 << 19;
/// By so many of their bits it is asked first whether a difference may be among them.
const SIEVED: u32 = 23;

/// Texts that begin and end as a frame does, and whose two hashes fall into their ranges.
pub(crate) struct Twofold<'a> {
    tail: &'a [u8],
    /// What comes before the letters that are counted through.
    start: Vec<u8>,
    /// The states behind it, and behind all counted letters but the last four.
    begun: [u32; 2],
    states: [u32; 2],
    counted: Counted<'a>,
    differences: Differences,
    tried: u64,
}

/// By differences, what the first state is to be behind a block, undone; and the block that follows.
struct Differences {
    all: FastMap<u32, (u32, [u8; 4])>,
    /// Which highest bits they have: an answer that is found in the nearest memory where there is none.
    sieve: Vec<u64>,
}

impl<'a> Twofold<'a> {
    /// Whether the hashes take in the same blocks.
    pub(crate) fn is_possible([one, other]: [Target<'_>; 2]) -> bool {
        one.group.len() % 4 == other.group.len() % 4
    }

    /// For hashes that take in the same blocks.
    pub(crate) fn new(targets: [Target<'_>; 2], frame: &'a Frame) -> Self {
        let [Target { group, .. }, _] = targets;
        let starts = targets.map(|target| begun(target, frame));
        let tail = frame.tail.as_bytes();
        let lengths = starts
            .each_ref()
            .map(|(start, _)| (start.len() + 16 + tail.len()) as u32);
        let begun = starts.each_ref().map(|(_, state)| *state);
        let [(mut start, _), _] = starts;
        start.drain(..=group.len());
        let counted = Counted::new(&frame.letters);
        Self {
            tail,
            start,
            begun,
            states: begun.map(|state| mix(state, counted.first())),
            differences: Differences::new(targets.map(|target| target.range), lengths, frame),
            counted,
            tried: 0,
        }
    }

    /// The expected number of tries until a text is found.
    pub(crate) fn cost(frame: &Frame) -> f64 {
        (2.0_f64.powi(32) / f64::from(KEPT)) * Preimages::cost(frame)
    }

    /// How many were tried.
    pub(crate) fn tried(&self) -> u64 {
        self.tried
    }

    /// The next text, of so many tries.
    pub(crate) fn next(&mut self, tries: u64) -> Option<String> {
        for _ in 0..tries.min(self.counted.all().saturating_sub(self.tried)) {
            let [one, other] = self.states.map(|state| mix(state, self.counted.last()));
            let counted = self.counted.bytes();
            self.tried += 1;
            if self.counted.step() {
                self.states = self.begun.map(|state| mix(state, self.counted.first()));
            }
            let Some((wanted, behind)) = self.differences.get(one ^ other) else {
                continue;
            };
            let found = unscramble(one ^ wanted).to_le_bytes();
            if self.counted.are_letters(found) {
                let parts: [&[u8]; 5] = [&self.start, &counted, &found, &behind, self.tail];
                return String::from_utf8(parts.concat()).ok();
            }
        }
        None
    }
}

impl Differences {
    fn new([one, other]: [Range; 2], [length, other_length]: [u32; 2], frame: &Frame) -> Self {
        let count = |range: Range| (range.to - range.from).max(1) * rounds(range);
        let (ones, others) = (count(one), count(other));
        let mut all = FastMap::with_capacity_and_hasher(KEPT as usize, Default::default());
        let mut sieve = vec![0_u64; 1 << (SIEVED - 6)];
        let tail = frame.tail.as_bytes();
        for number in 0..u64::from(KEPT) {
            let behind = block(&frame.letters, number / ones / others);
            let before = |hash, length| unmixed(unmixed(undone(hash, length, tail)) ^ scramble(&behind));
            let first = before(wanted(one, number % ones), length);
            let second = before(wanted(other, number / ones % others), other_length);
            let difference = first ^ second;
            all.insert(difference, (first, behind));
            let (word, bit) = sieved(difference);
            if let Some(word) = sieve.get_mut(word) {
                *word |= bit;
            }
        }
        Self { all, sieve }
    }

    fn get(&self, difference: u32) -> Option<(u32, [u8; 4])> {
        let (word, bit) = sieved(difference);
        self.sieve.get(word).filter(|word| **word & bit != 0)?;
        self.all.get(&difference).copied()
    }
}

/// Where the sieve says whether there may be a difference.
fn sieved(difference: u32) -> (usize, u64) {
    let place = difference >> (32 - SIEVED);
    ((place / 64) as usize, 1 << (place % 64))
}

/// Four letters, by their number.
fn block(letters: &[u8], number: u64) -> [u8; 4] {
    let count = (letters.len() as u64).max(1);
    let mut left = number;
    std::array::from_fn(|_| {
        let letter = letters.get((left % count) as usize);
        left /= count;
        letter.copied().unwrap_or_default()
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::tests::assert_as_wanted;
    use super::*;

    #[test]
    fn both_hashes_of_the_text_are_in_their_ranges() {
        // the more letters there are the sooner a text is found
        let letters: Vec<u8> = (0..128).collect();
        let range = |modulus, from| Range {
            modulus,
            from,
            to: from + 1,
        };
        for (groups, seeds, head, tail, ranges) in [
            (
                ["ga", "gb"],
                [0, 0],
                "",
                "",
                [range(1 << 32, 7), range(1 << 32, 0)],
            ),
            (
                ["same", "same"],
                [0, 86_028_157],
                "user-",
                "@x.no",
                [range(5_000_003, 1), range(1 << 31, 9)],
            ),
            (
                ["", "four"],
                [0, 7],
                "ab",
                "\u{e9}",
                [range(1 << 32, 1), range(1_000_000, 0)],
            ),
        ] {
            let frame = Frame {
                head: head.to_owned(),
                letters: letters.clone(),
                tail: tail.to_owned(),
            };
            let targets: [Target<'_>; 2] = std::array::from_fn(|side| Target {
                group: groups[side],
                seed: seeds[side],
                range: ranges[side],
            });
            let mut all = Twofold::new(targets, &frame);
            let text = all.next(60_000_000).unwrap();
            assert_as_wanted(&text, &frame, &targets);
        }
        let [one, other] = ["g", "gg"].map(|group| Target {
            group,
            seed: 0,
            range: range(1 << 32, 7),
        });
        assert!(!Twofold::is_possible([one, other]));
    }

    #[test]
    fn each_block_of_four_letters_has_a_number() {
        for letters in [&b"a"[..], b"xy", b"abc"] {
            let count = letters.len() as u64;
            let all: BTreeSet<[u8; 4]> = (0..count.pow(4)).map(|number| block(letters, number)).collect();
            assert_eq!(all.len() as u64, count.pow(4));
            assert!(all.iter().flatten().all(|letter| letters.contains(letter)));
            assert_eq!(block(letters, count.pow(4)), block(letters, 0));
        }
        assert_eq!(block(b"", 7), [0; 4]);
    }

    #[test]
    fn the_sieve_has_a_bit_for_each_of_the_highest_23_bits_of_a_difference() {
        for place in (0..1_u32 << 23).step_by(1_021) {
            for low in [0, 1, 511] {
                let (word, bit) = sieved(place << 9 | low);
                assert_eq!((word as u32, bit.trailing_zeros()), (place / 64, place % 64));
                assert_eq!(bit.count_ones(), 1);
            }
        }
    }
}
