//! What is sent to create and edit feature flags.

use std::collections::BTreeSet;

use serde_json::Value;
use vexil_domain::{FlagName, ProjectId, Tag};

use super::feature_type;
use super::flag_names::read_list;
use super::new_name::read_new_name;
use super::tag::tags_of_new;
use vexil_client_api::json::{Node, Problem, Problems};

/// The members of a flag. Those that are not read belong to the documents that a flag is shown in.
const FLAG: &[&str] = &[
    "name",
    "type",
    "description",
    "impressionData",
    "stale",
    "archived",
    "archivedAt",
    "createdAt",
    "createdBy",
    "lastSeenAt",
    "project",
    "environments",
    "dependencies",
    "children",
    "variants",
    "favorite",
    "collaborators",
    "links",
    "tags",
    "lifecycle",
];

/// The members of a list of flags. Unleash's UI tells `shouldActivateDisabledStrategies` where it turns many on.
const FLAGS: &[&str] = &["features", "stale", "shouldActivateDisabledStrategies"];

/// A flag that is to be created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewFlag {
    /// Its name, which may be given to something new.
    pub name: FlagName,
    /// What it is for.
    pub kind: String,
    /// A description in a person's words.
    pub description: Option<String>,
    /// Whether SDKs should emit an event each time it is evaluated.
    pub impression_data: bool,
    /// Whether it has done its work already.
    pub stale: bool,
    /// Whether it is archived from the beginning.
    pub archived: bool,
    /// Words to find it by.
    pub tags: BTreeSet<Tag>,
}

impl NewFlag {
    /// Reads the body of a request.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it.
    pub fn read(body: &Value) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::new();
        let node = Node::body(body);
        if node.object_of(&mut problems, FLAG).is_none() {
            return problems.finish(None);
        }
        let name = read_new_name(&node.get("name"), &mut problems);
        let kind = read_kind(&node.get("type"), &mut problems);
        let description = node.get("description").nullable().optional_text(&mut problems);
        let impression_data = node
            .get("impressionData")
            .optional_boolean(&mut problems)
            .unwrap_or(false);
        let mut switch = |name| node.get(name).optional_boolean(&mut problems).unwrap_or(false);
        let (stale, archived) = (switch("stale"), switch("archived"));
        let tags = tags_of_new(&node.get("tags"), &mut problems);
        problems.finish(name.map(|name| Self {
            name: name.into(),
            kind,
            description,
            impression_data,
            stale,
            archived,
            tags,
        }))
    }
}

/// A flag that is to be created like another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CloneFlag {
    /// The name of the new flag.
    pub name: FlagName,
    /// Whether strategies that group users under the old flag's name shall do so under the new one's.
    pub replace_group_id: bool,
}

impl CloneFlag {
    /// Reads the body of a request.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it.
    pub fn read(body: &Value) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::new();
        let node = Node::body(body);
        if node
            .object_of(&mut problems, &["name", "replaceGroupId"])
            .is_none()
        {
            return problems.finish(None);
        }
        let name = read_new_name(&node.get("name"), &mut problems);
        let replace_group_id = node
            .get("replaceGroupId")
            .optional_boolean(&mut problems)
            .unwrap_or(true);
        problems.finish(name.map(|name| Self {
            name: name.into(),
            replace_group_id,
        }))
    }
}

/// What a flag will say of itself. Everything but `archived` is replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlagEdit {
    /// The name, where it was sent; it cannot be changed.
    pub name: Option<String>,
    /// What it is for.
    pub kind: String,
    /// A description in a person's words.
    pub description: Option<String>,
    /// Whether it has outlived its purpose.
    pub stale: bool,
    /// Whether SDKs should emit an event each time it is evaluated.
    pub impression_data: bool,
    /// Whether it will be archived; stays as it is when `None`.
    pub archived: Option<bool>,
}

impl FlagEdit {
    /// Reads the document at `node`.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it.
    pub fn read(node: &Node<'_>) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::new();
        if node.object_of(&mut problems, FLAG).is_none() {
            return problems.finish(None);
        }
        let edit = Self {
            name: node.get("name").optional_text(&mut problems),
            kind: read_kind(&node.get("type"), &mut problems),
            description: node.get("description").nullable().optional_text(&mut problems),
            stale: node.get("stale").optional_boolean(&mut problems).unwrap_or(false),
            impression_data: node
                .get("impressionData")
                .optional_boolean(&mut problems)
                .unwrap_or(false),
            archived: node.get("archived").optional_boolean(&mut problems),
        };
        problems.finish(Some(edit))
    }
}

/// Several flags by name: `{"features": […]}`.
///
/// # Errors
///
/// Everything that is wrong with the body.
pub fn read_flag_names(body: &Value) -> Result<Vec<FlagName>, Vec<Problem>> {
    let mut problems = Problems::new();
    let names = flag_names(&Node::body(body), &mut problems);
    problems.finish(names)
}

/// Several flags, and whether they have outlived their purpose: `{"features": […], "stale": …}`.
///
/// # Errors
///
/// Everything that is wrong with the body.
pub fn read_stale(body: &Value) -> Result<(Vec<FlagName>, bool), Vec<Problem>> {
    let mut problems = Problems::new();
    let node = Node::body(body);
    let names = flag_names(&node, &mut problems);
    if names.is_none() && !body.is_object() {
        return problems.finish(None);
    }
    let stale = node.get("stale").boolean(&mut problems);
    problems.finish(names.zip(stale))
}

/// The project that a flag shall be moved to: `{"newProjectId": …}`.
///
/// # Errors
///
/// Everything that is wrong with the body.
pub fn read_new_project(body: &Value) -> Result<ProjectId, Vec<Problem>> {
    let mut problems = Problems::new();
    let node = Node::body(body);
    if node.object_of(&mut problems, &["newProjectId"]).is_none() {
        return problems.finish(None);
    }
    let id = node.get("newProjectId").non_empty_text(&mut problems);
    problems.finish(id.map(ProjectId::from))
}

/// The name of a flag that somebody would like to create, and the project that it is for, where that is said:
/// `{"name": …, "projectId"?: …}`.
///
/// # Errors
///
/// Everything that is wrong with it.
pub fn read_free_name(body: &Value) -> Result<(FlagName, Option<ProjectId>), Vec<Problem>> {
    let mut problems = Problems::new();
    let node = Node::body(body);
    if node.object_of(&mut problems, &["name", "projectId"]).is_none() {
        return problems.finish(None);
    }
    let name = read_new_name(&node.get("name"), &mut problems);
    let project = node.get("projectId").nullable().optional_text(&mut problems);
    problems.finish(name.map(|name| (name.into(), project.map(ProjectId::from))))
}

fn flag_names(node: &Node<'_>, problems: &mut Problems) -> Option<Vec<FlagName>> {
    node.object_of(problems, FLAGS)?;
    read_list(&node.get("features"), problems)
}

pub(super) fn read_kind(node: &Node<'_>, problems: &mut Problems) -> String {
    const RELEASE: &str = "release";
    if node.is_absent() {
        return RELEASE.to_owned();
    }
    let known: Vec<&str> = feature_type::ALL.iter().map(|kind| kind.id).collect();
    node.word(problems, &known).unwrap_or_default()
}
