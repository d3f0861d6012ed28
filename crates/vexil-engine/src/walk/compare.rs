//! Evaluates constraints.

use std::cmp::Ordering;

use ipnet::IpNet;
use regex::Regex;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::Walk;
use super::observer::Observer;
use crate::fields::FieldId;
use crate::program::{Comparison, Constraint, DateComparison, Test, TextMatch};
use crate::values::Reading;
use crate::values::instant::Instant;
use crate::values::lowercase::find_ignoring_case;
use crate::values::network::Networks;
use crate::values::text_set::TextSet;
use crate::values::version::OwnedVersion;
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
    /// Each kind of test is a function of its own, so that none makes another slow.
    #[inline(always)]
    pub(super) fn constraint<O: Observer>(&self, constraint: &Constraint, observer: &mut O) -> bool {
        match &constraint.test {
            Test::OneOf(set) => self.listed(constraint, set, true, observer),
            Test::NoneOf(set) => self.listed(constraint, set, false, observer),
            Test::Text {
                how,
                ignore_case,
                needles,
            } => self.text(constraint, *how, *ignore_case, needles, observer),
            Test::Number(comparison, than) => self.number(constraint, *comparison, *than, observer),
            Test::Date(comparison, than) => self.date(constraint, *comparison, *than, observer),
            Test::Version(comparison, than) => self.version(constraint, *comparison, than, observer),
            Test::Pattern(pattern) => self.pattern(constraint, pattern, observer),
            Test::Within(networks) => self.network(constraint, networks, observer),
            Test::Invalid(_) => self.conclude(constraint, (constraint.inverted, Outcome::Invalid), observer),
        }
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

    #[inline(always)]
    fn listed<'p, O: Observer>(
        &self,
        constraint: &'p Constraint,
        set: &'p TextSet,
        wanted: bool,
        observer: &mut O,
    ) -> bool {
        let outcome = entry(self.view.hashed(constraint.field), |text| set.find(text));
        let listed = matches!(outcome, Outcome::Entry(Some(_)));
        self.conclude(constraint, (listed == wanted, outcome), observer)
    }

    #[inline(never)]
    fn text<'p, O: Observer>(
        &self,
        constraint: &'p Constraint,
        how: TextMatch,
        ignore_case: bool,
        needles: &'p [Box<str>],
        observer: &mut O,
    ) -> bool {
        let find = |text| find_needle(how, ignore_case, needles, text);
        let outcome = entry(self.view.text(constraint.field), find);
        let satisfied = matches!(outcome, Outcome::Entry(Some(_)));
        self.conclude(constraint, (satisfied, outcome), observer)
    }

    #[inline(never)]
    fn number<O: Observer>(
        &self,
        constraint: &Constraint,
        comparison: Comparison,
        than: f64,
        observer: &mut O,
    ) -> bool {
        let number = self.view.number(constraint.field);
        let outcome = compared(number, ValueKind::Number, |number| comparison.holds(number, than));
        self.conclude(constraint, outcome, observer)
    }

    #[inline(never)]
    fn date<O: Observer>(
        &self,
        constraint: &Constraint,
        comparison: DateComparison,
        than: Instant,
        observer: &mut O,
    ) -> bool {
        let moment = self.moment(constraint.field);
        let outcome = compared(moment, ValueKind::Date, |moment| match comparison {
            DateComparison::After => moment > than,
            DateComparison::Before => moment < than,
        });
        self.conclude(constraint, outcome, observer)
    }

    #[inline(never)]
    fn version<O: Observer>(
        &self,
        constraint: &Constraint,
        comparison: Comparison,
        than: &OwnedVersion,
        observer: &mut O,
    ) -> bool {
        let version = self.view.version(constraint.field);
        let outcome = compared(version, ValueKind::Version, |version| {
            comparison.holds(version.precedence(&than.borrowed()), Ordering::Equal)
        });
        self.conclude(constraint, outcome, observer)
    }

    #[inline(never)]
    fn pattern<O: Observer>(&self, constraint: &Constraint, pattern: &Regex, observer: &mut O) -> bool {
        let outcome = match self.view.text(constraint.field) {
            None => (false, Outcome::Missing),
            Some(text) => {
                let holds = pattern.is_match(text);
                (holds, Outcome::Compared(holds))
            }
        };
        self.conclude(constraint, outcome, observer)
    }

    #[inline(never)]
    fn network<'p, O: Observer>(
        &self,
        constraint: &'p Constraint,
        networks: &'p Networks,
        observer: &mut O,
    ) -> bool {
        let outcome = match self.view.address(constraint.field) {
            Reading::Missing => (false, Outcome::Missing),
            Reading::Unreadable => (false, Outcome::Unreadable(ValueKind::Address)),
            Reading::Value(address) => {
                let network = networks.find(address);
                (network.is_some(), Outcome::Network(network))
            }
        };
        self.conclude(constraint, outcome, observer)
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
