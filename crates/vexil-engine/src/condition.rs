//! What a constraint asks of a context value, compiled: the one file that knows every kind of comparison.
//! Whoever adds a kind is led here by the compiler.

use std::sync::Arc;

use time::OffsetDateTime;
use vexil_values::{
    Comparison, Entries, Instant, Matcher, Network, Number, Order, Problem, TextPlace, TimeOrder, ValueKind,
    Version, VersionBuf, fold,
};

use crate::Finding;
use crate::context_lookup::Value;
use crate::values::needles::Needles;
use crate::values::networks::Networks;
use crate::values::text_set::TextSet;

/// A constraint's comparison.
#[derive(Debug, Clone)]
pub(crate) enum Condition {
    OneOf(TextSet),
    NoneOf(TextSet),
    Text {
        place: TextPlace,
        ignore_case: bool,
        /// Folded, where case is ignored.
        needles: Needles,
    },
    Number(Order, Number),
    Date(TimeOrder, Instant),
    Version(Order, Arc<VersionBuf>),
    Pattern(Arc<CompiledPattern>),
    Within(Networks),
    /// Could not be understood, so it never holds, inverted or not.
    Invalid(Arc<Problem>),
}

/// A regular expression, ready to match.
#[derive(Debug)]
pub(crate) struct CompiledPattern {
    matcher: Matcher,
    source: Box<str>,
}

/// What a comparison found, before inversion.
pub(crate) enum Outcome<'c> {
    /// The value, which is an entry of the list if that is what the condition found.
    Listed(&'c str),
    Needle(Option<&'c str>),
    Network(Option<&'c Network>),
    Compared(bool),
    Missing,
    Unreadable(ValueKind),
    Invalid,
}

impl Condition {
    /// Compiles what a constraint compares with.
    pub(crate) fn compile<'a>(
        comparison: Comparison<'a, impl Iterator<Item = &'a str> + Clone>,
    ) -> Result<Self, Problem> {
        Ok(match comparison {
            Comparison::OneOf(entries) => Self::OneOf(TextSet::new(entries)),
            Comparison::NoneOf(entries) => Self::NoneOf(TextSet::new(entries)),
            Comparison::Text {
                place,
                ignore_case,
                needles,
            } => Self::Text {
                place,
                ignore_case,
                needles: compile_needles(needles, ignore_case),
            },
            Comparison::Number(order, number) => Self::Number(order, number),
            Comparison::Date(order, moment) => Self::Date(order, moment),
            Comparison::Version(order, version) => Self::Version(order, Arc::new(version.into())),
            Comparison::Pattern(pattern) => Self::Pattern(Arc::new(CompiledPattern::new(&pattern)?)),
            Comparison::Within(networks) => Self::Within(networks.into_iter().collect()),
        })
    }

    /// What it says whatever the context, before inversion, if that can be told; not of one that is invalid.
    pub(crate) fn constant(&self) -> Option<bool> {
        match self {
            Self::OneOf(set) if set.len() == 0 => Some(false),
            Self::NoneOf(set) if set.len() == 0 => Some(true),
            Self::Text { needles, .. } if needles.is_empty() => Some(false),
            Self::Within(networks) if networks.is_empty() => Some(false),
            _ => None,
        }
    }

    /// Whether it is satisfied by a value before inversion, and what was found. Each kind is a function of its
    /// own, so that none makes another slow.
    #[inline(always)]
    pub(crate) fn with_value<'p, 'c: 'p>(
        &'p self,
        inverted: bool,
        value: impl Value<'c>,
    ) -> (bool, Outcome<'p>) {
        match self {
            Self::OneOf(set) => (set.contains(value.hashed()), Outcome::Listed(value.text())),
            Self::NoneOf(set) => (!set.contains(value.hashed()), Outcome::Listed(value.text())),
            Self::Text {
                place,
                ignore_case,
                needles,
            } => {
                let needle = needles.find(*place, *ignore_case, value.text());
                (needle.is_some(), Outcome::Needle(needle))
            }
            Self::Number(order, than) => compared(number(value, *order, *than), ValueKind::Number),
            Self::Date(order, than) => compared(date(value, *order, *than), ValueKind::Date),
            Self::Version(order, than) => compared(version(value, *order, than), ValueKind::Version),
            Self::Pattern(pattern) => {
                let holds = pattern.matcher.is_match(value.text());
                (holds, Outcome::Compared(holds))
            }
            Self::Within(networks) => match network(value, networks) {
                None => (false, Outcome::Unreadable(ValueKind::Address)),
                Some(network) => (network.is_some(), Outcome::Network(network)),
            },
            Self::Invalid(_) => (inverted, Outcome::Invalid),
        }
    }

    /// The same without a value. Where the present is asked for and not given, it is `now`.
    #[inline(always)]
    pub(crate) fn without_value(&self, inverted: bool, now: Option<OffsetDateTime>) -> (bool, Outcome<'_>) {
        match (self, now) {
            (Self::NoneOf(_), _) => (true, Outcome::Missing),
            (Self::Invalid(_), _) => (inverted, Outcome::Invalid),
            (Self::Date(order, than), Some(now)) => {
                let holds = date_now(now, *order, *than);
                (holds, Outcome::Compared(holds))
            }
            _ => (false, Outcome::Missing),
        }
    }

    /// Whether the present stands in where there is no `currentTime`.
    pub(crate) fn is_about_time(&self) -> bool {
        matches!(self, Self::Date(..))
    }

    /// What was found, for explanations.
    pub(crate) fn finding(&self, satisfied: bool, outcome: Outcome<'_>) -> Finding {
        let is_listed = satisfied != matches!(self, Self::NoneOf(_));
        let entry = |entry: Option<String>| match entry {
            Some(value) => Finding::Listed { value },
            None => Finding::NotListed { values: self.len() },
        };
        match outcome {
            Outcome::Listed(value) => entry(is_listed.then(|| value.to_owned())),
            Outcome::Needle(found) => entry(found.map(str::to_owned)),
            Outcome::Network(found) => entry(found.map(ToString::to_string)),
            Outcome::Compared(holds) => Finding::Compared {
                with: self.value(),
                holds,
            },
            Outcome::Missing => Finding::Missing,
            Outcome::Unreadable(expected) => Finding::Unreadable { expected },
            Outcome::Invalid => match self {
                Self::Invalid(problem) => Finding::Invalid(Problem::clone(problem)),
                _ => Finding::Missing,
            },
        }
    }

    /// How many entries its list has.
    fn len(&self) -> usize {
        match self {
            Self::OneOf(set) | Self::NoneOf(set) => set.len(),
            Self::Text { needles, .. } => needles.len(),
            Self::Within(networks) => networks.len(),
            _ => 0,
        }
    }

    /// The one value that it compares with.
    fn value(&self) -> String {
        match self {
            Self::Number(_, number) => number.to_string(),
            Self::Date(_, moment) => moment.to_string(),
            Self::Version(_, version) => version.to_string(),
            Self::Pattern(pattern) => pattern.source.to_string(),
            _ => String::new(),
        }
    }
}

impl CompiledPattern {
    fn new(pattern: &vexil_values::Pattern) -> Result<Self, Problem> {
        let matcher = pattern.compile().map_err(|reason| Problem::BadPattern {
            pattern: pattern.as_str().to_owned(),
            reason,
        })?;
        Ok(Self {
            matcher,
            source: pattern.as_str().into(),
        })
    }
}

fn compile_needles<'a>(needles: Entries<impl Iterator<Item = &'a str>>, ignore_case: bool) -> Needles {
    let compile = |needle: &str| {
        if ignore_case {
            fold(needle).into()
        } else {
            needle.into()
        }
    };
    needles.map(compile).collect()
}

#[inline(always)]
fn compared<'p>(holds: Option<bool>, kind: ValueKind) -> (bool, Outcome<'p>) {
    match holds {
        None => (false, Outcome::Unreadable(kind)),
        Some(holds) => (holds, Outcome::Compared(holds)),
    }
}

#[inline(never)]
fn number<'c>(value: impl Value<'c>, order: Order, than: Number) -> Option<bool> {
    Some(order.holds(value.number()?.cmp(&than)))
}

#[inline(never)]
fn date<'c>(value: impl Value<'c>, order: TimeOrder, than: Instant) -> Option<bool> {
    Some(is_in_order(value.instant()?, order, than))
}

#[inline(never)]
fn date_now(now: OffsetDateTime, order: TimeOrder, than: Instant) -> bool {
    is_in_order(now.into(), order, than)
}

#[inline]
fn is_in_order(moment: Instant, order: TimeOrder, than: Instant) -> bool {
    match order {
        TimeOrder::After => moment > than,
        TimeOrder::Before => moment < than,
    }
}

#[inline(never)]
fn version<'c>(value: impl Value<'c>, order: Order, than: &VersionBuf) -> Option<bool> {
    let version: Version<'_> = value.version()?;
    Some(order.holds(version.cmp(&than.borrowed())))
}

#[inline(never)]
fn network<'p, 'c>(value: impl Value<'c>, networks: &'p Networks) -> Option<Option<&'p Network>> {
    Some(networks.find(value.address()?))
}
