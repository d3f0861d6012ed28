//! Environments: what is sent to create and edit them, and how they are shown.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use vexil_domain::{ActivationStrategy, Environment, EnvironmentName};

use super::new_name::read_new_name;
use vexil_client_api::json::{Node, Problem, Problems};

/// What an environment will say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnvironmentForm {
    /// The name of an existing one, where it is said; it cannot be changed.
    pub name: Option<String>,
    /// `development`, `production` or the like; stays as it is when `None`.
    pub kind: Option<String>,
    /// The place in lists; stays as it is when `None`.
    pub sort_order: Option<i32>,
    /// Whether it is in use; stays as it is when `None`.
    pub enabled: Option<bool>,
    /// Whether it cannot be removed, where that is said.
    pub protected: Option<bool>,
    /// How many approvals change requests need by default; stays as it is when `None`, is taken away when `Some(None)`.
    pub required_approvals: Option<Option<u32>>,
}

/// The members of an environment that are understood, or stand in the documents that it is shown in.
const ENVIRONMENT: &[&str] = &[
    "name",
    "type",
    "sortOrder",
    "enabled",
    "requiredApprovals",
    "protected",
    "projectCount",
    "apiTokenCount",
    "enabledToggleCount",
];

impl EnvironmentForm {
    /// Reads an environment that is to be created, with its name.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the body.
    pub fn read_new(body: &Value) -> Result<(EnvironmentName, Self), Vec<Problem>> {
        let mut problems = Problems::new();
        let node = Node::body(body);
        if node.object_of(&mut problems, ENVIRONMENT).is_none() {
            return problems.finish(None);
        }
        let name = read_new_name(&node.get("name"), &mut problems);
        node.get("type").non_empty_text(&mut problems);
        let form = Self::of(&node, &mut problems);
        problems.finish(name.map(|name| (name.into(), form)))
    }

    /// Reads what an existing environment will say.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the body.
    pub fn read(body: &Value) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::new();
        let node = Node::body(body);
        if node.object_of(&mut problems, ENVIRONMENT).is_none() {
            return problems.finish(None);
        }
        let name = node.get("name").optional_text(&mut problems);
        let form = Self::of(&node, &mut problems);
        problems.finish(Some(Self { name, ..form }))
    }

    fn of(node: &Node<'_>, problems: &mut Problems) -> Self {
        let sort_order = node.get("sortOrder");
        let approvals = node.get("requiredApprovals");
        let required_approvals = match (approvals.is_absent(), approvals.is_absent_or_null()) {
            (true, _) => None,
            (false, true) => Some(None),
            (false, false) => Some(
                approvals
                    .integer(problems, 1, 10)
                    .and_then(|count| u32::try_from(count).ok()),
            ),
        };
        Self {
            name: None,
            kind: node.get("type").optional_text(problems),
            sort_order: (!sort_order.is_absent())
                .then(|| read_place(&sort_order, problems))
                .flatten(),
            enabled: node.get("enabled").optional_boolean(problems),
            protected: node.get("protected").optional_boolean(problems),
            required_approvals,
        }
    }
}

/// Reads a name that an environment might get: `{"name": …}`.
///
/// # Errors
///
/// Everything that is wrong with the body.
pub fn read_free_name(body: &Value) -> Result<EnvironmentName, Vec<Problem>> {
    let mut problems = Problems::new();
    let node = Node::body(body);
    let name = node
        .object_of(&mut problems, &["name"])
        .and_then(|_| read_new_name(&node.get("name"), &mut problems));
    problems.finish(name.map(EnvironmentName::from))
}

/// Reads new places of environments: `{"development": 1, …}`.
///
/// # Errors
///
/// Everything that is wrong with the body.
pub fn read_places(body: &Value) -> Result<BTreeMap<EnvironmentName, i32>, Vec<Problem>> {
    let mut problems = Problems::new();
    let members = Node::body(body).members(&mut problems).unwrap_or_default();
    let places = members
        .into_iter()
        .filter_map(|(name, member)| Some((name.into(), read_place(&member, &mut problems)?)))
        .collect();
    problems.finish(Some(places))
}

fn read_place(node: &Node<'_>, problems: &mut Problems) -> Option<i32> {
    let place = node.integer(problems, i64::from(i32::MIN), i64::from(i32::MAX))?;
    i32::try_from(place).ok()
}

/// An environment.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EnvironmentDocument<'a> {
    name: &'a str,
    #[serde(rename = "type")]
    kind: &'a str,
    sort_order: i32,
    enabled: bool,
    protected: bool,
    required_approvals: Option<u32>,
}

impl<'a> EnvironmentDocument<'a> {
    /// Shows `environment`.
    #[must_use]
    pub fn of(environment: &'a Environment) -> Self {
        Self {
            name: environment.name.as_str(),
            kind: &environment.kind,
            sort_order: environment.sort_order,
            enabled: environment.enabled,
            protected: environment.protected,
            required_approvals: environment.required_approvals,
        }
    }
}

/// An environment in the list of all, with how much it is used.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EnvironmentListItem<'a> {
    /// The environment.
    #[serde(flatten)]
    pub environment: EnvironmentDocument<'a>,
    /// How many projects use it.
    pub project_count: usize,
    /// How many tokens are for it alone.
    pub api_token_count: usize,
    /// How many live flags are on in it.
    pub enabled_toggle_count: usize,
}

/// An environment as a project sees it, with how much the project uses it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EnvironmentOfProject<'a> {
    /// The environment.
    #[serde(flatten)]
    pub environment: EnvironmentDocument<'a>,
    /// How many tokens are for it and the project.
    pub project_api_token_count: usize,
    /// How many live flags of the project are on in it.
    pub project_enabled_toggle_count: usize,
    /// The strategy that flags of the project get there when they are turned on without one, where it has been set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_strategy: Option<&'a ActivationStrategy>,
    /// Whether the project uses it.
    pub visible: bool,
}
