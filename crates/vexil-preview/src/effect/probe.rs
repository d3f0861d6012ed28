//! What single tests say of a value: asked of the engine, as flags with nothing else in them.

use vexil_budget::{Budget, Exhausted};
use vexil_domain::{ActivationStrategy, Context, Variant};
use vexil_engine::{Ambient, Engine, FlagId, Verdict, Verdicts};

use super::percentages::engine_of;
use super::rules::{Dimension, Purpose, Range, Rules, Test};

/// The value of a field, or what stands in its place.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Sample {
    Text(String),
    Unset,
    /// Unset, at a present of so many nanoseconds since 1970-01-01T00:00:00Z.
    UnsetAt(i128),
}

/// Where the answer of a test is found.
#[derive(Debug)]
enum Answer {
    Condition(usize),
    Strategy(usize),
    Pick(usize, std::ops::Range<usize>),
    Listed(Vec<String>),
    Set(bool),
}

/// Asks some tests of one field.
#[derive(Debug)]
pub(crate) struct Prober {
    field: String,
    engine: Engine,
    flag: Option<FlagId>,
    answers: Vec<Answer>,
}

impl Prober {
    /// Asks the tests of a field itself.
    pub(crate) fn of_field(rules: &Rules<'_>, dimension: usize, field: &str) -> Self {
        let literals = rules.by_dimension.get(dimension).into_iter().flatten();
        let tests = literals.filter_map(|number| rules.literals.get(*number));
        let mut strategies = vec![ActivationStrategy::new("", "default")];
        let mut answers = Vec::new();
        for literal in tests {
            let mut ask = |name: &str, parameter: &str, list: &str| {
                strategies.push(ActivationStrategy::new("", name).with_parameter(parameter, list));
                Answer::Strategy(strategies.len() - 1)
            };
            answers.push(match literal.test {
                Test::Users(list) => ask("userWithId", "userIds", list),
                Test::Addresses(list) => ask("remoteAddress", "IPs", list),
                Test::Hosts(list) => ask("applicationHostname", "hostNames", list),
                Test::Listed(values) => Answer::Listed(values.to_vec()),
                Test::Set(wanted) => Answer::Set(wanted),
                Test::Constraint(constraint) => match strategies.first_mut() {
                    Some(first) => {
                        first.constraints.push(constraint.clone());
                        Answer::Condition(first.constraints.len() - 1)
                    }
                    None => Answer::Set(true),
                },
                Test::Remainder(_) | Test::Says => Answer::Set(true),
            });
        }
        Self::new(field, strategies, answers)
    }

    /// Asks the tests of a hash.
    pub(crate) fn of_hash(rules: &Rules<'_>, dimension: usize) -> Option<Self> {
        let Dimension::Hash {
            field,
            group,
            purpose,
        } = rules.dimensions.get(dimension)?
        else {
            return None;
        };
        let mut strategies = Vec::new();
        let mut answers = Vec::new();
        let literals = rules.by_dimension.get(dimension)?.iter();
        for literal in literals.filter_map(|number| rules.literals.get(*number)) {
            let Test::Remainder(range) = literal.test else {
                continue;
            };
            let name = match purpose {
                Purpose::Rollout => "flexibleRollout",
                Purpose::Variant => "default",
            };
            let mut strategy = ActivationStrategy::new("", name)
                .with_parameter("stickiness", field.as_str())
                .with_parameter("groupId", group.as_str());
            answers.push(match purpose {
                Purpose::Rollout => {
                    strategy = strategy.with_parameter("rollout", range.to.to_string());
                    Answer::Strategy(strategies.len())
                }
                Purpose::Variant => {
                    let (variants, places) = parts(range);
                    strategy.variants = variants;
                    Answer::Pick(strategies.len(), places)
                }
            });
            strategies.push(strategy);
        }
        Some(Self::new(field, strategies, answers))
    }

    /// Asks the tests of a draw.
    pub(crate) fn of_chance(rules: &Rules<'_>, dimension: usize) -> Option<Self> {
        let Dimension::Chance { strategy: id, group } = rules.dimensions.get(dimension)? else {
            return None;
        };
        let mut strategies = Vec::new();
        let mut answers = Vec::new();
        let literals = rules.by_dimension.get(dimension)?.iter();
        for literal in literals.filter_map(|number| rules.literals.get(*number)) {
            let Test::Remainder(range) = literal.test else {
                continue;
            };
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
                answers.push(Answer::Strategy(strategies.len()));
            } else {
                let (variants, places) = parts(range);
                strategy.variants = variants;
                answers.push(Answer::Pick(strategies.len(), places));
            }
            strategies.push(strategy);
        }
        Some(Self::new("", strategies, answers))
    }

    fn new(field: &str, strategies: Vec<ActivationStrategy>, answers: Vec<Answer>) -> Self {
        let engine = engine_of(strategies);
        let flag = engine.flag("");
        Self {
            field: field.to_owned(),
            engine,
            flag,
            answers,
        }
    }

    /// What the tests say of a sample, in their order.
    pub(crate) fn ask(
        &self,
        sample: &Sample,
        verdicts: &mut Verdicts,
        budget: &Budget,
    ) -> Result<Vec<bool>, Exhausted> {
        budget.spend(1 + self.answers.len() as u64 / 8)?;
        let mut context = Context::default();
        let mut ambient = Ambient::new(time::OffsetDateTime::UNIX_EPOCH, 0);
        let value = match sample {
            Sample::Text(text) => {
                context.set(&self.field, text.as_str());
                Some(text)
            }
            Sample::Unset => None,
            Sample::UnsetAt(moment) => {
                let now = time::OffsetDateTime::from_unix_timestamp_nanos(*moment);
                ambient.now = now.unwrap_or(ambient.now);
                None
            }
        };
        if let Some(flag) = self.flag {
            self.engine.verdicts_by(flag, &context, &ambient, verdicts);
        }
        let verdict = |place: &usize| verdicts.strategies.get(*place);
        let answer = |answer: &Answer| match answer {
            Answer::Condition(place) => verdicts.conditions.get(*place) == Some(&true),
            Answer::Strategy(place) => verdict(place).is_some_and(|it| it.verdict == Verdict::True),
            Answer::Pick(place, parts) => {
                let variant = verdict(place).and_then(|it| it.variant);
                variant.is_some_and(|variant| parts.contains(&variant))
            }
            Answer::Listed(values) => value.is_some_and(|value| values.contains(value)),
            Answer::Set(wanted) => value.is_some() == *wanted,
        };
        Ok(self.answers.iter().map(answer).collect())
    }

    /// What the tests of host names say on a host of this name; without one none holds.
    pub(crate) fn ask_host(
        &self,
        host: Option<&str>,
        verdicts: &mut Verdicts,
        budget: &Budget,
    ) -> Result<Vec<bool>, Exhausted> {
        let ambient = Ambient {
            host_name: host,
            ..Ambient::new(time::OffsetDateTime::UNIX_EPOCH, 0)
        };
        self.ask_in(&ambient, verdicts, budget)
    }

    /// What the tests of a draw say where it is drawn from this seed.
    pub(crate) fn ask_chance(
        &self,
        seed: u64,
        verdicts: &mut Verdicts,
        budget: &Budget,
    ) -> Result<Vec<bool>, Exhausted> {
        let ambient = Ambient::new(time::OffsetDateTime::UNIX_EPOCH, seed);
        self.ask_in(&ambient, verdicts, budget)
    }

    fn ask_in(
        &self,
        ambient: &Ambient<'_>,
        verdicts: &mut Verdicts,
        budget: &Budget,
    ) -> Result<Vec<bool>, Exhausted> {
        budget.spend(1 + self.answers.len() as u64 / 8)?;
        if let Some(flag) = self.flag {
            self.engine
                .verdicts_by(flag, &Context::default(), ambient, verdicts);
        }
        let verdict = |place: &usize| verdicts.strategies.get(*place);
        let answer = |answer: &Answer| match answer {
            Answer::Strategy(place) => verdict(place).is_some_and(|it| it.verdict == Verdict::True),
            Answer::Pick(place, parts) => {
                let variant = verdict(place).and_then(|it| it.variant);
                variant.is_some_and(|variant| parts.contains(&variant))
            }
            Answer::Condition(_) | Answer::Listed(_) | Answer::Set(_) => false,
        };
        Ok(self.answers.iter().map(answer).collect())
    }
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
