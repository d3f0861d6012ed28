//! Flags as they were read are compiled as they are, without making the domain's values of them.

use vexil_domain::{
    Dependency, EnvironmentFlag, FlagName, Payload, ProjectId, SegmentId, Stickiness, StrategyId,
    VariantOverride,
};
use vexil_engine::source::{Flag, Strategy, Variant};

use super::raw::DEFAULT_KIND;
use super::raw::RawConstraint;
use super::raw::RawFlag;
use super::raw::RawStrategy;
use super::raw::RawVariant;

impl<'de> Flag for RawFlag<'de> {
    type Strategy = RawStrategy<'de>;

    fn name(&self) -> &FlagName {
        &self.name
    }

    fn project(&self) -> &ProjectId {
        &self.project
    }

    fn kind(&self) -> &str {
        self.kind.as_deref().unwrap_or(DEFAULT_KIND)
    }

    fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }

    fn enabled(&self) -> bool {
        self.enabled
    }

    fn impression_data(&self) -> bool {
        self.impression_data
    }

    fn dependencies(&self) -> &[Dependency] {
        &self.dependencies
    }

    fn strategies(&self) -> &[RawStrategy<'de>] {
        &self.strategies
    }

    fn variants(&self) -> &[RawVariant<'de>] {
        &self.variants
    }

    fn to_flag(&self) -> EnvironmentFlag {
        self.clone().into()
    }
}

impl<'de> Strategy for RawStrategy<'de> {
    type Constraint = RawConstraint<'de>;
    type Variant = RawVariant<'de>;

    fn id(&self) -> &StrategyId {
        &self.id
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn disabled(&self) -> bool {
        self.disabled
    }

    fn parameter(&self, name: &str) -> Option<&str> {
        self.parameters.get(name)
    }

    fn parameters(&self) -> impl Iterator<Item = (&str, &str)> {
        self.parameters.iter()
    }

    fn constraints(&self) -> &[RawConstraint<'de>] {
        &self.constraints
    }

    fn segments(&self) -> &[SegmentId] {
        &self.segments
    }

    fn variants(&self) -> &[RawVariant<'de>] {
        &self.variants
    }
}

impl Variant for RawVariant<'_> {
    fn name(&self) -> &str {
        &self.name
    }

    fn weight(&self) -> u32 {
        self.weight
    }

    fn stickiness(&self) -> Option<&Stickiness> {
        self.stickiness.as_ref()
    }

    fn payload(&self) -> Option<Payload> {
        self.payload.clone().map(Payload::from)
    }

    fn overrides(&self) -> &[VariantOverride] {
        &self.overrides
    }
}
