//! Stickiness: which context value keeps a user in the same bucket.

/// Which context value decides the bucket of a rollout or of a variant.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum Stickiness {
    /// `userId`, else `sessionId` (for variants, else `remoteAddress`), else chance.
    #[default]
    Default,
    /// Chance, anew for every evaluation.
    Random,
    /// The named context field. Without a value a rollout is false, and a variant is left to chance.
    Field(String),
}

impl Stickiness {
    /// Reads `default`, `random` or the name of a context field. Empty text is the default.
    #[must_use]
    pub fn from_name(name: &str) -> Self {
        match name {
            "" | "default" => Self::Default,
            "random" => Self::Random,
            field => Self::Field(field.to_owned()),
        }
    }

    /// The name under which it is stored and sent.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Default => "default",
            Self::Random => "random",
            Self::Field(field) => field,
        }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Stickiness {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Stickiness {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <std::borrow::Cow<'de, str> as serde::Deserialize>::deserialize(deserializer)
            .map(|name| Self::from_name(&name))
    }
}
