//! What single tests say of a value: asked of the engines of both sides, test by test.

use time::OffsetDateTime;
use vexil_budget::{Budget, Exhausted};
use vexil_domain::{ActivationStrategy, Context, Variant};
use vexil_engine::{Ambient, Buckets, Engine, FlagId, Probe, Verdict, Verdicts};

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

/// Asks the tests of one draw, as flags with nothing else in them.
#[derive(Debug)]
pub(crate) struct ChanceProber {
    engine: Engine,
    flag: Option<FlagId>,
    /// The strategy that stands for a test, and for a test of variants the places of those that pass.
    answers: Vec<(usize, Option<std::ops::Range<usize>>)>,
}

impl ChanceProber {
    pub(crate) fn new(rules: &Rules<'_>, dimension: usize) -> Option<Self> {
        let Dimension::Chance { strategy: id, group } = rules.dimensions.get(dimension)? else {
            return None;
        };
        let mut strategies = Vec::new();
        let mut answers = Vec::new();
        for range in rules.ranges(dimension) {
            let name = if id.is_some() {
                "flexibleRollout"
            } else {
                "default"
            };
            let mut strategy = ActivationStrategy::new(id.clone().unwrap_or_else(|| "".into()), name)
                .with_parameter("stickiness", "random")
                .with_parameter("groupId", group.as_str());
            if id.is_some() {
                strategy = strategy.with_parameter("rollout", range.to.to_string());
                answers.push((strategies.len(), None));
            } else {
                let (variants, places) = parts(range);
                strategy.variants = variants;
                answers.push((strategies.len(), Some(places)));
            }
            strategies.push(strategy);
        }
        let engine = engine_of(strategies);
        let flag = engine.flag("");
        Some(Self {
            engine,
            flag,
            answers,
        })
    }

    /// What the tests say where it is drawn from this seed.
    pub(crate) fn ask(
        &self,
        seed: u64,
        verdicts: &mut Verdicts,
        budget: &Budget,
    ) -> Result<Vec<bool>, Exhausted> {
        budget.spend(1 + self.answers.len() as u64 / 8)?;
        let ambient = Ambient::new(OffsetDateTime::UNIX_EPOCH, seed);
        if let Some(flag) = self.flag {
            self.engine
                .verdicts_by(flag, &Context::default(), &ambient, verdicts);
        }
        let answer = |(place, parts): &(usize, Option<std::ops::Range<usize>>)| {
            let verdict = verdicts.strategies.get(*place);
            verdict.is_some_and(|verdict| match parts {
                None => verdict.verdict == Verdict::True,
                Some(parts) => verdict.variant.is_some_and(|variant| parts.contains(&variant)),
            })
        };
        Ok(self.answers.iter().map(answer).collect())
    }
}

/// An engine of one flag without a name, with these strategies.
fn engine_of(strategies: Vec<ActivationStrategy>) -> Engine {
    let mut flag = vexil_domain::EnvironmentFlag::new("", "");
    std::sync::Arc::make_mut(&mut flag.settings).strategies = strategies;
    let mut builder = Engine::builder();
    builder.flag(&flag);
    builder.finish().0
}

/// Variants that stand for what is below a range, for the range, and for what is above; and the places
/// of those for the range. A weight has 32 bits, so one part may take several.
fn parts(range: Range) -> (Vec<Variant>, std::ops::Range<usize>) {
    let mut variants: Vec<Variant> = Vec::new();
    let mut add = |weight: u64| {
        let mut left = weight;
        while left > 0 || variants.is_empty() {
            let part = u32::try_from(left).unwrap_or(u32::MAX);
            variants.push(Variant {
                name: String::new(),
                weight: part,
                weight_type: Default::default(),
                stickiness: None,
                payload: None,
                overrides: Vec::new(),
            });
            left -= u64::from(part);
        }
        variants.len()
    };
    let first = add(range.from);
    let last = add(range.to - range.from);
    add(range.modulus - range.to);
    (variants, first..last)
}
