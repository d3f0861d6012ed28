//! What is named by several names at once, as they follow each other in a path.

use vexil_domain::{EnvironmentName, FlagName, ProjectId, StrategyId};

/// A flag of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FlagPath {
    pub(crate) project: ProjectId,
    pub(crate) flag: FlagName,
}

/// A flag of a project in one environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FlagEnvironmentPath {
    pub(crate) project: ProjectId,
    pub(crate) flag: FlagName,
    pub(crate) environment: EnvironmentName,
}

/// A strategy of a flag in one environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StrategyPath {
    pub(crate) at: FlagEnvironmentPath,
    pub(crate) strategy: StrategyId,
}
