//! Context fields that constraints can be about: those that every application knows, and those that people add.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use time::OffsetDateTime;
use vexil_client_api::json::{Node, Problem, Problems};
use vexil_domain::ProjectId;

use super::form::{Form, read_known, read_new};
use super::timestamp::Timestamp;

/// How many characters a value has at most that a field may have.
const VALUE: usize = 100;

/// How many characters say at most what a field or a value is.
const DESCRIPTION: usize = 250;

/// How many values are named at most that a field may have.
pub const MOST_VALUES: usize = 1000;

/// A context field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContextField {
    /// The name in contexts and constraints.
    pub name: String,
    /// What it holds.
    pub description: Option<String>,
    /// Whether it is offered as what decides the bucket of a user.
    pub stickiness: bool,
    /// The place in lists.
    pub sort_order: i32,
    /// The only values that constraints may compare it with; any when empty.
    pub legal_values: Vec<LegalValue>,
    /// When it was created; `None` of one that was always there.
    pub created_at: Option<OffsetDateTime>,
    /// The project that it is of; `None` for all.
    pub project: Option<ProjectId>,
}

/// A value that a context field may have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LegalValue {
    /// The value.
    pub value: String,
    /// What it stands for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// The context fields that every application knows, by name.
#[must_use]
pub fn built_in() -> [ContextField; 6] {
    let field = |name: &str, description: &str, stickiness, sort_order| ContextField {
        name: name.to_owned(),
        description: Some(description.to_owned()),
        stickiness,
        sort_order,
        legal_values: Vec::new(),
        created_at: None,
        project: None,
    };
    [
        field("appName", "The application that asks", false, 2),
        field("currentTime", "The time of the question", false, 3),
        field("environment", "The environment the application runs in", false, 0),
        field("remoteAddress", "The IP address of the user", false, 5),
        field("sessionId", "The session of the user", true, 4),
        field("userId", "The user", true, 1),
    ]
}

/// What a context field will say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContextFieldForm {
    /// The name, where it is said.
    pub name: Option<String>,
    /// What it holds; stays as it is when `None`.
    pub description: Option<String>,
    /// Whether it is offered as what decides the bucket of a user.
    pub stickiness: bool,
    /// The place in lists.
    pub sort_order: i32,
    /// The only values that constraints may compare it with; any when empty.
    pub legal_values: Vec<LegalValue>,
    /// The project that it is of, where it is said.
    pub project: Option<ProjectId>,
}

/// The members of a context field that are understood, or stand in the documents that it is shown in.
const CONTEXT_FIELD: &[&str] = &[
    "name",
    "description",
    "stickiness",
    "sortOrder",
    "legalValues",
    "project",
    "createdAt",
    "usedInProjects",
    "usedInFeatures",
];

impl Form for ContextFieldForm {
    const MEMBERS: &'static [&'static str] = CONTEXT_FIELD;

    fn of(node: &Node<'_>, problems: &mut Problems) -> Self {
        let place = node.get("sortOrder");
        let sort_order = (!place.is_absent())
            .then(|| place.integer(problems, i64::from(i32::MIN), i64::from(i32::MAX)))
            .flatten();
        Self {
            name: None,
            description: description(node, problems),
            stickiness: node
                .get("stickiness")
                .optional_boolean(problems)
                .unwrap_or_default(),
            sort_order: sort_order
                .and_then(|place| i32::try_from(place).ok())
                .unwrap_or_default(),
            legal_values: legal_values(&node.get("legalValues"), problems),
            project: node
                .get("project")
                .nullable()
                .optional_text(problems)
                .map(ProjectId::from),
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

impl ContextFieldForm {
    /// Reads a field that is to be created, with its name.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the body.
    pub fn read_new(body: &Value) -> Result<(String, Self), Vec<Problem>> {
        read_new(body)
    }

    /// Reads what an existing field will say.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the body.
    pub fn read(body: &Value) -> Result<Self, Vec<Problem>> {
        read_known(body)
    }
}

/// Reads a name that somebody would like to give to a field: `{"name": …}`.
///
/// # Errors
///
/// Everything that is wrong with the body.
pub fn read_free_field_name(body: &Value) -> Result<String, Vec<Problem>> {
    ContextFieldForm::read_new(body).map(|(name, _)| name)
}

/// Reads a value that a field may have: `{"value": …, "description": …}`.
///
/// # Errors
///
/// Everything that is wrong with the body.
pub fn read_legal_value(body: &Value) -> Result<LegalValue, Vec<Problem>> {
    let mut problems = Problems::new();
    let value = legal_value(&Node::body(body), &mut problems);
    problems.finish(value)
}

fn legal_values(node: &Node<'_>, problems: &mut Problems) -> Vec<LegalValue> {
    if node.is_absent() {
        return Vec::new();
    }
    let items = node.array(problems).unwrap_or_default();
    if items.len() > MOST_VALUES {
        let why = format!("must NOT have more than {MOST_VALUES} items");
        problems.refuse(node.path(), &why, &Value::from(items.len()));
        return Vec::new();
    }
    let mut seen = BTreeSet::new();
    let mut values = Vec::new();
    for item in &items {
        let Some(value) = legal_value(item, problems) else {
            continue;
        };
        if !seen.insert(value.value.clone()) {
            let why = "must not stand twice in the list";
            problems.refuse(item.path(), why, &Value::String(value.value.clone()));
        }
        values.push(value);
    }
    values
}

fn legal_value(node: &Node<'_>, problems: &mut Problems) -> Option<LegalValue> {
    node.object_of(problems, &["value", "description"])?;
    let value = node.get("value");
    let text = value.non_empty_text(problems);
    let text = text.filter(|text| is_short(&value, text, VALUE, problems));
    Some(LegalValue {
        description: description(node, problems),
        value: text?,
    })
}

fn description(node: &Node<'_>, problems: &mut Problems) -> Option<String> {
    let node = node.get("description");
    let text = node.nullable().optional_text(problems)?;
    is_short(&node, &text, DESCRIPTION, problems).then_some(text)
}

fn is_short(node: &Node<'_>, text: &str, most: usize, problems: &mut Problems) -> bool {
    let is_short = text.chars().count() <= most;
    if !is_short {
        let why = format!("must NOT have more than {most} characters");
        problems.refuse(node.path(), &why, &Value::String(text.to_owned()));
    }
    is_short
}

/// A context field, as it is shown.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ContextFieldDocument<'a> {
    name: &'a str,
    description: Option<&'a str>,
    stickiness: bool,
    sort_order: i32,
    legal_values: &'a [LegalValue],
    created_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    project: Option<&'a str>,
}

impl<'a> ContextFieldDocument<'a> {
    /// Shows `field`.
    #[must_use]
    pub fn of(field: &'a ContextField) -> Self {
        Self {
            name: &field.name,
            description: field.description.as_deref(),
            stickiness: field.stickiness,
            sort_order: field.sort_order,
            legal_values: &field.legal_values,
            created_at: field.created_at.map(Timestamp),
            project: field.project.as_ref().map(|project| project.as_str()),
        }
    }
}

/// A context field in a list, with how much it is used.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ContextFieldListItem<'a> {
    /// The field.
    #[serde(flatten)]
    pub field: ContextFieldDocument<'a>,
    /// In how many projects a live flag has a constraint on it.
    pub used_in_projects: usize,
    /// How many live flags have a constraint on it.
    pub used_in_features: usize,
}
