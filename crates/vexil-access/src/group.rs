//! Groups of people.

use std::collections::BTreeSet;

use vexil_domain::ProjectId;

use crate::{RoleId, UserId};

/// Identifies a group. Ids are never used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupId(pub i64);

/// People who have the same roles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Identifies the group.
    pub id: GroupId,
    /// Its name, which no other group has.
    pub name: String,
    /// What it is, for people.
    pub description: String,
    /// What its members may do everywhere, beside their own root roles.
    pub root_role: Option<RoleId>,
    /// What single sign-on calls it: who is in one of these there is a member here.
    pub external_names: BTreeSet<String>,
    /// Its members.
    pub members: BTreeSet<UserId>,
    /// The roles of its members in projects.
    pub project_roles: BTreeSet<(ProjectId, RoleId)>,
}
