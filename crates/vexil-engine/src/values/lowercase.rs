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
        part.is_some_and(|part| part.eq_ignore_ascii_case(needle.as_bytes()))
    })
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

    use super::{lowercase, with_lowercase};

    proptest! {
        #[test]
        fn both_ways_are_one(text in "(.|[A-ZÀÉΣİẞ]){0,150}") {
            let short_way = with_lowercase(&text, str::to_owned);
            prop_assert_eq!(&short_way, &lowercase(&text));
            // The only letter whose lower case depends on its place is the sigma.
            prop_assert_eq!(text.to_lowercase().replace('ς', "σ"), short_way.replace('ς', "σ"));
        }
    }
}
