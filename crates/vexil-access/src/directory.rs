//! Roles, groups and modes of one instance: what the rights of people are made of.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use vexil_domain::ProjectId;

use crate::{Grant, Group, GroupId, ProjectMode, Role, RoleId, UserId, built_in};

/// Roles, groups and the modes of projects. Cloning shares all of it.
#[derive(Debug, Clone)]
pub struct Directory {
    roles: Arc<BTreeMap<RoleId, Arc<Role>>>,
    groups: Arc<BTreeMap<GroupId, Arc<Group>>>,
    groups_of: Arc<BTreeMap<UserId, Vec<Arc<Group>>>>,
    pub(crate) modes: Arc<BTreeMap<ProjectId, ProjectMode>>,
}

impl Default for Directory {
    /// The roles that every instance has, no groups, and every project open.
    fn default() -> Self {
        Self::new([], [], [])
    }
}

/// Somebody, and what was given to them directly.
#[derive(Debug, Clone, Copy)]
pub struct Holder<'a> {
    /// Who.
    pub user: UserId,
    /// What they may do everywhere.
    pub root_role: RoleId,
    /// Their roles in projects.
    pub project_roles: &'a BTreeSet<(ProjectId, RoleId)>,
    /// Single permissions.
    pub grants: &'a BTreeSet<Grant>,
}

impl Directory {
    /// These custom roles beside the built-in ones, these groups, and these modes; projects without one are open.
    #[must_use]
    pub fn new(
        custom: impl IntoIterator<Item = Arc<Role>>,
        groups: impl IntoIterator<Item = Arc<Group>>,
        modes: impl IntoIterator<Item = (ProjectId, ProjectMode)>,
    ) -> Self {
        let built_in = built_in::roles().into_iter().map(Arc::new);
        let custom = custom.into_iter().filter(|role| !role.id.is_built_in());
        let roles = built_in.chain(custom).map(|role| (role.id, role)).collect();
        let groups: BTreeMap<GroupId, Arc<Group>> =
            groups.into_iter().map(|group| (group.id, group)).collect();
        let mut groups_of: BTreeMap<UserId, Vec<Arc<Group>>> = BTreeMap::new();
        for group in groups.values() {
            for member in &group.members {
                groups_of.entry(*member).or_default().push(Arc::clone(group));
            }
        }
        Self {
            roles: Arc::new(roles),
            groups: Arc::new(groups),
            groups_of: Arc::new(groups_of),
            modes: Arc::new(modes.into_iter().collect()),
        }
    }

    /// A role by id.
    #[must_use]
    pub fn role(&self, id: RoleId) -> Option<&Arc<Role>> {
        self.roles.get(&id)
    }

    /// All roles, by id.
    pub fn roles(&self) -> impl Iterator<Item = &Arc<Role>> {
        self.roles.values()
    }

    /// A group by id.
    #[must_use]
    pub fn group(&self, id: GroupId) -> Option<&Arc<Group>> {
        self.groups.get(&id)
    }

    /// All groups, by id.
    pub fn groups(&self) -> impl Iterator<Item = &Arc<Group>> {
        self.groups.values()
    }

    /// The groups that a user is in, by id.
    pub fn groups_of(&self, user: UserId) -> impl Iterator<Item = &Arc<Group>> {
        self.groups_of.get(&user).into_iter().flatten()
    }

    /// What a project is to people who have no role in it.
    #[must_use]
    pub fn mode(&self, project: &ProjectId) -> ProjectMode {
        self.modes.get(project).copied().unwrap_or_default()
    }
}
