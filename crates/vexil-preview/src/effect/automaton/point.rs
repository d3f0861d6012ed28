//! What is known at a point of a text.

use crate::effect::set::Set;

/// Which expressions match, by number.
pub(crate) type Seen = Set<4>;

/// What surrounds a point of a text: nothing, a letter of a word, the end of a line, or another letter.
pub(super) type Around = usize;

/// What is possible at a point of the text.
#[derive(Debug, Clone)]
pub(super) struct Ahead {
    /// Places of letters, as bits.
    pub(super) letters: Vec<u64>,
    pub(super) matched: Seen,
}

pub(super) fn insert(bits: Option<&mut Vec<u64>>, number: usize) {
    if let Some(word) = bits.and_then(|bits| bits.get_mut(number / 64)) {
        *word |= 1 << (number % 64);
    }
}
