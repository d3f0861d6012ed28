//! Which tests for texts tell values apart that lead to different places.

use std::hash::Hash;

use crate::effect::atoms::{Atoms, Part};
use crate::effect::diagram::Node;
use crate::effect::fast::FastMap;
use crate::effect::rules::Test;

/// The tests for texts of a field, with what they say of its atoms.
pub(super) struct ToldApart {
    /// Each with a text that says what it asks, and its place among the tests of the field.
    texts: Vec<(String, usize)>,
    /// Of the atoms whose values have no end: their places, what they consist of by number, and what the tests
    /// answer, as bits in the order of `texts`.
    open: Vec<(usize, u32, Box<[u64]>)>,
}

impl ToldApart {
    pub(super) fn new(tests: &[Test<'_>], atoms: &Atoms<'_>) -> Self {
        let texts = for_texts(tests);
        let mut kinds: FastMap<String, u32> = FastMap::default();
        let mut open = Vec::new();
        if texts.is_empty() {
            return Self { texts, open };
        }
        for (place, atom) in atoms.list.iter().enumerate() {
            let mut answers = vec![0_u64; texts.len().div_ceil(64)];
            for (number, (_, test)) in texts.iter().enumerate() {
                if let Some(word) = answers.get_mut(number / 64) {
                    let holds = atom.holds.get(*test).copied().unwrap_or_default();
                    *word |= u64::from(holds) << (number % 64);
                }
            }
            let mut own: Vec<u32> = Vec::new();
            for (part, _) in atom.parts.iter().filter(|(part, _)| is_open(part)) {
                let kind = match part {
                    Part::Texts(_) | Part::Matching(_) => String::new(),
                    other => format!("{other:?}"),
                };
                let count = kinds.len() as u32;
                let kind = *kinds.entry(kind).or_insert(count);
                if !own.contains(&kind) {
                    own.push(kind);
                    open.push((place, kind, answers.clone().into()));
                }
            }
        }
        Self { texts, open }
    }

    /// The tests without which values that lead to different places could not be told apart.
    pub(super) fn relevant(&self, nodes: &[Node]) -> Vec<usize> {
        let words = self.texts.len().div_ceil(64);
        let (mut leads, mut leads_by_many) = (FastMap::default(), FastMap::default());
        let mut kept = vec![u64::MAX; words];
        for number in 0..self.texts.len() {
            let without = |kept: &mut [u64]| {
                if let Some(word) = kept.get_mut(number / 64) {
                    *word &= !(1 << (number % 64));
                }
            };
            let mut fewer = kept.clone();
            without(&mut fewer);
            let is_needed = match (words, fewer.first()) {
                (1, Some(kept)) => !self.tells_apart(nodes, &mut leads, |answers| {
                    answers.first().map_or(0, |answers| answers & kept)
                }),
                _ => !self.tells_apart(nodes, &mut leads_by_many, |answers| {
                    let words = answers.iter().zip(&fewer);
                    words.map(|(answers, kept)| answers & kept).collect::<Vec<u64>>()
                }),
            };
            if !is_needed {
                kept = fewer;
            }
        }
        let is_kept = |number: &usize| {
            kept.get(number / 64)
                .is_some_and(|word| word >> (number % 64) & 1 == 1)
        };
        (0..self.texts.len()).filter(is_kept).collect()
    }

    /// Whether no two atoms of which this is the same lead to different places.
    fn tells_apart<K: Hash + Eq>(
        &self,
        nodes: &[Node],
        leads: &mut FastMap<(K, u32), Node>,
        by: impl Fn(&[u64]) -> K,
    ) -> bool {
        leads.clear();
        self.open.iter().all(|(place, kind, answers)| {
            let Some(node) = nodes.get(*place) else {
                return true;
            };
            *leads.entry((by(answers), *kind)).or_insert(*node) == *node
        })
    }

    /// What some of the tests say, in words.
    pub(super) fn signature(&self, kept: &[usize], holds: &[bool]) -> String {
        let texts = || kept.iter().filter_map(|number| self.texts.get(*number));
        let mut signature =
            String::with_capacity(texts().map(|(text, _)| text.len() + "false  & ".len()).sum());
        for (text, place) in texts() {
            let Some(holds) = holds.get(*place) else { continue };
            if !signature.is_empty() {
                signature.push_str(" & ");
            }
            signature.push_str(if *holds { "true " } else { "false " });
            signature.push_str(text);
        }
        signature
    }
}

/// Whether a part stands for values without an end.
pub(super) fn is_open(part: &Part) -> bool {
    matches!(
        part,
        Part::Between(_) | Part::Within(_) | Part::Texts(_) | Part::Matching(_)
    )
}

/// The tests for texts, each with a text that says what it asks, whatever way it is turned, and its place.
fn for_texts(tests: &[Test<'_>]) -> Vec<(String, usize)> {
    use vexil_domain::Operator::{Regex, StrContains, StrEndsWith, StrStartsWith};
    let mut found = Vec::new();
    for (place, test) in tests.iter().enumerate() {
        let Test::Constraint(constraint) = test else {
            continue;
        };
        if !matches!(
            constraint.operator,
            StrStartsWith | StrEndsWith | StrContains | Regex
        ) {
            continue;
        }
        let mut values: Vec<String> = if constraint.operator.takes_values() {
            let values = constraint.values.iter();
            values.map(|value| value.trim().to_owned()).collect()
        } else {
            constraint.value.clone().into_iter().collect()
        };
        if constraint.is_case_insensitive() && constraint.operator != Regex {
            values
                .iter_mut()
                .for_each(|value| *value = vexil_values::fold(value));
        }
        values.retain(|value| !value.is_empty());
        values.sort_unstable();
        values.dedup();
        let case = constraint.is_case_insensitive();
        let turned = constraint.is_inverted();
        found.push((
            format!("{turned} {} {case} {values:?}", constraint.operator),
            place,
        ));
    }
    found.sort();
    found
}
