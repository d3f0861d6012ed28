//! Activation strategies: who gets a flag.

use crate::{Constraint, SegmentId, SmallMap, StrategyId, Variant};

/// The parameters of a strategy by name, in the order of their names.
pub type Parameters = SmallMap<String, String>;

/// One way into a flag: the flag is on when any strategy that is not disabled holds.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct ActivationStrategy {
    /// Unique in the instance.
    pub id: StrategyId,
    /// The strategy type, such as `flexibleRollout`.
    pub name: String,
    /// What it is for, in a person's words.
    #[cfg_attr(feature = "serde", serde(default))]
    pub title: Option<String>,
    /// Whether it is left out of the decision.
    #[cfg_attr(feature = "serde", serde(default))]
    pub disabled: bool,
    /// The place among the strategies of the same flag and environment; ties go by id.
    #[cfg_attr(feature = "serde", serde(default))]
    pub sort_order: i32,
    /// The parameters of the strategy type.
    #[cfg_attr(feature = "serde", serde(default))]
    pub parameters: Parameters,
    /// Conditions that must all hold.
    #[cfg_attr(feature = "serde", serde(default))]
    pub constraints: Vec<Constraint>,
    /// Segments that must all hold.
    #[cfg_attr(feature = "serde", serde(default))]
    pub segments: Vec<SegmentId>,
    /// Variants to pick from when this strategy is the first that holds.
    #[cfg_attr(feature = "serde", serde(default))]
    pub variants: Vec<Variant>,
}

impl ActivationStrategy {
    /// A strategy of type `name` that admits whatever the type admits.
    #[must_use]
    pub fn new(id: impl Into<StrategyId>, name: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            name: name.into(),
            title: None,
            disabled: false,
            sort_order: 0,
            parameters: Parameters::new(),
            constraints: Vec::new(),
            segments: Vec::new(),
            variants: Vec::new(),
        }
    }

    /// Adds a parameter.
    #[must_use]
    pub fn with_parameter(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.parameters.insert(name.into(), value.into());
        self
    }

    /// Adds a constraint.
    #[must_use]
    pub fn with_constraint(mut self, constraint: Constraint) -> Self {
        self.constraints.push(constraint);
        self
    }
}
