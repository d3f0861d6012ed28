//! What somebody may do where.

use std::collections::BTreeSet;
use std::sync::Arc;

use vexil_domain::{EnvironmentName, ProjectId};

use crate::{
    Decision, Directory, Grant, Group, Holder, Missing, Permission, PermissionSet, Place, ProjectMode,
    Reason, Role, RoleId, Scope,
};

/// What somebody may do where.
#[derive(Debug, Clone)]
pub struct Rights {
    directory: Directory,
    roles: Vec<HeldRole>,
    grants: Vec<Grant>,
}

/// A role that somebody has.
#[derive(Debug, Clone)]
struct HeldRole {
    role: Arc<Role>,
    /// The group that gives it.
    group: Option<Arc<Group>>,
    /// The project it was given in; `None` for root roles.
    project: Option<ProjectId>,
}

impl HeldRole {
    fn given_in(&self) -> Place<'_> {
        Place::of(self.project.as_ref(), None)
    }
}

impl Rights {
    pub(crate) fn none(directory: Directory) -> Self {
        Self {
            directory,
            roles: Vec::new(),
            grants: Vec::new(),
        }
    }

    /// Adds a root role. One that is not there, or is none, adds nothing.
    pub fn add_root_role(&mut self, role: RoleId) {
        self.add_role(None, None, role);
    }

    /// Adds a role in a project. One that is not there, or is a root role, adds nothing.
    pub fn add_project_role(&mut self, project: &ProjectId, role: RoleId) {
        self.add_role(None, Some(project), role);
    }

    /// Adds a single permission. One that does not count in projects adds nothing.
    pub fn add_grant(&mut self, grant: Grant) {
        if grant.permission.scope() != Scope::Instance {
            self.grants.push(grant);
        }
    }

    /// Adds what a group gives to its members.
    pub fn add_group(&mut self, group: &Arc<Group>) {
        if let Some(role) = group.root_role {
            self.add_role(Some(group), None, role);
        }
        for (project, role) in &group.project_roles {
            self.add_role(Some(group), Some(project), *role);
        }
    }

    fn add_role(&mut self, group: Option<&Arc<Group>>, project: Option<&ProjectId>, role: RoleId) {
        let role = self.directory.role(role).cloned();
        if let Some(role) = role.filter(|role| role.kind.is_root() == project.is_none()) {
            self.roles.push(HeldRole {
                role,
                group: group.cloned(),
                project: project.cloned(),
            });
        }
    }

    /// Whether everything is allowed.
    #[must_use]
    pub fn is_admin(&self) -> bool {
        self.roles.iter().any(is_admin)
    }

    /// Whether somebody may do something in a place, and why. What counts by environment and is asked for a
    /// whole project is asked for all its environments at once.
    #[must_use]
    pub fn decide<'a>(&'a self, permission: Permission, place: Place<'a>) -> Decision<'a> {
        let mode = place.project().map(|project| self.directory.mode(project));
        let mut closed = false;
        for held in &self.roles {
            let needed = match (&held.project, place.project()) {
                (None, _) => true,
                (Some(given), Some(asked)) => given == asked,
                (Some(_), None) => false,
            };
            if !needed || !held.role.held_in(place.environment()).contains(permission) {
                continue;
            }
            if !is_admin(held) && held.project.is_none() && !reaches(permission, mode) {
                closed = true;
                continue;
            }
            return Decision::Allowed(Reason::Role {
                role: &held.role,
                group: held.group.as_ref(),
                given_in: held.given_in(),
            });
        }
        let counts = |grant: &&Grant| {
            grant.permission == permission
                && Some(&grant.project) == place.project()
                && (grant.environment.is_none() || grant.environment.as_ref() == place.environment())
        };
        match self.grants.iter().find(counts) {
            Some(grant) => Decision::Allowed(Reason::Grant(grant)),
            None => Decision::Refused(Missing {
                permission,
                place,
                mode: mode.filter(|_| closed),
            }),
        }
    }

    /// Whether somebody may do something in a place.
    #[must_use]
    pub fn may(&self, permission: Permission, place: Place<'_>) -> bool {
        self.decide(permission, place).is_allowed()
    }

    /// Whether somebody may do something anywhere at all, for what counts in projects.
    #[must_use]
    pub fn may_somewhere(&self, permission: Permission) -> bool {
        let holds = |held: &HeldRole| {
            let mut environments = held.role.environments();
            held.role.held_in(None).contains(permission)
                || environments.any(|name| held.role.held_in(Some(name)).contains(permission))
        };
        self.roles.iter().any(holds) || self.grants.iter().any(|grant| grant.permission == permission)
    }

    /// Whether a project is there for them.
    #[must_use]
    pub fn sees(&self, project: &ProjectId) -> bool {
        self.directory.mode(project) != ProjectMode::Private || self.is_admin() || self.is_member(project)
    }

    /// Whether every project is there for them, later ones included.
    #[must_use]
    pub fn sees_every_project(&self) -> bool {
        self.is_admin()
    }

    /// Whether they were given anything in a project.
    #[must_use]
    pub fn is_member(&self, project: &ProjectId) -> bool {
        let by_role = self
            .roles
            .iter()
            .any(|held| held.project.as_ref() == Some(project));
        by_role || self.grants.iter().any(|grant| grant.project == *project)
    }

    /// The projects in which they were given anything.
    #[must_use]
    pub fn memberships(&self) -> BTreeSet<&ProjectId> {
        let by_role = self.roles.iter().filter_map(|held| held.project.as_ref());
        by_role
            .chain(self.grants.iter().map(|grant| &grant.project))
            .collect()
    }

    /// The roles they have in a project, by whatever way, by id.
    #[must_use]
    pub fn roles_in(&self, project: &ProjectId) -> Vec<&Arc<Role>> {
        let here = self
            .roles
            .iter()
            .filter(|held| held.project.as_ref() == Some(project));
        let mut roles: Vec<&Arc<Role>> = here.map(|held| &held.role).collect();
        roles.sort_by_key(|role| role.id);
        roles.dedup_by_key(|role| role.id);
        roles
    }

    /// All they may do in a place.
    #[must_use]
    pub fn all_in(&self, place: Place<'_>) -> PermissionSet {
        let all = Permission::ALL.iter().copied();
        all.filter(|permission| self.may(*permission, place)).collect()
    }

    /// The environments in which somebody may do more than in all environments of a project at once.
    #[must_use]
    pub fn environments_of(&self, project: &ProjectId) -> BTreeSet<&EnvironmentName> {
        let here = self
            .roles
            .iter()
            .filter(|held| held.project.as_ref().is_none_or(|given| given == project));
        let by_role = here.flat_map(|held| held.role.environments());
        let granted = self.grants.iter().filter(|grant| grant.project == *project);
        by_role
            .chain(granted.filter_map(|grant| grant.environment.as_ref()))
            .collect()
    }
}

fn is_admin(held: &HeldRole) -> bool {
    held.role.id == RoleId::ADMIN
}

/// Whether a root role gives a permission in a project of a mode.
fn reaches(permission: Permission, mode: Option<ProjectMode>) -> bool {
    match (permission.scope(), mode) {
        // what counts in the instance counts whatever project it is asked for
        (Scope::Instance, _) => true,
        // what counts in projects is not there without one
        (_, None) => false,
        (_, Some(ProjectMode::Open)) => true,
        (_, Some(ProjectMode::Protected)) => is_looking(permission),
        (_, Some(ProjectMode::Private)) => false,
    }
}

/// Whether a permission only lets somebody look.
fn is_looking(permission: Permission) -> bool {
    matches!(
        permission,
        Permission::ReadProjectUserAccess
            | Permission::ReadProjectDefaultStrategy
            | Permission::ReadProjectChangeRequest
            | Permission::ReadProjectSettings
            | Permission::ReadProjectApiToken
    )
}

impl Directory {
    /// The rights of somebody who was given nothing.
    #[must_use]
    pub fn nobody(&self) -> Rights {
        Rights::none(self.clone())
    }

    /// The rights of whoever may do everything.
    #[must_use]
    pub fn admin(&self) -> Rights {
        let mut rights = self.nobody();
        rights.add_root_role(RoleId::ADMIN);
        rights
    }

    /// The rights of somebody: what was given to them, and to the groups they are in. A role that is not there
    /// gives nothing.
    #[must_use]
    pub fn rights(&self, holder: Holder<'_>) -> Rights {
        let mut rights = self.nobody();
        rights.add_root_role(holder.root_role);
        for (project, role) in holder.project_roles {
            rights.add_project_role(project, *role);
        }
        for grant in holder.grants {
            rights.add_grant(grant.clone());
        }
        for group in self.groups_of(holder.user) {
            rights.add_group(group);
        }
        rights
    }
}
