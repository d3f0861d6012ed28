//! Variants: which flavour of an enabled flag a user gets.

use crate::Stickiness;

/// One of several flavours of a flag, picked by weight.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct Variant {
    /// Unique among the variants it stands with.
    pub name: String,
    /// The share, 0 to 1000. What counts is its part of the sum of all weights.
    pub weight: u32,
    /// Whether the weight was set by hand.
    #[cfg_attr(feature = "serde", serde(default))]
    pub weight_type: WeightType,
    /// Which context value decides; `None` where it was never said, which means the default.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub stickiness: Option<Stickiness>,
    /// Data handed to the application together with the name.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub payload: Option<Payload>,
    /// Context values that get this variant whatever the weights say.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub overrides: Vec<VariantOverride>,
}

impl Variant {
    /// A variant of this weight, without data.
    #[must_use]
    pub fn new(name: impl Into<String>, weight: u32) -> Self {
        Self {
            name: name.into(),
            weight,
            weight_type: WeightType::default(),
            stickiness: None,
            payload: None,
            overrides: Vec::new(),
        }
    }

    /// The same with data: how to read it, such as `json` or `string`, and the data as text.
    #[must_use]
    pub fn with_payload(mut self, kind: impl Into<String>, value: impl Into<String>) -> Self {
        self.payload = Some(Payload {
            kind: kind.into(),
            value: value.into(),
        });
        self
    }

    /// The same, decided by a context value.
    #[must_use]
    pub fn with_stickiness(mut self, stickiness: Stickiness) -> Self {
        self.stickiness = Some(stickiness);
        self
    }
}

/// Whether a weight was set by hand or shares what the others leave.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum WeightType {
    /// The weight adjusts, so that all of them sum to 1000.
    #[default]
    Variable,
    /// The weight stays as it was set.
    Fix,
    /// A kind this version does not know; kept as it came, and treated as variable.
    Other(Box<str>),
}

impl WeightType {
    /// Reads the name under which it is stored and sent.
    #[must_use]
    pub fn from_name(name: &str) -> Self {
        match name {
            "variable" => Self::Variable,
            "fix" => Self::Fix,
            other => Self::Other(other.into()),
        }
    }

    /// The name under which it is stored and sent.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Variable => "variable",
            Self::Fix => "fix",
            Self::Other(name) => name,
        }
    }
}

/// Data of a variant.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Payload {
    /// How to read the value: `json`, `csv`, `string` or `number`; others pass through.
    #[cfg_attr(feature = "serde", serde(rename = "type"))]
    pub kind: String,
    /// The data as text.
    pub value: String,
}

/// Context values that get a variant whatever the weights say.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct VariantOverride {
    /// The context field that is compared.
    pub context_name: String,
    /// The values, compared exactly.
    #[cfg_attr(feature = "serde", serde(default))]
    pub values: Vec<String>,
}

#[cfg(feature = "serde")]
impl serde::Serialize for WeightType {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for WeightType {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <std::borrow::Cow<'de, str> as serde::Deserialize>::deserialize(deserializer)
            .map(|name| Self::from_name(&name))
    }
}
