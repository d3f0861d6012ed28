//! What single tests say of a value: asked of the engines of both sides, test by test.

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
    Listed(&'r [String]),
    Set(bool),
    Never,
}

/// Asks the tests of one field, or those of host names.
#[derive(Debug)]
pub(crate) struct Prober<'r> {
    field: String,
    answers: Vec<Answer<'r>>,
}

impl<'r> Prober<'r> {
    /// Who asks the tests of a dimension whose values are texts.
    pub(crate) fn of_field(rules: &Rules<'r>, dimension: usize, field: &str) -> Self {
        let literals = rules.by_dimension.get(dimension).into_iter().flatten();
        let tests = literals.filter_map(|number| rules.literals.get(*number));
        let answer = |literal: &super::rules::Literal<'r>| match (literal.test, literal.probe) {
            (Test::Listed(values), _) => Answer::Listed(values),
            (Test::Set(wanted), _) => Answer::Set(wanted),
            (_, Some(probe)) => Answer::Probe(probe),
            (_, None) => Answer::Never,
        };
        Self {
            field: field.to_owned(),
            answers: tests.map(answer).collect(),
        }
    }

    /// What the tests say of a sample, in their order.
    pub(crate) fn ask(&self, sample: &Sample, budget: &Budget) -> Result<Vec<bool>, Exhausted> {
        let mut context = Context::default();
        let mut ambient = Ambient::new(OffsetDateTime::UNIX_EPOCH, 0);
        let value = match sample {
            Sample::Text(text) => {
                context.set(&self.field, text.as_str());
                Some(text)
            }
            Sample::Unset => None,
            Sample::UnsetAt(moment) => {
                let now = OffsetDateTime::from_unix_timestamp_nanos(*moment);
                ambient.now = now.unwrap_or(ambient.now);
                None
            }
        };
        self.answered(value, &context, &ambient, budget)
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
        value: Option<&String>,
        context: &Context,
        ambient: &Ambient<'_>,
        budget: &Budget,
    ) -> Result<Vec<bool>, Exhausted> {
        budget.spend(1 + self.answers.len() as u64 / 8)?;
        let answer = |answer: &Answer<'r>| match answer {
            Answer::Probe(probe) => probe.holds(context, ambient) == Some(true),
            Answer::Listed(values) => value.is_some_and(|value| values.contains(value)),
            Answer::Set(wanted) => value.is_some() == *wanted,
            Answer::Never => false,
        };
        Ok(self.answers.iter().map(answer).collect())
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
        let hash = value.map(|value| u64::from(self.buckets.hash(value)));
        let inside = |range: &Range| {
            let remainder = hash.and_then(|hash| hash.checked_rem(range.modulus));
            remainder.is_some_and(|remainder| (range.from..range.to).contains(&remainder))
        };
        self.ranges.iter().map(inside).collect()
    }
}

impl HashProber {
    /// Whether the tests say this of a value.
    pub(crate) fn says(&self, value: &str, holds: &[bool]) -> bool {
        let hash = u64::from(self.buckets.hash(value));
        let mut ranges = self.ranges.iter().zip(holds);
        ranges.all(|(range, holds)| {
            let remainder = hash.checked_rem(range.modulus);
            remainder.is_some_and(|it| (range.from..range.to).contains(&it)) == *holds
        })
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
