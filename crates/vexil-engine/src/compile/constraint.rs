//! Compiles constraints: values are parsed once.

use std::sync::Arc;

use vexil_domain::Operator;

use crate::compile::Linker;
use crate::program::{Comparison, Constraint, DateComparison, Invalid, Test, TextMatch};
use crate::values::instant::Instant;
use crate::values::lowercase::lowercase;
use crate::values::network::Networks;
use crate::values::text_set::TextSet;
use crate::values::version::OwnedVersion;
use crate::values::{number, pattern};
use crate::{Place, Problem, ValueKind, source};

impl Linker {
    /// Compiles a constraint. What cannot be understood never holds, and is warned of.
    pub(crate) fn constraint(
        &mut self,
        constraint: &impl source::Constraint,
        place: impl Fn() -> Place,
    ) -> Constraint {
        let mut bad_networks = Vec::new();
        let test = test(constraint, &mut bad_networks).unwrap_or_else(|problem| {
            self.warn(place(), problem.clone());
            Test::Invalid(Arc::new(Invalid {
                operator: constraint.operator().clone(),
                problem,
            }))
        });
        for value in bad_networks {
            self.warn(place(), Problem::BadNetwork { value });
        }
        Constraint {
            field: self.field(constraint.context_name()),
            inverted: constraint.is_inverted(),
            test,
        }
    }
}

impl Constraint {
    /// What the constraint says whatever the context, if that can be told.
    pub(crate) fn constant(&self) -> Option<bool> {
        let holds = match &self.test {
            Test::Invalid(_) => return Some(false),
            Test::OneOf(set) if set.len() == 0 => false,
            Test::NoneOf(set) if set.len() == 0 => true,
            Test::Text { needles, .. } if needles.is_empty() => false,
            Test::Within(networks) if networks.len() == 0 => false,
            _ => return None,
        };
        Some(holds != self.inverted)
    }
}

fn test(constraint: &impl source::Constraint, bad_networks: &mut Vec<String>) -> Result<Test, Problem> {
    let text = |how| Test::Text {
        how,
        ignore_case: constraint.is_case_insensitive(),
        needles: needles(constraint),
    };
    let number = |comparison| {
        read(constraint, ValueKind::Number, number::parse).map(|number| Test::Number(comparison, number))
    };
    let date = |comparison| {
        read(constraint, ValueKind::Date, |text| Instant::parse(text.trim()))
            .map(|moment| Test::Date(comparison, moment))
    };
    let version = |comparison| {
        read(constraint, ValueKind::Version, |text| {
            OwnedVersion::parse(text.trim())
        })
        .map(|version| Test::Version(comparison, Arc::new(version)))
    };
    match constraint.operator() {
        Operator::In => Ok(Test::OneOf(TextSet::new(constraint.values()))),
        Operator::NotIn => Ok(Test::NoneOf(TextSet::new(constraint.values()))),
        Operator::StrStartsWith => Ok(text(TextMatch::Start)),
        Operator::StrEndsWith => Ok(text(TextMatch::End)),
        Operator::StrContains => Ok(text(TextMatch::Anywhere)),
        Operator::NumEq => number(Comparison::Equal),
        Operator::NumGt => number(Comparison::Greater),
        Operator::NumGte => number(Comparison::GreaterOrEqual),
        Operator::NumLt => number(Comparison::Less),
        Operator::NumLte => number(Comparison::LessOrEqual),
        Operator::DateAfter => date(DateComparison::After),
        Operator::DateBefore => date(DateComparison::Before),
        Operator::SemverEq => version(Comparison::Equal),
        Operator::SemverGt => version(Comparison::Greater),
        Operator::SemverGte => version(Comparison::GreaterOrEqual),
        Operator::SemverLt => version(Comparison::Less),
        Operator::SemverLte => version(Comparison::LessOrEqual),
        Operator::Regex => {
            let pattern = value(constraint)?;
            pattern::compile(pattern, constraint.is_case_insensitive())
                .map(|regex| Test::Pattern(Arc::new(regex)))
                .map_err(|reason| Problem::BadPattern {
                    pattern: pattern.to_owned(),
                    reason,
                })
        }
        Operator::InCidr => Ok(Test::Within(Networks::parse(constraint.values(), |entry| {
            bad_networks.push(entry.to_owned());
        }))),
        Operator::Unknown(operator) => Err(Problem::UnknownOperator {
            operator: operator.to_string(),
        }),
    }
}

/// The values of a text operator: without blanks around them, without empty ones.
fn needles(constraint: &impl source::Constraint) -> Arc<[Box<str>]> {
    constraint
        .values()
        .map(str::trim)
        .filter(|value| !value.is_empty())
        .map(|value| {
            if constraint.is_case_insensitive() {
                lowercase(value).into()
            } else {
                value.into()
            }
        })
        .collect()
}

fn value(constraint: &impl source::Constraint) -> Result<&str, Problem> {
    constraint.value().ok_or_else(|| Problem::MissingValue {
        operator: constraint.operator().name().to_owned(),
    })
}

fn read<T>(
    constraint: &impl source::Constraint,
    expected: ValueKind,
    parse: impl FnOnce(&str) -> Option<T>,
) -> Result<T, Problem> {
    let value = value(constraint)?;
    parse(value).ok_or_else(|| Problem::UnreadableValue {
        value: value.to_owned(),
        expected,
    })
}
