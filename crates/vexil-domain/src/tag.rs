//! Tags: words that people put on flags to find them again, each of a type.

use std::collections::BTreeSet;

/// A tag on a flag.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Tag {
    /// Its type: the name of a [`TagType`], such as `simple`.
    #[cfg_attr(feature = "serde", serde(rename = "type"))]
    pub kind: String,
    /// What it says.
    pub value: String,
}

impl Tag {
    /// A tag of a type.
    #[must_use]
    pub fn new(kind: impl Into<String>, value: impl Into<String>) -> Self {
        Self {
            kind: kind.into(),
            value: value.into(),
        }
    }
}

/// A kind of tags, and those that there are of it, on flags or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TagType {
    /// Unique in the instance.
    pub name: String,
    /// What its tags are for, for people.
    pub description: Option<String>,
    /// A letter or a picture that stands for it.
    pub icon: Option<String>,
    /// Its colour, as `#rrggbb`.
    pub color: Option<String>,
    /// The values of its tags.
    pub values: BTreeSet<String>,
}

impl TagType {
    /// A type without tags.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            description: None,
            icon: None,
            color: None,
            values: BTreeSet::new(),
        }
    }
}
