//! Atoms: the values of a dimension, put together where no test tells them apart.
//!
//! For each kind of test there is a complete set of samples: one value at least for each way in which
//! the tests can answer. The engine says how they answer.

mod exact;
mod field;
mod grafts;
mod kinds;
mod piece;
mod samples;

use std::hash::Hasher as _;

use time::OffsetDateTime;
use vexil_budget::{Budget, Exhausted};
use vexil_domain::FlagName;

use super::addresses::Block;
use super::automaton::Words;
use super::cells;
use super::fast::{Index, Mixer};
use super::ordered::Interval;
use super::probe::{HashProber, Prober, Sample};
use super::rules::{Dimension, Range, Rules, Test};
use super::texts::Skeleton;
use super::undecided::Undecided;
use crate::Share;

pub(crate) use samples::samples;

/// Some values of a dimension, in the words of one kind of test.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Part {
    /// No value.
    Unset,
    /// No value, at a present in this interval.
    Now(Interval),
    /// This one text, which is listed.
    Listed(String),
    /// Texts that say a value in this interval.
    Between(Interval),
    /// Texts that say an address in this block.
    Within(Block),
    /// Texts that say none of what is compared in an order.
    Texts(Skeleton),
    /// Such texts, by samples of them.
    Matching(Words),
    /// Some of the texts of another part, where others like them may be looked for.
    Among(Words),
    /// Remainders of a hash, or a part of chance.
    Remainders(Vec<Range>),
    /// What a custom strategy says.
    Says(bool),
    /// The name of a host; others where there is none.
    Host(Option<String>),
}

/// Values that no test tells apart.
#[derive(Debug, Clone)]
pub(crate) struct Atom {
    /// Whether each test of the dimension holds.
    pub(crate) holds: Vec<bool>,
    /// Where it is one text of a field that is hashed: whether each test of its hashes holds, by number.
    pub(crate) pinned: Option<Vec<(usize, bool)>>,
    /// How large a part of a hash or of chance it is; `None` also where that is beyond counting.
    pub(crate) share: Option<Share>,
    /// What it consists of, each with a sample.
    pub(crate) parts: Vec<(Part, Sample)>,
}

impl Atom {
    /// Whether it stands for no value, first of all.
    pub(crate) fn is_unset(&self) -> bool {
        matches!(self.parts.first(), Some((Part::Unset | Part::Now(_), _)))
    }

    /// Whether it is of a field that is hashed, and this text one of those that it is made of.
    pub(crate) fn is_pinned_to(&self, text: &str) -> bool {
        let is_text = |(part, _): &(Part, Sample)| matches!(part, Part::Listed(own) if own == text);
        self.pinned.is_some() && self.parts.iter().any(is_text)
    }
}

/// The atoms of one dimension.
#[derive(Debug, Default)]
pub(crate) struct Atoms<'r> {
    pub(crate) list: Vec<Atom>,
    /// Asks the tests of a field; `None` for other dimensions.
    pub(crate) prober: Option<Prober<'r>>,
    /// Asks the tests of each hash of a field, by the number of its dimension.
    pub(crate) hashes: Vec<(usize, HashProber)>,
    /// Why there may be values that are in none of them.
    pub(crate) undecided: Vec<Undecided>,
}

/// What is fixed, where not everything is to be looked at.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fixed<'a> {
    /// Texts of fields that get atoms of their own, in order.
    pub(crate) texts: &'a [(String, String)],
    /// The present.
    pub(crate) now: Option<OffsetDateTime>,
}

impl<'a> Fixed<'a> {
    fn texts_of(&self, field: &str) -> impl Iterator<Item = &'a str> {
        let first = self.texts.partition_point(|(name, _)| name.as_str() < field);
        let own = self.texts.get(first..).unwrap_or_default();
        let count = own.partition_point(|(name, _)| name == field);
        own.iter().take(count).map(|(_, text)| text.as_str())
    }
}

/// What a dimension's atoms are made for.
pub(crate) struct Asked<'a, 'r> {
    pub(crate) flag: &'a FlagName,
    pub(crate) rules: &'a Rules<'r>,
    pub(crate) fixed: &'a Fixed<'a>,
    pub(crate) budget: &'a Budget,
}

impl<'r> Asked<'_, 'r> {
    /// The atoms of a dimension.
    pub(crate) fn atoms(&self, dimension: usize) -> Result<Atoms<'r>, Exhausted> {
        let Some(what) = self.rules.dimensions.get(dimension) else {
            return Ok(Atoms::default());
        };
        match what {
            Dimension::Field(field) => self.of_field(dimension, field),
            Dimension::Host => self.of_host(dimension),
            Dimension::Custom { .. } => Ok(of_custom()),
            Dimension::Hash { .. } => {
                let cells = cells::of_hash(&self.rules.ranges(dimension).collect::<Vec<_>>(), self.budget)?;
                Ok(of_cells(cells))
            }
            Dimension::Chance { .. } => {
                let cells = cells::of_chance(&self.rules.ranges(dimension).collect::<Vec<_>>(), self.budget)?;
                Ok(of_cells(cells))
            }
        }
    }

    fn of_host(&self, dimension: usize) -> Result<Atoms<'r>, Exhausted> {
        let prober = Prober::of_field(self.rules, dimension, "");
        let literals = self.rules.by_dimension.get(dimension).into_iter().flatten();
        let tests = literals.filter_map(|number| self.rules.literals.get(*number));
        let lists = tests.filter_map(|literal| match literal.test {
            Test::Hosts(list) => Some(list),
            _ => None,
        });
        let names = lists.flat_map(|list| list.split(',')).map(str::trim);
        let names = names.filter(|name| !name.is_empty()).map(str::to_owned);
        let mut gathered = Gathered::default();
        for name in std::iter::once(None).chain(names.map(Some)) {
            let holds = prober.ask_host(name.as_deref(), self.budget)?;
            let sample = name.clone().map_or(Sample::Unset, Sample::Text);
            gathered.add(holds, None, Part::Host(name), sample);
        }
        Ok(gathered.finish())
    }
}

fn of_custom<'r>() -> Atoms<'r> {
    let mut gathered = Gathered::default();
    for says in [false, true] {
        gathered.add(vec![says], None, Part::Says(says), Sample::Unset);
    }
    gathered.finish()
}

fn of_cells<'r>(cells: Vec<cells::Cell>) -> Atoms<'r> {
    let atom = |cell: cells::Cell| Atom {
        holds: cell.holds,
        pinned: None,
        share: cell.share,
        parts: cell
            .parts
            .into_iter()
            .map(|ranges| (Part::Remainders(ranges), Sample::Unset))
            .collect(),
    };
    Atoms {
        list: cells.into_iter().map(atom).collect(),
        ..Atoms::default()
    }
}

/// Samples, put together where no test tells them apart.
#[derive(Default)]
pub(crate) struct Gathered {
    atoms: Vec<Atom>,
    /// By hashes of what the tests answer.
    known: Index,
}

/// A hash of what the tests of a value answer: its own, and where it is pinned those of its hashes.
fn hashed(holds: &[bool], pinned: Option<&[(usize, bool)]>) -> u64 {
    let pinned = pinned.map(|pinned| pinned.iter().map(|(_, holds)| *holds));
    let mut mixer = Mixer::default();
    mixer.write_bits(holds.iter().copied());
    mixer.write_bits(std::iter::once(pinned.is_some()).chain(pinned.into_iter().flatten()));
    mixer.finish()
}

impl Gathered {
    pub(crate) fn add(
        &mut self,
        holds: Vec<bool>,
        pinned: Option<Vec<(usize, bool)>>,
        part: Part,
        sample: Sample,
    ) {
        let hash = hashed(&holds, pinned.as_deref());
        match self.find(hash, &holds, pinned.as_deref()) {
            Some(known) => known.parts.push((part, sample)),
            None => self.push(hash, holds, pinned, vec![(part, sample)]),
        }
    }

    /// The atom of which the tests answer so.
    fn find(&mut self, hash: u64, holds: &[bool], pinned: Option<&[(usize, bool)]>) -> Option<&mut Atom> {
        let is_it = |number: usize| {
            let atom = self.atoms.get(number);
            atom.is_some_and(|atom| atom.holds == holds && atom.pinned.as_deref() == pinned)
        };
        let place = self.known.find(hash, is_it)?;
        self.atoms.get_mut(place)
    }

    fn push(
        &mut self,
        hash: u64,
        holds: Vec<bool>,
        pinned: Option<Vec<(usize, bool)>>,
        parts: Vec<(Part, Sample)>,
    ) {
        self.known.push(hash);
        self.atoms.push(Atom {
            holds,
            pinned,
            share: None,
            parts,
        });
    }

    /// Adds a sample, unless there are enough of the kind.
    pub(crate) fn add_one_of(&mut self, holds: Vec<bool>, part: Part, sample: Sample) {
        let hash = hashed(&holds, None);
        let Some(known) = self.find(hash, &holds, None) else {
            return self.push(hash, holds, None, vec![(part, sample)]);
        };
        let mut others = known.parts.iter();
        let is_known = others.any(|(other, _)| match (other, &part) {
            (Part::Matching(_), Part::Matching(_)) | (Part::Among(_), Part::Among(_)) => true,
            (other, part) => other == part,
        });
        if !is_known {
            known.parts.push((part, sample));
        }
    }

    /// Adds a combination of answers for which no sample was found, unless there is one.
    pub(crate) fn add_possible(&mut self, holds: Vec<bool>) {
        let hash = hashed(&holds, None);
        if self.find(hash, &holds, None).is_none() {
            self.push(hash, holds, None, Vec::new());
        }
    }

    pub(crate) fn finish<'r>(self) -> Atoms<'r> {
        Atoms {
            list: self.atoms,
            ..Atoms::default()
        }
    }
}
