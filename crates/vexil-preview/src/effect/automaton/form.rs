//! Texts in which the same expressions match.

use crate::effect::texts::Skeleton;

/// A text goes round so often at most where there is only one way.
const MOST_TIMES: usize = 1_500;

/// Texts in which the same expressions match.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Texts {
    /// All there are.
    All(Vec<String>),
    /// Some of them.
    Some(Words),
    /// Any of this form.
    Skeleton(Skeleton),
}

/// Texts without an end, or some of many.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Words {
    /// The shortest first.
    pub(super) some: Vec<String>,
    /// What may come any number of times between a start and an end.
    pub(crate) rounds: Option<(String, Vec<String>, String)>,
}

impl Words {
    /// These, and no others.
    pub(crate) fn of(some: Vec<String>) -> Self {
        Self { some, rounds: None }
    }

    /// What texts of an endless set begin and end with, and the letters of which any number may come between,
    /// where each is of one byte.
    pub(crate) fn round(&self) -> Option<(String, Vec<u8>, String)> {
        let (start, rounds, end) = self.rounds.as_ref()?;
        let letter = |round: &String| match round.as_bytes() {
            [letter] => Some(*letter),
            _ => None,
        };
        let letters: Vec<u8> = rounds.iter().filter_map(letter).collect();
        (letters.len() > 1).then(|| (start.clone(), letters, end.clone()))
    }

    /// Texts, the shortest first.
    pub(crate) fn texts(&self) -> impl Iterator<Item = String> + '_ {
        let rounds = self.rounds.iter();
        let more = rounds.flat_map(|(start, rounds, end)| {
            let most = match rounds.len() {
                0 => 0,
                1 => MOST_TIMES,
                _ => usize::MAX,
            };
            (1..most).map(move |number| {
                let mut text = start.clone();
                if let [only] = rounds.as_slice() {
                    (0..number).for_each(|_| text.push_str(only));
                } else {
                    let mut left = number;
                    while left > 0 {
                        // digits from 1 to the number of rounds, so that no two numbers read alike
                        left -= 1;
                        let round = rounds.get(left % rounds.len());
                        text.push_str(round.map_or("", String::as_str));
                        left /= rounds.len();
                    }
                }
                text.push_str(end);
                text
            })
        });
        self.some.iter().cloned().chain(more)
    }
}
