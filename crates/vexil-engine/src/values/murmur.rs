//! MurmurHash3 x86 32 with the first part of its input absorbed beforehand.
//!
//! The algorithm is Austin Appleby's public-domain reference,
//! <https://github.com/aappleby/smhasher/blob/master/src/MurmurHash3.cpp>.

/// The seed for rollouts.
pub(crate) const ROLLOUT_SEED: u32 = 0;
/// The seed for variants.
pub(crate) const VARIANT_SEED: u32 = 86_028_157;

const C1: u32 = 0xcc9e_2d51;
const C2: u32 = 0x1b87_3593;

/// A hash that has taken in a prefix and waits for the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Prefix {
    state: u32,
    /// Up to three bytes that do not fill a block yet, lowest first.
    pending: u32,
    length: u32,
}

impl Prefix {
    /// Takes in `group` and the colon that separates it from the value.
    pub(crate) fn of_group(group: &str, seed: u32) -> Self {
        Self {
            state: seed,
            pending: 0,
            length: 0,
        }
        .absorb(group.as_bytes())
        .absorb(b":")
    }

    #[inline(always)]
    fn absorb(self, bytes: &[u8]) -> Self {
        let shift = (self.length & 3) * 8;
        let mut state = self.state;
        let mut window = u64::from(self.pending);
        let mut rest = bytes;
        while let Some((block, more)) = rest.split_first_chunk::<4>() {
            window |= u64::from(u32::from_le_bytes(*block)) << shift;
            state = mix(state, window as u32);
            window >>= 32;
            rest = more;
        }
        let tail = 8 * rest.len() as u32;
        window |= u64::from(last_bytes(bytes, rest)) << shift;
        if shift + tail >= 32 {
            state = mix(state, window as u32);
            window >>= 32;
        }
        Self {
            state,
            pending: window as u32,
            length: self.length.wrapping_add(bytes.len() as u32),
        }
    }

    /// The hash of the prefix followed by `value`.
    #[inline(always)]
    pub(crate) fn finish(self, value: &str) -> u32 {
        let all = self.absorb(value.as_bytes());
        let mut hash = all.state ^ scramble(all.pending) ^ all.length;
        hash ^= hash >> 16;
        hash = hash.wrapping_mul(0x85eb_ca6b);
        hash ^= hash >> 13;
        hash = hash.wrapping_mul(0xc2b2_ae35);
        hash ^ (hash >> 16)
    }

    /// Something that differs from prefix to prefix.
    #[inline(never)]
    pub(crate) fn salt(self) -> u64 {
        u64::from(self.finish(""))
    }
}

/// The last zero to three of `bytes`, which are `rest`, lowest first.
#[inline(always)]
fn last_bytes(bytes: &[u8], rest: &[u8]) -> u32 {
    match (bytes.last_chunk::<4>(), rest) {
        (Some(last), _) => (u64::from(u32::from_le_bytes(*last)) >> (32 - 8 * rest.len())) as u32,
        (None, [a]) => u32::from(*a),
        (None, [a, b]) => u32::from(u16::from_le_bytes([*a, *b])),
        (None, [a, b, c]) => u32::from_le_bytes([*a, *b, *c, 0]),
        (None, _) => 0,
    }
}

#[inline]
fn scramble(block: u32) -> u32 {
    block.wrapping_mul(C1).rotate_left(15).wrapping_mul(C2)
}

#[inline]
fn mix(state: u32, block: u32) -> u32 {
    (state ^ scramble(block))
        .rotate_left(13)
        .wrapping_mul(5)
        .wrapping_add(0xe654_6b64)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn equals_the_reference_for_every_split(group in ".{0,40}", value in ".{0,40}", seed: u32) {
            let whole = format!("{group}:{value}");
            let reference = murmur3::murmur3_32(&mut Cursor::new(whole), seed).unwrap();
            prop_assert_eq!(Prefix::of_group(&group, seed).finish(&value), reference);
        }
    }
}
