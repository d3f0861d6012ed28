//! Compiled flags: what the evaluator reads.

use std::net::IpAddr;
use std::ops::Range;
use std::sync::Arc;

use crate::values::same::same;
use regex::Regex;
use vexil_domain::{FlagName, Operator, Payload, ProjectId, SegmentId};

use crate::Problem;
use crate::fields::FieldId;
use crate::values::instant::Instant;
use crate::values::murmur::Prefix;
use crate::values::network::Networks;
use crate::values::text_set::TextSet;
use crate::values::version::OwnedVersion;

/// A flag in the table. What is the same for everybody needs nothing else.
#[derive(Debug, Clone)]
pub(crate) struct Flag {
    pub(crate) name: FlagName,
    pub(crate) project: ProjectId,
    /// Its strategies, in its chunk.
    pub(crate) strategies: Span,
    pub(crate) extra: Option<Arc<Extra>>,
    pub(crate) answer: Answer,
    pub(crate) switch: bool,
    pub(crate) impression_data: bool,
}

/// What few flags have.
#[derive(Debug, Default)]
pub(crate) struct Extra {
    pub(crate) parents: Box<[Parent]>,
    pub(crate) variants: Option<Variants>,
}

impl Flag {
    /// A flag that is not there.
    pub(crate) fn gone(name: FlagName) -> Self {
        Self {
            name,
            project: "".into(),
            strategies: Span::default(),
            extra: None,
            answer: Answer::Gone,
            switch: false,
            impression_data: false,
        }
    }

    pub(crate) fn parents(&self) -> &[Parent] {
        self.extra.as_deref().map_or(&[], |extra| &extra.parents)
    }

    /// The flag's own variants.
    pub(crate) fn variants(&self) -> Option<&Variants> {
        self.extra.as_deref()?.variants.as_ref()
    }
}

/// What can be said of a flag without looking further.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// There is no such flag; only its name is kept.
    Gone,
    /// Off for everybody.
    Off,
    /// On for everybody, without a variant.
    On,
    /// On for everybody, perhaps with a variant.
    OnWithVariants,
    /// It depends.
    Depends,
}

/// A place in the list of segments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SegmentIndex(pub(crate) u32);

#[derive(Debug)]
pub(crate) struct Parent {
    pub(crate) flag: u32,
    pub(crate) enabled: bool,
    pub(crate) variants: Box<[Box<str>]>,
}

#[derive(Debug, Clone)]
pub(crate) struct Strategy {
    /// Its conditions, in the chunk of its flag.
    pub(crate) constraints: Span,
    pub(crate) segments: Span,
    pub(crate) rule: Rule,
    pub(crate) variants: Option<Arc<Variants>>,
    pub(crate) disabled: bool,
    /// Disabled, or found at compile time to hold for nobody: a decision need not look.
    pub(crate) idle: bool,
}

impl Strategy {
    /// Whether its rule alone decides.
    #[inline]
    pub(crate) fn is_unconditional(&self) -> bool {
        self.constraints.is_empty() && self.segments.is_empty()
    }
}

/// A part of one of the lists of a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Span {
    pub(crate) fn of<T>(self, all: &[T]) -> &[T] {
        let range: Range<usize> = self.start as usize..self.end as usize;
        all.get(range).unwrap_or_default()
    }

    pub(crate) fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// The rule of a strategy type.
#[derive(Debug, Clone)]
pub(crate) enum Rule {
    Always,
    Rollout(Rollout),
    Rare(Rare),
}

/// The rules that few strategies have.
#[derive(Debug, Clone)]
pub(crate) enum Rare {
    Users(TextSet),
    Addresses(Networks),
    /// Host names in lower case.
    Hosts(TextSet),
    Custom(Arc<str>),
    Unusable(&'static str),
}

#[derive(Debug, Clone)]
pub(crate) struct Rollout {
    pub(crate) prefix: Prefix,
    pub(crate) sticky: Sticky,
    /// On when the bucket is at most this, 0 to 100.
    pub(crate) bound: u8,
    /// Tells this strategy's draws from all others.
    pub(crate) salt: u32,
    /// The group, unless it is the flag's name.
    pub(crate) group: Option<Arc<str>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sticky {
    Default,
    Random,
    Field(FieldId),
}

#[derive(Debug)]
pub(crate) struct Variants {
    pub(crate) list: Box<[Variant]>,
    /// The sum of all weights.
    pub(crate) total: u64,
    pub(crate) prefix: Prefix,
    pub(crate) sticky: Sticky,
    pub(crate) has_overrides: bool,
}

#[derive(Debug)]
pub(crate) struct Variant {
    pub(crate) name: Box<str>,
    pub(crate) payload: Option<Box<Payload>>,
    /// The sum of the weights up to and with this one.
    pub(crate) bound: u64,
    pub(crate) overrides: Box<[Override]>,
}

#[derive(Debug)]
pub(crate) struct Override {
    pub(crate) field: FieldId,
    pub(crate) values: Box<[Box<str>]>,
}

/// A compiled segment, or the place of one that is not there.
#[derive(Debug)]
pub(crate) struct Segment {
    pub(crate) id: SegmentId,
    pub(crate) found: bool,
    pub(crate) constraints: Box<[Constraint]>,
}

#[derive(Debug, Clone)]
pub(crate) struct Constraint {
    pub(crate) field: FieldId,
    pub(crate) inverted: bool,
    pub(crate) test: Test,
}

#[derive(Debug, Clone)]
pub(crate) enum Test {
    OneOf(TextSet),
    NoneOf(TextSet),
    Text {
        how: TextMatch,
        ignore_case: bool,
        needles: Arc<[Box<str>]>,
    },
    Number(Comparison, f64),
    Date(DateComparison, Instant),
    Version(Comparison, Arc<OwnedVersion>),
    Pattern(Arc<Regex>),
    Within(Networks),
    Invalid(Arc<Invalid>),
}

/// A constraint that could not be understood.
#[derive(Debug)]
pub(crate) struct Invalid {
    pub(crate) operator: Operator,
    pub(crate) problem: Problem,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextMatch {
    Start,
    End,
    Anywhere,
}

#[inline(never)]
fn contains(text: &str, needle: &str) -> bool {
    text.contains(needle)
}

impl TextMatch {
    #[inline]
    pub(crate) fn holds(self, text: &str, needle: &str) -> bool {
        match self.part(text.as_bytes(), needle.len()) {
            Some(part) => same(part, needle.as_bytes()),
            None => self == Self::Anywhere && contains(text, needle),
        }
    }

    /// The part of `text` that a needle of this length is compared with, if it is long enough and
    /// there is only one.
    #[inline]
    pub(crate) fn part(self, text: &[u8], length: usize) -> Option<&[u8]> {
        match self {
            Self::Start => text.get(..length),
            Self::End => text.get(text.len().checked_sub(length)?..),
            Self::Anywhere => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal,
    Greater,
    GreaterOrEqual,
    Less,
    LessOrEqual,
}

impl Comparison {
    #[inline]
    pub(crate) fn holds<T: PartialOrd>(self, left: T, right: T) -> bool {
        match self {
            Self::Equal => left == right,
            Self::Greater => left > right,
            Self::GreaterOrEqual => left >= right,
            Self::Less => left < right,
            Self::LessOrEqual => left <= right,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DateComparison {
    After,
    Before,
}

impl DateComparison {
    #[inline]
    pub(crate) fn holds(self, left: Instant, right: Instant) -> bool {
        match self {
            Self::After => left > right,
            Self::Before => left < right,
        }
    }
}

impl Test {
    /// The operator it was compiled from.
    pub(crate) fn operator(&self) -> Operator {
        match self {
            Self::OneOf(_) => Operator::In,
            Self::NoneOf(_) => Operator::NotIn,
            Self::Text { how, .. } => match how {
                TextMatch::Start => Operator::StrStartsWith,
                TextMatch::End => Operator::StrEndsWith,
                TextMatch::Anywhere => Operator::StrContains,
            },
            Self::Number(comparison, _) => match comparison {
                Comparison::Equal => Operator::NumEq,
                Comparison::Greater => Operator::NumGt,
                Comparison::GreaterOrEqual => Operator::NumGte,
                Comparison::Less => Operator::NumLt,
                Comparison::LessOrEqual => Operator::NumLte,
            },
            Self::Date(DateComparison::After, _) => Operator::DateAfter,
            Self::Date(DateComparison::Before, _) => Operator::DateBefore,
            Self::Version(comparison, _) => match comparison {
                Comparison::Equal => Operator::SemverEq,
                Comparison::Greater => Operator::SemverGt,
                Comparison::GreaterOrEqual => Operator::SemverGte,
                Comparison::Less => Operator::SemverLt,
                Comparison::LessOrEqual => Operator::SemverLte,
            },
            Self::Pattern(_) => Operator::Regex,
            Self::Within(_) => Operator::InCidr,
            Self::Invalid(invalid) => invalid.operator.clone(),
        }
    }
}

/// Reads an IP address as the evaluator does: exactly as it is written.
pub(crate) fn address(text: &str) -> Option<IpAddr> {
    text.parse().ok()
}
