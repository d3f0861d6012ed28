//! Where something is done.

use std::fmt;

use vexil_domain::{EnvironmentName, ProjectId};

/// Where something is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place<'a> {
    /// Nowhere in particular: it concerns the whole instance.
    Instance,
    /// In a project, all its environments at once.
    Project(&'a ProjectId),
    /// In one environment of a project.
    Environment(&'a ProjectId, &'a EnvironmentName),
}

impl<'a> Place<'a> {
    /// The place of these; without a project it is the instance.
    #[must_use]
    pub fn of(project: Option<&'a ProjectId>, environment: Option<&'a EnvironmentName>) -> Self {
        match (project, environment) {
            (None, _) => Self::Instance,
            (Some(project), None) => Self::Project(project),
            (Some(project), Some(environment)) => Self::Environment(project, environment),
        }
    }

    /// The project, where it is in one.
    #[must_use]
    pub fn project(self) -> Option<&'a ProjectId> {
        match self {
            Self::Instance => None,
            Self::Project(project) | Self::Environment(project, _) => Some(project),
        }
    }

    /// The environment, where it is in one.
    #[must_use]
    pub fn environment(self) -> Option<&'a EnvironmentName> {
        match self {
            Self::Instance | Self::Project(_) => None,
            Self::Environment(_, environment) => Some(environment),
        }
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Instance => f.write_str("the instance"),
            Self::Project(project) => write!(f, "the project {project}"),
            Self::Environment(project, environment) => {
                write!(f, "the environment {environment} of the project {project}")
            }
        }
    }
}
