//! Texts of atoms, and such as fall into narrow ranges of a hash.

use crate::effect::atoms::{Atom, Part};
use crate::effect::ordered::Order;
use crate::effect::preimage;
use crate::effect::probe::Sample;
use crate::effect::rules::Range;
use crate::effect::texts::Skeleton;

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
pub(super) struct Members<'a> {
    field: &'a str,
    parts: std::slice::Iter<'a, (Part, Sample)>,
    /// The samples, which come before all others.
    samples: std::slice::Iter<'a, (Part, Sample)>,
    skeleton: Option<(&'a Skeleton, u32)>,
    others: Option<Box<dyn Iterator<Item = String> + 'a>>,
    left: usize,
}

/// So many numbered texts of a skeleton are tried, which read better.
const NUMBERED: u32 = 5_000;

impl<'a> Members<'a> {
    /// At most `most` texts.
    pub(super) fn new(field: &'a str, atom: &'a Atom, most: usize) -> Self {
        Self {
            field,
            parts: atom.parts.iter(),
            samples: atom.parts.iter(),
            skeleton: None,
            others: None,
            left: most,
        }
    }

    /// Writes the next text over `buffer`; `false` where there is none.
    pub(super) fn next(&mut self, buffer: &mut String) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        buffer.clear();
        for (_, sample) in self.samples.by_ref() {
            if let Sample::Text(text) = sample {
                buffer.push_str(text);
                return true;
            }
        }
        loop {
            if let Some((skeleton, number)) = &mut self.skeleton {
                *number += 1;
                if *number < NUMBERED {
                    skeleton.write_numbered(buffer, self.field, *number);
                    return true;
                }
                if *number < NUMBERED + MOST_TRIES as u32 {
                    skeleton.write(buffer, *number - NUMBERED);
                    return true;
                }
                self.skeleton = None;
            }
            if let Some(others) = &mut self.others {
                if let Some(text) = others.next() {
                    buffer.push_str(&text);
                    return true;
                }
                self.others = None;
            }
            let Some((part, _)) = self.parts.next() else {
                return false;
            };
            match part {
                Part::Texts(skeleton) => self.skeleton = Some((skeleton, 0)),
                Part::Between(interval) => self.others = Some(Box::new(interval.texts())),
                Part::Within(block) => self.others = Some(Box::new(block.texts())),
                Part::Matching(words) => self.others = Some(Box::new(words.texts())),
                _ => {}
            }
        }
    }
}
