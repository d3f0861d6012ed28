//! Texts without regard to case.

use crate::program::TextMatch;

const SHORT: usize = 128;

/// The first needle, each in lower case already, that `text` has where `how` says.
pub(crate) fn find_ignoring_case<'n>(how: TextMatch, needles: &'n [Box<str>], text: &str) -> Option<&'n str> {
    let mut needles = needles.iter().map(AsRef::as_ref);
    if how == TextMatch::Anywhere || !text.is_ascii() {
        return with_lowercase(text, |lower| needles.find(|needle| how.holds(lower, needle)));
    }
    let text = text.as_bytes();
    needles.find(|needle| {
        let part = match how {
            TextMatch::Start => text.get(..needle.len()),
            _ => text
                .len()
                .checked_sub(needle.len())
                .and_then(|start| text.get(start..)),
        };
        part.is_some_and(|part| is_in_lower_case(part, needle.as_bytes()))
    })
}

/// Whether `text`, which is ASCII, is `lower` in lower case; both are as long. Eight letters at a time.
#[inline]
fn is_in_lower_case(text: &[u8], lower: &[u8]) -> bool {
    let ((eights, rest), (lower_eights, lower_rest)) = (text.as_chunks::<8>(), lower.as_chunks::<8>());
    eights
        .iter()
        .zip(lower_eights)
        .all(|(text, lower)| lowercase_eight(*text) == u64::from_le_bytes(*lower))
        && match (text.last_chunk::<8>(), lower.last_chunk::<8>()) {
            (Some(text), Some(lower)) => lowercase_eight(*text) == u64::from_le_bytes(*lower),
            _ => rest.eq_ignore_ascii_case(lower_rest),
        }
}

/// Eight ASCII letters in lower case. Adding to each byte carries into its highest bit exactly where
/// the letter is at least `A`, and where it is above `Z`.
#[inline]
fn lowercase_eight(letters: [u8; 8]) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let letters = u64::from_le_bytes(letters);
    let at_least_a = letters + EACH * (0x80 - b'A' as u64);
    let above_z = letters + EACH * (0x7f - b'Z' as u64);
    let is_capital = (at_least_a ^ above_z) & (EACH * 0x80);
    letters | is_capital >> 2
}

/// The text with every character in lower case. Each character stands for itself, so a capital
/// sigma is the same letter at the end of a word as elsewhere.
pub(crate) fn lowercase(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

/// Hands the text in lower case to `then`. Short texts are not put on the heap.
pub(crate) fn with_lowercase<R>(text: &str, then: impl FnOnce(&str) -> R) -> R {
    let mut buffer = [0; SHORT];
    match fill(text, &mut buffer) {
        Some(lower) => then(lower),
        None => then(&lowercase(text)),
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
        for letter in text.chars().flat_map(char::to_lowercase) {
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

    use super::{find_ignoring_case, lowercase, with_lowercase};
    use crate::program::TextMatch;

    proptest! {
        #[test]
        fn eight_at_a_time_is_one_at_a_time(text in "[@-\\[`-{ -~]{0,30}", needle in "[a-c@]{0,3}") {
            let whole = text.to_ascii_lowercase();
            for lower in [whole.clone(), needle.clone(), format!("{needle}{whole}")] {
                let needles = [lower.clone().into_boxed_str()];
                for (how, holds) in [
                    (TextMatch::Start, text.to_ascii_lowercase().starts_with(&lower)),
                    (TextMatch::End, text.to_ascii_lowercase().ends_with(&lower)),
                    (TextMatch::Anywhere, text.to_ascii_lowercase().contains(&lower)),
                ] {
                    prop_assert_eq!(find_ignoring_case(how, &needles, &text).is_some(), holds);
                }
            }
        }

        #[test]
        fn both_ways_are_one(text in "(.|[A-ZÀÉΣİẞ]){0,150}") {
            let short_way = with_lowercase(&text, str::to_owned);
            prop_assert_eq!(&short_way, &lowercase(&text));
            // The only letter whose lower case depends on its place is the sigma.
            prop_assert_eq!(text.to_lowercase().replace('ς', "σ"), short_way.replace('ς', "σ"));
        }
    }
}
