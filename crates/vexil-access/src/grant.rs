//! Single permissions, given to a user in a project beside any role.

use vexil_domain::{EnvironmentName, ProjectId};

use crate::Permission;

/// A permission in a project.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Grant {
    /// The project it holds in.
    pub project: ProjectId,
    /// The environment it holds in; `None` for all, and for what concerns all at once.
    pub environment: Option<EnvironmentName>,
    /// What is allowed.
    pub permission: Permission,
}
