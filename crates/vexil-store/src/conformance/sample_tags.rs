//! Tags with something in every field.

use std::collections::BTreeSet;

use vexil_domain::{Tag, TagType};

/// Tags of two types.
#[must_use]
pub fn tags() -> BTreeSet<Tag> {
    [Tag::new("simple", "größe, \"a\""), Tag::new("team", "blue")].into()
}

/// A tag type with every field set.
#[must_use]
pub fn tag_type(name: &str) -> TagType {
    TagType {
        name: name.to_owned(),
        description: Some("whose it is".to_owned()),
        icon: Some("½".to_owned()),
        color: Some("#00ff00".to_owned()),
        values: ["blue".to_owned(), String::new()].into(),
    }
}
