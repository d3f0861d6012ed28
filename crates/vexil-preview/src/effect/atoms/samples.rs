//! Texts of a field whose tests match patterns, or look for texts and compare values at once.
//!
//! The product of the automata of all tests for texts tells which of them can hold at once. Each
//! combination is crossed with the intervals that its texts can say a value in. A combination for which
//! no text is found stays possible: a change that only it shows is named as undecided.

use vexil_budget::Exhausted;

use super::field::{Compared, Gatherer};
use super::{Asked, Part};
use crate::effect::addresses::blocks;
use crate::effect::automaton::{Matching, Product, Texts};
use crate::effect::ordered::Order;
use crate::effect::patterns;
use crate::effect::probe::Sample;
use crate::effect::undecided::{Reason, Undecided};

/// So many texts of each combination are listed.
const MOST_TEXTS: usize = 160;
/// So many texts of each interval are tried.
const MOST_VALUES: usize = 60;

/// The texts that say a number, a moment, a version or an address, and a few more.
const FORMS: [&str; 5] = [
    r"\s*[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\s*",
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[Tt ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?(?:[Zz]|[+-][0-9]{2}:[0-9]{2})?)?",
    r"[0-9]+\.[0-9]+\.[0-9]+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?",
    r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}",
    r"[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*",
];

/// A kind of value with what it is cut into.
struct Kind {
    /// The number of its form among the expressions.
    form: usize,
    pieces: Vec<Piece>,
}

/// A part of a kind, with how its tests answer for texts of it.
struct Piece {
    part: Part,
    values: Vec<String>,
    holds: Vec<bool>,
}

/// Adds the texts that are not listed, whatever they say.
pub(crate) fn samples(
    asked: &Asked<'_, '_>,
    field: &str,
    compared: &Compared<'_>,
    gatherer: &mut Gatherer<'_>,
) -> Result<(), Exhausted> {
    let mut expressions = Vec::new();
    // of each expression, the place of its test and whether that is turned round
    let mut tests = Vec::new();
    for (place, constraint) in &compared.for_texts {
        if let Some(expression) = patterns::of_constraint(constraint) {
            expressions.push(expression);
            tests.push((*place, constraint.is_inverted()));
        }
    }
    let mut kinds = kinds(compared, gatherer)?;
    for (kind, form) in &mut kinds {
        kind.form = expressions.len();
        expressions.extend(patterns::exactly(form));
    }
    expressions.push(patterns::every());
    let mut told = false;
    if let Some(product) = Product::new(&expressions, gatherer.budget)? {
        told = true;
        for (matching, texts) in &product.texts(MOST_TEXTS, gatherer.budget)? {
            told &= !texts.some.is_empty();
            told &= combine(&product, matching, texts, &kinds, &tests, gatherer)?;
        }
    }
    if !told {
        let reason = Reason::TextsNotTold {
            field: field.to_owned(),
        };
        gatherer.undecided.push(Undecided::new(asked.flag, reason));
    }
    Ok(())
}

/// Adds the texts of one combination of tests; says whether the engine agrees that it is one.
fn combine(
    product: &Product,
    matching: &Matching,
    texts: &Texts,
    kinds: &[(Kind, &str)],
    tests: &[(usize, bool)],
    gatherer: &mut Gatherer<'_>,
) -> Result<bool, Exhausted> {
    let said: Vec<&Kind> = kinds
        .iter()
        .map(|(kind, _)| kind)
        .filter(|kind| matching.contains(&kind.form))
        .collect();
    let free: Vec<String> = texts
        .some
        .iter()
        .filter(|text| !gatherer.is_listed(text))
        .cloned()
        .collect();
    if texts.all {
        for text in &free {
            gatherer.single(text)?;
        }
        return Ok(true);
    }
    for text in &free {
        let part = said
            .iter()
            .flat_map(|kind| &kind.pieces)
            .find(|piece| is_in(text, &piece.part));
        let part = match part {
            Some(piece) => piece.part.clone(),
            None => Part::Matching(vec![text.clone()]),
        };
        let holds = gatherer.add_matching(part, text)?;
        let agrees = tests.iter().enumerate().all(|(expression, (place, inverted))| {
            holds.get(*place) == Some(&(matching.contains(&expression) != *inverted))
        });
        if !agrees {
            return Ok(false);
        }
    }
    for piece in said.iter().flat_map(|kind| &kind.pieces) {
        let mut found = 0;
        let few = piece.values.iter().cloned();
        for (tried, text) in few.chain(varied(&piece.part)).enumerate() {
            if found > 0 && tried >= piece.values.len() {
                break;
            }
            if tried % 32 == 0 {
                gatherer.budget.spend(1)?;
            }
            if product.matches(&text).as_ref() == Some(matching) && !gatherer.is_listed(&text) {
                gatherer.add_matching(piece.part.clone(), &text)?;
                found += 1;
            }
        }
        if found == 0 && !is_exhausted(&piece.part) {
            let mut holds = piece.holds.clone();
            for (expression, (place, inverted)) in tests.iter().enumerate() {
                if let Some(answer) = holds.get_mut(*place) {
                    *answer = matching.contains(&expression) != *inverted;
                }
            }
            gatherer.possible(holds);
        }
    }
    Ok(true)
}

/// The kinds of values that the field is compared in, each with its form.
fn kinds(
    compared: &Compared<'_>,
    gatherer: &mut Gatherer<'_>,
) -> Result<Vec<(Kind, &'static str)>, Exhausted> {
    let mut kinds: Vec<(Kind, &'static str)> = Vec::new();
    let [numbers, moments, versions, v4, v6] = FORMS;
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
        let pieces: Vec<(Part, Vec<String>)> = intervals
            .map(|interval| {
                let values = interval.texts().take(MOST_VALUES).collect();
                (Part::Between(interval), values)
            })
            .collect();
        add_kind(&mut kinds, form, pieces, gatherer)?;
    }
    if compared.addresses {
        for (is_v6, form) in [(false, v4), (true, v6)] {
            let blocks = blocks(&compared.networks).into_iter();
            let blocks = blocks.filter(|block| block.is_v6 == is_v6);
            let pieces = blocks.map(|block| (Part::Within(block), block.texts().take(MOST_VALUES).collect()));
            add_kind(&mut kinds, form, pieces.collect(), gatherer)?;
        }
    }
    Ok(kinds)
}

fn add_kind(
    kinds: &mut Vec<(Kind, &'static str)>,
    form: &'static str,
    pieces: Vec<(Part, Vec<String>)>,
    gatherer: &mut Gatherer<'_>,
) -> Result<(), Exhausted> {
    if pieces.is_empty() {
        return Ok(());
    }
    let mut all = Vec::new();
    for (part, values) in pieces {
        let Some(text) = gatherer.free(values.iter().cloned()) else {
            continue;
        };
        let holds = gatherer.ask(&Sample::Text(text))?;
        all.push(Piece { part, values, holds });
    }
    // texts of the form that say no value
    let holds = gatherer.ask(&Sample::Text("~".to_owned()))?;
    all.push(Piece {
        part: Part::Matching(Vec::new()),
        values: vec![
            "1e999".to_owned(),
            "1.0.18446744073709551616".to_owned(),
            "0000-00-00".to_owned(),
            ".".to_owned(),
        ],
        holds,
    });
    kinds.push((Kind { form: 0, pieces: all }, form));
    Ok(())
}

/// So many more texts of a part are tried where the plain ones do not do.
const MOST_VARIED: u64 = 4_096;

/// Texts of a part that differ from each other in many ways; for few addresses, all there are.
fn varied(part: &Part) -> impl Iterator<Item = String> + '_ {
    (0..MOST_VARIED).filter_map(move |number| match part {
        Part::Between(interval) => interval.varied(number),
        Part::Within(block) => block.varied(number),
        _ => None,
    })
}

/// Whether all texts of a part were tried.
fn is_exhausted(part: &Part) -> bool {
    matches!(part, Part::Within(block) if !block.is_v6 && block.count() <= u128::from(MOST_VARIED))
}

/// Whether a text says a value of a part.
fn is_in(text: &str, part: &Part) -> bool {
    match part {
        Part::Between(interval) => interval.is_said_by(text),
        Part::Within(block) => block.is_said_by(text),
        _ => false,
    }
}
