//! Texts compared in place: most are too short to be worth a call.

/// Whether two texts are equal.
#[inline(always)]
pub(crate) fn same(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    if one.len() > 32 {
        return one == other;
    }
    // The two halves overlap where a length is no power of two.
    if let (Some(ends), Some(other_ends)) = (ends::<16>(one), ends::<16>(other)) {
        return ends.map(u128::from_le_bytes) == other_ends.map(u128::from_le_bytes);
    }
    if let (Some(ends), Some(other_ends)) = (ends::<8>(one), ends::<8>(other)) {
        return ends.map(u64::from_le_bytes) == other_ends.map(u64::from_le_bytes);
    }
    if let (Some(ends), Some(other_ends)) = (ends::<4>(one), ends::<4>(other)) {
        return ends.map(u32::from_le_bytes) == other_ends.map(u32::from_le_bytes);
    }
    one.iter().zip(other).all(|(one, other)| one == other)
}

#[inline(always)]
fn ends<const N: usize>(text: &[u8]) -> Option<[[u8; N]; 2]> {
    Some([*text.first_chunk()?, *text.last_chunk()?])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::same;

    proptest! {
        #[test]
        fn is_equality(text in prop::collection::vec(0_u8..4, 0..80), place in 0_usize..80, change in 0_u8..2) {
            let mut other = text.clone();
            if let Some(byte) = other.get_mut(place) {
                *byte ^= change;
            }
            prop_assert_eq!(same(&text, &other), text == other);
            prop_assert_eq!(same(&text, text.get(1..).unwrap_or_default()), text.is_empty());
        }
    }
}
