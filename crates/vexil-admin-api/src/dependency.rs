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
    let dependency = read_dependency_at(&Node::body(body), &mut problems);
    problems.finish(dependency)
}

/// Reads a dependency that stands at a place.
pub(super) fn read_dependency_at(node: &Node<'_>, problems: &mut Problems) -> Option<Dependency> {
    node.object_of(problems, &["feature", "enabled", "variants"])?;
    let parent = node.get("feature").non_empty_text(problems);
    let enabled = node.get("enabled").optional_boolean(problems).unwrap_or(true);
    let variants = node.get("variants").list(problems, Node::text);
    Some(Dependency {
        parent: parent?.into(),
        enabled,
        variants,
    })
}
