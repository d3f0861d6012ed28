//! Texts with two hashes as wanted, for ranges so narrow that trying finds none.
//!
//! Where the groups are of one length modulo four, both hashes take in the same blocks of the text. A block leads from
//! two states to two others only where the former differ as the latter do, undone: so the differences of many wanted
//! states are kept in a table, and beginnings are looked through until their states differ like one of them.

use super::{begun, mix, rounds, scramble, undone, unmixed, unscramble, wanted};
use crate::effect::fast::FastMap;
use crate::effect::frames::Frame;
use crate::effect::rules::Range;

/// So many differences are kept.
const KEPT: u32 = 1 << 19;

/// What a hash of a text together with a group is to be.
#[derive(Clone, Copy)]
pub(crate) struct Target<'a> {
    pub(crate) group: &'a str,
    pub(crate) seed: u32,
    pub(crate) range: Range,
}

/// Texts that begin and end as a frame does, and whose two hashes fall into their ranges.
pub(crate) struct Twofold<'a> {
    letters: &'a [u8],
    tail: &'a [u8],
    /// What comes before the letters that are counted through.
    start: Vec<u8>,
    /// The states behind it.
    begun: [u32; 2],
    /// By differences, what the first state is to be behind a block, undone; and the number of the block that follows.
    differences: FastMap<u32, (u32, u32)>,
    tried: u64,
    most: u64,
}

impl<'a> Twofold<'a> {
    /// `None` where the hashes do not take in the same blocks.
    pub(crate) fn new(targets: [Target<'_>; 2], frame: &'a Frame) -> Option<Self> {
        let [one, other] = targets;
        if one.group.len() % 4 != other.group.len() % 4 {
            return None;
        }
        let letters = frame.letters.as_slice();
        let tail = frame.tail.as_bytes();
        let starts = targets.map(|target| begun(target.group, target.seed, frame));
        let lengths = starts
            .each_ref()
            .map(|(start, _)| (start.len() + 16 + tail.len()) as u32);
        let states = starts.each_ref().map(|(_, state)| *state);
        let [(mut start, _), _] = starts;
        let count = |range: Range| (range.to - range.from).max(1) * rounds(range);
        let (ones, others) = (count(one.range), count(other.range));
        let mut differences = FastMap::with_capacity_and_hasher(KEPT as usize, Default::default());
        for number in 0..u64::from(KEPT) {
            let behind = number / ones / others;
            let next = scramble(&block(letters, behind));
            let hashes = [
                wanted(one.range, number % ones),
                wanted(other.range, number / ones % others),
            ];
            let [[first, length], [second, other_length]] =
                [[hashes[0], lengths[0]], [hashes[1], lengths[1]]];
            let before = |hash, length| unmixed(unmixed(undone(hash, length, tail)) ^ next);
            let (first, second) = (before(first, length), before(second, other_length));
            differences.insert(first ^ second, (first, behind as u32));
        }
        start.drain(..=one.group.len());
        Some(Self {
            letters,
            tail,
            start,
            begun: states,
            differences,
            tried: 0,
            most: (letters.len() as u64).saturating_pow(8),
        })
    }

    /// The expected number of tries until a text is found.
    pub(crate) fn cost(frame: &Frame) -> f64 {
        (2.0_f64.powi(32) / f64::from(KEPT)) * super::Preimages::cost(frame)
    }

    /// How many were tried.
    pub(crate) fn tried(&self) -> u64 {
        self.tried
    }

    /// The next text, of so many tries.
    pub(crate) fn next(&mut self, tries: u64) -> Option<String> {
        for _ in 0..tries.min(self.most.saturating_sub(self.tried)) {
            let all = (self.letters.len() as u64).pow(4);
            let counted = [self.tried / all, self.tried % all].map(|number| block(self.letters, number));
            self.tried += 1;
            let [one, other] = self.begun.map(|state| counted.into_iter().fold(state, mix));
            let Some((wanted, behind)) = self.differences.get(&(one ^ other)) else {
                continue;
            };
            let found = unscramble(one ^ wanted).to_le_bytes();
            if found.iter().all(|byte| self.letters.contains(byte)) {
                let mut text = self.start.clone();
                text.extend(counted.as_flattened());
                text.extend(found);
                text.extend(block(self.letters, u64::from(*behind)));
                text.extend(self.tail);
                return String::from_utf8(text).ok();
            }
        }
        None
    }
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
    use std::io::Cursor;

    use super::*;

    #[test]
    fn both_hashes_of_the_text_are_in_their_ranges() {
        let letters: Vec<u8> = (b'a'..=b'z').chain(b'0'..=b'9').chain(b'A'..=b'Z').collect();
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
            let mut all = Twofold::new(targets, &frame).unwrap();
            let text = all.next(60_000_000).unwrap();
            for target in targets {
                let mut hashed = Cursor::new(format!("{}:{text}", target.group));
                let hash = u64::from(murmur3::murmur3_32(&mut hashed, target.seed).unwrap());
                let remainder = hash % target.range.modulus;
                assert!(
                    (target.range.from..target.range.to).contains(&remainder),
                    "{text}"
                );
            }
            let free = text
                .strip_prefix(head)
                .and_then(|rest| rest.strip_suffix(tail))
                .unwrap();
            assert!(free.bytes().all(|byte| letters.contains(&byte)), "{text}");
        }
        let [one, other] = ["g", "gg"].map(|group| Target {
            group,
            seed: 0,
            range: range(1 << 32, 7),
        });
        let frame = Frame {
            head: String::new(),
            letters,
            tail: String::new(),
        };
        assert!(Twofold::new([one, other], &frame).is_none());
    }
}
