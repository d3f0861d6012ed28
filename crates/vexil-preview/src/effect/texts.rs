//! Texts that start with, contain and end with what constraints look for.
//!
//! With a letter that occurs in nothing that is looked for, the *filler*, any text that is looked through
//! can be taken apart: what it starts with, all that it contains and what it ends with, with fillers
//! between. The new text starts with, contains and ends with exactly the same of what is looked for. So
//! all combinations of a start, an end and a set of contained pieces give all answers that there are.

use std::collections::BTreeSet;

use vexil_budget::{Budget, Exhausted};
use vexil_domain::{Constraint, Operator};
use vexil_engine::Verdicts;
use vexil_values::fold;

use super::probe::{Prober, Sample};

/// More combinations of contained pieces are not told apart.
const MOST_COMBINATIONS: usize = 4_096;

/// What constraints of one field look for, each once.
#[derive(Debug, Default)]
pub(crate) struct Needles {
    pub(crate) starts: BTreeSet<String>,
    pub(crate) contains: BTreeSet<String>,
    pub(crate) ends: BTreeSet<String>,
    /// Whether some are looked for with regard to case.
    pub(crate) with_case: bool,
    /// Whether some are looked for without.
    pub(crate) without_case: bool,
}

impl Needles {
    /// Adds those of a constraint. Says whether it looks for texts at all.
    pub(crate) fn add(&mut self, constraint: &Constraint) -> bool {
        let into = match constraint.operator {
            Operator::StrStartsWith => &mut self.starts,
            Operator::StrContains => &mut self.contains,
            Operator::StrEndsWith => &mut self.ends,
            _ => return false,
        };
        let values = constraint.values.iter().map(|value| value.trim());
        for value in values.filter(|value| !value.is_empty()) {
            if constraint.is_case_insensitive() {
                self.without_case = true;
                into.insert(fold(value));
            } else {
                self.with_case = true;
                into.insert(value.to_owned());
            }
        }
        true
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &str> {
        let all = self.starts.iter().chain(&self.contains).chain(&self.ends);
        all.map(String::as_str)
    }

    /// Letters that occur in nothing that is looked for, and in no number, date, version or address.
    fn fillers(&self) -> [char; 2] {
        let used = |letter: char| {
            self.all().any(|needle| {
                let mut letters = needle.chars().flat_map(vexil_values::fold_char);
                letters.any(|used| used == letter)
            })
        };
        let plain = ['~', '_', '%', '#', '=', '§', '¤'];
        let mut free = plain
            .into_iter()
            .chain('\u{e000}'..'\u{f8ff}')
            .filter(|letter| !used(*letter));
        let (one, other) = (free.next(), free.next());
        [one.unwrap_or('~'), other.unwrap_or('_')]
    }
}

/// A text in pieces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Skeleton {
    start: String,
    middle: Vec<String>,
    end: String,
    fillers: [char; 2],
}

impl Skeleton {
    /// The text with so many more letters in it.
    pub(crate) fn text(&self, number: u32) -> String {
        let [filler, other] = self.fillers;
        let mut text = self.start.clone();
        text.push(filler);
        for piece in &self.middle {
            text.push_str(piece);
            text.push(filler);
        }
        for bit in (0..number.checked_ilog2().map_or(0, |bits| bits + 1)).rev() {
            text.push(if number >> bit & 1 == 1 { other } else { filler });
        }
        text.push_str(&self.end);
        text
    }

    /// Texts that read better, and may do as well.
    pub(crate) fn plain(&self, field: &str) -> Vec<String> {
        let stem = match field {
            "userId" => "user",
            "sessionId" => "session",
            _ => "other",
        };
        let joined = [self.start.as_str(), &self.middle.concat(), &self.end].concat();
        if joined.is_empty() {
            return vec![format!("{stem}-1"), stem.to_owned()];
        }
        vec![
            joined,
            [self.start.as_str(), stem, &self.middle.join(stem), &self.end].concat(),
        ]
    }

    /// A text for a number that reads better, and may do as well.
    pub(crate) fn numbered(&self, field: &str, number: u32) -> String {
        let stem = match field {
            "userId" => "user-",
            "sessionId" => "session-",
            _ => "",
        };
        format!("{}{}{stem}{number}{}", self.start, self.middle.concat(), self.end)
    }
}

/// A set of answers of the tests for texts.
type Answers = Vec<bool>;

/// One text for each way in which the tests for texts can answer; `None` where these are too many.
/// `inverted` tells of each test of the field whether it is one for texts, and whether it is turned round.
pub(crate) fn skeletons(
    needles: &Needles,
    prober: &Prober,
    inverted: &[Option<bool>],
    budget: &Budget,
) -> Result<Option<Vec<Skeleton>>, Exhausted> {
    let fillers = needles.fillers();
    let [filler, _] = fillers;
    let mut verdicts = Verdicts::default();
    let mut found = |text: String| -> Result<Answers, Exhausted> {
        let holds = prober.ask(&Sample::Text(text), &mut verdicts, budget)?;
        let found = holds.iter().zip(inverted);
        Ok(found
            .map(|(holds, inverted)| inverted.is_some_and(|inverted| *holds != inverted))
            .collect())
    };
    let none = Answers::new();
    let mut starts = vec![(String::new(), none.clone())];
    for needle in &needles.starts {
        let answers = found(format!("{needle}{filler}"))?;
        distinct(&mut starts, needle, answers);
    }
    let mut ends = vec![(String::new(), none)];
    for needle in &needles.ends {
        let answers = found(format!("{filler}{needle}"))?;
        distinct(&mut ends, needle, answers);
    }
    let mut pieces = Vec::new();
    for needle in &needles.contains {
        let answers = found(format!("{filler}{needle}{filler}"))?;
        distinct(&mut pieces, needle, answers);
    }
    let mut middles: Vec<(Vec<String>, Answers)> = vec![(Vec::new(), Answers::new())];
    for (piece, answers) in &pieces {
        budget.spend(middles.len() as u64)?;
        let known: BTreeSet<Answers> = middles.iter().map(|(_, answers)| answers.clone()).collect();
        let more = middles.iter().filter_map(|(middle, before)| {
            let both = either(before, answers);
            let longer = || [middle.as_slice(), std::slice::from_ref(piece)].concat();
            (!known.contains(&both)).then(|| (longer(), both))
        });
        let mut seen = BTreeSet::new();
        let more: Vec<_> = more.filter(|(_, answers)| seen.insert(answers.clone())).collect();
        middles.extend(more);
        if middles.len() > MOST_COMBINATIONS {
            return Ok(None);
        }
    }
    if starts.len() * ends.len() * middles.len() > 4 * MOST_COMBINATIONS {
        return Ok(None);
    }
    let mut seen = BTreeSet::new();
    let mut skeletons = Vec::new();
    for (start, at_start) in &starts {
        for (end, at_end) in &ends {
            budget.spend(middles.len() as u64)?;
            for (middle, within) in &middles {
                if seen.insert(either(&either(at_start, at_end), within)) {
                    skeletons.push(Skeleton {
                        start: start.clone(),
                        middle: middle.clone(),
                        end: end.clone(),
                        fillers,
                    });
                }
            }
        }
    }
    Ok(Some(skeletons))
}

fn distinct(known: &mut Vec<(String, Answers)>, needle: &str, answers: Answers) {
    if known.iter().all(|(_, before)| *before != answers) {
        known.push((needle.to_owned(), answers));
    }
}

/// What at least one of two answers; no answers are all negative.
fn either(one: &Answers, other: &Answers) -> Answers {
    let length = one.len().max(other.len());
    let at = |answers: &Answers, place: usize| answers.get(place).copied().unwrap_or_default();
    (0..length)
        .map(|place| at(one, place) || at(other, place))
        .collect()
}
