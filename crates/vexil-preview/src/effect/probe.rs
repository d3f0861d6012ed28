//! What single tests say of a value: asked of the engines of both sides, test by test.

use std::cell::RefCell;
use std::collections::HashSet;

use time::OffsetDateTime;
use vexil_budget::{Budget, Exhausted};
use vexil_domain::Context;
use vexil_engine::{Ambient, Buckets, Draws, Probe};

use super::rules::{Dimension, Purpose, Range, Rules, Test};

/// The value of a field, or what stands in its place.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Sample {
    Text(String),
    Unset,
    /// Unset, at a present of so many nanoseconds since 1970-01-01T00:00:00Z.
    UnsetAt(i128),
}

/// Who answers a test of a value.
#[derive(Debug)]
enum Answer<'r> {
    Probe(Probe<'r>),
    Listed(HashSet<&'r str>),
    Set(bool),
    Never,
}

/// Asks the tests of one field, or those of host names.
#[derive(Debug)]
pub(crate) struct Prober<'r> {
    field: String,
    answers: Vec<Answer<'r>>,
    /// A context of which this field alone is ever set.
    context: RefCell<Context>,
}

impl<'r> Prober<'r> {
    /// Who asks the tests of a dimension whose values are texts.
    pub(crate) fn of_field(rules: &Rules<'r>, dimension: usize, field: &str) -> Self {
        let literals = rules.by_dimension.get(dimension).into_iter().flatten();
        let tests = literals.filter_map(|number| rules.literals.get(*number));
        let answer = |literal: &super::rules::Literal<'r>| match (literal.test, literal.probe) {
            (Test::Listed(values), _) => Answer::Listed(values.iter().map(String::as_str).collect()),
            (Test::Set(wanted), _) => Answer::Set(wanted),
            (_, Some(probe)) => Answer::Probe(probe),
            (_, None) => Answer::Never,
        };
        Self {
            field: field.to_owned(),
            answers: tests.map(answer).collect(),
            context: RefCell::default(),
        }
    }

    /// What the tests say of a sample, in their order.
    pub(crate) fn ask(&self, sample: &Sample, budget: &Budget) -> Result<Vec<bool>, Exhausted> {
        let mut ambient = Ambient::new(OffsetDateTime::UNIX_EPOCH, 0);
        match sample {
            Sample::Text(text) => return self.ask_text(text, budget),
            Sample::Unset => {}
            Sample::UnsetAt(moment) => {
                let now = OffsetDateTime::from_unix_timestamp_nanos(*moment);
                ambient.now = now.unwrap_or(ambient.now);
            }
        };
        self.answered(None, &Context::default(), &ambient, budget)
    }

    /// What the tests say of a text, in their order.
    pub(crate) fn ask_text(&self, text: &str, budget: &Budget) -> Result<Vec<bool>, Exhausted> {
        let mut context = self.context.borrow_mut();
        context.set(&self.field, text);
        let ambient = Ambient::new(OffsetDateTime::UNIX_EPOCH, 0);
        self.answered(Some(text), &context, &ambient, budget)
    }

    /// Whether the tests say this of a text.
    pub(crate) fn says(&self, text: &str, holds: &[bool], budget: &Budget) -> Result<bool, Exhausted> {
        budget.spend(1 + self.answers.len() as u64 / 8)?;
        let mut context = self.context.borrow_mut();
        context.set(&self.field, text);
        let ambient = Ambient::new(OffsetDateTime::UNIX_EPOCH, 0);
        let mut answers = self.answers.iter().zip(holds);
        Ok(answers.all(|(answer, holds)| answer.holds(Some(text), &context, &ambient) == *holds))
    }

    /// What the tests of host names say on a host of this name; without one none holds.
    pub(crate) fn ask_host(&self, host: Option<&str>, budget: &Budget) -> Result<Vec<bool>, Exhausted> {
        let ambient = Ambient {
            host_name: host,
            ..Ambient::new(OffsetDateTime::UNIX_EPOCH, 0)
        };
        self.answered(None, &Context::default(), &ambient, budget)
    }

    fn answered(
        &self,
        value: Option<&str>,
        context: &Context,
        ambient: &Ambient<'_>,
        budget: &Budget,
    ) -> Result<Vec<bool>, Exhausted> {
        budget.spend(1 + self.answers.len() as u64 / 8)?;
        let answer = |answer: &Answer<'r>| answer.holds(value, context, ambient);
        Ok(self.answers.iter().map(answer).collect())
    }
}

impl Answer<'_> {
    fn holds(&self, value: Option<&str>, context: &Context, ambient: &Ambient<'_>) -> bool {
        match self {
            Self::Probe(probe) => probe.holds(context, ambient) == Some(true),
            Self::Listed(values) => value.is_some_and(|value| values.contains(value)),
            Self::Set(wanted) => value.is_some() == *wanted,
            Self::Never => false,
        }
    }
}

/// Asks the tests of one hash.
#[derive(Debug)]
pub(crate) struct HashProber {
    buckets: Buckets,
    ranges: Vec<Range>,
}

impl HashProber {
    pub(crate) fn new(rules: &Rules<'_>, dimension: usize) -> Option<Self> {
        let Dimension::Hash { group, purpose, .. } = rules.dimensions.get(dimension)? else {
            return None;
        };
        Some(Self {
            buckets: match purpose {
                Purpose::Rollout => Buckets::of_rollouts(group),
                Purpose::Variant => Buckets::of_variants(group),
            },
            ranges: rules.ranges(dimension).collect(),
        })
    }

    /// What the tests say of a value, in their order; without one none holds.
    pub(crate) fn ask(&self, value: Option<&str>) -> Vec<bool> {
        let mut hash = value.map(|value| self.hash(value));
        let inside = |range: &Range| hash.as_mut().is_some_and(|hash| hash.falls(range));
        self.ranges.iter().map(inside).collect()
    }

    /// Writes what the tests say of a value behind others, each with its number.
    pub(crate) fn ask_into(&self, value: &str, literals: &[usize], answers: &mut Vec<(usize, bool)>) {
        let mut hash = self.hash(value);
        let tests = literals.iter().zip(&self.ranges);
        answers.extend(tests.map(|(literal, range)| (*literal, hash.falls(range))));
    }

    /// Whether the tests say one of these of a value.
    pub(crate) fn says_any(&self, value: &str, any: &[&[bool]]) -> bool {
        let mut hash = self.hash(value);
        any.iter().any(|holds| {
            let mut ranges = self.ranges.iter().zip(*holds);
            ranges.all(|(range, holds)| hash.falls(range) == *holds)
        })
    }

    fn hash(&self, value: &str) -> Hashed {
        Hashed {
            hash: u64::from(self.buckets.hash(value)),
            modulus: 0,
            remainder: 0,
        }
    }
}

/// A hash with its remainder by the modulus that was asked for last: most ranges of a hash have the same.
struct Hashed {
    hash: u64,
    /// 0 before one was asked for.
    modulus: u64,
    remainder: u64,
}

impl Hashed {
    /// Whether the remainder is in a range.
    fn falls(&mut self, range: &Range) -> bool {
        if self.modulus != range.modulus {
            self.modulus = range.modulus;
            self.remainder = self.hash.checked_rem(range.modulus).unwrap_or_default();
        }
        range.modulus != 0 && (range.from..range.to).contains(&self.remainder)
    }
}

/// Asks the tests of one draw.
#[derive(Debug)]
pub(crate) struct ChanceProber {
    draws: Draws,
    ranges: Vec<Range>,
}

impl ChanceProber {
    pub(crate) fn new(rules: &Rules<'_>, dimension: usize) -> Option<Self> {
        let Dimension::Chance { strategy, group } = rules.dimensions.get(dimension)? else {
            return None;
        };
        Some(Self {
            draws: match strategy {
                Some(id) => Draws::of_rollout(id.as_str(), group),
                None => Draws::of_variants(group),
            },
            ranges: rules.ranges(dimension).collect(),
        })
    }

    /// Whether what is drawn from a seed is in a range.
    fn falls(&self, seed: u64, range: &Range) -> bool {
        let drawn = self.draws.draw(seed, range.modulus.max(1));
        (range.from..range.to).contains(&drawn)
    }

    /// What the tests say where it is drawn from this seed, in their order.
    pub(crate) fn ask(&self, seed: u64) -> Vec<bool> {
        self.ranges.iter().map(|range| self.falls(seed, range)).collect()
    }

    /// Whether the tests say this where it is drawn from this seed.
    pub(crate) fn says(&self, seed: u64, holds: &[bool]) -> bool {
        let mut ranges = self.ranges.iter().zip(holds);
        ranges.all(|(range, holds)| self.falls(seed, range) == *holds)
    }
}
