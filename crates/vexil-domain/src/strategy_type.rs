//! Strategy types: which strategies can be chosen, and their parameters.

/// A kind of activation strategy that people can choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StrategyType {
    /// Unique in the instance, such as `flexibleRollout`.
    pub name: String,
    /// The name shown to people.
    pub display_name: Option<String>,
    /// What people call it, where they do not call it by its name.
    pub title: Option<String>,
    /// What it is for.
    pub description: String,
    /// Whether it came with the server and cannot be changed.
    pub built_in: bool,
    /// Whether people should stop using it.
    pub deprecated: bool,
    /// What can be set.
    pub parameters: Vec<StrategyParameter>,
}

/// Something that can be set on strategies of a type.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StrategyParameter {
    /// The key in a strategy's parameters.
    pub name: String,
    /// `string`, `percentage`, `list`, `number` or `boolean`.
    #[cfg_attr(feature = "serde", serde(rename = "type"))]
    pub kind: String,
    /// What it means.
    pub description: String,
    /// Whether a strategy without it is incomplete.
    pub required: bool,
}
