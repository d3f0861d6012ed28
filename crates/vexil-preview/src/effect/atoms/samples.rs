//! Texts of a field whose tests match patterns, or look for texts and compare values at once.
//!
//! The product of the automata of all tests for texts tells which of them can hold at once. Each
//! combination is crossed with the intervals that its texts can say a value in. A combination for which
//! no text is found stays possible: a change that only it shows is named as undecided.

use std::sync::OnceLock;

use regex_syntax::hir::Hir;
use vexil_budget::Exhausted;
use vexil_values::{Comparison, read};

use super::field::{Compared, Gatherer};
use super::{Asked, Part, grafts};
use crate::effect::addresses::blocks;
use crate::effect::automaton::{Expression, Place, Product, Seen, Texts, Words};
use crate::effect::ordered::Order;
use crate::effect::patterns::{self, Single};
use crate::effect::probe::Sample;
use crate::effect::texts::Spelled;
use crate::effect::undecided::{Reason, Undecided};

/// So many texts of each combination are taken, where what they say counts.
const MOST_TEXTS: usize = 160;
/// So many are looked at to find some that are not listed.
const MOST_TRIED: usize = 2_000;
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
    spelled: Option<&Spelled>,
    gatherer: &mut Gatherer<'_, '_>,
) -> Result<(), Exhausted> {
    let (mut expressions, tests) = expressions(compared);
    let mut kinds = kinds(compared, gatherer)?;
    for (kind, form) in &mut kinds {
        kind.form = expressions.len();
        expressions.push(Expression {
            hir: form.clone(),
            place: Place::Anywhere,
        });
    }
    let mut told = false;
    if let Some(mut product) = Product::new(&expressions, gatherer.budget)?
        && let Some(all) = product.texts(&expressions, spelled, gatherer.budget)?
    {
        told = true;
        let mut combiner = Combiner {
            product: &mut product,
            kinds: &kinds,
            tests: &tests,
        };
        for (seen, texts) in all {
            told &= combiner.combine(seen, texts, field, gatherer)?;
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

/// A test for texts: its place among the tests of the field, the number of its expression, and whether it is
/// turned round.
type Expressed = (usize, usize, bool);

/// What the tests for texts look for, each once, and which test looks for what.
fn expressions(compared: &Compared<'_>) -> (Vec<Expression>, Vec<Expressed>) {
    let mut expressions: Vec<Expression> = Vec::new();
    let mut tests = Vec::new();
    for test in &compared.for_texts {
        let expression = match (&test.pattern, read(test.constraint, drop)) {
            (Some(hir), _) => Expression {
                hir: hir.clone(),
                place: Place::Anywhere,
            },
            (
                None,
                Some(Comparison::Text {
                    place,
                    ignore_case,
                    needles,
                }),
            ) => patterns::of_texts(place, ignore_case, needles),
            (None, Some(Comparison::Pattern(pattern))) => match patterns::single(pattern.hir()) {
                Some(Single::Part(place, texts)) => {
                    patterns::of_texts(place, false, texts.iter().map(String::as_str))
                }
                _ => continue,
            },
            _ => continue,
        };
        let known = expressions.iter().position(|known| *known == expression);
        let number = known.unwrap_or_else(|| {
            expressions.push(expression);
            expressions.len() - 1
        });
        tests.push((test.place, number, test.constraint.is_inverted()));
    }
    (expressions, tests)
}

/// Puts texts together with what they say.
struct Combiner<'c> {
    product: &'c mut Product,
    kinds: &'c [(Kind, Hir)],
    tests: &'c [Expressed],
}

impl Combiner<'_> {
    /// Whether the engine says of a text what its expressions say.
    fn agrees(&self, seen: &Seen, holds: &[bool]) -> bool {
        let mut tests = self.tests.iter();
        tests.all(|(place, expression, inverted)| {
            holds.get(*place) == Some(&(seen.contains(*expression) != *inverted))
        })
    }

    /// Adds the texts of one combination; says whether the engine agrees that it is one.
    fn combine(
        &mut self,
        seen: Seen,
        texts: Texts,
        field: &str,
        gatherer: &mut Gatherer<'_, '_>,
    ) -> Result<bool, Exhausted> {
        match texts {
            Texts::Skeleton(skeleton) => {
                let Some(text) = gatherer.free((0..).map(|number| skeleton.text(number))) else {
                    return Ok(false);
                };
                let holds = gatherer.ask(&Sample::Text(text.clone()))?;
                let agrees = self.agrees(&seen, &holds);
                gatherer.add_skeleton(skeleton, text, holds, field)?;
                Ok(agrees)
            }
            Texts::All(all) => {
                for text in all {
                    if !gatherer.is_listed(&text) {
                        gatherer.single(&text)?;
                    }
                }
                Ok(true)
            }
            Texts::Some(words) => self.matching(seen, &words, gatherer),
        }
    }

    fn matching(
        &mut self,
        seen: Seen,
        words: &Words,
        gatherer: &mut Gatherer<'_, '_>,
    ) -> Result<bool, Exhausted> {
        let said = self.kinds.iter().map(|(kind, _)| kind);
        let said: Vec<&Kind> = said.filter(|kind| seen.contains(kind.form)).collect();
        let most = if said.is_empty() { 1 } else { MOST_TEXTS };
        let free: Vec<String> = words
            .texts()
            .take(MOST_TRIED)
            .filter(|text| !gatherer.is_listed(text))
            .take(most)
            .collect();
        for text in &free {
            let mut pieces = said.iter().flat_map(|kind| &kind.pieces);
            let part = match pieces.find(|piece| is_in(text, &piece.part)) {
                Some(piece) => piece.part.clone(),
                None => Part::Matching(words.clone()),
            };
            let holds = gatherer.add_matching(part, text)?;
            if !self.agrees(&seen, &holds) {
                return Ok(false);
            }
        }
        let pieces = said
            .iter()
            .flat_map(|kind| kind.pieces.iter().map(move |piece| (kind, piece)));
        for (kind, piece) in pieces {
            let mut found = 0;
            // a text of the form may say no value, or one of another piece
            let is_of = |text: &str| match &piece.part {
                Part::Matching(_) => !kind.pieces.iter().any(|other| is_in(text, &other.part)),
                part => is_in(text, part),
            };
            let few = piece.values.iter().cloned();
            let grafted = grafts::grafts(&piece.part, &piece.values, &free);
            for (tried, text) in few.chain(grafted).chain(varied(&piece.part)).enumerate() {
                if found > 0 && tried >= piece.values.len() {
                    break;
                }
                if tried % 32 == 0 {
                    gatherer.budget.spend(1)?;
                }
                if self.product.seen(&text) == Some(seen) && !gatherer.is_listed(&text) && is_of(&text) {
                    gatherer.add_matching(piece.part.clone(), &text)?;
                    found += 1;
                }
            }
            if found == 0 && !is_exhausted(&piece.part) {
                let mut holds = piece.holds.clone();
                for (place, expression, inverted) in self.tests {
                    if let Some(answer) = holds.get_mut(*place) {
                        *answer = seen.contains(*expression) != *inverted;
                    }
                }
                gatherer.possible(holds);
            }
        }
        // a text that cannot be found is not passed over
        Ok(!free.is_empty())
    }
}

/// The kinds of values that the field is compared in, each with its form.
fn kinds(compared: &Compared<'_>, gatherer: &mut Gatherer<'_, '_>) -> Result<Vec<(Kind, Hir)>, Exhausted> {
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
    kinds: &mut Vec<(Kind, Hir)>,
    form: &Hir,
    pieces: Vec<(Part, Vec<String>)>,
    gatherer: &mut Gatherer<'_, '_>,
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
        part: Part::Matching(Words::default()),
        values: vec![
            "1e999".to_owned(),
            "1.0.18446744073709551616".to_owned(),
            "0000-00-00".to_owned(),
            ".".to_owned(),
        ],
        holds,
    });
    kinds.push((Kind { form: 0, pieces: all }, form.clone()));
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
