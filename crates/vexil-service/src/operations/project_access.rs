//! Who has which roles in a project.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value, json};
use vexil_access::{Assignment, Directory, Grant, Group, GroupId, Permission, RoleId, Unassignable, UserId};
use vexil_admin_api::project_access::{AccessForm, RoleHolders};
use vexil_admin_api::user::GrantForm;
use vexil_domain::{EnvironmentName, ProjectId, Write};
use vexil_store::User;

use super::change_requests::find_project;
use super::{Error, audit, groups, users};
use crate::principal::Principal;
use crate::transaction::Transaction;

/// Roles in one project.
type Roles = BTreeSet<RoleId>;

/// Somebody who has roles in projects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Who {
    /// A user.
    User(UserId),
    /// A group.
    Group(GroupId),
}

/// Whoever gives access, as of the state that this edit starts from: somebody who lost the right to a moment
/// ago gives nothing.
struct Giver<'a> {
    principal: Principal,
    directory: Directory,
    project: &'a ProjectId,
}

/// Gives exactly these roles in a project to everybody who is named, and takes all roles from everybody else.
pub fn replace(
    tx: &mut Transaction<'_>,
    who: &Principal,
    project: &ProjectId,
    holders: &[RoleHolders],
) -> Result<(), Error> {
    let giver = Giver::new(tx, who, project)?;
    let mut wanted: std::collections::BTreeMap<Who, Roles> = std::collections::BTreeMap::new();
    for user in tx.users() {
        wanted.insert(Who::User(user.id), Roles::new());
    }
    for group in giver.directory.groups() {
        wanted.insert(Who::Group(group.id), Roles::new());
    }
    for of_role in holders {
        let people = of_role.users.iter().map(|id| Who::User(UserId(*id)));
        let groups = of_role.groups.iter().map(|id| Who::Group(GroupId(*id)));
        for holder in people.chain(groups) {
            let Some(roles) = wanted.get_mut(&holder) else {
                return Err(holder.missing());
            };
            roles.insert(RoleId(of_role.role));
        }
    }
    for (holder, roles) in wanted {
        giver.set(tx, holder, &roles)?;
    }
    Ok(())
}

/// Adds roles in a project to users and groups.
pub fn add(
    tx: &mut Transaction<'_>,
    who: &Principal,
    project: &ProjectId,
    form: &AccessForm,
) -> Result<(), Error> {
    let giver = Giver::new(tx, who, project)?;
    let people = form.users.iter().map(|id| Who::User(UserId(*id)));
    let groups = form.groups.iter().map(|id| Who::Group(GroupId(*id)));
    for holder in people.chain(groups) {
        let mut roles = giver.held(tx, holder)?;
        roles.extend(form.roles.iter().map(|id| RoleId(*id)));
        giver.set(tx, holder, &roles)?;
    }
    Ok(())
}

/// Gives somebody exactly these roles in a project.
pub fn set(
    tx: &mut Transaction<'_>,
    who: &Principal,
    project: &ProjectId,
    holder: Who,
    roles: &[i64],
) -> Result<(), Error> {
    let giver = Giver::new(tx, who, project)?;
    giver.held(tx, holder)?;
    giver.set(tx, holder, &roles.iter().map(|id| RoleId(*id)).collect())
}

/// Gives a user exactly these single permissions in a project.
pub fn grant(
    tx: &mut Transaction<'_>,
    who: &Principal,
    project: &ProjectId,
    id: UserId,
    wanted: &[GrantForm],
) -> Result<(), Error> {
    let giver = Giver::new(tx, who, project)?;
    let mut user = User::clone(users::find(tx.serving(), id)?);
    let used = find_project(&tx.snapshot, project)?;
    let mut grants = BTreeSet::new();
    for (permission, environment) in wanted {
        let environment = environment.as_deref().map(EnvironmentName::from);
        let unused = environment
            .as_ref()
            .filter(|name| !used.environments.contains_key(*name));
        if let Some(name) = unused {
            return Err(Error::invalid(format!(
                "The project \"{project}\" does not use the environment \"{name}\"."
            )));
        }
        let known = Permission::from_name(permission);
        if let Some(why) = known
            .filter(|_| environment.is_some())
            .and_then(Permission::not_in_one_environment)
        {
            return Err(Error::invalid(why));
        }
        grants.extend(known.map(|permission| Grant {
            project: project.clone(),
            environment,
            permission,
        }));
    }
    for new in grants.difference(&user.grants) {
        giver
            .assignment(Who::User(id))
            .check(new.permission, new.environment.as_ref())
            .map_err(|refused| unassignable(new.permission.name(), &refused))?;
    }
    user.grants.retain(|grant| grant.project != *project);
    user.grants.append(&mut grants);
    tx.put_user(user);
    Ok(())
}

/// Lets whoever makes a project own it.
pub fn own(tx: &mut Transaction<'_>, who: &Principal, project: &ProjectId) {
    let user = who.user.as_ref().and_then(|user| tx.user(user.id));
    if let Some(user) = user {
        let mut user = User::clone(&user);
        user.project_roles.insert((project.clone(), RoleId::OWNER));
        tx.put_user(user);
    }
}

impl Who {
    fn missing(self) -> Error {
        Error::invalid(match self {
            Self::User(id) => format!("There is no user with the id {}.", id.0),
            Self::Group(id) => format!("There is no group with the id {}.", id.0),
        })
    }
}

impl<'a> Giver<'a> {
    fn new(tx: &Transaction<'_>, who: &Principal, project: &'a ProjectId) -> Result<Self, Error> {
        find_project(&tx.snapshot, project)?;
        let directory = tx.access().directory;
        let principal = match &who.user {
            None => who.clone(),
            Some(user) => match tx.user(user.id) {
                Some(user) => Principal::of_user(&user, &directory),
                None => return Err(Error::missing_permission("PROJECT_USER_ACCESS_WRITE")),
            },
        };
        Ok(Self {
            principal,
            directory,
            project,
        })
    }

    /// The roles that somebody has in the project.
    fn held(&self, tx: &Transaction<'_>, holder: Who) -> Result<Roles, Error> {
        let roles = match holder {
            Who::User(id) => tx.user(id).ok_or_else(|| holder.missing())?.project_roles.clone(),
            Who::Group(id) => {
                let group = self.directory.group(id);
                group.ok_or_else(|| holder.missing())?.project_roles.clone()
            }
        };
        let here = roles.into_iter().filter(|(project, _)| project == self.project);
        Ok(here.map(|(_, role)| role).collect())
    }

    fn set(&self, tx: &mut Transaction<'_>, holder: Who, roles: &Roles) -> Result<(), Error> {
        let held = self.held(tx, holder)?;
        if held == *roles {
            return Ok(());
        }
        for role in roles.difference(&held) {
            self.check(holder, *role)?;
        }
        match holder {
            Who::User(id) => {
                let mut user = User::clone(&*tx.user(id).ok_or_else(|| holder.missing())?);
                user.project_roles = self.with(&user.project_roles, roles);
                tx.put_user(user);
            }
            Who::Group(id) => {
                let mut group = Group::clone(groups::find(&self.directory, id)?);
                group.project_roles = self.with(&group.project_roles, roles);
                tx.access_writes().groups.push(Write::Upsert(Arc::new(group)));
            }
        }
        Ok(())
    }

    /// Roles in all projects, with these in place of those in this one.
    fn with(&self, all: &BTreeSet<(ProjectId, RoleId)>, roles: &Roles) -> BTreeSet<(ProjectId, RoleId)> {
        let elsewhere = all.iter().filter(|(project, _)| project != self.project).cloned();
        elsewhere
            .chain(roles.iter().map(|role| (self.project.clone(), *role)))
            .collect()
    }

    /// Whether somebody may be given a role.
    fn check(&self, holder: Who, role: RoleId) -> Result<(), Error> {
        let found = self.directory.role(role).filter(|role| !role.kind.is_root());
        let Some(role) = found else {
            return Err(Error::invalid(format!(
                "There is no project role with the id {}.",
                role.0
            )));
        };
        let given = self.assignment(holder).check_role(role);
        given.map_err(|refused| unassignable(&role.name, &refused))
    }

    fn assignment(&self, holder: Who) -> Assignment<'_> {
        Assignment {
            giver: &self.principal.rights,
            project: self.project,
            to_themselves: self.is_giver(holder),
        }
    }

    /// Whether whoever gives would get it, by themselves or by a group that they are in.
    fn is_giver(&self, holder: Who) -> bool {
        let Some(user) = &self.principal.user else {
            return false;
        };
        match holder {
            Who::User(id) => id == user.id,
            Who::Group(id) => {
                let group = self.directory.group(id);
                group.is_some_and(|group| group.members.contains(&user.id))
            }
        }
    }
}

fn unassignable(what: &str, refused: &Unassignable) -> Error {
    Error::Forbidden {
        message: format!("{what} cannot be given: {refused}."),
        permissions: vec![refused.permission.name().to_owned()],
    }
}

/// Who has access to a project: users and groups with their roles, and the roles there are.
pub fn document(serving: &crate::serving_state::ServingState, project: &ProjectId) -> Value {
    let directory = &serving.access.directory;
    let here = |roles: &BTreeSet<(ProjectId, RoleId)>| -> Vec<i64> {
        let here = roles.iter().filter(|(in_project, _)| in_project == project);
        here.map(|(_, role)| role.0).collect()
    };
    let users = serving.users.iter().filter_map(|user| {
        let (roles, permissions) = (here(&user.project_roles), audit::shown_grants(user, project));
        let mut shown = (!roles.is_empty() || !permissions.is_empty()).then(|| users::person(user))?;
        if let Some(object) = shown.as_object_mut() {
            object.insert("roleId".to_owned(), roles.first().copied().into());
            object.insert("roles".to_owned(), roles.into());
            if !permissions.is_empty() {
                object.insert("permissions".to_owned(), permissions.into());
            }
        }
        Some(shown)
    });
    let users: Vec<Value> = users.collect();
    let groups = directory.groups().filter_map(|group| {
        let roles = here(&group.project_roles);
        (!roles.is_empty()).then(|| {
            json!({
                "id": group.id.0,
                "name": group.name,
                "description": group.description,
                "roleId": roles.first(),
                "roles": roles,
                "users": members(serving, group),
            })
        })
    });
    let groups: Vec<Value> = groups.collect();
    let roles = directory.roles().filter(|role| !role.kind.is_root());
    let roles: Vec<Value> = roles
        .map(|role| {
            json!({
                "id": role.id.0,
                "name": role.name,
                "type": role.kind.name(),
                "description": role.description,
            })
        })
        .collect();
    json!({ "version": 1, "users": users, "groups": groups, "roles": roles })
}

/// The members of a group that are there.
pub fn members(serving: &crate::serving_state::ServingState, group: &Group) -> Vec<Value> {
    let found = group.members.iter().filter_map(|id| serving.users.get(*id));
    found.map(|user| json!({ "user": users::person(user) })).collect()
}
