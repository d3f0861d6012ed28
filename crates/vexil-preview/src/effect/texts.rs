//! Texts that start with, contain and end with what constraints look for.
//!
//! With a letter that occurs in nothing that is looked for, the *filler*, any text that is looked through
//! can be taken apart: what it starts with, all that it contains and what it ends with, with fillers
//! between. The new text starts with, contains and ends with exactly the same of what is looked for. So
//! all combinations of a start, an end and a set of contained pieces give all answers that there are.

mod by_length;

use std::collections::BTreeSet;

use vexil_budget::{Budget, Exhausted};
use vexil_values::{TextPlace, fold, fold_char};

use self::by_length::ByLength;
use super::probe::Prober;

/// More combinations of contained pieces are not told apart.
const MOST_COMBINATIONS: usize = 4_096;
/// The letter that a capital with a dot above becomes the second part of.
const DOT_ABOVE: char = '\u{307}';

/// What constraints of one field look for, each once.
#[derive(Debug, Default)]
pub(crate) struct Needles {
    starts: Sought,
    inside: Sought,
    ends: Sought,
}

/// Texts that are looked for in one place.
#[derive(Debug, Default)]
struct Sought {
    with_case: BTreeSet<String>,
    /// Folded.
    without_case: BTreeSet<String>,
}

impl Sought {
    fn all(&self) -> impl Iterator<Item = &str> {
        self.with_case
            .iter()
            .chain(&self.without_case)
            .map(String::as_str)
    }
}

/// Texts that stand for what is looked for: each holds as little else of it as can be.
#[derive(Debug)]
pub(crate) struct Spelled {
    starts: Vec<String>,
    pub(crate) inside: Vec<String>,
    pub(crate) ends: Vec<String>,
    /// Letters that occur in nothing that is looked for.
    pub(crate) fillers: [char; 2],
}

impl Needles {
    /// Adds what a constraint looks for.
    pub(crate) fn add<'t>(
        &mut self,
        place: TextPlace,
        ignore_case: bool,
        texts: impl Iterator<Item = &'t str>,
    ) {
        let sought = match place {
            TextPlace::Start => &mut self.starts,
            TextPlace::Anywhere => &mut self.inside,
            TextPlace::End => &mut self.ends,
        };
        if ignore_case {
            sought.without_case.extend(texts.map(fold));
        } else {
            sought.with_case.extend(texts.map(str::to_owned));
        }
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &str> {
        [&self.starts, &self.inside, &self.ends]
            .into_iter()
            .flat_map(Sought::all)
    }

    /// Letters that occur in nothing that is looked for, and in no number, date, version or address.
    fn fillers(&self) -> [char; 2] {
        let used: BTreeSet<char> = self.all().flat_map(str::chars).flat_map(fold_char).collect();
        let plain = ['~', '_', '%', '#', '=', '§', '¤'];
        let mut free = plain
            .into_iter()
            .chain('\u{e000}'..'\u{f8ff}')
            .filter(|letter| !used.contains(letter));
        let (one, other) = (free.next(), free.next());
        [one.unwrap_or('~'), other.unwrap_or('_')]
    }

    /// A text for each that is looked for. `None` where one that is looked for without regard to case can
    /// be written in several ways, each of which holds something else that is looked for.
    pub(crate) fn spelled(&self) -> Option<Spelled> {
        let [insides, starts, ends] =
            [&self.inside, &self.starts, &self.ends].map(|sought| ByLength::of(&sought.with_case));
        let inside = |text: &str| insides.found(text, |length| 0..=text.len() - length);
        let start = |text: &str| -> Vec<&str> {
            let mut found = starts.found(text, |_| 0..=0);
            found.push("");
            found.append(&mut inside(text));
            found
        };
        let end = |text: &str| -> Vec<&str> {
            let at_end = |length| text.len() - length..=text.len() - length;
            let mut found = ends.found(text, at_end);
            found.push("");
            found.append(&mut inside(text));
            found
        };
        let mut spelled = Spelled {
            starts: self.starts.with_case.iter().cloned().collect(),
            inside: self.inside.with_case.iter().cloned().collect(),
            ends: self.ends.with_case.iter().cloned().collect(),
            fillers: self.fillers(),
        };
        for text in &self.inside.without_case {
            spelled.inside.push(least(text, |rest| rest.to_owned(), inside)?);
        }
        for text in &self.starts.without_case {
            let known = self.starts.with_case.iter().map(String::as_str).chain([""]);
            for first in known {
                if let Some(rest) = text.strip_prefix(&fold(first)) {
                    spelled
                        .starts
                        .push(least(rest, |rest| format!("{first}{rest}"), start)?);
                }
            }
        }
        for text in &self.ends.without_case {
            let known = self.ends.with_case.iter().map(String::as_str).chain([""]);
            for last in known {
                if let Some(rest) = text.strip_suffix(&fold(last)) {
                    spelled
                        .ends
                        .push(least(rest, |rest| format!("{rest}{last}"), end)?);
                }
            }
        }
        Some(spelled)
    }
}

/// The way to write a folded text that holds the least of what is looked for with regard to case: in small
/// letters or in capitals. What is in both is in any, since it has no letters with a case.
fn least<'n>(
    text: &str,
    whole: impl Fn(&str) -> String,
    found: impl Fn(&str) -> Vec<&'n str>,
) -> Option<String> {
    let small = whole(text);
    let has = found(&small);
    if has.iter().all(|text| text.is_empty()) {
        return Some(small);
    }
    let capitals: String = text.chars().map(capital).collect();
    let capitals = whole(&capitals);
    let has_capitals = found(&capitals);
    if text.contains(DOT_ABOVE) {
        None
    } else if has.iter().all(|text| has_capitals.contains(text)) {
        Some(small)
    } else if has_capitals.iter().all(|text| has.contains(text)) {
        Some(capitals)
    } else {
        None
    }
}

/// A letter whose lower case is this one: the capital, where that is one letter.
fn capital(letter: char) -> char {
    let mut upper = letter.to_uppercase();
    match (upper.next(), upper.next()) {
        (Some(upper), None) if fold_char(upper).eq([letter]) => upper,
        _ => letter,
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
    pub(crate) fn new(start: String, middle: Vec<String>, end: String, fillers: [char; 2]) -> Self {
        Self {
            start,
            middle,
            end,
            fillers,
        }
    }

    /// The text with so many more letters in it.
    pub(crate) fn text(&self, number: u32) -> String {
        let mut text = String::new();
        self.write(&mut text, number);
        text
    }

    /// Appends that text.
    pub(crate) fn write(&self, text: &mut String, number: u32) {
        let [filler, other] = self.fillers;
        text.push_str(&self.start);
        text.push(filler);
        for piece in &self.middle {
            text.push_str(piece);
            text.push(filler);
        }
        for bit in (0..number.checked_ilog2().map_or(0, |bits| bits + 1)).rev() {
            text.push(if number >> bit & 1 == 1 { other } else { filler });
        }
        text.push_str(&self.end);
    }

    /// What texts of this form begin and end with: without fillers, which reads better, and with them.
    pub(crate) fn frames(&self) -> [(String, String); 2] {
        let [filler, _] = self.fillers;
        let plain = [self.start.as_str(), &self.middle.concat()].concat();
        let head = self.text(0);
        let head = head.strip_suffix(&self.end).unwrap_or(&head);
        [
            (plain, self.end.clone()),
            (head.to_owned(), format!("{filler}{}", self.end)),
        ]
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

    /// Appends a text for a number that reads better, and may do as well.
    pub(crate) fn write_numbered(&self, text: &mut String, field: &str, number: u32) {
        let stem = match field {
            "userId" => "user-",
            "sessionId" => "session-",
            _ => "",
        };
        text.push_str(&self.start);
        self.middle.iter().for_each(|piece| text.push_str(piece));
        text.push_str(stem);
        let mut digits = [b'0'; 10];
        let mut first = digits.len();
        let mut rest = number;
        for (place, digit) in digits.iter_mut().enumerate().rev() {
            *digit += (rest % 10) as u8;
            rest /= 10;
            first = place;
            if rest == 0 {
                break;
            }
        }
        let digits = digits.get(first..).unwrap_or_default();
        text.push_str(std::str::from_utf8(digits).unwrap_or_default());
        text.push_str(&self.end);
    }
}

/// A set of answers of the tests for texts.
type Answers = Vec<bool>;

/// Pieces, and what the tests answer for them all.
type Pieces = (Vec<String>, Answers);

/// One text for each way in which the tests for texts can answer; `None` where these are too many.
/// `inverted` tells of each test of the field whether it is one for texts, and whether it is turned round.
pub(crate) fn skeletons(
    spelled: &Spelled,
    prober: &Prober<'_>,
    inverted: &[Option<bool>],
    budget: &Budget,
) -> Result<Option<Vec<Skeleton>>, Exhausted> {
    let fillers = spelled.fillers;
    if [&spelled.starts, &spelled.inside, &spelled.ends]
        .iter()
        .all(|texts| texts.is_empty())
    {
        // any text will do
        let (start, middle, end) = Default::default();
        return Ok(Some(vec![Skeleton::new(start, middle, end, fillers)]));
    }
    let [filler, _] = fillers;
    let found = |text: String| -> Result<Answers, Exhausted> {
        let holds = prober.ask_text(&text, budget)?;
        let found = holds.iter().zip(inverted);
        Ok(found
            .map(|(holds, inverted)| inverted.is_some_and(|inverted| *holds != inverted))
            .collect())
    };
    let nothing = || vec![(String::new(), Answers::new())];
    let starts = told_apart(nothing(), &spelled.starts, |it| found(format!("{it}{filler}")))?;
    let ends = told_apart(nothing(), &spelled.ends, |it| found(format!("{filler}{it}")))?;
    let pieces = told_apart(Vec::new(), &spelled.inside, |it| {
        found(format!("{filler}{it}{filler}"))
    })?;
    let Some(middles) = combined(&pieces, budget)? else {
        return Ok(None);
    };
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
                    let (start, middle, end) = (start.clone(), middle.clone(), end.clone());
                    skeletons.push(Skeleton::new(start, middle, end, fillers));
                }
            }
        }
    }
    Ok(Some(skeletons))
}

/// Those of `needles` that the tests answer differently, with what they answer.
fn told_apart<'n>(
    mut known: Vec<(String, Answers)>,
    needles: impl IntoIterator<Item = &'n String>,
    answers: impl Fn(&str) -> Result<Answers, Exhausted>,
) -> Result<Vec<(String, Answers)>, Exhausted> {
    for needle in needles {
        let answers = answers(needle)?;
        if known.iter().all(|(_, before)| *before != answers) {
            known.push((needle.to_owned(), answers));
        }
    }
    Ok(known)
}

/// Pieces put together, for each way in which the tests can answer; `None` where these are too many.
fn combined(pieces: &[(String, Answers)], budget: &Budget) -> Result<Option<Vec<Pieces>>, Exhausted> {
    let mut middles: Vec<Pieces> = vec![Pieces::default()];
    for (piece, answers) in pieces {
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
    Ok(Some(middles))
}

/// What at least one of two answers; no answers are all negative.
fn either(one: &Answers, other: &Answers) -> Answers {
    let length = one.len().max(other.len());
    let at = |answers: &Answers, place: usize| answers.get(place).copied().unwrap_or_default();
    (0..length)
        .map(|place| at(one, place) || at(other, place))
        .collect()
}

#[cfg(test)]
mod tests;
