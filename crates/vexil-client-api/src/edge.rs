//! `POST /edge/validate`: a proxy asks which tokens are known, and what they are for.

use serde::Serialize;
use serde_json::Value;
use vexil_domain::{EnvironmentName, ProjectId};

use crate::json::{Node, Problem, Problems};

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
        const ALL: &str = "*";
        let named: Vec<&str> = projects.iter().map(ProjectId::as_str).collect();
        Self {
            token,
            kind,
            projects: if named.is_empty() { vec![ALL] } else { named },
            environment: environment.map_or(ALL, EnvironmentName::as_str),
        }
    }
}
