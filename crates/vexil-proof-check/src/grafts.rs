//! Texts near those that a proof names for a field.
//!
//! A text of which a proof says what holds there is one step from others: something that is looked for put into it, or
//! written over a part of it, or another digit. Where the proof left out an atom, such a text may be of it.

use std::collections::BTreeSet;

use crate::On;
use crate::atoms::Grid;

/// So many texts that a proof names are looked around,
const MOST_NAMED: usize = 64;
/// of at most so many bytes,
const LONGEST: usize = 48;
/// with so much of what is looked for.
const MOST_HELD: usize = 16;
/// and with what makes a moment of the start and the end of one.
const PLAIN: [&str; 5] = ["00", "59", ":59", ":59+", ":59-"];

impl Grid<'_> {
    /// The texts that a proof names for a field as one of many, each with something that is looked for in it or with
    /// another digit.
    pub(crate) fn grafted(&self, field: &str, needles: &BTreeSet<String>) -> Vec<String> {
        let own = |it: &&crate::Dimension| matches!(&it.on, On::Field(name) if name == field);
        let known = self.proof.dimensions.iter().find(own);
        let open = known.into_iter().flat_map(|known| &known.atoms);
        let named = open
            .filter(|atom| !atom.alone)
            .filter_map(|atom| atom.sample.as_deref());
        let named: Vec<&str> = named.filter(|text| text.len() <= LONGEST).collect();
        let needles: Vec<&str> = needles.iter().map(String::as_str).collect();
        let mut all = Vec::new();
        for text in spread(&named, MOST_NAMED) {
            for held in spread(&needles, MOST_HELD).chain(PLAIN) {
                graft(text, held, &mut all);
            }
            other_digits(text, &mut all);
        }
        all
    }
}

/// Puts something into a text at every place of it, and writes it over one byte there, two, and as many as it has.
fn graft(text: &str, held: &str, all: &mut Vec<String>) {
    let ends = text.char_indices().map(|(place, _)| place).chain([text.len()]);
    for place in ends {
        let (before, behind) = text.split_at(place);
        for over in BTreeSet::from([0, 1, 2, held.len()]) {
            all.extend(behind.get(over..).map(|rest| format!("{before}{held}{rest}")));
        }
    }
}

/// Puts each digit in the place of each.
fn other_digits(text: &str, all: &mut Vec<String>) {
    for (place, _) in text.match_indices(|letter: char| letter.is_ascii_digit()) {
        let (before, behind) = text.split_at(place);
        let rest = behind.get(1..).unwrap_or_default();
        all.extend(('0'..='9').map(|digit| format!("{before}{digit}{rest}")));
    }
}

/// At most so many, from all over a list.
fn spread<T: Copy>(all: &[T], most: usize) -> impl Iterator<Item = T> {
    let apart = all.len().div_ceil(most).max(1);
    all.iter().step_by(apart).copied()
}

#[cfg(test)]
mod tests {
    use super::{graft, other_digits};

    #[test]
    fn what_is_looked_for_is_put_into_a_text_and_over_it_at_every_place() {
        let mut all = Vec::new();
        graft("a\u{e9}c", "xy", &mut all);
        assert_eq!(
            all,
            [
                "xya\u{e9}c",
                "xy\u{e9}c",
                "axy\u{e9}c",
                "axyc",
                "a\u{e9}xyc",
                "a\u{e9}xy",
                "a\u{e9}cxy"
            ]
        );
    }

    #[test]
    fn each_digit_is_put_in_the_place_of_each() {
        let mut all = Vec::new();
        other_digits("a1\u{e9}7", &mut all);
        assert_eq!(all.len(), 20);
        assert!(all.contains(&"a9\u{e9}7".to_owned()) && all.contains(&"a1\u{e9}0".to_owned()));
    }
}
