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
    /// Whether it is given for the whole instance, where that is said. It cannot be changed.
    pub is_root: Option<bool>,
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
        let kind = (!kind.is_absent()).then(|| kind.word(&mut problems, &["root-custom", "custom"]));
        let is_root = kind.flatten().map(|kind| kind == "root-custom");
        let permissions = node.get("permissions").list(&mut problems, read_permission);
        let form = name.map(|name| Self {
            name: name.trim().to_owned(),
            description: description.unwrap_or_default(),
            is_root,
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
    let (id, name) = (node.get("id"), node.get("name"));
    if name.is_absent() {
        let name = read_number(&id, problems)?.name().to_owned();
        return Some(PermissionForm { name, environment });
    }
    let name = name.non_empty_text(problems)?;
    if !id.nullable().is_absent() {
        let numbered = read_number(&id, problems)?.name();
        if numbered != name {
            let rule = format!("is the id of `{numbered}`, not of `{name}`: send one of them");
            problems.refuse(id.path(), &rule, &Value::from(name.as_str()));
        }
    }
    Some(PermissionForm { name, environment })
}

fn read_number(id: &Node<'_>, problems: &mut Problems) -> Option<Permission> {
    let last = i64::try_from(Permission::ALL.len()).unwrap_or(i64::MAX);
    let place = usize::try_from(id.integer(problems, 1, last)? - 1).ok()?;
    Permission::ALL.get(place).copied()
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
