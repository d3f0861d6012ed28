//! Compiled flags: what the evaluator reads.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use vexil_domain::{FlagName, Operator, Payload, ProjectId, SegmentId};
use vexil_values::Problem;

use crate::condition::Condition;
use crate::custom::Custom;
use crate::fields::FieldId;
use crate::values::murmur::Prefix;
use crate::values::networks::Networks;
use crate::values::text_set::TextSet;

/// A flag in the table. What is the same for everybody needs nothing else.
#[derive(Debug, Clone)]
pub(crate) struct Flag {
    pub(crate) name: FlagName,
    pub(crate) project: ProjectId,
    /// Its strategies, in its chunk.
    pub(crate) strategies: Span,
    /// The constraint that decides, in its chunk, where `answer` is [`Answer::Constraint`].
    pub(crate) constraint: u32,
    pub(crate) extra: Option<Arc<Extra>>,
    pub(crate) answer: Answer,
    pub(crate) switch: bool,
    pub(crate) impression_data: bool,
    /// Whether a strategy has variants of its own.
    pub(crate) own_variants: bool,
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
            constraint: 0,
            extra: None,
            answer: Answer::Gone,
            switch: false,
            impression_data: false,
            own_variants: false,
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
    /// It depends on one rollout, the rule of its only strategy.
    Rollout,
    /// It depends on one constraint, that of its only strategy.
    Constraint,
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
    pub(crate) kind: StrategyKind,
    pub(crate) disabled: bool,
    /// Disabled, or found at compile time to hold for nobody: a decision need not look.
    pub(crate) idle: bool,
    /// Its rule holds for everybody.
    pub(crate) is_for_all: bool,
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

    pub(crate) fn len(self) -> u32 {
        self.end - self.start
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
    Custom(Arc<Custom>),
    Unusable(&'static str),
}

/// A strategy type: one of Unleash's, or one that an application decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StrategyKind {
    Default,
    FlexibleRollout,
    GradualRolloutUserId,
    GradualRolloutSessionId,
    GradualRolloutRandom,
    UserWithId,
    RemoteAddress,
    ApplicationHostname,
    Custom,
}

impl StrategyKind {
    pub(crate) fn of(name: &str) -> Self {
        match name {
            "default" => Self::Default,
            "flexibleRollout" => Self::FlexibleRollout,
            "gradualRolloutUserId" => Self::GradualRolloutUserId,
            "gradualRolloutSessionId" => Self::GradualRolloutSessionId,
            "gradualRolloutRandom" => Self::GradualRolloutRandom,
            "userWithId" => Self::UserWithId,
            "remoteAddress" => Self::RemoteAddress,
            "applicationHostname" => Self::ApplicationHostname,
            _ => Self::Custom,
        }
    }
}

impl Strategy {
    /// The name of its type.
    pub(crate) fn type_name(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self.kind {
            StrategyKind::Default => "default",
            StrategyKind::FlexibleRollout => "flexibleRollout",
            StrategyKind::GradualRolloutUserId => "gradualRolloutUserId",
            StrategyKind::GradualRolloutSessionId => "gradualRolloutSessionId",
            StrategyKind::GradualRolloutRandom => "gradualRolloutRandom",
            StrategyKind::UserWithId => "userWithId",
            StrategyKind::RemoteAddress => "remoteAddress",
            StrategyKind::ApplicationHostname => "applicationHostname",
            StrategyKind::Custom => match &self.rule {
                Rule::Rare(Rare::Custom(custom)) => return Cow::Owned(custom.name.to_string()),
                _ => "",
            },
        })
    }
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
    /// For each variant, the sum of the weights up to and with it.
    pub(crate) bounds: Box<[u64]>,
    /// The sum of all weights.
    pub(crate) total: u64,
    pub(crate) prefix: Prefix,
    pub(crate) sticky: Sticky,
    pub(crate) has_overrides: bool,
}

impl Variants {
    /// The name of the variant at a place.
    pub(crate) fn name_of(&self, place: usize) -> Option<Arc<str>> {
        self.list.get(place).map(|variant| Arc::clone(&variant.name))
    }

    /// The place of the variant that a bucket, 1 to the sum of all weights, falls to. Among few, all bounds are
    /// looked at, since which of them is the first cannot be foreseen.
    #[inline]
    pub(crate) fn place_of(&self, bucket: u64) -> usize {
        match &*self.bounds {
            [_] => 0,
            [a, _] => usize::from(*a < bucket),
            [a, b, _] => usize::from(*a < bucket) + usize::from(*b < bucket),
            [a, b, c, _] => usize::from(*a < bucket) + usize::from(*b < bucket) + usize::from(*c < bucket),
            many => many.partition_point(|bound| *bound < bucket),
        }
    }
}

#[derive(Debug)]
pub(crate) struct Variant {
    pub(crate) name: Arc<str>,
    pub(crate) payload: Option<Arc<Payload>>,
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
    pub(crate) operator: OperatorCode,
    pub(crate) inverted: bool,
    pub(crate) condition: Condition,
}

/// An operator by its place among the known ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OperatorCode(u8);

impl OperatorCode {
    pub(crate) fn of(operator: &Operator) -> Self {
        let place = Operator::KNOWN.iter().position(|known| known == operator);
        Self(
            place
                .and_then(|place| u8::try_from(place).ok())
                .unwrap_or(u8::MAX),
        )
    }
}

impl Constraint {
    /// The operator it was compiled from.
    pub(crate) fn operator(&self) -> Operator {
        let known = Operator::KNOWN.get(usize::from(self.operator.0));
        known.cloned().unwrap_or_else(|| match &self.condition {
            Condition::Invalid(problem) => match &**problem {
                Problem::UnknownOperator { operator } => Operator::from_name(operator),
                _ => Operator::Unknown(Box::default()),
            },
            _ => Operator::Unknown(Box::default()),
        })
    }
}
