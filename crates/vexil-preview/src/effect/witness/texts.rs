//! Texts of atoms, and such as fall into narrow ranges of a hash.

use crate::effect::atoms::{Atom, Part};
use crate::effect::frames::{Frame, frames};
use crate::effect::preimage::{Preimages, Target, Twofold};
use crate::effect::probe::Sample;
use crate::effect::rules::Range;
use crate::effect::texts::Skeleton;

/// So many texts are tried at least to find one with certain hashes, where they are tried.
const LEAST_TRIES: f64 = 2_000.0;
/// Where more are expected to be needed, they are worked out.
const FEW_TRIES: f64 = 20_000.0;
/// Where more than so many are expected to be needed, trying is given up.
const MOST_TRIES: f64 = 400_000.0;
/// The same for texts that are worked out.
const MOST_SOLVED: f64 = 6_000_000.0;
/// So many times as often as is expected is tried: one search in 160,000 finds nothing where there is something.
const PATIENCE: f64 = 12.0;
/// Of so many tries of a text that is worked out a unit of work is spent.
const TRIES_A_UNIT: u64 = 2;
/// So many are spent on the table of two ranges.
const TABLE_UNITS: u64 = 1_000_000;

/// How much of the whole a range is, of 2^64.
pub(super) fn width(range: &Range) -> u128 {
    (u128::from(range.to - range.from) << 64) / u128::from(range.modulus.max(1))
}

/// A range of remainders of one hash.
pub(super) struct NarrowCell {
    pub(super) group: String,
    pub(super) seed: u32,
    pub(super) range: Range,
    /// How large a part of all texts falls into it.
    pub(super) part: f64,
}

impl NarrowCell {
    fn target(&self) -> Target<'_> {
        Target {
            group: &self.group,
            seed: self.seed,
            range: self.range,
        }
    }
}

/// How texts are looked for whose hashes are all as wanted.
pub(super) struct Search {
    /// How large a part of all texts that is.
    pub(super) share: f64,
    /// One range of each hash, the narrowest first.
    pub(super) cells: Vec<NarrowCell>,
}

impl Search {
    /// How many texts of an atom are tried first.
    pub(super) fn tries(&self) -> usize {
        match 1.0 / self.share {
            few if few <= FEW_TRIES => (few * PATIENCE).max(LEAST_TRIES) as usize,
            _ => LEAST_TRIES as usize,
        }
    }

    /// How many are tried where none was worked out.
    pub(super) fn more_tries(&self) -> Option<usize> {
        let expected = 1.0 / self.share;
        let more = FEW_TRIES < expected && expected <= MOST_TRIES;
        more.then_some((expected * PATIENCE) as usize)
    }

    /// Of so many texts that fall into the narrowest ranges all other hashes are as wanted.
    fn others(&self, narrowest: usize) -> f64 {
        let parts = self.cells.iter().take(narrowest).map(|cell| cell.part);
        (self.share / parts.product::<f64>()).min(1.0)
    }

    /// Texts that may be of the atom, for which one that falls into the narrowest ranges, so many, is not too hard to
    /// work out.
    pub(super) fn frames(&self, atom: &Atom, narrowest: usize) -> Vec<Frame> {
        if 1.0 / self.share <= FEW_TRIES || self.cells.len() < narrowest {
            return Vec::new();
        }
        let by_one = |frame: &Frame| Preimages::cost(frame) / self.others(1) <= MOST_SOLVED;
        let by_two = |frame: &Frame| Twofold::cost(frame) / self.others(2) <= MOST_SOLVED;
        let all = atom.parts.iter().flat_map(|(part, _)| frames(part));
        let mut all: Vec<Frame> = match narrowest {
            1 => all.filter(by_one).collect(),
            // what is not found where one range is enough is not found with two
            _ => all.filter(|frame| !by_one(frame) && by_two(frame)).collect(),
        };
        all.dedup();
        all
    }

    /// Looks through the texts of a frame that fall into the narrowest range; `spend` is told of the work.
    pub(super) fn solve<E>(
        &self,
        frame: &Frame,
        spend: impl FnMut(u64) -> Result<(), E>,
        is_wanted: impl FnMut(&str) -> Result<bool, E>,
    ) -> Result<Option<String>, E> {
        let Some(cell) = self.cells.first() else {
            return Ok(None);
        };
        let mut texts = Preimages::new(cell.target(), frame);
        let next = |stride| {
            let found = texts.next(stride);
            (found, texts.tried())
        };
        looked_through(next, Preimages::cost(frame) / self.others(1), spend, is_wanted)
    }

    /// The same for the two narrowest ranges.
    pub(super) fn solve_two<E>(
        &self,
        frame: &Frame,
        mut spend: impl FnMut(u64) -> Result<(), E>,
        is_wanted: impl FnMut(&str) -> Result<bool, E>,
    ) -> Result<Option<String>, E> {
        let [one, other, ..] = self.cells.as_slice() else {
            return Ok(None);
        };
        let targets = [one.target(), other.target()];
        if !Twofold::is_possible(targets) {
            return Ok(None);
        }
        spend(TABLE_UNITS)?;
        let mut texts = Twofold::new(targets, frame);
        let next = |stride| {
            let found = texts.next(stride);
            (found, texts.tried())
        };
        looked_through(next, Twofold::cost(frame) / self.others(2), spend, is_wanted)
    }
}

/// Looks through texts that come with how many were tried so far; one is expected among `expected` tries.
fn looked_through<E>(
    mut next: impl FnMut(u64) -> (Option<String>, u64),
    expected: f64,
    mut spend: impl FnMut(u64) -> Result<(), E>,
    mut is_wanted: impl FnMut(&str) -> Result<bool, E>,
) -> Result<Option<String>, E> {
    let most = (expected * PATIENCE) as u64;
    let mut tried = 0;
    while tried < most {
        let (found, now) = next(STRIDE);
        if now == tried {
            break;
        }
        spend(1 + (now - tried) / TRIES_A_UNIT)?;
        tried = now;
        if let Some(text) = found
            && is_wanted(&text)?
        {
            return Ok(Some(text));
        }
    }
    Ok(None)
}

/// So many texts are looked through at once.
const STRIDE: u64 = 4_096;

/// Texts of an atom, the plainest first. Some may turn out to be of another.
pub(super) struct Members<'a> {
    field: &'a str,
    parts: Box<dyn Iterator<Item = &'a Part> + 'a>,
    /// The samples, which come before all others.
    samples: std::slice::Iter<'a, (Part, Sample)>,
    skeleton: Option<(&'a Skeleton, u32)>,
    others: Option<Box<dyn Iterator<Item = String> + 'a>>,
    /// How many numbered texts of a skeleton are tried.
    numbered: u32,
    left: usize,
}

/// So many numbered texts of a skeleton are tried at most, which read better; with half of all tries at most, since
/// each of them may be of another atom.
const NUMBERED: u32 = 5_000;

impl<'a> Members<'a> {
    /// At most `most` texts.
    pub(super) fn new(field: &'a str, atom: &'a Atom, most: usize) -> Self {
        let parts = |are_some: bool| {
            let all = atom.parts.iter().map(|(part, _)| part);
            all.filter(move |part| matches!(part, Part::Among(_)) == are_some)
        };
        Self {
            field,
            // texts that certainly hold what they must before those that only say a value
            parts: Box::new(parts(true).chain(parts(false))),
            samples: atom.parts.iter(),
            skeleton: None,
            others: None,
            numbered: NUMBERED.min((most / 2) as u32),
            left: most,
        }
    }

    /// Leaves out numbered texts from here on.
    pub(super) fn without_numbered(&mut self) {
        self.numbered = 0;
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
                if *number < self.numbered {
                    skeleton.write_numbered(buffer, self.field, *number);
                    return true;
                }
                skeleton.write(buffer, number.saturating_sub(self.numbered));
                return true;
            }
            if let Some(others) = &mut self.others {
                if let Some(text) = others.next() {
                    buffer.push_str(&text);
                    return true;
                }
                self.others = None;
            }
            let Some(part) = self.parts.next() else {
                return false;
            };
            match part {
                Part::Texts(skeleton) => self.skeleton = Some((skeleton, 0)),
                Part::Between(interval) => self.others = Some(Box::new(interval.texts())),
                Part::Within(block) => self.others = Some(Box::new(block.texts())),
                Part::Matching(words) | Part::Among(words) => self.others = Some(Box::new(words.texts())),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::effect::automaton::Words;

    #[test]
    fn where_texts_are_tried_so_many_are_that_hardly_ever_one_is_missed() {
        for expected in [2.0, 150.0, 20_000.0, 20_001.0, 90_000.0, 400_000.0, 400_001.0] {
            let search = Search {
                share: 1.0 / expected,
                cells: Vec::new(),
            };
            let (first, more) = (search.tries(), search.more_tries());
            let is_told = expected <= FEW_TRIES;
            assert_eq!(more.is_some(), !is_told && expected <= MOST_TRIES, "{expected}");
            let missed = |tries: usize| (1.0 - search.share).powf(tries as f64);
            let least = if is_told { Some(first) } else { more };
            if let Some(least) = least {
                assert!(missed(least) < 1e-5, "{expected}: {least}");
            }
            // trying ends soon where something else comes behind
            assert!(
                first as f64 <= LEAST_TRIES.max(PATIENCE * FEW_TRIES),
                "{expected}: {first}"
            );
        }
    }

    #[test]
    fn two_ranges_are_solved_only_where_one_is_too_wide_a_net() {
        let part = Part::Among(Words::of(vec!["user-".to_owned()]));
        let atom = Atom {
            holds: Vec::new(),
            pinned: None,
            share: None,
            parts: vec![(part, Sample::Unset)],
        };
        for (other, by_one, by_two) in [(0.3, 1, 0), (1e-3, 1, 0), (1e-6, 0, 1), (2e-10, 0, 1)] {
            let cells = [2e-10, other].map(|part| NarrowCell {
                group: "checkout".to_owned(),
                seed: 0,
                range: Range {
                    modulus: 1 << 32,
                    from: 0,
                    to: 1,
                },
                part,
            });
            let search = Search {
                share: 2e-10 * other,
                cells: cells.into(),
            };
            let frames = [1, 2].map(|narrowest| search.frames(&atom, narrowest).len());
            assert_eq!(frames, [by_one, by_two], "{other}");
        }
    }

    #[test]
    fn what_is_looked_through_is_paid_and_ends_where_hardly_ever_one_is_missed() {
        let looked = |expected: f64, all: u64, wanted: u64| {
            let (mut calls, mut spent, mut at) = (Vec::new(), 0, 0);
            let next = |stride: u64| {
                calls.push(stride);
                at = (at + stride).min(all);
                (Some(at.to_string()), at)
            };
            let spend = |units| {
                spent += units;
                Ok::<(), ()>(())
            };
            let found = looked_through(next, expected, spend, |text| Ok(text == wanted.to_string()));
            (
                found.unwrap().map(|text| text.parse::<u64>().unwrap()),
                calls,
                spent,
            )
        };
        for expected in [0.0, 1.0, 341.0, 342.0, 1_000.0, 10_000.0] {
            // twelve times as often as is expected, by 4,096 at once
            let most = (expected * 12.0) as u64;
            let times = most.div_ceil(4_096);
            let (found, calls, spent) = looked(expected, u64::MAX, 1);
            assert_eq!(found, None);
            assert_eq!(calls, vec![4_096; times as usize], "{expected}");
            assert_eq!(spent, times * (1 + 4_096 / 2), "{expected}");
            // what has an end is looked through to there
            for all in [0, 1, 2, 4_095, 4_096, 4_097, 9_000] {
                let (found, calls, spent) = looked(expected, all, u64::MAX);
                let own = all.div_ceil(4_096);
                let asked = if all < most { own + 1 } else { times };
                assert_eq!((found, calls.len() as u64), (None, asked), "{all} {expected}");
                let tried = all.min(4_096 * times);
                let parts = (0..own.min(times)).map(|part| (tried - 4_096 * part).min(4_096));
                assert_eq!(spent, parts.map(|part| 1 + part / 2).sum::<u64>(), "{all}");
            }
            for place in 1..=times {
                let (found, calls, _) = looked(expected, u64::MAX, 4_096 * place);
                assert_eq!((found, calls.len() as u64), (Some(4_096 * place), place));
            }
        }
    }

    #[test]
    fn half_of_all_texts_are_numbered_at_most_and_5_000_of_many() {
        let skeleton = Skeleton::new(String::new(), Vec::new(), String::new(), ['~', '_']);
        let atom = Atom {
            holds: Vec::new(),
            pinned: None,
            share: None,
            parts: vec![(Part::Texts(skeleton), Sample::Text("sample".to_owned()))],
        };
        let texts = |most: usize, without_behind: usize| {
            let mut members = Members::new("userId", &atom, most);
            let (mut all, mut buffer) = (Vec::new(), "before".to_owned());
            while members.next(&mut buffer) {
                all.push(buffer.clone());
                if all.len() == without_behind {
                    members.without_numbered();
                }
            }
            all
        };
        for most in [0, 1, 2, 3, 4, 9, 10, 11, 9_999, 10_000, 10_001, 12_000] {
            let all = texts(most, usize::MAX);
            assert_eq!(all.len(), most);
            assert!(all.iter().take(1).all(|text| text == "sample"));
            let numbered = |text: &&String| text.starts_with("user-");
            let count = all.iter().filter(numbered).count();
            assert_eq!(count, (most / 2).min(5_000).saturating_sub(1), "{most}");
            // they come before the others, counted from 1
            let own = all.iter().skip(1).take(count).enumerate();
            for (place, text) in own {
                assert_eq!(*text, format!("user-{}", place + 1));
            }
            let distinct: std::collections::BTreeSet<&String> = all.iter().collect();
            assert_eq!(distinct.len(), most, "{most}");
        }
        let few = texts(1_000, 12);
        assert_eq!(few.len(), 1_000);
        assert_eq!(few.iter().filter(|text| text.starts_with("user-")).count(), 11);
    }
}
