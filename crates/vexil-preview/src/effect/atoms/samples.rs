//! Texts of a field whose tests match patterns, or look for texts and compare values at once.
//!
//! The product of the automata of all tests for texts tells which of them can hold at once. Each
//! combination is crossed with the intervals that its texts can say a value in. A combination for which
//! no text is found stays possible: a change that only it shows is named as undecided.

use regex_syntax::hir::Hir;
use vexil_budget::Exhausted;
use vexil_values::{Comparison, read};

use super::exact::{Ends, FEW, Found, Reading};
use super::field::{Compared, Gatherer};
use super::kinds::{Kind, kinds};
use super::piece::{Piece, is_in};
use super::{Asked, Part, grafts};
use crate::effect::automaton::{Expression, Pairs, Place, Product, Seen, Texts, Words};
use crate::effect::patterns::{self, Single};
use crate::effect::probe::Sample;
use crate::effect::texts::Spelled;
use crate::effect::undecided::{Reason, Undecided};

/// So many texts of each combination are taken, where what they say counts.
const MOST_TEXTS: usize = 160;
/// So many are looked at to find some that are not listed.
const MOST_TRIED: usize = 2_000;
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
    let readings = kinds.iter().filter_map(|(kind, _)| kind.reading.as_ref());
    let apart: Vec<_> = readings.flat_map(|reading| reading.table.letters()).collect();
    if let Some(mut product) = Product::new(&expressions, &apart, gatherer.budget)?
        && let Some(all) = product.texts(&expressions, spelled, gatherer.budget)?
    {
        told = true;
        for (kind, _) in &mut kinds {
            if let Some(reading) = &mut kind.reading {
                let none = kind.pieces.len() - 1;
                kind.pairs = reading.pairs(&mut product, kind.form, none, gatherer.budget)?;
            }
            if let Some(pairs) = kind.pairs.as_mut().filter(|_| gatherer.is_hashed()) {
                pairs.count(&product, FEW, gatherer.budget)?;
            }
        }
        let mut combiner = Combiner {
            product: &mut product,
            kinds: &kinds,
            tests: &tests,
        };
        for (seen, texts) in all {
            told &= combiner.combine(seen, texts, field, gatherer)?;
        }
    }
    for (kind, _) in &kinds {
        kind.add_plain(gatherer)?;
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
        // no two forms match in one text
        if let [
            Kind {
                pairs: Some(pairs),
                reading: Some(reading),
                pieces,
                ..
            },
        ] = said.as_slice()
        {
            return self.read(seen, (pairs, reading, pieces), gatherer);
        }
        let most = if said.is_empty() { 1 } else { MOST_TEXTS };
        let free: Vec<String> = words
            .texts()
            .take(MOST_TRIED)
            .filter(|text| !gatherer.is_listed(text))
            .take(most)
            .collect();
        let mut told = true;
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
            let is_of = |text: &str| piece.is_said_by(text, &kind.pieces);
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
                told &= self.possible(&seen, piece, gatherer);
            }
        }
        // a text that cannot be found is not passed over
        Ok(told && !free.is_empty())
    }

    /// Remembers that texts of a piece may be of a combination; `false` where it is not known what that would be.
    fn possible(&self, seen: &Seen, piece: &Piece, gatherer: &mut Gatherer<'_, '_>) -> bool {
        let Some(mut holds) = piece.holds.clone() else {
            return false;
        };
        for (place, expression, inverted) in self.tests {
            if let Some(answer) = holds.get_mut(*place) {
                *answer = seen.contains(*expression) != *inverted;
            }
        }
        gatherer.possible(holds);
        true
    }

    /// Adds the texts of one combination piece by piece, as they are read: where none can end, there are none.
    fn read(
        &mut self,
        seen: Seen,
        (pairs, reading, pieces): (&Pairs, &Reading, &[Piece]),
        gatherer: &mut Gatherer<'_, '_>,
    ) -> Result<bool, Exhausted> {
        let mut told = true;
        for (number, ends) in reading.ends(pairs, &seen, pieces.len() - 1) {
            let Some(piece) = pieces.get(number) else { continue };
            if matches!(&piece.part, Part::Within(block) if gatherer.takes_apart(block)) {
                continue;
            }
            let is_of = |text: &str| !gatherer.is_listed(text) && piece.is_said_by(text, pieces);
            let all = gatherer.is_hashed();
            let found = match ends.find((self.product, pairs), all, gatherer.budget, is_of)? {
                Found::All(texts) => {
                    for text in texts {
                        gatherer.single(&text)?;
                    }
                    continue;
                }
                Found::One(text) => Some(text),
                Found::None => self.sought(&seen, piece, pieces, gatherer)?,
            };
            told &= match found {
                Some(text) => self.add_read(&seen, piece, (pairs, &ends), &text, gatherer)?,
                None => !ends.is_sure && self.possible(&seen, piece, gatherer),
            };
        }
        Ok(told)
    }

    /// A text of a piece among those that are tried elsewhere.
    fn sought(
        &mut self,
        seen: &Seen,
        piece: &Piece,
        pieces: &[Piece],
        gatherer: &Gatherer<'_, '_>,
    ) -> Result<Option<String>, Exhausted> {
        let values = piece.values.iter().cloned();
        for (tried, text) in values.chain(varied(&piece.part)).enumerate() {
            if tried % 32 == 0 {
                gatherer.budget.spend(1)?;
            }
            if self.product.seen(&text) == Some(*seen)
                && !gatherer.is_listed(&text)
                && piece.is_said_by(&text, pieces)
            {
                return Ok(Some(text));
            }
        }
        Ok(None)
    }

    /// Adds a text that was read; says whether the engine agrees that it is of the combination.
    fn add_read(
        &self,
        seen: &Seen,
        piece: &Piece,
        (pairs, ends): (&Pairs, &Ends),
        text: &str,
        gatherer: &mut Gatherer<'_, '_>,
    ) -> Result<bool, Exhausted> {
        let words = match gatherer.is_hashed() {
            true => Some(ends.words((self.product, pairs), gatherer.budget)?),
            false => None,
        };
        let part = match &piece.part {
            Part::Matching(_) => Part::Matching(words.clone().unwrap_or_default()),
            part => part.clone(),
        };
        let holds = gatherer.add_matching(part, text)?;
        if let Some(words) = words {
            gatherer.add_matching(Part::Among(words), text)?;
        }
        Ok(self.agrees(seen, &holds))
    }
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Part, is_exhausted, varied};
    use crate::effect::addresses::Block;

    #[test]
    fn a_block_counts_as_looked_through_exactly_where_each_of_its_texts_is_tried() {
        for is_v6 in [false, true] {
            for count in [1, 2, 256, 4_095, 4_096, 4_097, 65_536, 1 << 24] {
                let first = 10 << 24;
                let last = first + count - 1;
                let part = Part::Within(Block { is_v6, first, last });
                let all: BTreeSet<String> = varied(&part).collect();
                // an IPv6 address has more texts than one
                let each = !is_v6 && all.len() as u128 == count;
                assert_eq!(is_exhausted(&part), each, "{part:?}");
            }
        }
    }
}
