//! Tags of flags and their types: what is sent, and how they are shown.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;
use vexil_client_api::json::{Node, Problem, Problems};
use vexil_domain::{FlagName, Tag, TagType};

use super::flag_names::read_list;
use super::form::{Form, read_known, read_new};
use super::new_name::read_new_name;

/// How many characters the name of a type and the value of a tag have.
const LENGTHS: std::ops::RangeInclusive<usize> = 2..=50;

/// What a tag type will say. What is `None` stays as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TagTypeForm {
    /// The name of an existing one, where it is said; it cannot be changed.
    pub name: Option<String>,
    /// What its tags are for.
    pub description: Option<String>,
    /// A letter or a picture that stands for it.
    pub icon: Option<String>,
    /// Its colour, as `#rrggbb`.
    pub color: Option<String>,
}

impl Form for TagTypeForm {
    const MEMBERS: &'static [&'static str] = TAG_TYPE;

    fn name(node: &Node<'_>, problems: &mut Problems) -> Option<String> {
        let name = read_new_name(node, problems)?;
        is_of_length(node, &name, problems).then_some(name)
    }

    fn of(node: &Node<'_>, problems: &mut Problems) -> Self {
        let mut text = |name| {
            let node = node.get(name);
            node.nullable().optional_text(problems).map(|text| (node, text))
        };
        let (description, icon, color) = (text("description"), text("icon"), text("color"));
        if let Some((node, color)) = &color {
            let digits = color.strip_prefix('#').unwrap_or_default();
            if digits.len() != 6 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                let why = "must be a colour such as #ff0000";
                problems.refuse(node.path(), why, &Value::String(color.clone()));
            }
        }
        Self {
            name: None,
            description: description.map(|(_, text)| text),
            icon: icon.map(|(_, text)| text),
            color: color.map(|(_, text)| text),
        }
    }

    fn of_known(node: &Node<'_>, problems: &mut Problems) -> Self {
        let name = node.get("name").optional_text(problems);
        Self {
            name,
            ..Self::of(node, problems)
        }
    }
}

impl TagTypeForm {
    /// Reads a type that is to be created, with its name.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the body.
    pub fn read_new(body: &Value) -> Result<(String, Self), Vec<Problem>> {
        read_new(body)
    }

    /// Reads what an existing type will say.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the body.
    pub fn read(body: &Value) -> Result<Self, Vec<Problem>> {
        read_known(body)
    }
}

/// The members of a tag type.
const TAG_TYPE: &[&str] = &["name", "description", "icon", "color"];

/// The name of a type that somebody would like to create: `{"name": …}`.
///
/// # Errors
///
/// Everything that is wrong with it.
pub fn read_free_type_name(body: &Value) -> Result<String, Vec<Problem>> {
    TagTypeForm::read_new(body).map(|(name, _)| name)
}

/// One tag: `{"type": …, "value": …}`.
///
/// # Errors
///
/// Everything that is wrong with it.
pub fn read_tag(body: &Value) -> Result<Tag, Vec<Problem>> {
    let mut problems = Problems::new();
    let tag = tag(&Node::body(body), &mut problems);
    problems.finish(tag)
}

/// Tags that are put on flags, and tags that are taken off.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TagChanges {
    /// Those put on.
    pub added: BTreeSet<Tag>,
    /// Those taken off.
    pub removed: BTreeSet<Tag>,
}

impl TagChanges {
    /// Reads `{"addedTags": […], "removedTags": […]}`.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the body.
    pub fn read(body: &Value) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::new();
        let changes = Self::of(&Node::body(body), &mut problems);
        problems.finish(changes)
    }

    /// Reads `{"features": […], "tags": {…}}`: the same of several flags.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the body.
    pub fn read_of_flags(body: &Value) -> Result<(Vec<FlagName>, Self), Vec<Problem>> {
        let mut problems = Problems::new();
        let node = Node::body(body);
        if node.object_of(&mut problems, &["features", "tags"]).is_none() {
            return problems.finish(None);
        }
        let flags = read_list(&node.get("features"), &mut problems);
        let changes = Self::of(&node.get("tags"), &mut problems);
        problems.finish(flags.zip(changes))
    }

    fn of(node: &Node<'_>, problems: &mut Problems) -> Option<Self> {
        node.object_of(problems, &["addedTags", "removedTags"])?;
        let mut tags = |name| {
            let all = node.get(name).array(problems).unwrap_or_default();
            all.iter()
                .filter_map(|one| tag(one, problems))
                .collect::<BTreeSet<Tag>>()
        };
        let (added, removed) = (tags("addedTags"), tags("removedTags"));
        if let Some(both) = added.intersection(&removed).next() {
            let place = node.get("removedTags");
            let path = place.path();
            let Tag { kind, value } = both;
            problems.add(path, format!("The tag `{kind}:{value}` is put on by `addedTags` and taken off by `{path}`. Name it in one of them."));
        }
        Some(Self { added, removed })
    }
}

/// The tags of a new flag, where there are any.
pub(super) fn tags_of_new(node: &Node<'_>, problems: &mut Problems) -> BTreeSet<Tag> {
    if node.is_absent() {
        return BTreeSet::new();
    }
    let all = node.array(problems).unwrap_or_default();
    all.iter().filter_map(|one| tag(one, problems)).collect()
}

fn tag(node: &Node<'_>, problems: &mut Problems) -> Option<Tag> {
    // pages send tags back as they are shown
    node.object_of(problems, &["type", "value", "color"])?;
    read_parts(&node.get("type"), &node.get("value"), problems)
}

/// Reads the type and the value of a tag, wherever they stand.
pub(super) fn read_parts(kind: &Node<'_>, value: &Node<'_>, problems: &mut Problems) -> Option<Tag> {
    let name = kind
        .non_empty_text(problems)
        .filter(|text| is_of_length(kind, text, problems));
    let text = value.text(problems).map(|text| text.trim().to_owned());
    let text = text.filter(|text| is_of_length(value, text, problems));
    Some(Tag {
        kind: name?,
        value: text?,
    })
}

fn is_of_length(node: &Node<'_>, text: &str, problems: &mut Problems) -> bool {
    let fits = LENGTHS.contains(&text.chars().count());
    if !fits {
        let why = format!("must have {} to {} characters", LENGTHS.start(), LENGTHS.end());
        problems.refuse(node.path(), &why, &Value::String(text.to_owned()));
    }
    fits
}

/// A tag.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct TagDocument<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    value: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    color: Option<&'a str>,
}

impl<'a> TagDocument<'a> {
    /// Shows a tag.
    #[must_use]
    pub fn of(tag: &'a Tag) -> Self {
        Self {
            kind: &tag.kind,
            value: &tag.value,
            color: None,
        }
    }

    /// Shows a tag by its type and value.
    #[must_use]
    pub fn of_type(kind: &'a TagType, value: &'a str) -> Self {
        Self {
            kind: &kind.name,
            value,
            color: None,
        }
    }

    /// The same with the colour of its type.
    #[must_use]
    pub fn colored(self, kind: Option<&'a TagType>) -> Self {
        Self {
            color: kind.and_then(|kind| kind.color.as_deref()),
            ..self
        }
    }
}

/// A tag type, without its tags.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct TagTypeDocument<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    icon: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    color: Option<&'a str>,
}

impl<'a> TagTypeDocument<'a> {
    /// Shows `kind`.
    #[must_use]
    pub fn of(kind: &'a TagType) -> Self {
        Self {
            name: &kind.name,
            description: kind.description.as_deref(),
            icon: kind.icon.as_deref(),
            color: kind.color.as_deref(),
        }
    }
}
