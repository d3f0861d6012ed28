//! Values in texts in which certain expressions match, told exactly where an automaton can read the values.

use std::collections::BTreeMap;

use vexil_budget::{Budget, Exhausted};

use super::Part;
use super::field::Compared;
use super::piece::Piece;
use crate::effect::automaton::{Pairs, Product, Seen, Words};
use crate::effect::ordered::{Key, Order};
use crate::effect::readers::{Moments, Numbers, Powers, Precision, Said, Table, V4, V6, Versions, Visited};

/// So many texts of a set are looked at, or are atoms of their own where they are hashed.
pub(super) const FEW: usize = 256;
/// So many texts of a set are kept where it has an end and is hashed.
const MANY: usize = 1_000;
/// So many ways round are followed.
const MOST_ROUNDS: usize = 8;
/// So many letters make a value of another size, or none.
const LENGTHS: [usize; 3] = [2, 25, 340];
/// So many plain texts are looked at before others.
const PLAIN: usize = 64;

/// Reads the values of a kind.
pub(super) struct Reading {
    pub(super) table: Box<dyn Table>,
    /// Reads more exactly, with many more states.
    finer: Option<Box<dyn Table>>,
    /// For each count of cuts that are passed the number of the piece; `None` where no value is.
    pieces: Vec<Option<usize>>,
}

impl Reading {
    /// Reads values against what a field is compared with in an order.
    pub(super) fn of_order(order: Order, compared: &Compared<'_>, pieces: &[Piece]) -> Option<Self> {
        let cuts = compared.cuts.get(order as usize)?;
        let mut finer: Option<Box<dyn Table>> = None;
        let table: Box<dyn Table> = match order {
            Order::Numbers => {
                let numbers = || {
                    let numbers = cuts.iter().filter_map(|cut| match cut {
                        Key::Number(number) => Some(*number),
                        _ => None,
                    });
                    Numbers::new(numbers)
                };
                finer = Some(Box::new(Visited::new(Powers::new(numbers()))));
                Box::new(Visited::new(numbers()))
            }
            Order::Versions => Box::new(Visited::new(Versions::new(cuts.iter().filter_map(
                |cut| match cut {
                    Key::Version(version) => Some(version),
                    _ => None,
                },
            )))),
            Order::Moments => {
                let moments = || {
                    cuts.iter().filter_map(|cut| match cut {
                        Key::Moment(moment) => Some(*moment),
                        _ => None,
                    })
                };
                let table = |precision| Box::new(Visited::new(Moments::new(moments(), precision)));
                finer = Some(table(Precision::Minutes));
                table(Precision::Hours)
            }
        };
        let piece = |passed: usize| {
            let from = passed.checked_sub(1).and_then(|last| cuts.get(last));
            let is_it = |piece: &Piece| matches!(&piece.part, Part::Between(it) if it.from.as_ref() == from);
            pieces.iter().position(is_it)
        };
        Some(Self {
            table,
            finer,
            pieces: (0..=cuts.len()).map(piece).collect(),
        })
    }

    /// Reads addresses against blocks, which are all there are.
    pub(super) fn of_blocks(is_v6: bool, pieces: &[Piece]) -> Self {
        let blocks = pieces
            .iter()
            .enumerate()
            .filter_map(|(number, piece)| match &piece.part {
                Part::Within(block) => Some((number, block.first)),
                _ => None,
            });
        let blocks: Vec<(usize, u128)> = blocks.collect();
        let starts = blocks.iter().map(|(_, first)| *first);
        let table: Box<dyn Table> = if is_v6 {
            Box::new(Visited::new(V6::new(starts)))
        } else {
            Box::new(Visited::new(V4::new(starts)))
        };
        let numbers = blocks.iter().map(|(number, _)| Some(*number));
        Self {
            table,
            finer: None,
            pieces: std::iter::once(None).chain(numbers).collect(),
        }
    }

    /// What is read side by side with the expressions, `form` among them, which matches in all texts that say a value:
    /// as exactly as is needed. `None` where that is too much.
    pub(super) fn pairs(
        &mut self,
        product: &mut Product,
        form: usize,
        none: usize,
        budget: &Budget,
    ) -> Result<Option<Pairs>, Exhausted> {
        let Some(pairs) = product.pairs(form, &mut *self.table, budget)? else {
            return Ok(None);
        };
        let is_sure = || {
            let mut all = pairs.combinations();
            all.all(|seen| self.ends(&pairs, seen, none).values().all(|ends| ends.is_sure))
        };
        if self.finer.is_none() || is_sure() {
            return Ok(Some(pairs));
        }
        let Some(mut finer) = self.finer.take() else {
            return Ok(Some(pairs));
        };
        Ok(match product.pairs(form, &mut *finer, budget)? {
            Some(exact) => {
                self.table = finer;
                Some(exact)
            }
            None => Some(pairs),
        })
    }

    /// The pieces that a text may be of that says this; the last of all stands for no value.
    fn pieces(&self, said: Option<Said>, none: usize) -> impl Iterator<Item = usize> {
        let passed = said.map_or(0..0, |said| said.fewest..said.most + 1);
        let own = self.pieces.get(passed).into_iter().flatten().copied().flatten();
        own.chain(said.is_none_or(|said| said.perhaps_none).then_some(none))
    }

    /// Where texts end in which exactly these expressions match, by the pieces that they may be of; and whether it is
    /// known at each end that they are.
    pub(super) fn ends(&self, pairs: &Pairs, seen: &Seen, none: usize) -> BTreeMap<usize, Ends> {
        let mut all: BTreeMap<usize, Ends> = BTreeMap::new();
        for (end, read) in pairs.ends(seen) {
            let own: Vec<usize> = self.pieces(self.table.says(read), none).collect();
            for piece in &own {
                let ends = all.entry(*piece).or_default();
                ends.places.push(end);
                ends.is_sure |= own.len() == 1;
            }
        }
        all
    }
}

/// Where texts of a piece may end.
#[derive(Default)]
pub(super) struct Ends {
    pub(super) places: Vec<usize>,
    /// Whether all texts are of the piece that end at one of them.
    pub(super) is_sure: bool,
}

/// What is found of the texts that end at some places.
pub(super) enum Found {
    /// All there are, where these are few.
    All(Vec<String>),
    /// One of them that will do.
    One(String),
    /// None that will do.
    None,
}

impl Ends {
    /// A text that will do; all of them where `all` are asked for and these are few.
    pub(super) fn find(
        &self,
        (product, pairs): (&Product, &Pairs),
        all: bool,
        budget: &Budget,
        will_do: impl Fn(&str) -> bool,
    ) -> Result<Found, Exhausted> {
        if all && pairs.are_few(&self.places) {
            let (texts, whole) = pairs.texts(product, &self.places, FEW, budget)?;
            if whole {
                return Ok(Found::All(
                    texts.into_iter().filter(|text| will_do(text)).collect(),
                ));
            }
        }
        let plain = self.places.iter().take(PLAIN);
        let mut plain = plain.map(|place| pairs.word(product, *place));
        if let Some(found) = plain.find(|text| will_do(text)) {
            return Ok(Found::One(found));
        }
        let (texts, whole) = pairs.texts(product, &self.places, FEW, budget)?;
        if let Some(found) = texts.into_iter().find(|text| will_do(text)) {
            return Ok(Found::One(found));
        }
        if whole {
            return Ok(Found::All(Vec::new()));
        }
        for words in pairs.rounds(product, &self.places, MOST_ROUNDS, budget)? {
            let Some((start, letters, end)) = &words.rounds else {
                continue;
            };
            for length in LENGTHS {
                budget.spend(1)?;
                let mut texts = letters
                    .iter()
                    .map(|letter| format!("{start}{}{end}", letter.repeat(length)));
                if let Some(found) = texts.find(|text| will_do(text)) {
                    return Ok(Found::One(found));
                }
            }
        }
        Ok(Found::None)
    }

    /// Texts like it, without an end where that may be; else many of them.
    pub(super) fn words(
        &self,
        (product, pairs): (&Product, &Pairs),
        budget: &Budget,
    ) -> Result<Words, Exhausted> {
        let rounds = pairs.rounds(product, &self.places, MOST_ROUNDS, budget)?;
        if let Some(words) = rounds.into_iter().next() {
            return Ok(words);
        }
        let (texts, _) = pairs.texts(product, &self.places, MANY, budget)?;
        Ok(Words::of(texts))
    }
}
