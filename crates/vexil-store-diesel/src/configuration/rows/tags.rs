//! Tags: those of flags, and their types.

use std::collections::BTreeSet;

use diesel::prelude::*;
use vexil_domain::{Tag, TagType};

use crate::error::DbError;
use crate::json;
use crate::schema::tag_types;

/// The tags of a flag, as they are stored.
pub(super) fn to_text(tags: &BTreeSet<Tag>) -> Result<String, DbError> {
    let pairs: Vec<(&str, &str)> = tags
        .iter()
        .map(|tag| (tag.kind.as_str(), tag.value.as_str()))
        .collect();
    json::to_text(&pairs, "a list of tags")
}

/// The tags of a flag, read back.
pub(super) fn from_text(text: &str) -> Result<BTreeSet<Tag>, DbError> {
    let pairs: Vec<(String, String)> = json::from_text(text, "a list of tags")?;
    Ok(pairs
        .into_iter()
        .map(|(kind, value)| Tag { kind, value })
        .collect())
}

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = tag_types, treat_none_as_default_value = false)]
pub(crate) struct TagTypeRow {
    name: String,
    description: Option<String>,
    icon: Option<String>,
    color: Option<String>,
    tag_values: String,
}

impl TagTypeRow {
    pub(crate) fn new(kind: &TagType) -> Result<Self, DbError> {
        Ok(Self {
            name: kind.name.clone(),
            description: kind.description.clone(),
            icon: kind.icon.clone(),
            color: kind.color.clone(),
            tag_values: json::to_text(&kind.values, "the tags of a type")?,
        })
    }

    pub(crate) fn into_tag_type(self) -> Result<TagType, DbError> {
        Ok(TagType {
            name: self.name,
            description: self.description,
            icon: self.icon,
            color: self.color,
            values: json::from_text(&self.tag_values, "the tags of a type")?,
        })
    }
}
