//! Who gets which roles in a project: what is sent.

use serde_json::Value;
use vexil_client_api::json::{Node, Problem, Problems};

use super::group::read_id;

/// Who shall have a role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoleHolders {
    /// The id of the role.
    pub role: i64,
    /// The ids of users.
    pub users: Vec<i64>,
    /// The ids of groups.
    pub groups: Vec<i64>,
}

/// Roles that some shall have besides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccessForm {
    /// The ids of roles.
    pub roles: Vec<i64>,
    /// The ids of users.
    pub users: Vec<i64>,
    /// The ids of groups.
    pub groups: Vec<i64>,
}

fn ids(node: &Node<'_>, problems: &mut Problems) -> Vec<i64> {
    node.list(problems, read_id)
}

/// Reads who shall have which roles, and nobody else: `{"roles": [{"id": …, "users": […], "groups": […]}]}`.
///
/// # Errors
///
/// Everything that is wrong with the body.
pub fn read_whole_access(body: &Value) -> Result<Vec<RoleHolders>, Vec<Problem>> {
    let mut problems = Problems::new();
    let node = Node::body(body);
    if node.object_of(&mut problems, &["roles"]).is_none() {
        return problems.finish(None);
    }
    // one that leaves the list out would take everybody's access away
    let listed = node.get("roles").array(&mut problems);
    let roles = listed.unwrap_or_default();
    let mut holders = Vec::new();
    for role in &roles {
        if role
            .object_of(&mut problems, &["id", "name", "users", "groups"])
            .is_none()
        {
            continue;
        }
        let id = role.get("id").integer(&mut problems, i64::MIN, i64::MAX);
        let users = ids(&role.get("users"), &mut problems);
        let groups = ids(&role.get("groups"), &mut problems);
        holders.extend(id.map(|role| RoleHolders { role, users, groups }));
    }
    problems.finish(Some(holders))
}

impl AccessForm {
    /// Reads the body of a request.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it.
    pub fn read(body: &Value) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::new();
        let node = Node::body(body);
        if node
            .object_of(&mut problems, &["roles", "users", "groups"])
            .is_none()
        {
            return problems.finish(None);
        }
        let form = Self {
            roles: ids(&node.get("roles"), &mut problems),
            users: ids(&node.get("users"), &mut problems),
            groups: ids(&node.get("groups"), &mut problems),
        };
        problems.finish(Some(form))
    }
}

/// Reads the roles that somebody shall have: `{"roles": […]}`.
///
/// # Errors
///
/// Everything that is wrong with the body.
pub fn read_roles(body: &Value) -> Result<Vec<i64>, Vec<Problem>> {
    let mut problems = Problems::new();
    let node = Node::body(body);
    if node.object_of(&mut problems, &["roles"]).is_none() {
        return problems.finish(None);
    }
    let listed = node.get("roles").array(&mut problems).unwrap_or_default();
    let roles = listed
        .iter()
        .filter_map(|item| read_id(item, &mut problems))
        .collect();
    problems.finish(Some(roles))
}
