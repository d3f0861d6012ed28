//! A fast hash for tables that only configuration fills, so that nobody else can choose collisions.

const A: u64 = 0x9e37_79b9_7f4a_7c15;
const B: u64 = 0xd6e8_feb8_6659_fd93;

/// 64 well-mixed bits of `bytes`: folded 128-bit multiplication of 16 bytes at a time.
#[inline]
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    let mut state = A ^ bytes.len() as u64;
    let mut rest = bytes;
    while let Some((block, more)) = rest.split_first_chunk::<16>() {
        let (low, high) = halves(block);
        state = fold(low ^ state, high ^ B);
        rest = more;
    }
    let (low, high) = match (rest.first_chunk::<8>(), rest.last_chunk::<8>()) {
        (Some(first), Some(last)) => (u64::from_le_bytes(*first), u64::from_le_bytes(*last)),
        _ => match (rest.first_chunk::<4>(), rest.last_chunk::<4>()) {
            (Some(first), Some(last)) => (
                u64::from(u32::from_le_bytes(*first)),
                u64::from(u32::from_le_bytes(*last)),
            ),
            _ => (rest.iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte)), 0),
        },
    };
    fold(low ^ state, high ^ B)
}

/// The same of two halves that are known to tell texts apart.
#[inline]
pub(crate) fn mix([low, high]: [u64; 2]) -> u64 {
    fold(low ^ A, high ^ B)
}

#[inline]
fn halves(block: &[u8; 16]) -> (u64, u64) {
    let both = u128::from_le_bytes(*block);
    (both as u64, (both >> 64) as u64)
}

#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ (product >> 64) as u64
}

/// A bucket of `1..=size` drawn from a seed: a pure function of both arguments, well mixed
/// (SplitMix64's finalizer). `size` must not be zero.
pub(crate) fn draw(seed: u64, salt: u64, size: u64) -> u64 {
    let mut z = seed
        .wrapping_add(salt.wrapping_mul(0x9e37_79b9_7f4a_7c15))
        .wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^= z >> 31;
    ((u128::from(z) * u128::from(size)) >> 64) as u64 + 1
}
