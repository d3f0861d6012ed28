//! Evaluates constraints.

use ipnet::IpNet;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::Walk;
use super::observer::Observer;
use crate::fields::FieldId;
use crate::program::{Constraint, DateComparison, Test, TextMatch};
use crate::values::Reading;
use crate::values::instant::Instant;
use crate::values::lowercase::find_ignoring_case;
use crate::values::text_set::TextSet;
use crate::view::View;
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

impl<'c, V: View<'c>> Walk<'_, 'c, V> {
    #[inline(always)]
    pub(super) fn constraint<O: Observer>(&self, constraint: &Constraint, observer: &mut O) -> bool {
        match &constraint.test {
            Test::OneOf(set) => self.listed(constraint, set, true, observer),
            Test::NoneOf(set) => self.listed(constraint, set, false, observer),
            _ => self.compared(constraint, observer),
        }
    }

    #[inline(always)]
    fn listed<O: Observer>(
        &self,
        constraint: &Constraint,
        set: &TextSet,
        wanted: bool,
        observer: &mut O,
    ) -> bool {
        let outcome = entry(self.view.hashed(constraint.field), |text| set.find(text));
        let listed = matches!(outcome, Outcome::Entry(Some(_)));
        self.conclude(constraint, (listed == wanted, outcome), observer)
    }

    #[inline(never)]
    fn compared<O: Observer>(&self, constraint: &Constraint, observer: &mut O) -> bool {
        self.conclude(constraint, self.compare(constraint), observer)
    }

    /// Whether a constraint holds, given whether it is satisfied before inversion, and what was found.
    #[inline(always)]
    fn conclude<'p, O: Observer>(
        &self,
        constraint: &'p Constraint,
        (satisfied, outcome): (bool, Outcome<'p>),
        observer: &mut O,
    ) -> bool {
        let holds = satisfied != constraint.inverted;
        observer.constraint(|| ConstraintExplanation {
            field: self.world.fields.name(constraint.field).clone(),
            operator: constraint.test.operator(),
            inverted: constraint.inverted,
            found: self.found(constraint),
            finding: finding(&constraint.test, outcome),
            holds,
        });
        holds
    }

    #[inline(always)]
    fn compare<'p>(&self, constraint: &'p Constraint) -> (bool, Outcome<'p>) {
        let field = constraint.field;
        match &constraint.test {
            Test::Text {
                how,
                ignore_case,
                needles,
            } => {
                let find = |text| find_needle(*how, *ignore_case, needles, text);
                let outcome = entry(self.view.text(field), find);
                (matches!(outcome, Outcome::Entry(Some(_))), outcome)
            }
            Test::Number(comparison, than) => {
                let number = self.view.number(field);
                compared(number, ValueKind::Number, |number| {
                    comparison.holds(number.partial_cmp(than))
                })
            }
            Test::Date(comparison, than) => {
                compared(self.moment(field), ValueKind::Date, |moment| match comparison {
                    DateComparison::After => moment > *than,
                    DateComparison::Before => moment < *than,
                })
            }
            Test::Version(comparison, than) => {
                compared(self.view.version(field), ValueKind::Version, |version| {
                    comparison.holds(Some(version.precedence(&than.borrowed())))
                })
            }
            Test::Pattern(pattern) => match self.view.text(field) {
                None => (false, Outcome::Missing),
                Some(text) => {
                    let holds = pattern.is_match(text);
                    (holds, Outcome::Compared(holds))
                }
            },
            Test::Within(networks) => match self.view.address(field) {
                Reading::Missing => (false, Outcome::Missing),
                Reading::Unreadable => (false, Outcome::Unreadable(ValueKind::Address)),
                Reading::Value(address) => {
                    let network = networks.find(address);
                    (network.is_some(), Outcome::Network(network))
                }
            },
            Test::OneOf(_) | Test::NoneOf(_) | Test::Invalid(_) => (constraint.inverted, Outcome::Invalid),
        }
    }

    #[inline]
    fn moment(&self, field: FieldId) -> Reading<Instant> {
        match self.view.instant(field) {
            Reading::Missing if field == FieldId::CURRENT_TIME => Reading::Value(self.ambient.now.into()),
            reading => reading,
        }
    }

    fn found(&self, constraint: &Constraint) -> Found {
        match self.view.text(constraint.field) {
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

#[inline(always)]
fn entry<'p, T>(value: Option<T>, find: impl FnOnce(T) -> Option<&'p str>) -> Outcome<'p> {
    value.map_or(Outcome::Missing, |value| Outcome::Entry(find(value)))
}

#[inline(always)]
fn compared<'p, T>(value: Reading<T>, kind: ValueKind, holds: impl FnOnce(T) -> bool) -> (bool, Outcome<'p>) {
    match value {
        Reading::Missing => (false, Outcome::Missing),
        Reading::Unreadable => (false, Outcome::Unreadable(kind)),
        Reading::Value(value) => {
            let holds = holds(value);
            (holds, Outcome::Compared(holds))
        }
    }
}

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
