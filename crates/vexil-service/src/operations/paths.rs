//! What is named by several names at once, as they follow each other in a path.

use vexil_domain::{EnvironmentName, FlagName, ProjectId, StrategyId};

/// A flag of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlagPath {
    /// The project.
    pub project: ProjectId,
    /// The flag.
    pub flag: FlagName,
}

/// A flag of a project in one environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlagEnvironmentPath {
    /// The project.
    pub project: ProjectId,
    /// The flag.
    pub flag: FlagName,
    /// The environment.
    pub environment: EnvironmentName,
}

/// A strategy of a flag in one environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StrategyPath {
    /// The flag and the environment.
    pub at: FlagEnvironmentPath,
    /// The strategy.
    pub strategy: StrategyId,
}
