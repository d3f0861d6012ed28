//! Names that something new gets.

use serde_json::Value;
use vexil_client_api::json::{Node, Problems};
use vexil_domain::check_url_friendly;

/// Reads a name that something new may have: 1 to 100 letters, digits and `-`, `_`, `.`, `~`.
pub(super) fn read_new_name(node: &Node<'_>, problems: &mut Problems) -> Option<String> {
    let name = node.text(problems)?;
    match check_url_friendly(&name) {
        Ok(()) => Some(name),
        Err(problem) => {
            problems.refuse(node.path(), &problem.to_string(), &Value::String(name));
            None
        }
    }
}
