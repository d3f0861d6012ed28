//! The three questions of the playground.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use vexil_domain::{EnvironmentName, ProjectId};

use super::context::{PlaygroundContext, Reading, Values};
use super::text::write_json;
use vexil_client_api::json::{Node, Problem, Problems};

/// Which projects are asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Projects {
    /// Every project.
    All,
    /// These.
    These(Vec<ProjectId>),
}

/// `POST /api/admin/playground/change-request/{id}`.
#[derive(Debug)]
pub struct ChangeRequestQuestion {
    /// The contexts to evaluate.
    pub context: PlaygroundContext,
    /// The context exactly as it was sent, as JSON text.
    pub sent: Box<RawValue>,
}

impl ChangeRequestQuestion {
    /// Reads the request from its parsed body, and from the text that it was parsed from.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the request.
    pub fn read(body: &Value, text: &[u8]) -> Result<Self, Vec<Problem>> {
        #[derive(Deserialize)]
        struct Sent {
            context: Box<RawValue>,
        }
        let mut problems = Problems::new();
        let node = Node::body(body);
        if node.object(&mut problems).is_none() {
            return problems.finish(None);
        }
        let context = PlaygroundContext::read(
            &node.get("context"),
            Reading::Documented,
            Values::Split,
            &mut problems,
        );
        let sent = serde_json::from_slice::<Sent>(text).ok();
        problems.finish(context.zip(sent).map(|(context, sent)| Self {
            context,
            sent: sent.context,
        }))
    }

    /// What was asked, as the answer repeats it: JSON text.
    #[must_use]
    pub fn input(&self, environment: &EnvironmentName, project: &ProjectId) -> String {
        #[derive(Serialize)]
        struct Input<'a> {
            environments: [&'a str; 1],
            projects: [&'a str; 1],
            context: &'a RawValue,
        }
        let input = Input {
            environments: [environment.as_str()],
            projects: [project.as_str()],
            context: &self.sent,
        };
        let mut text = Vec::new();
        write_json(&input, &mut text);
        String::from_utf8(text).unwrap_or_default()
    }
}

/// `POST /api/admin/playground/advanced`.
#[derive(Debug)]
pub struct AdvancedQuestion {
    /// The environments to evaluate in, in order, duplicates included.
    pub environments: Vec<EnvironmentName>,
    /// The projects whose flags are shown.
    pub projects: Projects,
    /// The contexts to evaluate.
    pub context: PlaygroundContext,
    /// The request as it was understood, as the answer repeats it: JSON text.
    pub input: String,
}

impl AdvancedQuestion {
    /// Reads the request from its parsed body.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the request.
    pub fn read(body: &Value) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::new();
        let node = Node::body(body);
        let Some(object) = node.object(&mut problems) else {
            return problems.finish(None);
        };
        let environments = read_environments(&node.get("environments"), &mut problems);
        let projects = read_projects(&node.get("projects"), &mut problems);
        let context = PlaygroundContext::read(
            &node.get("context"),
            Reading::Unleash,
            Values::Split,
            &mut problems,
        );
        let question = environments
            .zip(projects)
            .zip(context)
            .map(|((environments, projects), context)| {
                let mut echo = object.clone();
                echo.insert(
                    "environments".to_owned(),
                    texts(environments.iter().map(EnvironmentName::as_str)),
                );
                if let Projects::These(these) = &projects {
                    echo.insert("projects".to_owned(), texts(these.iter().map(ProjectId::as_str)));
                }
                echo.insert(
                    "context".to_owned(),
                    Value::Object(in_sent_order(&context.echo, object.get("context"))),
                );
                Self {
                    environments,
                    projects,
                    context,
                    input: Value::Object(echo).to_string(),
                }
            });
        problems.finish(question)
    }
}

/// `POST /api/admin/playground`: one environment, and no splitting.
#[derive(Debug)]
pub struct SimpleQuestion {
    /// The environment to evaluate in.
    pub environment: EnvironmentName,
    /// The projects whose flags are shown.
    pub projects: Projects,
    /// The context to evaluate.
    pub context: PlaygroundContext,
    /// The request as it was understood, as the answer repeats it: JSON text.
    pub input: String,
}

impl SimpleQuestion {
    /// Reads the request from its parsed body.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the request.
    pub fn read(body: &Value) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::new();
        let node = Node::body(body);
        let Some(object) = node.object(&mut problems) else {
            return problems.finish(None);
        };
        let environment = read_environment(&node.get("environment"), &mut problems);
        let projects = read_projects(&node.get("projects"), &mut problems);
        let context = PlaygroundContext::read(
            &node.get("context"),
            Reading::Unleash,
            Values::Whole,
            &mut problems,
        );
        let question = environment
            .zip(projects)
            .zip(context)
            .map(|((environment, projects), context)| {
                let mut echo = object.clone();
                echo.insert("environment".to_owned(), Value::String(environment.to_string()));
                echo.insert(
                    "context".to_owned(),
                    Value::Object(in_sent_order(&context.echo, object.get("context"))),
                );
                Self {
                    environment,
                    projects,
                    context,
                    input: Value::Object(echo).to_string(),
                }
            });
        problems.finish(question)
    }
}

fn read_environments(node: &Node<'_>, problems: &mut Problems) -> Option<Vec<EnvironmentName>> {
    let items = node.array(problems)?;
    if items.is_empty() {
        problems.refuse(
            node.path(),
            "must NOT have fewer than 1 items",
            &Value::Array(Vec::new()),
        );
        return None;
    }
    items
        .iter()
        .map(|item| read_environment(item, problems))
        .collect()
}

fn read_environment(node: &Node<'_>, problems: &mut Problems) -> Option<EnvironmentName> {
    let name = node.non_empty_text(problems)?;
    if name
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'~' | b'_' | b'.' | b'-'))
    {
        return Some(name.into());
    }
    problems.refuse(
        node.path(),
        "must match pattern \"^[a-zA-Z0-9~_.-]+$\"",
        &Value::String(name),
    );
    None
}

fn read_projects(node: &Node<'_>, problems: &mut Problems) -> Option<Projects> {
    match node.value() {
        None => Some(Projects::All),
        Some(Value::String(text)) if text == "*" => Some(Projects::All),
        Some(Value::Array(_)) => {
            let items = node.array(problems)?;
            let ids: Option<Vec<ProjectId>> = items
                .iter()
                .map(|item| item.text(problems).map(ProjectId::from))
                .collect();
            ids.map(Projects::These)
        }
        Some(other) => {
            problems.refuse(
                node.path(),
                "must be an array of project ids, or the string \"*\"",
                other,
            );
            None
        }
    }
}

fn texts<'a>(items: impl Iterator<Item = &'a str>) -> Value {
    Value::Array(items.map(|item| Value::String(item.to_owned())).collect())
}

/// The members of `echo` in the order in which they were sent.
fn in_sent_order(echo: &Map<String, Value>, sent: Option<&Value>) -> Map<String, Value> {
    let order = sent.and_then(Value::as_object).into_iter().flat_map(Map::keys);
    order
        .filter_map(|key| echo.get(key).map(|value| (key.clone(), value.clone())))
        .collect()
}
