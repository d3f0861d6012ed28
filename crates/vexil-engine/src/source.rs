//! What flags are compiled from: the domain's values, or whatever else can be read like them, such as
//! text that still lies in the document it came in.

use vexil_domain::{
    ActivationStrategy, Dependency, EnvironmentFlag, FlagName, Payload, ProjectId, SegmentId, Stickiness,
    StrategyId, VariantOverride,
};
use vexil_values::ConstraintText;

/// A flag in one environment, as [`EnvironmentFlag`] is one.
pub trait Flag {
    /// Its strategies.
    type Strategy: Strategy;

    /// Identifies the flag.
    fn name(&self) -> &FlagName;
    /// The project that owns it.
    fn project(&self) -> &ProjectId;
    /// What it is for, such as `release`.
    fn kind(&self) -> &str;
    /// A description in a person's words.
    fn description(&self) -> Option<&str>;
    /// The switch.
    fn enabled(&self) -> bool;
    /// Whether SDKs should emit an event each time it is evaluated.
    fn impression_data(&self) -> bool;
    /// Flags that must be as asked for this one to be on.
    fn dependencies(&self) -> &[Dependency];
    /// Ways in, in order.
    fn strategies(&self) -> &[Self::Strategy];
    /// Variants for when the strategy that holds has none of its own.
    fn variants(&self) -> &[<Self::Strategy as Strategy>::Variant];
    /// The flag, to keep.
    fn to_flag(&self) -> EnvironmentFlag;
}

/// A strategy, as [`ActivationStrategy`] is one.
pub trait Strategy {
    /// Its constraints.
    type Constraint: ConstraintText;
    /// Its variants.
    type Variant: Variant;

    /// Identifies the strategy.
    fn id(&self) -> &StrategyId;
    /// The strategy type.
    fn name(&self) -> &str;
    /// Whether it is left out of the decision.
    fn disabled(&self) -> bool;
    /// A parameter of the strategy type.
    fn parameter(&self, name: &str) -> Option<&str>;
    /// All parameters, each once.
    fn parameters(&self) -> impl Iterator<Item = (&str, &str)>;
    /// Conditions that must all hold.
    fn constraints(&self) -> &[Self::Constraint];
    /// Segments that must all hold.
    fn segments(&self) -> &[SegmentId];
    /// Variants to pick from when this strategy is the first that holds.
    fn variants(&self) -> &[Self::Variant];
}

/// A variant, as [`vexil_domain::Variant`] is one.
pub trait Variant {
    /// Unique among the variants it stands with.
    fn name(&self) -> &str;
    /// The share.
    fn weight(&self) -> u32;
    /// Which context value decides, where that was said.
    fn stickiness(&self) -> Option<&Stickiness>;
    /// Data handed to the application together with the name.
    fn payload(&self) -> Option<Payload>;
    /// Context values that get this variant whatever the weights say.
    fn overrides(&self) -> &[VariantOverride];
}

impl Flag for EnvironmentFlag {
    type Strategy = ActivationStrategy;

    fn name(&self) -> &FlagName {
        &self.name
    }

    fn project(&self) -> &ProjectId {
        &self.project
    }

    fn kind(&self) -> &str {
        &self.kind
    }

    fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }

    fn enabled(&self) -> bool {
        self.settings.enabled
    }

    fn impression_data(&self) -> bool {
        self.impression_data
    }

    fn dependencies(&self) -> &[Dependency] {
        &self.dependencies
    }

    fn strategies(&self) -> &[ActivationStrategy] {
        &self.settings.strategies
    }

    fn variants(&self) -> &[vexil_domain::Variant] {
        &self.settings.variants
    }

    fn to_flag(&self) -> EnvironmentFlag {
        self.clone()
    }
}

impl Strategy for ActivationStrategy {
    type Constraint = vexil_domain::Constraint;
    type Variant = vexil_domain::Variant;

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
        self.parameters.get(name).map(String::as_str)
    }

    fn parameters(&self) -> impl Iterator<Item = (&str, &str)> {
        let all = self.parameters.iter();
        all.map(|(name, value)| (name.as_str(), value.as_str()))
    }

    fn constraints(&self) -> &[vexil_domain::Constraint] {
        &self.constraints
    }

    fn segments(&self) -> &[SegmentId] {
        &self.segments
    }

    fn variants(&self) -> &[vexil_domain::Variant] {
        &self.variants
    }
}

impl Variant for vexil_domain::Variant {
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
        self.payload.clone()
    }

    fn overrides(&self) -> &[VariantOverride] {
        &self.overrides
    }
}
