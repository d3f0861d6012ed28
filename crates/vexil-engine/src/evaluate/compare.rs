//! Evaluates constraints.

use std::cmp::Ordering;

use ipnet::IpNet;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::Evaluator;
use super::tracer::Tracer;
use crate::context_lookup::{ContextLookup, Value};
use crate::fields::FieldId;
use crate::program::{Comparison, Constraint, DateComparison, Test, TextMatch};
use crate::values::instant::Instant;
use crate::values::lowercase::find_ignoring_case;
use crate::values::network::Networks;
use crate::values::version::OwnedVersion;
use crate::{ConstraintExplanation, Finding, Found, ValueKind};

/// What a comparison found, before inversion.
enum Outcome<'c> {
    Entry(Option<&'c str>),
    Network(Option<&'c IpNet>),
    Compared(bool),
    Missing,
    Unreadable(ValueKind),
    Invalid,
}

impl<'c, V: ContextLookup<'c>> Evaluator<'_, 'c, V> {
    #[inline(always)]
    pub(super) fn constraint<O: Tracer>(&self, constraint: &Constraint, tracer: &mut O) -> bool {
        let (satisfied, outcome) = match self.context.value(constraint.field) {
            Some(value) => with_value(constraint, value),
            None => self.without_value(constraint),
        };
        let holds = satisfied != constraint.inverted;
        tracer.constraint(holds, || ConstraintExplanation {
            field: self.table.fields.name(constraint.field).clone(),
            operator: constraint.test.operator(),
            inverted: constraint.inverted,
            found: self.found(constraint),
            finding: finding(&constraint.test, outcome),
            holds,
        });
        holds
    }

    /// Where the present is asked for and not given, it is now.
    #[inline(always)]
    fn without_value<'p>(&self, constraint: &'p Constraint) -> (bool, Outcome<'p>) {
        match &constraint.test {
            Test::NoneOf(_) => (true, Outcome::Missing),
            Test::Invalid(_) => (constraint.inverted, Outcome::Invalid),
            Test::Date(comparison, than) if constraint.field == FieldId::CURRENT_TIME => {
                let holds = date_now(self.ambient.now, *comparison, *than);
                (holds, Outcome::Compared(holds))
            }
            _ => (false, Outcome::Missing),
        }
    }

    fn found(&self, constraint: &Constraint) -> Found {
        match self.context.text(constraint.field) {
            Some(text) => Found::Value(text.to_owned()),
            None if constraint.field == FieldId::CURRENT_TIME
                && matches!(constraint.test, Test::Date(..)) =>
            {
                Found::Now(self.ambient.now)
            }
            None => Found::Missing,
        }
    }
}

/// Whether a constraint is satisfied before inversion, and what was found. Each kind of test is a
/// function of its own, so that none makes another slow.
#[inline(always)]
fn with_value<'p, 'c>(constraint: &'p Constraint, value: impl Value<'c>) -> (bool, Outcome<'p>) {
    match &constraint.test {
        Test::OneOf(set) => listed(set.find(value.hashed()), true),
        Test::NoneOf(set) => listed(set.find(value.hashed()), false),
        Test::Text {
            how,
            ignore_case,
            needles,
        } => listed(find_needle(*how, *ignore_case, needles, value.text()), true),
        Test::Number(comparison, than) => compared(number(value, *comparison, *than), ValueKind::Number),
        Test::Date(comparison, than) => compared(date(value, *comparison, *than), ValueKind::Date),
        Test::Version(comparison, than) => compared(version(value, *comparison, than), ValueKind::Version),
        Test::Pattern(pattern) => {
            let holds = pattern.is_match(value.text());
            (holds, Outcome::Compared(holds))
        }
        Test::Within(networks) => match network(value, networks) {
            None => (false, Outcome::Unreadable(ValueKind::Address)),
            Some(network) => (network.is_some(), Outcome::Network(network)),
        },
        Test::Invalid(_) => (constraint.inverted, Outcome::Invalid),
    }
}

#[inline(always)]
fn listed(entry: Option<&str>, wanted: bool) -> (bool, Outcome<'_>) {
    (entry.is_some() == wanted, Outcome::Entry(entry))
}

#[inline(always)]
fn compared<'p>(holds: Option<bool>, kind: ValueKind) -> (bool, Outcome<'p>) {
    match holds {
        None => (false, Outcome::Unreadable(kind)),
        Some(holds) => (holds, Outcome::Compared(holds)),
    }
}

#[inline(never)]
fn number<'c>(value: impl Value<'c>, comparison: Comparison, than: f64) -> Option<bool> {
    let number = value.number()?;
    Some(comparison.holds(number, than))
}

#[inline(never)]
fn date<'c>(value: impl Value<'c>, comparison: DateComparison, than: Instant) -> Option<bool> {
    let moment = value.instant()?;
    Some(comparison.holds(moment, than))
}

#[inline(never)]
fn date_now(now: OffsetDateTime, comparison: DateComparison, than: Instant) -> bool {
    comparison.holds(now.into(), than)
}

#[inline(never)]
fn version<'c>(value: impl Value<'c>, comparison: Comparison, than: &OwnedVersion) -> Option<bool> {
    let version = value.version()?;
    Some(comparison.holds(version.precedence(&than.borrowed()), Ordering::Equal))
}

#[inline(never)]
fn network<'p, 'c>(value: impl Value<'c>, networks: &'p Networks) -> Option<Option<&'p IpNet>> {
    let address = value.address()?;
    Some(networks.find(address))
}

#[inline(never)]
fn find_needle<'c>(
    how: TextMatch,
    ignore_case: bool,
    needles: &'c [Box<str>],
    text: &str,
) -> Option<&'c str> {
    if ignore_case {
        return find_ignoring_case(how, needles, text);
    }
    needles
        .iter()
        .map(AsRef::as_ref)
        .find(|needle| how.holds(text, needle))
}

fn finding(test: &Test, outcome: Outcome<'_>) -> Finding {
    let entry = |entry: Option<String>| match entry {
        Some(value) => Finding::Listed { value },
        None => Finding::NotListed {
            values: match test {
                Test::OneOf(set) | Test::NoneOf(set) => set.len(),
                Test::Text { needles, .. } => needles.len(),
                Test::Within(networks) => networks.len(),
                _ => 0,
            },
        },
    };
    match outcome {
        Outcome::Entry(found) => entry(found.map(str::to_owned)),
        Outcome::Network(found) => entry(found.map(ToString::to_string)),
        Outcome::Compared(holds) => Finding::Compared {
            with: value(test),
            holds,
        },
        Outcome::Missing => Finding::Missing,
        Outcome::Unreadable(expected) => Finding::Unreadable { expected },
        Outcome::Invalid => match test {
            Test::Invalid(invalid) => Finding::Invalid(invalid.problem.clone()),
            _ => Finding::Missing,
        },
    }
}

/// The one value that a test compares with.
fn value(test: &Test) -> String {
    match test {
        Test::Number(_, number) => number.to_string(),
        Test::Date(_, moment) => OffsetDateTime::try_from(*moment)
            .ok()
            .and_then(|moment| moment.format(&Rfc3339).ok())
            .unwrap_or_default(),
        Test::Version(_, version) => version.as_str().to_owned(),
        Test::Pattern(pattern) => pattern.as_str().to_owned(),
        _ => String::new(),
    }
}
