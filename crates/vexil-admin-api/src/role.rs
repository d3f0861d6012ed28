//! Custom roles: what is sent to make and change them.

use serde_json::Value;
use vexil_access::Permission;
use vexil_client_api::json::{Node, Problem, Problems};

/// A permission, as it is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PermissionForm {
    /// Its name.
    pub name: String,
    /// The only environment it shall count in.
    pub environment: Option<String>,
}

/// What a role will say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoleForm {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// Whether it is given for the whole instance; only a new role is asked.
    pub is_root: bool,
    /// What it allows.
    pub permissions: Vec<PermissionForm>,
}

impl RoleForm {
    /// Reads the body of a request.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it.
    pub fn read(body: &Value) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::new();
        let node = Node::body(body);
        if node
            .object_of(&mut problems, &["name", "description", "type", "permissions"])
            .is_none()
        {
            return problems.finish(None);
        }
        let name = node.get("name").non_empty_text(&mut problems);
        let description = node.get("description").nullable().optional_text(&mut problems);
        let kind = node.get("type");
        let kind = if kind.is_absent() {
            Some("custom".to_owned())
        } else {
            kind.word(&mut problems, &["root-custom", "custom"])
        };
        let permissions = node.get("permissions").list(&mut problems, read_permission);
        let form = name.zip(kind).map(|(name, kind)| Self {
            name: name.trim().to_owned(),
            description: description.unwrap_or_default(),
            is_root: kind == "root-custom",
            permissions,
        });
        problems.finish(form)
    }
}

/// A permission, by name, or by the number that the list of permissions gives it.
fn read_permission(node: &Node<'_>, problems: &mut Problems) -> Option<PermissionForm> {
    node.object_of(problems, &["id", "name", "displayName", "type", "environment"])?;
    let environment = node.get("environment").nullable().optional_text(problems);
    let environment = environment.filter(|name| !name.is_empty());
    let name = node.get("name");
    let name = if name.is_absent() {
        let last = i64::try_from(Permission::ALL.len()).unwrap_or(i64::MAX);
        let id = node.get("id").integer(problems, 1, last)?;
        let place = usize::try_from(id - 1).ok()?;
        Permission::ALL.get(place)?.name().to_owned()
    } else {
        name.non_empty_text(problems)?
    };
    Some(PermissionForm { name, environment })
}

/// Reads a name that a role might get: `{"name": …}`.
///
/// # Errors
///
/// Everything that is wrong with the body.
pub fn read_role_name(body: &Value) -> Result<String, Vec<Problem>> {
    let mut problems = Problems::new();
    let node = Node::body(body);
    if node.object_of(&mut problems, &["name"]).is_none() {
        return problems.finish(None);
    }
    let name = node.get("name").non_empty_text(&mut problems);
    problems.finish(name)
}
