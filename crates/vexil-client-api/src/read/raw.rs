//! Flags and what belongs to them, most of whose text still lies in the document.

use std::borrow::Cow;

use vexil_domain::{
    Constraint, Dependency, FlagName, ProjectId, SegmentId, Stickiness, StrategyId, VariantOverride,
    WeightType,
};

/// What a flag is for where the document does not say it.
pub(super) const DEFAULT_KIND: &str = "release";

/// A flag, most of whose text still lies in the document.
#[derive(Clone)]
pub(crate) struct RawFlag<'de> {
    pub(super) name: FlagName,
    pub(super) project: ProjectId,
    pub(super) kind: Option<Cow<'de, str>>,
    pub(super) description: Option<Cow<'de, str>>,
    pub(super) enabled: bool,
    pub(super) stale: bool,
    pub(super) impression_data: bool,
    pub(super) dependencies: Vec<Dependency>,
    pub(super) strategies: Vec<RawStrategy<'de>>,
    pub(super) variants: Vec<RawVariant<'de>>,
}

/// A strategy. Its id is empty where the document gives none.
#[derive(Clone)]
pub(crate) struct RawStrategy<'de> {
    pub(super) id: StrategyId,
    pub(super) name: Cow<'de, str>,
    pub(super) title: Option<Cow<'de, str>>,
    pub(super) disabled: bool,
    pub(super) sort_order: i32,
    pub(super) parameters: Parameters<'de>,
    pub(super) constraints: Vec<RawConstraint<'de>>,
    pub(super) segments: Vec<SegmentId>,
    pub(super) variants: Vec<RawVariant<'de>>,
}

/// Parameters as they stand in the document; `null` is absent, and the last of the same name counts.
#[derive(Clone, Default)]
pub(super) struct Parameters<'de>(pub(super) Vec<(Cow<'de, str>, Cow<'de, str>)>);

/// A constraint.
pub(crate) type RawConstraint<'de> = Constraint<Text<'de>>;

/// A variant.
#[derive(Clone)]
pub(crate) struct RawVariant<'de> {
    pub(super) name: Cow<'de, str>,
    pub(super) weight: u32,
    pub(super) weight_type: WeightType,
    pub(super) stickiness: Option<Stickiness>,
    pub(super) payload: Option<RawPayload<'de>>,
    pub(super) overrides: Vec<VariantOverride>,
}

#[derive(Clone)]
pub(super) struct RawPayload<'de> {
    pub(super) kind: Cow<'de, str>,
    pub(super) value: Cow<'de, str>,
}

/// Text, borrowed where it has no escapes. A number or boolean is taken as its JSON text.
#[derive(Clone)]
pub(crate) struct Text<'de>(pub(crate) Cow<'de, str>);

impl AsRef<str> for Text<'_> {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl From<Text<'_>> for String {
    fn from(text: Text<'_>) -> Self {
        text.0.into_owned()
    }
}
