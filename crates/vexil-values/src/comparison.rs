//! Constraints, read: what an operator compares a context value with.

use vexil_domain::{Constraint, Operator};

use crate::problem::{Problem, ValueKind};
use crate::{Instant, Network, Number, Order, Version};

/// A constraint as it is written: [`Constraint`], or whatever else can be read like one, such as text that
/// still lies in the document it came in.
pub trait ConstraintText {
    /// The context field that is compared.
    fn context_name(&self) -> &str;
    /// How it is compared.
    fn operator(&self) -> &Operator;
    /// The values of an operator that takes several.
    fn values(&self) -> impl Iterator<Item = &str> + Clone;
    /// The value of an operator that takes one.
    fn value(&self) -> Option<&str>;
    /// Whether the outcome is turned round.
    fn is_inverted(&self) -> bool;
    /// Whether text is compared without regard to case.
    fn is_case_insensitive(&self) -> bool;
}

impl<T: AsRef<str>> ConstraintText for Constraint<T> {
    fn context_name(&self) -> &str {
        self.context_name.as_ref()
    }

    fn operator(&self) -> &Operator {
        &self.operator
    }

    fn values(&self) -> impl Iterator<Item = &str> + Clone {
        self.values.iter().map(T::as_ref)
    }

    fn value(&self) -> Option<&str> {
        self.value.as_ref().map(T::as_ref)
    }

    fn is_inverted(&self) -> bool {
        Self::is_inverted(self)
    }

    fn is_case_insensitive(&self) -> bool {
        Self::is_case_insensitive(self)
    }
}

/// What a constraint asks of a context value, before the outcome is turned round. `I` gives the entries of
/// the constraint's list, as it is written.
#[derive(Debug, Clone)]
pub enum Comparison<'a, I> {
    /// The value is an entry of the list.
    OneOf(Entries<I>),
    /// The value is no entry of the list, or there is none.
    NoneOf(Entries<I>),
    /// The value holds an entry of the list.
    Text {
        /// Where in the value.
        place: TextPlace,
        /// Whether case is ignored: both sides count as [`fold`](crate::fold) makes them.
        ignore_case: bool,
        /// The entries.
        needles: Entries<I>,
    },
    /// The value is a number that stands to this one as asked.
    Number(Order, Number),
    /// The value is a moment before or after this one.
    Date(TimeOrder, Instant),
    /// The value is a version whose precedence stands to that of this one as asked.
    Version(Order, Version<'a>),
    /// The pattern matches somewhere in the value.
    Pattern(crate::Pattern),
    /// The value is an address in one of these networks.
    Within(Vec<Network>),
}

/// Where in a text another is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TextPlace {
    /// At the start.
    Start,
    /// At the end.
    End,
    /// Anywhere.
    Anywhere,
}

/// Whether a moment must be before or after another; the same is neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TimeOrder {
    /// After.
    After,
    /// Before.
    Before,
}

/// The entries of a constraint's list: without the blanks around them, and without empty ones.
#[derive(Debug, Clone)]
pub struct Entries<I>(I);

impl<'a, I: Iterator<Item = &'a str>> Iterator for Entries<I> {
    type Item = &'a str;

    #[inline]
    fn next(&mut self) -> Option<&'a str> {
        self.0.by_ref().map(str::trim).find(|entry| !entry.is_empty())
    }
}

/// What is wrong with a constraint: nothing if it may be stored.
#[must_use]
pub fn problems(constraint: &impl ConstraintText) -> Vec<Problem> {
    let mut problems = Vec::new();
    // only what is said of it on the way is wanted
    let _ = read(constraint, |problem| problems.push(problem));
    problems
}

/// What a constraint compares with, and everything that is wrong with it on the way. `None` is a constraint
/// that cannot be understood: it must never hold, inverted or not.
pub fn read<C: ConstraintText>(
    constraint: &C,
    mut problem: impl FnMut(Problem),
) -> Option<Comparison<'_, impl Iterator<Item = &str> + Clone>> {
    if constraint.context_name().is_empty() {
        problem(Problem::NoField);
    }
    let mut reading = Reading {
        constraint,
        problem: &mut problem,
    };
    let text = |place, needles| Comparison::Text {
        place,
        ignore_case: constraint.is_case_insensitive(),
        needles,
    };
    Some(match constraint.operator() {
        Operator::In => Comparison::OneOf(reading.entries()),
        Operator::NotIn => Comparison::NoneOf(reading.entries()),
        Operator::StrStartsWith => text(TextPlace::Start, reading.entries()),
        Operator::StrEndsWith => text(TextPlace::End, reading.entries()),
        Operator::StrContains => text(TextPlace::Anywhere, reading.entries()),
        Operator::NumEq => Comparison::Number(Order::Equal, reading.number()?),
        Operator::NumGt => Comparison::Number(Order::Greater, reading.number()?),
        Operator::NumGte => Comparison::Number(Order::GreaterOrEqual, reading.number()?),
        Operator::NumLt => Comparison::Number(Order::Less, reading.number()?),
        Operator::NumLte => Comparison::Number(Order::LessOrEqual, reading.number()?),
        Operator::DateAfter => Comparison::Date(TimeOrder::After, reading.instant()?),
        Operator::DateBefore => Comparison::Date(TimeOrder::Before, reading.instant()?),
        Operator::SemverEq => Comparison::Version(Order::Equal, reading.version()?),
        Operator::SemverGt => Comparison::Version(Order::Greater, reading.version()?),
        Operator::SemverGte => Comparison::Version(Order::GreaterOrEqual, reading.version()?),
        Operator::SemverLt => Comparison::Version(Order::Less, reading.version()?),
        Operator::SemverLte => Comparison::Version(Order::LessOrEqual, reading.version()?),
        Operator::Regex => Comparison::Pattern(reading.pattern()?),
        Operator::InCidr => Comparison::Within(reading.networks()?),
        Operator::Unknown(operator) => {
            let operator = operator.to_string();
            problem(Problem::UnknownOperator { operator });
            return None;
        }
    })
}

struct Reading<'a, 'p, C> {
    constraint: &'a C,
    problem: &'p mut dyn FnMut(Problem),
}

impl<'a, C: ConstraintText> Reading<'a, '_, C> {
    fn operator(&self) -> String {
        self.constraint.operator().name().to_owned()
    }

    fn entries(&mut self) -> Entries<impl Iterator<Item = &'a str> + Clone + use<'a, C>> {
        let values = self.constraint.values();
        for (place, value) in values.clone().enumerate() {
            if value.trim().is_empty() {
                (self.problem)(Problem::EmptyValue { place });
            }
        }
        if values.clone().next().is_none() {
            let operator = self.operator();
            (self.problem)(Problem::NoValues { operator });
        }
        Entries(values)
    }

    /// Entries that are no networks are passed over, unless the outcome is turned round: then they would
    /// let in whom they were to keep out.
    fn networks(&mut self) -> Option<Vec<Network>> {
        let entries = self.entries();
        drop(entries);
        let mut bad = false;
        let mut networks = Vec::new();
        for (place, value) in self.constraint.values().map(str::trim).enumerate() {
            match Network::parse(value) {
                Some(network) => networks.push(network),
                None if value.is_empty() => {}
                None => {
                    bad = true;
                    let value = value.to_owned();
                    (self.problem)(Problem::BadNetwork { place, value });
                }
            }
        }
        (!bad || !self.constraint.is_inverted()).then_some(networks)
    }

    /// The value of an operator that takes one; a value of no characters is none.
    fn value(&mut self) -> Option<&'a str> {
        let value = self.constraint.value().filter(|value| !value.is_empty());
        if value.is_none() {
            let operator = self.operator();
            (self.problem)(Problem::NoValue { operator });
        }
        value
    }

    fn parsed<T>(&mut self, expected: ValueKind, parse: impl FnOnce(&'a str) -> Option<T>) -> Option<T> {
        let value = self.value()?;
        let parsed = parse(value.trim());
        if parsed.is_none() {
            let value = value.to_owned();
            (self.problem)(Problem::UnreadableValue { value, expected });
        }
        parsed
    }

    fn number(&mut self) -> Option<Number> {
        self.parsed(ValueKind::Number, Number::parse)
    }

    fn instant(&mut self) -> Option<Instant> {
        self.parsed(ValueKind::Date, Instant::parse)
    }

    fn version(&mut self) -> Option<Version<'a>> {
        self.parsed(ValueKind::Version, Version::parse)
    }

    fn pattern(&mut self) -> Option<crate::Pattern> {
        if self.constraint.is_inverted() {
            (self.problem)(Problem::InvertedPattern);
        }
        let value = self.value()?;
        match crate::Pattern::parse(value, self.constraint.is_case_insensitive()) {
            Ok(pattern) => Some(pattern),
            Err(error) => {
                (self.problem)(Problem::BadPattern {
                    pattern: value.to_owned(),
                    reason: error.to_string(),
                });
                None
            }
        }
    }
}
