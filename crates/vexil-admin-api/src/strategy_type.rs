//! Strategy types: which strategies can be chosen, and their parameters.

use serde::Serialize;
use serde_json::Value;
use vexil_domain::{StrategyParameter, StrategyType};

use super::form::{Form, read_known, read_new};
use vexil_client_api::json::{Node, Problem, Problems, refuse_repeated};

const PARAMETER_KINDS: [&str; 5] = ["string", "percentage", "list", "number", "boolean"];

/// What a strategy type will say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StrategyTypeForm {
    /// The name of an existing one, where it is said; it cannot be changed.
    pub name: Option<String>,
    /// What people call it; stays as it is when `None`, and is taken away when `Some(None)`.
    pub title: Option<Option<String>>,
    /// What it is for; stays as it is when `None`.
    pub description: Option<String>,
    /// What can be set.
    pub parameters: Vec<StrategyParameter>,
}

/// The members of a strategy type that are understood, or stand in the documents that it is shown in.
const STRATEGY_TYPE: &[&str] = &[
    "name",
    "title",
    "displayName",
    "description",
    "parameters",
    "editable",
    "deprecated",
];

impl Form for StrategyTypeForm {
    const MEMBERS: &'static [&'static str] = STRATEGY_TYPE;

    fn of(node: &Node<'_>, problems: &mut Problems) -> Self {
        let list = node.get("parameters");
        let items = list.array(problems).unwrap_or_default();
        let parameters: Vec<StrategyParameter> = items
            .iter()
            .filter_map(|item| read_parameter(item, problems))
            .collect();
        let names = parameters.iter().map(|parameter| parameter.name.as_str());
        refuse_repeated(&list, "parameter", names, problems);
        let title = node.get("title");
        Self {
            name: None,
            title: (!title.is_absent()).then(|| title.nullable().optional_text(problems)),
            description: node.get("description").optional_text(problems),
            parameters,
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

impl StrategyTypeForm {
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

fn read_parameter(node: &Node<'_>, problems: &mut Problems) -> Option<StrategyParameter> {
    node.object_of(problems, &["name", "type", "description", "required"])?;
    let name = node.get("name").non_empty_text(problems);
    let kind = node.get("type").word(problems, &PARAMETER_KINDS);
    let description = node
        .get("description")
        .optional_text(problems)
        .unwrap_or_default();
    let required = node.get("required").optional_boolean(problems).unwrap_or(false);
    Some(StrategyParameter {
        name: name?,
        kind: kind?,
        description,
        required,
    })
}

/// A strategy type.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StrategyTypeDocument<'a> {
    display_name: Option<&'a str>,
    name: &'a str,
    editable: bool,
    description: &'a str,
    parameters: &'a [StrategyParameter],
    deprecated: bool,
    title: Option<&'a str>,
}

impl<'a> StrategyTypeDocument<'a> {
    /// Shows `kind`.
    #[must_use]
    pub fn of(kind: &'a StrategyType) -> Self {
        Self {
            display_name: kind.display_name.as_deref(),
            name: &kind.name,
            editable: !kind.built_in,
            description: &kind.description,
            parameters: &kind.parameters,
            deprecated: kind.deprecated,
            title: kind.title.as_deref(),
        }
    }
}
