//! Dependencies of flags on other flags.

use serde_json::Value;
use vexil_domain::Dependency;

use vexil_client_api::json::{Node, Problem, Problems};

/// Reads a dependency from the body of a request.
///
/// # Errors
///
/// Everything that is wrong with it.
pub fn read_dependency(body: &Value) -> Result<Dependency, Vec<Problem>> {
    let mut problems = Problems::new();
    let node = Node::body(body);
    if node
        .object_of(&mut problems, &["feature", "enabled", "variants"])
        .is_none()
    {
        return problems.finish(None);
    }
    let parent = node.get("feature").non_empty_text(&mut problems);
    let enabled = node
        .get("enabled")
        .optional_boolean(&mut problems)
        .unwrap_or(true);
    let variants = node.get("variants").list(&mut problems, Node::text);
    problems.finish(parent.map(|parent| Dependency {
        parent: parent.into(),
        enabled,
        variants,
    }))
}
