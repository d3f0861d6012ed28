//! Looks for texts without regard to case, nearly always without folding them.

use vexil_values::{TextPlace, fold, fold_char};

use super::needle::{has_needle, part};

const SHORT: usize = 128;

/// The first needle, each folded already, that `text` has in this place.
pub(crate) fn find_ignoring_case<'n>(
    place: TextPlace,
    needles: &'n [Box<str>],
    text: &str,
) -> Option<&'n str> {
    let mut rest = needles;
    while let Some((needle, more)) = rest.split_first() {
        let compared = part(place, text.as_bytes(), needle.len());
        match compared.and_then(|part| is_in_lower_case(part, needle.as_bytes())) {
            Some(true) => return Some(needle),
            Some(false) => {}
            None if place != TextPlace::Anywhere && text.is_ascii() => {}
            None => return find_folded(place, rest, text),
        }
        rest = more;
    }
    None
}

#[cold]
fn find_folded<'n>(place: TextPlace, needles: &'n [Box<str>], text: &str) -> Option<&'n str> {
    let mut needles = needles.iter().map(AsRef::as_ref);
    with_folded(text, |folded| {
        needles.find(|needle| has_needle(place, folded, needle))
    })
}

/// Whether `text` is `lower` in lower case, if it is ASCII; both are as long. Eight letters at a time.
#[inline]
fn is_in_lower_case(text: &[u8], lower: &[u8]) -> Option<bool> {
    let ends = match (
        text.first_chunk(),
        text.last_chunk(),
        lower.first_chunk(),
        lower.last_chunk(),
    ) {
        (Some(first), Some(last), Some(lower_first), Some(lower_last)) => {
            compare_eight(*first, *lower_first).and(compare_eight(*last, *lower_last))
        }
        _ => compare_eight(up_to_eight(text), up_to_eight(lower)),
    };
    let all = if text.len() > 16 {
        ends.and(compare_chunks(text, lower))
    } else {
        ends
    };
    (all.letters & 0x8080_8080_8080_8080 == 0).then_some(all.differences == 0)
}

/// All bits of the letters seen so far, and of what differed.
#[derive(Clone, Copy, Default)]
struct Compared {
    letters: u64,
    differences: u64,
}

impl Compared {
    fn and(self, other: Self) -> Self {
        Self {
            letters: self.letters | other.letters,
            differences: self.differences | other.differences,
        }
    }
}

#[inline(always)]
fn compare_eight(text: [u8; 8], lower: [u8; 8]) -> Compared {
    let letters = u64::from_le_bytes(text);
    Compared {
        letters,
        differences: lowercase_eight(letters) ^ u64::from_le_bytes(lower),
    }
}

#[inline(never)]
fn compare_chunks(text: &[u8], lower: &[u8]) -> Compared {
    let chunks = text.as_chunks().0.iter().zip(lower.as_chunks().0);
    chunks.fold(Compared::default(), |all, (text, lower)| {
        all.and(compare_eight(*text, *lower))
    })
}

/// A text of less than eight letters, some of them twice or none.
#[inline(always)]
fn up_to_eight(text: &[u8]) -> [u8; 8] {
    let all = match (text.first_chunk::<4>(), text.last_chunk::<4>()) {
        (Some(first), Some(last)) => {
            u64::from(u32::from_le_bytes(*first)) << 32 | u64::from(u32::from_le_bytes(*last))
        }
        _ => text.iter().fold(0, |all, letter| all << 8 | u64::from(*letter)),
    };
    all.to_le_bytes()
}

/// Eight ASCII letters in lower case. Adding to each byte carries into its highest bit exactly where
/// the letter is at least `A`, and where it is above `Z`.
#[inline]
fn lowercase_eight(letters: u64) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let at_least_a = letters.wrapping_add(EACH * (0x80 - b'A' as u64));
    let above_z = letters.wrapping_add(EACH * (0x7f - b'Z' as u64));
    let is_capital = (at_least_a ^ above_z) & (EACH * 0x80);
    letters | is_capital >> 2
}

/// Hands the folded text to `then`. Short texts are not put on the heap.
pub(crate) fn with_folded<R>(text: &str, then: impl FnOnce(&str) -> R) -> R {
    let mut buffer = [0; SHORT];
    match fill(text, &mut buffer) {
        Some(folded) => then(folded),
        None => then(&fold(text)),
    }
}

fn fill<'a>(text: &str, buffer: &'a mut [u8; SHORT]) -> Option<&'a str> {
    let lower = if text.is_ascii() {
        let lower = buffer.get_mut(..text.len())?;
        lower.copy_from_slice(text.as_bytes());
        lower.make_ascii_lowercase();
        &*lower
    } else {
        let mut end = 0;
        for letter in text.chars().flat_map(fold_char) {
            let place = buffer.get_mut(end..end + letter.len_utf8())?;
            end += letter.encode_utf8(place).len();
        }
        buffer.get(..end)?
    };
    std::str::from_utf8(lower).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use vexil_values::{TextPlace, fold};

    use super::{find_ignoring_case, with_folded};

    proptest! {
        #[test]
        fn eight_at_a_time_is_one_at_a_time(text in "[@-\\[`-{ -~]{0,30}", needle in "[a-c@]{0,3}") {
            let whole = text.to_ascii_lowercase();
            for lower in [whole.clone(), needle.clone(), format!("{needle}{whole}")] {
                let needles = [lower.clone().into_boxed_str()];
                for (place, holds) in [
                    (TextPlace::Start, text.to_ascii_lowercase().starts_with(&lower)),
                    (TextPlace::End, text.to_ascii_lowercase().ends_with(&lower)),
                    (TextPlace::Anywhere, text.to_ascii_lowercase().contains(&lower)),
                ] {
                    prop_assert_eq!(find_ignoring_case(place, &needles, &text).is_some(), holds);
                }
            }
        }

        #[test]
        fn both_ways_are_one(text in "(.|[A-ZÀÉΣςİẞ]){0,150}") {
            let short_way = with_folded(&text, str::to_owned);
            prop_assert_eq!(short_way, fold(&text));
        }
    }
}
