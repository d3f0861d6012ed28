//! Environments: where an application runs.

use crate::EnvironmentName;

/// A place where applications run, such as `production`. Flags have settings of their own in each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Environment {
    /// Unique in the instance.
    pub name: EnvironmentName,
    /// `development`, `test`, `preproduction` or `production`.
    pub kind: String,
    /// The place in lists.
    pub sort_order: i32,
    /// Whether it is in use.
    pub enabled: bool,
    /// Whether it came with the server and cannot be removed.
    pub protected: bool,
    /// How many approvals change requests need by default in projects that enable them here.
    pub required_approvals: Option<u32>,
}
