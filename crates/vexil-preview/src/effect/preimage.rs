//! Texts whose hash is as wanted, for ranges so narrow that trying finds none.
//!
//! `MurmurHash3` x86 32 takes in four bytes at a time, and each step can be undone. So four letters at a
//! multiple of four bytes can be chosen so that the text as a whole has any hash. Whether the letters are
//! ones that may be used is left to chance, over many texts and hashes. The engine is asked afterwards.

const C1: u32 = 0xcc9e_2d51;
const C2: u32 = 0x1b87_3593;
/// The inverses of the factors modulo 2^32.
const C1_INVERSE: u32 = inverse(C1);
const C2_INVERSE: u32 = inverse(C2);
const FIVE_INVERSE: u32 = inverse(5);
/// So many texts are tried.
const MOST_TRIES: u32 = 400_000;

/// A text `head` + padding + four letters, whose hash together with `group` and a seed is `wanted`.
///
/// `letters` are those that may be used; `wanted` gives the hash to look for, for a number of the try.
pub(crate) fn texts<'a>(
    group: &'a str,
    seed: u32,
    head: &'a str,
    letters: &'a [u8],
    wanted: impl Fn(u32) -> u32 + 'a,
) -> impl Iterator<Item = String> + 'a {
    (0..MOST_TRIES).filter_map(move |number| {
        let mut text = head.to_owned();
        let mut rest = number;
        let count = letters.len().max(1) as u32;
        while rest > 0 || !(group.len() + 1 + text.len()).is_multiple_of(4) {
            text.push(char::from(*letters.get((rest % count) as usize)?));
            rest /= count;
        }
        let start = format!("{group}:{text}");
        let (blocks, _) = start.as_bytes().as_chunks::<4>();
        let before = blocks
            .iter()
            .fold(seed, |state, block| mix(state, u32::from_le_bytes(*block)));
        let after = unfinish(wanted(number)) ^ (start.len() as u32 + 4);
        let block = unscramble(
            after
                .wrapping_sub(0xe654_6b64)
                .wrapping_mul(FIVE_INVERSE)
                .rotate_right(13)
                ^ before,
        );
        let fits = block.to_le_bytes().iter().all(|byte| letters.contains(byte));
        fits.then(|| {
            text.extend(block.to_le_bytes().map(char::from));
            text
        })
    })
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
    let state = blocks
        .iter()
        .fold(seed, |state, block| mix(state, u32::from_le_bytes(*block)));
    let rest = tail
        .iter()
        .rev()
        .fold(0_u32, |rest, byte| rest << 8 | u32::from(*byte));
    let scrambled = rest.wrapping_mul(C1).rotate_left(15).wrapping_mul(C2);
    let mut state = state ^ scrambled ^ text.len() as u32;
    state ^= state >> 16;
    state = state.wrapping_mul(0x85eb_ca6b);
    state ^= state >> 13;
    state = state.wrapping_mul(0xc2b2_ae35);
    state ^ (state >> 16)
}

fn mix(state: u32, block: u32) -> u32 {
    let scrambled = block.wrapping_mul(C1).rotate_left(15).wrapping_mul(C2);
    (state ^ scrambled)
        .rotate_left(13)
        .wrapping_mul(5)
        .wrapping_add(0xe654_6b64)
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

    #[test]
    fn the_text_has_the_hash_that_was_asked_for() {
        for (group, seed, head) in [
            ("checkout", 0, ""),
            ("g", 86_028_157, "user-"),
            ("", 0, "a@x.no"),
            ("größe", 7, "ab"),
        ] {
            let letters: Vec<u8> = (b'a'..=b'z').chain(b'0'..=b'9').collect();
            let wanted = |number: u32| number.wrapping_mul(0x9e37_79b9);
            let mut numbers = 0..;
            let found = super::texts(group, seed, head, &letters, |number| {
                numbers.clone().next();
                wanted(number)
            });
            let found: Vec<String> = found.take(3).collect();
            numbers.next();
            assert_eq!(found.len(), 3);
            for text in found {
                let hash = murmur3::murmur3_32(&mut Cursor::new(format!("{group}:{text}")), seed).unwrap();
                assert!(
                    (0..400_000).any(|number| wanted(number) == hash),
                    "{group} {text}"
                );
            }
        }
    }
}
