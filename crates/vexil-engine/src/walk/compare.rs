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
    #[inline]
    pub(super) fn constraint<O: Observer>(&self, constraint: &Constraint, observer: &mut O) -> bool {
        let outcome = self.compare(constraint);
        let satisfied = match (&outcome, &constraint.test) {
            (Outcome::Entry(None) | Outcome::Missing, Test::NoneOf(_)) => true,
            (Outcome::Entry(Some(_)), Test::NoneOf(_)) => false,
            (Outcome::Entry(entry), _) => entry.is_some(),
            (Outcome::Network(network), _) => network.is_some(),
            (Outcome::Compared(holds), _) => *holds,
            (Outcome::Missing | Outcome::Unreadable(_), _) => false,
            (Outcome::Invalid, _) => constraint.inverted,
        };
        let holds = satisfied != constraint.inverted;
        observer.constraint(holds, || ConstraintExplanation {
            field: self.world.fields.name(constraint.field).clone(),
            operator: constraint.test.operator(),
            inverted: constraint.inverted,
            found: self.found(constraint),
            finding: finding(&constraint.test, outcome),
            holds,
        });
        holds
    }

    #[inline]
    fn compare<'p>(&self, constraint: &'p Constraint) -> Outcome<'p> {
        let field = constraint.field;
        let compared = |reading: Reading<bool>, kind| match reading {
            Reading::Missing => Outcome::Missing,
            Reading::Unreadable => Outcome::Unreadable(kind),
            Reading::Value(holds) => Outcome::Compared(holds),
        };
        match &constraint.test {
            Test::OneOf(set) | Test::NoneOf(set) => match self.view.hashed(field) {
                None => Outcome::Missing,
                Some(text) => Outcome::Entry(set.find(text)),
            },
            Test::Text {
                how,
                ignore_case,
                needles,
            } => match self.view.text(field) {
                None => Outcome::Missing,
                Some(text) => Outcome::Entry(find_needle(*how, *ignore_case, needles, text)),
            },
            Test::Number(comparison, than) => compared(
                self.view
                    .number(field)
                    .map(|number| comparison.holds(number.partial_cmp(than))),
                ValueKind::Number,
            ),
            Test::Date(comparison, than) => compared(
                self.moment(field).map(|moment| match comparison {
                    DateComparison::After => moment > *than,
                    DateComparison::Before => moment < *than,
                }),
                ValueKind::Date,
            ),
            Test::Version(comparison, than) => compared(
                self.view
                    .version(field)
                    .map(|version| comparison.holds(Some(version.precedence(&than.borrowed())))),
                ValueKind::Version,
            ),
            Test::Pattern(pattern) => match self.view.text(field) {
                None => Outcome::Missing,
                Some(text) => Outcome::Compared(pattern.is_match(text)),
            },
            Test::Within(networks) => match self.view.address(field) {
                Reading::Missing => Outcome::Missing,
                Reading::Unreadable => Outcome::Unreadable(ValueKind::Address),
                Reading::Value(address) => Outcome::Network(networks.find(address)),
            },
            Test::Invalid(_) => Outcome::Invalid,
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
