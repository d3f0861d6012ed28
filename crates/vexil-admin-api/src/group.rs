//! Groups of people: what is sent to make and change them.

use serde_json::Value;
use vexil_client_api::json::{Node, Problem, Problems};

use super::user::{RoleReference, read_role};

/// What a group will say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupForm {
    /// Its name.
    pub name: String,
    /// What it is.
    pub description: String,
    /// What its members may do everywhere.
    pub root_role: Option<RoleReference>,
    /// What single sign-on calls it.
    pub external_names: Vec<String>,
    /// The ids of its members.
    pub users: Vec<i64>,
}

impl GroupForm {
    /// Reads the body of a request.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it.
    pub fn read(body: &Value) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::new();
        let node = Node::body(body);
        if node
            .object_of(
                &mut problems,
                &["name", "description", "rootRole", "mappingsSSO", "users"],
            )
            .is_none()
        {
            return problems.finish(None);
        }
        let name = node.get("name").non_empty_text(&mut problems);
        let description = node.get("description").nullable().optional_text(&mut problems);
        let role = node.get("rootRole").nullable();
        let root_role = if role.is_absent() {
            None
        } else {
            read_role(&role, &mut problems)
        };
        let external_names = node
            .get("mappingsSSO")
            .nullable()
            .list(&mut problems, |item, problems| item.non_empty_text(problems));
        let users = node.get("users").list(&mut problems, read_member);
        let form = name.map(|name| Self {
            name: name.trim().to_owned(),
            description: description.unwrap_or_default(),
            root_role,
            external_names,
            users,
        });
        problems.finish(form)
    }
}

/// A member: an id, `{"id": …}`, or `{"user": {"id": …}}`.
fn read_member(node: &Node<'_>, problems: &mut Problems) -> Option<i64> {
    if !node.value().is_some_and(Value::is_object) {
        return read_id(node, problems);
    }
    let user = node.get("user");
    if user.is_absent() {
        return read_id(node, problems);
    }
    node.object_of(problems, &["user"])?;
    read_id(&user, problems)
}

/// An id: by itself, or as `{"id": …}`.
pub(crate) fn read_id(node: &Node<'_>, problems: &mut Problems) -> Option<i64> {
    if node.value().is_some_and(Value::is_object) {
        node.object_of(problems, &["id"])?;
        return node.get("id").integer(problems, i64::MIN, i64::MAX);
    }
    node.integer(problems, i64::MIN, i64::MAX)
}
