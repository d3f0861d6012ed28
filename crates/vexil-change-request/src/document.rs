//! Changes as Unleash's documents: `{"action": …, "payload": …}`.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::ser::{Error as _, SerializeMap};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};
use vexil_domain::{Dependency, FlagName, Parameters, SegmentId, StrategyId, Variant};

use crate::{Change, CheckedChange};

/// Why an action and its payload are no change.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DocumentError {
    /// There is no such action.
    #[error("`{action}` is no action of a change; there are: {}", Change::ACTIONS.join(", "))]
    UnknownAction {
        /// What was asked for.
        action: String,
    },
    /// The action needs a payload.
    #[error("the action `{action}` needs a payload")]
    NoPayload {
        /// The action.
        action: String,
    },
    /// The payload is not what the action needs.
    #[error("the payload of `{action}` is not as it should be")]
    Payload {
        /// The action.
        action: String,
        /// What is wrong with it.
        #[source]
        source: serde_json::Error,
    },
}

impl Change {
    /// Reads an action and its payload, which is JSON text.
    ///
    /// Properties that an action does not know are ignored, among them the `snapshot` that comes
    /// back from clients which echo what they have read.
    ///
    /// # Errors
    ///
    /// An unknown action, or a payload that the action cannot do with.
    pub fn from_document(action: &str, payload: Option<&str>) -> Result<Self, DocumentError> {
        let payload = payload.filter(|text| text.trim() != "null");
        let reader = Reader { action, payload };
        Ok(match action {
            "updateEnabled" => Self::UpdateEnabled(reader.read()?),
            "addStrategy" => Self::AddStrategy(reader.read()?),
            "updateStrategy" => Self::UpdateStrategy(reader.read()?),
            "deleteStrategy" => Self::DeleteStrategy {
                id: reader.read::<Id<StrategyId>>()?.id,
            },
            "reorderStrategy" => Self::ReorderStrategy(reader.read()?),
            "patchVariant" => Self::PatchVariant {
                variants: reader.read::<Variants>()?.variants,
            },
            "archiveFeature" => Self::ArchiveFeature,
            "addDependency" => Self::AddDependency(reader.read::<DependencyDocument>()?.into()),
            "deleteDependency" => Self::DeleteDependency {
                parent: reader.parent(),
            },
            "updateSegment" => Self::UpdateSegment(reader.read()?),
            "deleteSegment" => Self::DeleteSegment {
                id: reader.read::<Id<SegmentId>>()?.id,
            },
            other if Self::UNSUPPORTED_ACTIONS.contains(&other) => Self::Unsupported {
                action: other.to_owned(),
                payload: payload.map(str::to_owned),
            },
            other => {
                return Err(DocumentError::UnknownAction {
                    action: other.to_owned(),
                });
            }
        })
    }

    /// The payload as a JSON value; `None` for actions without one.
    ///
    /// # Errors
    ///
    /// Only where the payload of a [`Change::Unsupported`] is no JSON.
    pub fn payload(&self) -> Result<Option<Value>, serde_json::Error> {
        match self {
            Self::UpdateEnabled(update) => serde_json::to_value(update).map(Some),
            Self::AddStrategy(new) => serde_json::to_value(new).map(Some),
            Self::UpdateStrategy(update) => serde_json::to_value(update).map(Some),
            Self::DeleteStrategy { id } => serde_json::to_value(Id { id }).map(Some),
            Self::ReorderStrategy(places) => serde_json::to_value(places).map(Some),
            Self::PatchVariant { variants } => serde_json::to_value(Variants { variants }).map(Some),
            Self::ArchiveFeature | Self::DeleteDependency { parent: None } => Ok(None),
            Self::AddDependency(dependency) => serde_json::to_value(dependency).map(Some),
            Self::DeleteDependency {
                parent: Some(feature),
            } => serde_json::to_value(Parent { feature }).map(Some),
            Self::UpdateSegment(update) => serde_json::to_value(update).map(Some),
            Self::DeleteSegment { id } => serde_json::to_value(Id { id }).map(Some),
            Self::Unsupported { payload, .. } => payload.as_deref().map(serde_json::from_str).transpose(),
        }
    }
}

struct Reader<'a> {
    action: &'a str,
    payload: Option<&'a str>,
}

impl Reader<'_> {
    fn read<T: DeserializeOwned>(&self) -> Result<T, DocumentError> {
        let text = self.payload.ok_or_else(|| DocumentError::NoPayload {
            action: self.action.to_owned(),
        })?;
        serde_json::from_str(text).map_err(|source| DocumentError::Payload {
            action: self.action.to_owned(),
            source,
        })
    }

    fn parent(&self) -> Option<FlagName> {
        let document: Parent<FlagName> = serde_json::from_str(self.payload?).ok()?;
        Some(document.feature)
    }
}

#[derive(Serialize, Deserialize)]
struct Id<T> {
    id: T,
}

#[derive(Serialize, Deserialize)]
struct Variants<T = Vec<Variant>> {
    variants: T,
}

#[derive(Serialize, Deserialize)]
struct Parent<T> {
    feature: T,
}

#[derive(Deserialize)]
struct DependencyDocument {
    feature: FlagName,
    enabled: Option<bool>,
    variants: Option<Vec<String>>,
}

impl From<DependencyDocument> for Dependency {
    fn from(document: DependencyDocument) -> Self {
        Self {
            parent: document.feature,
            enabled: document.enabled.unwrap_or(true),
            variants: document.variants.unwrap_or_default(),
        }
    }
}

impl Change {
    fn serialize_with<S: Serializer>(&self, rules: Option<u32>, serializer: S) -> Result<S::Ok, S::Error> {
        let payload = match self {
            Self::Unsupported { payload, .. } => payload.clone().map(RawValue::from_string).transpose(),
            known => known
                .payload()
                .and_then(|payload| payload.map(|value| to_raw_value(&value)).transpose()),
        }
        .map_err(S::Error::custom)?;
        let members = 1 + usize::from(payload.is_some()) + usize::from(rules.is_some());
        let mut map = serializer.serialize_map(Some(members))?;
        map.serialize_entry("action", self.action())?;
        if let Some(payload) = payload {
            map.serialize_entry("payload", &payload)?;
        }
        if let Some(rules) = rules {
            map.serialize_entry("checked", &rules)?;
        }
        map.end()
    }
}

/// An action with its payload, and by which rules they were checked.
#[derive(Deserialize)]
struct Document {
    action: String,
    payload: Option<Box<RawValue>>,
    #[serde(default)]
    checked: Option<u32>,
}

impl Document {
    fn change<E: serde::de::Error>(&self) -> Result<Change, E> {
        let payload = self.payload.as_deref().map(RawValue::get);
        Change::from_document(&self.action, payload).map_err(|error| {
            match std::error::Error::source(&error) {
                Some(cause) => E::custom(format_args!("{error}: {cause}")),
                None => E::custom(error),
            }
        })
    }
}

impl Serialize for Change {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.serialize_with(None, serializer)
    }
}

impl<'de> Deserialize<'de> for Change {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Document::deserialize(deserializer)?.change()
    }
}

/// The document of the change, with the member `checked` where nothing is wrong with it.
impl Serialize for CheckedChange {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let rules = self.problems().is_empty().then_some(Self::RULES);
        self.serialize_with(rules, serializer)
    }
}

/// A change that was checked by the present rules is not checked again: it comes from a store, where nothing
/// else puts that member.
impl<'de> Deserialize<'de> for CheckedChange {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let document = Document::deserialize(deserializer)?;
        let change = document.change()?;
        Ok(match document.checked {
            Some(Self::RULES) => Self::known_good(change),
            _ => Self::new(change),
        })
    }
}

pub(crate) fn null_is_default<'de, D: Deserializer<'de>, T: Default + Deserialize<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    Option::<T>::deserialize(deserializer).map(Option::unwrap_or_default)
}

/// Parameters are text; numbers and booleans are read as their JSON text, `null` as empty text.
pub(crate) fn parameters<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Parameters, D::Error> {
    let sent = Option::<BTreeMap<String, Value>>::deserialize(deserializer)?.unwrap_or_default();
    let text = |(name, value)| {
        let value = match value {
            Value::String(text) => text,
            Value::Null => String::new(),
            other => other.to_string(),
        };
        (name, value)
    };
    Ok(sent.into_iter().map(text).collect())
}

pub(crate) mod timestamps {
    //! Timestamps by state, as RFC 3339.

    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use time::OffsetDateTime;

    use crate::State;

    #[derive(Serialize, Deserialize)]
    #[serde(transparent)]
    struct Instant(#[serde(with = "time::serde::rfc3339")] OffsetDateTime);

    pub(crate) fn serialize<S: Serializer>(
        all: &BTreeMap<State, OffsetDateTime>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_map(all.iter().map(|(state, at)| (state, Instant(*at))))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BTreeMap<State, OffsetDateTime>, D::Error> {
        let all = BTreeMap::<State, Instant>::deserialize(deserializer)?;
        Ok(all.into_iter().map(|(state, Instant(at))| (state, at)).collect())
    }
}
