//! Forms of things that people name: read with the name where one is made, without where one is edited.

use serde_json::Value;
use vexil_client_api::json::{Node, Problem, Problems};

use super::new_name::read_new_name;

/// What such a thing will say.
pub(super) trait Form: Sized {
    /// The members that are understood, or stand in the documents that it is shown in.
    const MEMBERS: &'static [&'static str];

    /// Reads the name of a new one.
    fn name(node: &Node<'_>, problems: &mut Problems) -> Option<String> {
        read_new_name(node, problems)
    }

    /// Reads what a new one will say.
    fn of(node: &Node<'_>, problems: &mut Problems) -> Self;

    /// Reads what an existing one will say.
    fn of_known(node: &Node<'_>, problems: &mut Problems) -> Self {
        Self::of(node, problems)
    }
}

/// Reads a new thing from the body of a request.
///
/// # Errors
///
/// Everything that is wrong with it.
pub(super) fn read_new<F: Form>(body: &Value) -> Result<(String, F), Vec<Problem>> {
    let mut problems = Problems::new();
    let read = read_new_at(&Node::body(body), &mut problems);
    problems.finish(read)
}

/// Reads a new thing that stands at a place.
pub(super) fn read_new_at<F: Form>(node: &Node<'_>, problems: &mut Problems) -> Option<(String, F)> {
    node.object_of(problems, F::MEMBERS)?;
    let name = F::name(&node.get("name"), problems);
    let form = F::of(node, problems);
    name.map(|name| (name, form))
}

/// Reads what an existing thing will say from the body of a request.
///
/// # Errors
///
/// Everything that is wrong with it.
pub(super) fn read_known<F: Form>(body: &Value) -> Result<F, Vec<Problem>> {
    let mut problems = Problems::new();
    let node = Node::body(body);
    let is_object = node.object_of(&mut problems, F::MEMBERS).is_some();
    let form = is_object.then(|| F::of_known(&node, &mut problems));
    problems.finish(form)
}
