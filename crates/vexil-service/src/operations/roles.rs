//! Custom roles: made, changed, removed.

use std::sync::Arc;

use serde_json::{Value, json};
use vexil_access::{Directory, Permission, Role, RoleId, RoleKind, RolePermission};
use vexil_admin_api::role::{PermissionForm, RoleForm};
use vexil_client_api::json::Problems;
use vexil_domain::{EnvironmentName, Snapshot, Write};

use super::same_name::check_same;
use super::{Error, sign_in};
use crate::transaction::Transaction;

/// A role, which must be there.
pub fn find(directory: &Directory, id: RoleId) -> Result<&Arc<Role>, Error> {
    let missing = || Error::NotFound(format!("Could not find role with id {}", id.0));
    directory.role(id).ok_or_else(missing)
}

/// Checks that no role has a name, but for one that may keep its own.
pub fn check_free(directory: &Directory, name: &str, own: Option<RoleId>) -> Result<(), Error> {
    let same = |role: &&Arc<Role>| role.name.eq_ignore_ascii_case(name) && Some(role.id) != own;
    if directory.roles().any(|role| same(&role)) {
        return Err(Error::NameExists(format!(
            "There already exists a role with the name {name}"
        )));
    }
    Ok(())
}

/// Makes a role.
pub fn create(tx: &mut Transaction<'_>, form: &RoleForm) -> Result<Role, Error> {
    let directory = tx.access().directory;
    check_free(&directory, &form.name, None)?;
    let kind = if form.is_root == Some(true) {
        RoleKind::CustomRoot
    } else {
        RoleKind::CustomProject
    };
    let permissions = read_permissions(&tx.snapshot, kind, &form.permissions)?;
    let id = RoleId(tx.counters.role);
    tx.counters.role += 1;
    let role = Role::new(id, kind, &form.name, &form.description, permissions);
    tx.access_writes()
        .roles
        .push(Write::Upsert(Arc::new(role.clone())));
    Ok(role)
}

/// Changes a custom role. Who loses something by it is signed out.
pub fn edit(tx: &mut Transaction<'_>, id: RoleId, form: &RoleForm) -> Result<Role, Error> {
    let directory = tx.access().directory;
    let earlier = Arc::clone(find_custom(&directory, id)?);
    let kind = |is_root| if is_root { "root-custom" } else { "custom" };
    check_same(
        "type of a role",
        form.is_root.map(kind),
        kind(earlier.kind.is_root()),
    )?;
    check_free(&directory, &form.name, Some(id))?;
    let permissions = read_permissions(&tx.snapshot, earlier.kind, &form.permissions)?;
    let role = Role::new(id, earlier.kind, &form.name, &form.description, permissions);
    tx.access_writes()
        .roles
        .push(Write::Upsert(Arc::new(role.clone())));
    if !earlier.is_within(&role) {
        let holders = tx.users().filter(|user| user.root_role == id);
        for holder in holders.map(|user| user.id).collect::<Vec<_>>() {
            sign_in::end_all(tx, holder, None, "the role of the user allows less now")?;
        }
    }
    Ok(role)
}

/// Removes a custom role that nobody has.
pub fn remove(tx: &mut Transaction<'_>, id: RoleId) -> Result<(), Error> {
    let access = tx.access();
    let role = Arc::clone(find_custom(&access.directory, id)?);
    let users = tx
        .users()
        .filter(|user| user.root_role == id || user.project_roles.iter().any(|(_, role)| *role == id));
    let users = users.count();
    let has = |group: &vexil_access::Group| {
        group.root_role == Some(id) || group.project_roles.iter().any(|(_, role)| *role == id)
    };
    let groups = access.tables.groups.values().filter(|group| has(group)).count();
    let mut links = access.tables.sign_up_links.values();
    if users + groups > 0 || links.any(|link| link.role == id) {
        return Err(Error::RoleInUse(format!(
            "The role {} is in use by {users} users and {groups} groups. Take it from them before you remove it.",
            role.name
        )));
    }
    tx.access_writes().roles.push(Write::Delete(id));
    Ok(())
}

fn find_custom(directory: &Directory, id: RoleId) -> Result<&Arc<Role>, Error> {
    let role = find(directory, id)?;
    if id.is_built_in() {
        return Err(Error::InvalidOperation(format!(
            "The role {} is the same in every instance: it can be neither changed nor removed.",
            role.name
        )));
    }
    Ok(role)
}

fn read_permissions(
    snapshot: &Snapshot,
    kind: RoleKind,
    forms: &[PermissionForm],
) -> Result<Vec<RolePermission>, Error> {
    let mut problems = Problems::new();
    let mut permissions = Vec::new();
    for (place, form) in forms.iter().enumerate() {
        let path = format!("/body/permissions/{place}");
        let Some(permission) = Permission::from_name(&form.name) else {
            problems.add(&path, format!("There is no permission `{}`.", form.name));
            continue;
        };
        if permission == Permission::Admin || !kind.can_hold(permission) {
            let message = format!(
                "The permission {} counts {}, so this role cannot hold it.",
                form.name,
                if kind.is_root() {
                    "in projects"
                } else {
                    "in the whole instance"
                }
            );
            problems.add(&path, message);
        }
        let environment = form.environment.as_deref().map(EnvironmentName::from);
        if let Some(name) = environment
            .as_ref()
            .filter(|name| !snapshot.environments.contains_key(*name))
        {
            problems.add(
                format!("{path}/environment"),
                format!("There is no environment `{name}`."),
            );
        } else if let Some(why) = environment.as_ref().and(permission.not_in_one_environment()) {
            problems.add(format!("{path}/environment"), why);
        }
        permissions.push(RolePermission {
            permission,
            environment,
        });
    }
    problems.finish(Some(permissions)).map_err(Error::from)
}

/// A role as lists show it.
#[must_use]
pub fn short_document(role: &Role) -> Value {
    json!({ "id": role.id.0, "name": role.name, "type": role.kind.name(), "description": role.description })
}

/// A role with its permissions.
pub fn document(role: &Role) -> Value {
    let permissions: Vec<Value> = role.permissions().iter().map(permission_document).collect();
    json!({
        "id": role.id.0,
        "name": role.name,
        "type": role.kind.name(),
        "description": role.description,
        "permissions": permissions,
    })
}

fn permission_document(held: &RolePermission) -> Value {
    let mut shown = described(held.permission);
    if let (Some(object), Some(environment)) = (shown.as_object_mut(), &held.environment) {
        object.insert("environment".to_owned(), environment.as_str().into());
    }
    shown
}

/// A permission with what it allows.
#[must_use]
pub fn described(permission: Permission) -> Value {
    let id = Permission::ALL.iter().position(|known| *known == permission);
    json!({
        "id": id.map_or(0, |place| place + 1),
        "name": permission.name(),
        "displayName": permission.title().trim_end_matches('.'),
        "type": permission.scope().name(),
    })
}
