//! Parts of a body that may stand beside each other in one object. Each names its members; what is in none of the parts is refused.

use serde_json::Value;
use vexil_client_api::json::{Node, Problem, Problems};

/// A part of a body, or a whole one.
pub trait Part: Sized {
    /// The names of its members.
    fn members() -> Vec<&'static str>;

    /// Reads its members out of an object that may have those of other parts.
    fn read_part(node: &Node<'_>, problems: &mut Problems) -> Option<Self>;

    /// Reads a body that is this and nothing else.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it.
    fn read(body: &Value) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::new();
        let node = Node::body(body);
        if node.object_of(&mut problems, &Self::members()).is_none() {
            return problems.finish(None);
        }
        let part = Self::read_part(&node, &mut problems);
        problems.finish(part)
    }
}

/// Both parts, or everything that is wrong with either.
impl<A: Part, B: Part> Part for (A, B) {
    fn members() -> Vec<&'static str> {
        [A::members(), B::members()].concat()
    }

    fn read_part(node: &Node<'_>, problems: &mut Problems) -> Option<Self> {
        let (one, other) = (A::read_part(node, problems), B::read_part(node, problems));
        one.zip(other)
    }
}
