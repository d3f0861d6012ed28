//! Texts whose hash is as wanted, for ranges so narrow that trying finds none.
//!
//! `MurmurHash3` x86 32 takes in four bytes at a time, and each step can be undone, from the end of a text on.
//! So four letters at a multiple of four bytes can be chosen so that the text as a whole has any hash. Whether
//! they are letters that may be used is left to chance, over many texts and hashes. The engine is asked afterwards.

mod counted;
mod twofold;

use super::frames::Frame;
use super::rules::Range;
use counted::Counted;
pub(crate) use twofold::Twofold;

const C1: u32 = 0xcc9e_2d51;
const C2: u32 = 0x1b87_3593;
/// The inverses of the factors modulo 2^32.
const C1_INVERSE: u32 = inverse(C1);
const C2_INVERSE: u32 = inverse(C2);
const FIVE_INVERSE: u32 = inverse(5);
const ADDED: u32 = 0xe654_6b64;

/// What a hash of a text together with a group is to be.
#[derive(Clone, Copy)]
pub(crate) struct Target<'a> {
    pub(crate) group: &'a str,
    pub(crate) seed: u32,
    pub(crate) range: Range,
}

/// So many states in front of the end of a text are kept; where a range has more, only these are wanted.
const KEPT: u64 = 1 << 16;

/// Texts that begin and end as a frame does, and whose hash together with a group falls into a range.
pub(crate) struct Preimages<'a> {
    tail: &'a [u8],
    range: Range,
    /// What comes before the letters that are counted through.
    start: Vec<u8>,
    /// How many bytes are hashed in all.
    length: u32,
    /// The state behind `start`, and behind all counted letters but the last four.
    begun: u32,
    state: u32,
    counted: Counted<'a>,
    /// What the states behind the letters are to be, one for each hash of the range, as far as they were needed.
    wanted: Vec<u32>,
    tried: u64,
}

impl<'a> Preimages<'a> {
    pub(crate) fn new(target: Target<'_>, frame: &'a Frame) -> Self {
        let (mut start, begun) = begun(target, frame);
        let length = (start.len() + 12 + frame.tail.len()) as u32;
        start.drain(..=target.group.len());
        let counted = Counted::new(&frame.letters);
        Self {
            tail: frame.tail.as_bytes(),
            range: target.range,
            start,
            length,
            begun,
            state: mix(begun, counted.first()),
            counted,
            wanted: Vec::new(),
            tried: 0,
        }
    }

    /// The expected number of tries until a text is found.
    pub(crate) fn cost(frame: &Frame) -> f64 {
        (256.0 / frame.letters.len() as f64).powi(4)
    }

    /// How many were tried.
    pub(crate) fn tried(&self) -> u64 {
        self.tried
    }

    /// The next text, of so many tries.
    pub(crate) fn next(&mut self, tries: u64) -> Option<String> {
        for _ in 0..tries.min(self.counted.all().saturating_sub(self.tried)) {
            let found = unscramble(self.wanted() ^ mix(self.state, self.counted.last())).to_le_bytes();
            let counted = self.counted.bytes();
            self.tried += 1;
            if self.counted.step() {
                self.state = mix(self.begun, self.counted.first());
            }
            if self.counted.are_letters(found) {
                let parts: [&[u8]; 4] = [&self.start, &counted, &found, self.tail];
                return String::from_utf8(parts.concat()).ok();
            }
        }
        None
    }

    /// What the state behind the letters is to be in this try.
    fn wanted(&mut self) -> u32 {
        let number = self.tried % KEPT;
        if let Some(state) = self.wanted.get(number as usize) {
            return *state;
        }
        let state = unmixed(undone(wanted(self.range, number), self.length, self.tail));
        self.wanted.push(state);
        state
    }
}

/// One of the hashes of a range, each in its turn.
fn wanted(range: Range, number: u64) -> u32 {
    let width = (range.to - range.from).max(1);
    let remainder = range.from + number % width;
    (remainder + range.modulus * (number / width % rounds(range))) as u32
}

/// So many hashes have each remainder.
fn rounds(range: Range) -> u64 {
    ((1_u64 << 32) / range.modulus.max(1)).max(1)
}

/// The state before the end of a text of this length, where this is the hash of the whole.
fn undone(hash: u32, length: u32, tail: &[u8]) -> u32 {
    let (blocks, rest) = tail.as_chunks::<4>();
    let state = unfinish(hash) ^ length ^ scramble(rest);
    blocks
        .iter()
        .rev()
        .fold(state, |state, block| unmixed(state) ^ scramble(block))
}

/// A group and what a text begins with, made longer by one letter to whole blocks; and the state behind them.
fn begun(target: Target<'_>, frame: &Frame) -> (Vec<u8>, u32) {
    let mut start = format!("{}:{}", target.group, frame.head).into_bytes();
    while let Some(letter) = frame.letters.first().filter(|_| !start.len().is_multiple_of(4)) {
        start.push(*letter);
    }
    let blocks = start.as_chunks::<4>().0.iter();
    let state = blocks.fold(target.seed, |state, block| mix(state, *block));
    (start, state)
}

/// The seed for which a draw for variants of a group is this part of 2^64: SplitMix64's finalizer, undone.
pub(crate) fn seed(group: &str, variant_seed: u32, draw: u64) -> u64 {
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut z = unshift(draw, 31);
    z = unshift(z.wrapping_mul(inverse64(0x94d0_49bb_1331_11eb)), 27);
    z = unshift(z.wrapping_mul(inverse64(0xbf58_476d_1ce4_e5b9)), 30);
    let salt = u64::from(hash(&format!("{group}:"), variant_seed));
    z.wrapping_sub(salt.wrapping_mul(STEP)).wrapping_sub(STEP)
}

/// Undoes `z ^ (z >> bits)`.
fn unshift(number: u64, bits: u32) -> u64 {
    let mut z = number;
    let mut shift = bits;
    while shift < 64 {
        z = number ^ (z >> bits);
        shift += bits;
    }
    z
}

const fn inverse64(number: u64) -> u64 {
    let mut inverse = number;
    let mut step = 0;
    while step < 6 {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(number.wrapping_mul(inverse)));
        step += 1;
    }
    inverse
}

/// `MurmurHash3` x86 32.
fn hash(text: &str, seed: u32) -> u32 {
    let (blocks, tail) = text.as_bytes().as_chunks::<4>();
    let state = blocks.iter().fold(seed, |state, block| mix(state, *block));
    let mut state = state ^ scramble(tail) ^ text.len() as u32;
    state ^= state >> 16;
    state = state.wrapping_mul(0x85eb_ca6b);
    state ^= state >> 13;
    state = state.wrapping_mul(0xc2b2_ae35);
    state ^ (state >> 16)
}

fn mix(state: u32, block: [u8; 4]) -> u32 {
    (state ^ scramble(&block))
        .rotate_left(13)
        .wrapping_mul(5)
        .wrapping_add(ADDED)
}

/// Undoes `mix`, but for the block that was mixed in.
fn unmixed(state: u32) -> u32 {
    state
        .wrapping_sub(ADDED)
        .wrapping_mul(FIVE_INVERSE)
        .rotate_right(13)
}

/// What at most four bytes are mixed in as.
fn scramble(bytes: &[u8]) -> u32 {
    let number = bytes
        .iter()
        .rev()
        .fold(0, |number: u32, byte| number << 8 | u32::from(*byte));
    number.wrapping_mul(C1).rotate_left(15).wrapping_mul(C2)
}

fn unscramble(block: u32) -> u32 {
    block
        .wrapping_mul(C2_INVERSE)
        .rotate_right(15)
        .wrapping_mul(C1_INVERSE)
}

/// Undoes the last steps of the hash.
fn unfinish(hash: u32) -> u32 {
    let mut state = hash ^ (hash >> 16);
    state = state.wrapping_mul(inverse(0xc2b2_ae35));
    state ^= (state >> 13) ^ (state >> 26);
    state = state.wrapping_mul(inverse(0x85eb_ca6b));
    state ^ (state >> 16)
}

/// The inverse of an odd number modulo 2^32, by Newton's method.
const fn inverse(number: u32) -> u32 {
    let mut inverse = number;
    let mut step = 0;
    while step < 5 {
        inverse = inverse.wrapping_mul(2_u32.wrapping_sub(number.wrapping_mul(inverse)));
        step += 1;
    }
    inverse
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn the_text_begins_and_ends_as_it_must_and_has_a_hash_in_the_range() {
        let letters: Vec<u8> = (b'a'..=b'z').chain(b'0'..=b'9').collect();
        let once = |from: u64| Range {
            modulus: 1 << 32,
            from,
            to: from + 1,
        };
        for (group, seed, head, letters, tail, range) in [
            ("checkout", 0, "", letters.as_slice(), "", once(7)),
            ("g", 86_028_157, "user-", &letters, "@x.no", once(4_294_967_295)),
            ("", 0, "a@x.no", &letters, "abcdefghijk", once(0)),
            ("größe", 7, "ab", &letters, "é", once(1 << 31)),
            (
                "e\u{301}",
                7,
                "5.",
                b"0123456789",
                "",
                Range {
                    modulus: 1311,
                    from: 1310,
                    to: 1311,
                },
            ),
        ] {
            let frame = Frame {
                head: head.to_owned(),
                letters: letters.to_vec(),
                tail: tail.to_owned(),
            };
            let target = Target { group, seed, range };
            let mut all = Preimages::new(target, &frame);
            let found: Vec<String> = std::iter::from_fn(|| all.next(4_000_000)).take(2).collect();
            assert_eq!(found.len(), 2, "{group}");
            assert_ne!(found[0], found[1]);
            for text in found {
                assert_as_wanted(&text, &frame, &[target]);
            }
        }
    }

    /// That a text is of the frame, and its hashes fall into their ranges.
    pub(super) fn assert_as_wanted(text: &str, frame: &Frame, targets: &[Target<'_>]) {
        for Target { group, seed, range } in targets {
            let hash = murmur3::murmur3_32(&mut Cursor::new(format!("{group}:{text}")), *seed).unwrap();
            let remainder = u64::from(hash) % range.modulus;
            assert!((range.from..range.to).contains(&remainder), "{text}");
        }
        let free = text.strip_prefix(&frame.head);
        let free = free.and_then(|rest| rest.strip_suffix(&frame.tail)).unwrap();
        assert!(free.bytes().all(|byte| frame.letters.contains(&byte)), "{text}");
    }

    #[test]
    fn of_a_range_with_many_hashes_65_536_states_are_kept() {
        let frame = Frame {
            head: String::new(),
            letters: b"abcde".to_vec(),
            tail: String::new(),
        };
        let range = Range {
            modulus: 100,
            from: 0,
            to: 1,
        };
        let target = Target {
            group: "g",
            seed: 0,
            range,
        };
        let mut all = Preimages::new(target, &frame);
        let kept = |all: &mut Preimages<'_>, tries: u64| {
            while all.tried() < tries {
                let left = tries - all.tried();
                if let Some(text) = all.next(left) {
                    assert_as_wanted(&text, &frame, &[target]);
                }
            }
            all.wanted.len()
        };
        assert_eq!(kept(&mut all, 1), 1);
        assert_eq!(kept(&mut all, 1_000), 1_000);
        assert_eq!(kept(&mut all, 70_000), 65_536);
        // all of them have the remainder that is wanted
        for number in 0..1_000 {
            assert_eq!(wanted(range, number) % 100, 0);
            assert_eq!(u64::from(wanted(range, number)), 100 * number);
        }
    }
}
