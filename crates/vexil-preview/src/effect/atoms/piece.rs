//! Parts of the texts of a form.

use super::Part;

/// A part of a kind, with how its tests answer for texts of it that are not listed, where there is one.
pub(super) struct Piece {
    pub(super) part: Part,
    pub(super) values: Vec<String>,
    pub(super) holds: Option<Vec<bool>>,
}

impl Piece {
    /// Whether a text of the form is of this piece, of which these are all.
    pub(super) fn is_said_by(&self, text: &str, pieces: &[Self]) -> bool {
        match &self.part {
            Part::Matching(_) => !pieces.iter().any(|other| is_in(text, &other.part)),
            part => is_in(text, part),
        }
    }
}

/// Whether a text says a value of a part.
pub(super) fn is_in(text: &str, part: &Part) -> bool {
    match part {
        Part::Between(interval) => interval.is_said_by(text),
        Part::Within(block) => block.is_said_by(text),
        _ => false,
    }
}
