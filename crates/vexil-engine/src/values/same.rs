//! Equality of short texts.

/// Whether two texts are equal, as `==` says. The comparison is done in place: names and values are
/// mostly too short to be worth a call of the C library.
#[inline(always)]
pub(crate) fn same(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let (mut rest, mut other_rest) = (one, other);
    while let (Some((part, more)), Some((other_part, other_more))) = (
        rest.split_first_chunk::<16>(),
        other_rest.split_first_chunk::<16>(),
    ) {
        if part != other_part {
            return false;
        }
        (rest, other_rest) = (more, other_more);
    }
    ends::<16>(one, other)
        .or_else(|| ends::<8>(one, other))
        .or_else(|| ends::<4>(one, other))
        .or_else(|| ends::<2>(one, other))
        .unwrap_or_else(|| one.first() == other.first())
}

/// Whether the first `N` and the last `N` bytes are equal, if there are as many. The two overlap
/// where there are fewer than twice as many.
#[inline(always)]
fn ends<const N: usize>(one: &[u8], other: &[u8]) -> Option<bool> {
    let first = one.first_chunk::<N>()? == other.first_chunk::<N>()?;
    let last = one.last_chunk::<N>()? == other.last_chunk::<N>()?;
    Some(first & last)
}

#[cfg(test)]
mod tests {
    use super::same;

    #[test]
    fn is_equality_whatever_the_length() {
        for length in 0..80 {
            let text: Vec<u8> = (0..length).collect();
            assert!(same(&text, &text.clone()));
            assert!(!same(&text, &[text.as_slice(), &[0]].concat()));
            for place in 0..text.len() {
                let mut other = text.clone();
                other[place] ^= 0x40;
                assert!(!same(&text, &other), "{length} {place}");
            }
        }
    }
}
