//! Projects: what is sent to create and edit them.

use serde_json::Value;
use vexil_domain::EnvironmentName;

use super::new_name::read_new_name;
use super::project_settings::SettingsForm;
use super::strategy_fields::read_new_strategy;
use vexil_client_api::json::{Node, Problem, Problems, refuse_repeated};

/// What a project will say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectForm {
    /// The id of an existing one, where it is said; it cannot be changed.
    pub id: Option<String>,
    /// The name shown to people.
    pub name: String,
    /// What it is for; stays as it is when `None`.
    pub description: Option<String>,
    /// What is set about it beside; what is not said stays as it is.
    pub settings: SettingsForm,
    /// The environments it uses; every one, or those it uses already, when `None`.
    pub environments: Option<Vec<EnvironmentName>>,
    /// Environments where changes go through change requests, with the approvals they need.
    pub change_requests: Vec<(EnvironmentName, u32)>,
}

/// The members of a project that are understood, or stand in the documents that it is shown in.
const PROJECT: &[&str] = &[
    "id",
    "name",
    "description",
    "defaultStickiness",
    "environments",
    "changeRequestEnvironments",
    "mode",
    "featureLimit",
    "featureNaming",
    "createdAt",
    "updatedAt",
    "favorite",
    "health",
    "version",
    "archivedAt",
    "featureTypeCounts",
    "linkTemplates",
    "members",
    "onboardingStatus",
    "owners",
    "stats",
    "technicalDebt",
];

impl ProjectForm {
    /// Reads a project that is to be created, with its id where one is said.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the body.
    pub fn read_new(body: &Value) -> Result<(Option<String>, Self), Vec<Problem>> {
        let mut problems = Problems::new();
        let node = Node::body(body);
        if node.object_of(&mut problems, PROJECT).is_none() {
            return problems.finish(None);
        }
        let id = node.get("id");
        let id = (!id.is_absent())
            .then(|| read_new_name(&id, &mut problems))
            .flatten();
        let form = Self::of(&node, &mut problems);
        problems.finish(form.map(|form| (id, form)))
    }

    /// Reads what an existing project will say.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the body.
    pub fn read(body: &Value) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::new();
        let node = Node::body(body);
        if node.object_of(&mut problems, PROJECT).is_none() {
            return problems.finish(None);
        }
        let id = node.get("id").optional_text(&mut problems);
        let form = Self::of(&node, &mut problems);
        problems.finish(form.map(|form| Self { id, ..form }))
    }

    fn of(node: &Node<'_>, problems: &mut Problems) -> Option<Self> {
        let name = node.get("name").non_empty_text(problems);
        let environments = node.get("environments");
        let environments = (!environments.is_absent()).then(|| {
            environments.list(problems, |item, problems| {
                item.text(problems).map(EnvironmentName::from)
            })
        });
        let list = node.get("changeRequestEnvironments");
        let rules = list.list(problems, read_rule);
        let names = rules.iter().map(|(name, _)| name.as_str());
        refuse_repeated(&list, "environment", names, problems);
        Some(Self {
            id: None,
            description: node.get("description").nullable().optional_text(problems),
            settings: SettingsForm::of(node, problems),
            environments,
            change_requests: rules,
            name: name?,
        })
    }
}

fn read_rule(node: &Node<'_>, problems: &mut Problems) -> Option<(EnvironmentName, u32)> {
    node.object_of(problems, &["name", "requiredApprovals"])?;
    let name = node.get("name").non_empty_text(problems);
    let approvals = node.get("requiredApprovals");
    let approvals = if approvals.is_absent() {
        Some(1)
    } else {
        approvals.integer(problems, 0, i64::from(i32::MAX))
    };
    let approvals = u32::try_from(approvals?.clamp(1, 10)).ok()?;
    Some((name?.into(), approvals))
}

/// An environment that a project shall use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnvironmentAddition {
    /// The environment.
    pub environment: EnvironmentName,
    /// Whether changes go through change requests there.
    pub change_requests_enabled: bool,
}

impl EnvironmentAddition {
    /// Reads the body of a request.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it.
    pub fn read(body: &Value) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::new();
        let node = Node::body(body);
        if node
            .object_of(&mut problems, &["environment", "changeRequestsEnabled"])
            .is_none()
        {
            return problems.finish(None);
        }
        let name = node.get("environment").non_empty_text(&mut problems);
        let enabled = node
            .get("changeRequestsEnabled")
            .optional_boolean(&mut problems)
            .unwrap_or(false);
        problems.finish(name.map(|name| Self {
            environment: name.into(),
            change_requests_enabled: enabled,
        }))
    }
}

/// Reads the strategy that flags get when they are switched on without one.
///
/// # Errors
///
/// Everything that is wrong with the body.
pub fn read_default_strategy(body: &Value) -> Result<vexil_change_request::NewStrategy, Vec<Problem>> {
    let mut problems = Problems::new();
    let strategy = read_new_strategy(&Node::body(body), &mut problems);
    problems.finish(strategy)
}
