//! Roles: permissions under a name.

use std::collections::{BTreeMap, BTreeSet};

use vexil_domain::EnvironmentName;

use crate::{Permission, PermissionSet, Scope};

/// Identifies a role. Ids are never used again; those up to [`RoleId::LAST_BUILT_IN`] are of the roles that every
/// instance has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RoleId(pub i64);

impl RoleId {
    /// The root role that may do everything.
    pub const ADMIN: Self = Self(1);
    /// The root role that edits flags and what belongs to them.
    pub const EDITOR: Self = Self(2);
    /// The root role that looks, and proposes changes.
    pub const VIEWER: Self = Self(3);
    /// The project role that runs a project.
    pub const OWNER: Self = Self(4);
    /// The project role that edits a project's flags.
    pub const MEMBER: Self = Self(5);
    /// The last id that no custom role has.
    pub const LAST_BUILT_IN: Self = Self(100);

    /// Whether it is of a role that every instance has.
    #[must_use]
    pub fn is_built_in(self) -> bool {
        self <= Self::LAST_BUILT_IN
    }
}

/// Where a role is given, and who made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RoleKind {
    /// Of the whole instance, in every instance.
    Root,
    /// In projects, in every instance.
    Project,
    /// Of the whole instance, made by an admin.
    CustomRoot,
    /// In projects, made by an admin.
    CustomProject,
}

impl RoleKind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Root, Self::Project, Self::CustomRoot, Self::CustomProject];

    /// The name under which it is stored and sent.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Root => "root",
            Self::Project => "project",
            Self::CustomRoot => "root-custom",
            Self::CustomProject => "custom",
        }
    }

    /// The kind of this name, if there is one.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether such roles are given for the whole instance.
    #[must_use]
    pub const fn is_root(self) -> bool {
        matches!(self, Self::Root | Self::CustomRoot)
    }

    /// Whether such a role can hold a permission.
    #[must_use]
    pub fn can_hold(self, permission: Permission) -> bool {
        match self {
            Self::Root | Self::Project => true,
            Self::CustomRoot => permission.scope() == Scope::Instance,
            Self::CustomProject => permission.scope() != Scope::Instance,
        }
    }
}

/// A permission of a role.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RolePermission {
    /// What is allowed.
    pub permission: Permission,
    /// The only environment it counts in; `None` for all, and for what concerns all at once.
    pub environment: Option<EnvironmentName>,
}

/// Permissions under a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Role {
    /// Identifies the role.
    pub id: RoleId,
    /// Where it is given, and who made it.
    pub kind: RoleKind,
    /// Its name, which no other role has.
    pub name: String,
    /// What it is for, for people.
    pub description: String,
    everywhere: PermissionSet,
    in_environments: BTreeMap<EnvironmentName, PermissionSet>,
}

impl Role {
    /// A role with these permissions. What its kind cannot hold is left out, and so is the environment of what
    /// does not count by environment.
    #[must_use]
    pub fn new(
        id: RoleId,
        kind: RoleKind,
        name: &str,
        description: &str,
        permissions: impl IntoIterator<Item = RolePermission>,
    ) -> Self {
        let mut role = Self {
            id,
            kind,
            name: name.to_owned(),
            description: description.to_owned(),
            everywhere: PermissionSet::EMPTY,
            in_environments: BTreeMap::new(),
        };
        for held in permissions {
            if !kind.can_hold(held.permission) {
                continue;
            }
            let one = PermissionSet::of(&[held.permission]);
            match held.environment {
                Some(environment) if held.permission.scope() == Scope::Environment => {
                    let set = role.in_environments.entry(environment).or_default();
                    *set = set.with(one);
                }
                _ => role.everywhere = role.everywhere.with(one),
            }
        }
        role
    }

    /// What it holds in an environment; without one, what it holds in all of them at once.
    #[must_use]
    pub fn held_in(&self, environment: Option<&EnvironmentName>) -> PermissionSet {
        let here = environment.and_then(|name| self.in_environments.get(name));
        self.everywhere.with(here.copied().unwrap_or_default())
    }

    /// The environments in which it holds more than elsewhere.
    pub fn environments(&self) -> impl Iterator<Item = &EnvironmentName> {
        self.in_environments.keys()
    }

    /// What it holds, each once.
    #[must_use]
    pub fn permissions(&self) -> BTreeSet<RolePermission> {
        let everywhere = self.everywhere.iter().map(|permission| RolePermission {
            permission,
            environment: None,
        });
        let in_environments = self.in_environments.iter().flat_map(|(environment, set)| {
            set.iter().map(|permission| RolePermission {
                permission,
                environment: Some(environment.clone()),
            })
        });
        everywhere.chain(in_environments).collect()
    }

    /// The same without what it holds in an environment that is no more.
    #[must_use]
    pub fn without_environment(&self, gone: &EnvironmentName) -> Self {
        let mut role = self.clone();
        role.in_environments.remove(gone);
        role
    }

    /// Whether another holds all that this one holds.
    #[must_use]
    pub fn is_within(&self, other: &Self) -> bool {
        self.everywhere.is_within(other.everywhere)
            && self
                .in_environments
                .iter()
                .all(|(environment, held)| held.is_within(other.held_in(Some(environment))))
    }
}
