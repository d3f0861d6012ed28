//! The kinds of values that texts say, and the pieces that a field's tests cut them into.

use std::sync::OnceLock;

use regex_syntax::hir::Hir;
use vexil_budget::Exhausted;

use super::Part;
use super::exact::Reading;
use super::field::{Compared, Gatherer};
use super::piece::Piece;
use crate::effect::addresses::blocks;
use crate::effect::automaton::{Pairs, Words};
use crate::effect::ordered::Order;
use crate::effect::patterns;
use crate::effect::probe::Sample;

/// So many texts of each interval are tried.
const MOST_VALUES: usize = 60;

/// The texts that say a number, a moment, a version or an address, and a few more.
const FORMS: [&str; 5] = [
    // the blanks that `str::trim` takes away
    r"[\t-\r \x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}]*[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?[\t-\r \x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}]*",
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[Tt ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?(?:[Zz]|[+-][0-9]{2}:[0-9]{2})?)?",
    r"[0-9]+\.[0-9]+\.[0-9]+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?",
    r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}",
    r"[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*",
];

fn forms() -> &'static [Hir; 5] {
    static PARSED: OnceLock<[Hir; 5]> = OnceLock::new();
    PARSED.get_or_init(|| FORMS.map(|form| patterns::exactly(form).unwrap_or_else(Hir::fail)))
}

/// The texts of a part that are tried, the plainest first.
fn tried(texts: impl Iterator<Item = String>) -> Vec<String> {
    texts.take(MOST_VALUES).collect()
}

/// A kind of value with what it is cut into.
pub(super) struct Kind {
    /// The number of its form among the expressions.
    pub(super) form: usize,
    pub(super) pieces: Vec<Piece>,
    /// Reads its values, where an automaton can.
    pub(super) reading: Option<Reading>,
    /// What is read side by side with the expressions, where that is not too much.
    pub(super) pairs: Option<Pairs>,
}

/// The kinds of values that the field is compared in, each with its form.
pub(super) fn kinds(
    compared: &Compared<'_>,
    gatherer: &mut Gatherer<'_, '_>,
) -> Result<Vec<(Kind, Hir)>, Exhausted> {
    let mut kinds: Vec<(Kind, Hir)> = Vec::new();
    let [numbers, moments, versions, v4, v6] = forms();
    let orders = [
        (Order::Numbers, numbers),
        (Order::Moments, moments),
        (Order::Versions, versions),
    ];
    for (order, form) in orders {
        let intervals = compared
            .intervals()
            .into_iter()
            .filter(|interval| interval.order == order);
        let parts: Vec<(Part, Vec<String>)> = intervals
            .map(|interval| {
                let values = tried(interval.texts());
                (Part::Between(interval), values)
            })
            .collect();
        if !parts.is_empty() {
            let pieces = pieces(parts, gatherer)?;
            let reading = Reading::of_order(order, compared, &pieces);
            kinds.push((Kind::new(pieces, reading), form.clone()));
        }
    }
    if compared.addresses {
        for (is_v6, form) in [(false, v4), (true, v6)] {
            let blocks = blocks(&compared.networks).into_iter();
            let blocks = blocks.filter(|block| block.is_v6 == is_v6);
            let parts = blocks.map(|block| (Part::Within(block), tried(block.texts())));
            let pieces = pieces(parts.collect(), gatherer)?;
            let reading = Reading::of_blocks(is_v6, &pieces);
            kinds.push((Kind::new(pieces, Some(reading)), form.clone()));
        }
    }
    Ok(kinds)
}

impl Kind {
    fn new(pieces: Vec<Piece>, reading: Option<Reading>) -> Self {
        Self {
            form: 0,
            pieces,
            reading,
            pairs: None,
        }
    }

    /// Adds what is not read side by side with the expressions: each piece by one text, and addresses that are atoms
    /// of their own.
    pub(super) fn add_plain(&self, gatherer: &mut Gatherer<'_, '_>) -> Result<(), Exhausted> {
        let is_read = self.pairs.is_some();
        for piece in &self.pieces {
            match &piece.part {
                Part::Between(interval) if !is_read => gatherer.interval(interval.clone())?,
                Part::Within(block) if !is_read || gatherer.takes_apart(block) => {
                    gatherer.block(*block, false)?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// The pieces of a kind; the last stands for texts of the form that say no value.
fn pieces(parts: Vec<(Part, Vec<String>)>, gatherer: &mut Gatherer<'_, '_>) -> Result<Vec<Piece>, Exhausted> {
    let mut all = Vec::new();
    for (part, values) in parts {
        let free = gatherer.free(values.iter().cloned());
        let holds = free.map(|text| gatherer.ask(&Sample::Text(text))).transpose()?;
        all.push(Piece { part, values, holds });
    }
    // texts of the form that say no value
    let holds = gatherer.ask(&Sample::Text("~".to_owned()))?;
    all.push(Piece {
        part: Part::Matching(Words::default()),
        values: vec![
            "1e999".to_owned(),
            "1.0.18446744073709551616".to_owned(),
            "0000-00-00".to_owned(),
            ".".to_owned(),
        ],
        holds: Some(holds),
    });
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::tried;

    #[test]
    fn the_first_60_texts_of_a_part_are_tried() {
        for count in [0, 1, 59, 60, 61, 1_000] {
            let all = (0..count).map(|number| number.to_string());
            let first: Vec<String> = all.clone().take(60).collect();
            assert_eq!(tried(all), first);
        }
    }
}
