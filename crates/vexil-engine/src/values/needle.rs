//! Looks for texts in texts.

use vexil_values::TextPlace;

use super::same::same;

/// Whether a text has another where it is looked for.
#[inline]
pub(crate) fn has_needle(place: TextPlace, text: &str, needle: &str) -> bool {
    match part(place, text.as_bytes(), needle.len()) {
        Some(part) => same(part, needle.as_bytes()),
        None => place == TextPlace::Anywhere && contains(text, needle),
    }
}

#[inline(never)]
fn contains(text: &str, needle: &str) -> bool {
    text.contains(needle)
}

/// The part of `text` that a needle of this length is compared with, if it is long enough and there is only one.
#[inline]
pub(crate) fn part(place: TextPlace, text: &[u8], length: usize) -> Option<&[u8]> {
    match place {
        TextPlace::Start => text.get(..length),
        TextPlace::End => text.get(text.len().checked_sub(length)?..),
        TextPlace::Anywhere => None,
    }
}
