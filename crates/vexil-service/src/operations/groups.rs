//! Groups of people: made, changed, removed.

use std::sync::Arc;

use vexil_access::{Directory, Group, GroupId, RoleId, UserId};
use vexil_admin_api::group::GroupForm;
use vexil_client_api::json::Problems;
use vexil_domain::Write;

use super::Error;
use super::users::find_root_role;
use crate::transaction::Transaction;

/// A group, which must be there.
pub fn find(directory: &Directory, id: GroupId) -> Result<&Arc<Group>, Error> {
    let missing = || Error::NotFound(format!("Could not find group with id {}", id.0));
    directory.group(id).ok_or_else(missing)
}

/// Makes a group.
pub fn create(tx: &mut Transaction<'_>, form: &GroupForm) -> Result<Group, Error> {
    check_free(&tx.access().directory, &form.name, None)?;
    let id = GroupId(tx.counters.group);
    tx.counters.group += 1;
    let group = Group {
        id,
        name: form.name.clone(),
        description: form.description.clone(),
        root_role: root_role(tx, form)?,
        external_names: form.external_names.iter().cloned().collect(),
        members: members(tx, form)?,
        project_roles: std::collections::BTreeSet::new(),
    };
    put(tx, group.clone());
    Ok(group)
}

/// Changes a group. Its roles in projects stay.
pub fn edit(tx: &mut Transaction<'_>, id: GroupId, form: &GroupForm) -> Result<Group, Error> {
    let directory = tx.access().directory;
    let earlier = Arc::clone(find(&directory, id)?);
    check_free(&directory, &form.name, Some(id))?;
    let group = Group {
        name: form.name.clone(),
        description: form.description.clone(),
        root_role: root_role(tx, form)?,
        external_names: form.external_names.iter().cloned().collect(),
        members: members(tx, form)?,
        ..Group::clone(&earlier)
    };
    put(tx, group.clone());
    Ok(group)
}

/// Removes a group. What it gave, its members lose.
pub fn remove(tx: &mut Transaction<'_>, id: GroupId) -> Result<(), Error> {
    let directory = tx.access().directory;
    find(&directory, id)?;
    tx.access_writes().groups.push(Write::Delete(id));
    Ok(())
}

/// Puts somebody into exactly those groups that single sign-on has names for, by what it says; other groups are
/// left alone.
pub(crate) fn follow_claims(
    tx: &mut Transaction<'_>,
    user: UserId,
    claimed: &std::collections::BTreeSet<String>,
) {
    let access = tx.access();
    let mapped = access
        .tables
        .groups
        .values()
        .filter(|group| !group.external_names.is_empty());
    for earlier in mapped {
        let belongs = !earlier.external_names.is_disjoint(claimed);
        if earlier.members.contains(&user) == belongs {
            continue;
        }
        let mut group = Group::clone(earlier);
        if belongs {
            group.members.insert(user);
        } else {
            group.members.remove(&user);
        }
        put(tx, group);
    }
}

fn put(tx: &mut Transaction<'_>, group: Group) {
    tx.access_writes().groups.push(Write::Upsert(Arc::new(group)));
}

fn check_free(directory: &Directory, name: &str, own: Option<GroupId>) -> Result<(), Error> {
    let same = |group: &Arc<Group>| group.name == name && Some(group.id) != own;
    if directory.groups().any(same) {
        return Err(Error::NameExists("Group name already exists".to_owned()));
    }
    Ok(())
}

fn root_role(tx: &Transaction<'_>, form: &GroupForm) -> Result<Option<RoleId>, Error> {
    let directory = tx.access().directory;
    let role = form.root_role.as_ref();
    role.map(|role| find_root_role(&directory, role)).transpose()
}

fn members(tx: &Transaction<'_>, form: &GroupForm) -> Result<std::collections::BTreeSet<UserId>, Error> {
    let mut problems = Problems::new();
    for (place, id) in form.users.iter().enumerate() {
        if tx.user(UserId(*id)).is_none() {
            problems.add(
                format!("/body/users/{place}"),
                format!("There is no user with the id {id}."),
            );
        }
    }
    let members = form.users.iter().map(|id| UserId(*id)).collect();
    problems.finish(Some(members)).map_err(Error::from)
}
