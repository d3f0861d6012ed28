//! Texts of atoms, and such as fall into narrow ranges of a hash.

use crate::effect::atoms::{Atom, Part};
use crate::effect::ordered::Order;
use crate::effect::preimage;
use crate::effect::probe::Sample;
use crate::effect::rules::Range;

/// So many texts are tried to find one with certain hashes.
pub(super) const MOST_TRIES: usize = 30_000;

/// How much of the whole a range is, of 2^64.
pub(super) fn width(range: &Range) -> u128 {
    (u128::from(range.to - range.from) << 64) / u128::from(range.modulus.max(1))
}

/// A range of remainders of one hash.
pub(super) struct NarrowCell {
    pub(super) group: String,
    pub(super) seed: u32,
    pub(super) range: Range,
}

impl NarrowCell {
    /// Whether so few texts fall into it that trying finds none.
    pub(super) fn is_rare(&self) -> bool {
        (self.range.to - self.range.from).saturating_mul(2_000) < self.range.modulus
    }

    /// Texts that fall into it, and may be of the atom.
    pub(super) fn solved(&self, atom: &Atom) -> impl Iterator<Item = String> {
        let heads: Vec<(String, &'static [u8])> =
            atom.parts.iter().flat_map(|(part, _)| heads(part)).collect();
        let width = self.range.to - self.range.from;
        let rounds = ((1_u64 << 32) / self.range.modulus.max(1)).max(1);
        let range = self.range;
        let wanted = move |number: u32| {
            let number = u64::from(number);
            let remainder = range.from + number % width.max(1);
            (remainder + range.modulus * (number / width.max(1) % rounds)) as u32
        };
        let mut texts = Vec::new();
        for (head, letters) in heads {
            texts.extend(preimage::texts(&self.group, self.seed, &head, letters, wanted).take(64));
        }
        texts.into_iter()
    }
}

/// What a text of a part may start with, and the letters that may follow.
fn heads(part: &Part) -> Vec<(String, &'static [u8])> {
    const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789";
    const DIGITS: &[u8] = b"0123456789";
    match part {
        Part::Texts(skeleton) => vec![(skeleton.text(0), LETTERS), (String::new(), LETTERS)],
        Part::Matching(words) => words.texts().take(6).map(|text| (text, LETTERS)).collect(),
        Part::Between(interval) => {
            let first = interval.texts().next().unwrap_or_default();
            match interval.order {
                Order::Versions => vec![(format!("{first}+"), LETTERS)],
                Order::Moments => vec![(format!("{}.", first.trim_end_matches('Z')), DIGITS)],
                Order::Numbers => vec![(format!("{first}."), DIGITS), (first, DIGITS)],
            }
        }
        _ => Vec::new(),
    }
}

/// Texts of an atom, the plainest first. Some may turn out to be of another.
pub(super) fn members<'a>(field: &'a str, atom: &'a Atom) -> impl Iterator<Item = String> + 'a {
    let samples = atom.parts.iter().filter_map(|(_, sample)| match sample {
        Sample::Text(text) => Some(text.clone()),
        Sample::Unset | Sample::UnsetAt(_) => None,
    });
    let more = atom
        .parts
        .iter()
        .flat_map(move |(part, _)| -> Box<dyn Iterator<Item = String>> {
            match part {
                Part::Texts(skeleton) => {
                    let plain = (1..5_000).map(|number| skeleton.numbered(field, number));
                    Box::new(plain.chain((0..MOST_TRIES as u32).map(|number| skeleton.text(number))))
                }
                Part::Between(interval) => Box::new(interval.texts()),
                Part::Within(block) => Box::new(block.texts()),
                Part::Matching(words) => Box::new(words.texts()),
                _ => Box::new(std::iter::empty()),
            }
        });
    samples.chain(more)
}
