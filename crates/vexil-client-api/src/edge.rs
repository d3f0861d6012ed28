//! `POST /edge/validate` and `/edge/issue-token`: a proxy asks which tokens are known, and for tokens of its own.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;
use vexil_domain::{EnvironmentName, ProjectId};

use crate::json::{Node, Problem, Problems};

/// All projects, or all environments.
const ALL: &str = "*";

/// Reads `{"tokens": […]}`.
///
/// # Errors
///
/// Everything that is wrong with the document.
pub fn read_tokens(body: &Value) -> Result<Vec<String>, Vec<Problem>> {
    let mut problems = Problems::new();
    let node = Node::body(body);
    if node.object(&mut problems).is_none() {
        return problems.finish(None);
    }
    let items = node.get("tokens").array(&mut problems).unwrap_or_default();
    let tokens = items
        .iter()
        .filter_map(|item| item.loose_text(&mut problems))
        .collect();
    problems.finish(Some(tokens))
}

/// The tokens that are known.
#[derive(Debug, Serialize)]
pub struct KnownTokens<'a> {
    /// Each with what it is for.
    pub tokens: Vec<KnownToken<'a>>,
}

/// A token that is known.
#[derive(Debug, Serialize)]
pub struct KnownToken<'a> {
    token: &'a str,
    #[serde(rename = "type")]
    kind: &'static str,
    projects: Vec<&'a str>,
    environment: &'a str,
}

impl<'a> KnownToken<'a> {
    /// A token as it was asked about; no `projects` means all of them, no `environment` too.
    #[must_use]
    pub fn new(
        token: &'a str,
        kind: &'static str,
        projects: &'a [ProjectId],
        environment: Option<&'a EnvironmentName>,
    ) -> Self {
        let named: Vec<&str> = projects.iter().map(ProjectId::as_str).collect();
        Self {
            token,
            kind,
            projects: if named.is_empty() { vec![ALL] } else { named },
            environment: environment.map_or(ALL, EnvironmentName::as_str),
        }
    }
}

/// What a token shall be for that a proxy asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenRequest {
    /// The environment.
    pub environment: EnvironmentName,
    /// The projects, in order and each once; empty for all.
    pub projects: Vec<ProjectId>,
}

/// Reads `{"tokens": [{"environment": …, "projects": […]}]}`. Members that are unknown are passed over.
///
/// # Errors
///
/// Everything that is wrong with the document.
pub fn read_token_requests(body: &Value) -> Result<Vec<TokenRequest>, Vec<Problem>> {
    let mut problems = Problems::new();
    let node = Node::body(body);
    if node.object(&mut problems).is_none() {
        return problems.finish(None);
    }
    let items = node.get("tokens").array(&mut problems).unwrap_or_default();
    let requests = items
        .iter()
        .filter_map(|item| read_token_request(item, &mut problems));
    let requests = requests.collect();
    problems.finish(Some(requests))
}

fn read_token_request(node: &Node<'_>, problems: &mut Problems) -> Option<TokenRequest> {
    node.object(problems)?;
    let environment = node.get("environment").non_empty_text(problems);
    let list = node.get("projects");
    let items = list.array(problems)?;
    if items.is_empty() {
        problems.refuse(
            list.path(),
            "must NOT have fewer than 1 items",
            &Value::Array(Vec::new()),
        );
    }
    let names = items.iter().filter_map(|item| item.non_empty_text(problems));
    let names: BTreeSet<String> = names.collect();
    let projects = if names.contains(ALL) {
        Vec::new()
    } else {
        names.into_iter().map(ProjectId::from).collect()
    };
    Some(TokenRequest {
        environment: environment?.into(),
        projects,
    })
}
