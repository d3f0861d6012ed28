//! Projects: who owns which flags.

use std::collections::BTreeMap;

use time::OffsetDateTime;

use crate::{ActivationStrategy, EnvironmentName, ProjectId, Stickiness};

/// A group of flags with rules of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    /// Unique in the instance.
    pub id: ProjectId,
    /// The name shown to people.
    pub name: String,
    /// What it is for.
    pub description: Option<String>,
    /// When it was created.
    pub created_at: OffsetDateTime,
    /// The stickiness of strategies that do not say one.
    pub default_stickiness: Stickiness,
    /// The environments in use here, with their rules.
    pub environments: BTreeMap<EnvironmentName, ProjectEnvironment>,
    /// The rules of environments that were in use here and are not now: they hold again when one comes back.
    pub left_environments: BTreeMap<EnvironmentName, ProjectEnvironment>,
}

impl Project {
    /// Under which rule changes go through change requests in an environment; `None` where there is none. The
    /// rule of an environment that the project has left stays.
    #[must_use]
    pub fn rule(&self, environment: &EnvironmentName) -> Option<ChangeRequestRule> {
        let rules = self.environments.get(environment);
        rules
            .or_else(|| self.left_environments.get(environment))?
            .change_requests
    }
}

/// The rules of a project in one environment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProjectEnvironment {
    /// Set where direct edits are refused and changes go through change requests.
    pub change_requests: Option<ChangeRequestRule>,
    /// The strategy that a flag gets when it is switched on without one; its id is not used.
    pub default_strategy: Option<ActivationStrategy>,
}

/// How change requests are handled in a project's environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChangeRequestRule {
    /// How many people must approve, 1 to 10.
    pub required_approvals: u32,
}
