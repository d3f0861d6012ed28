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
    /// What becomes of approvals when the effect becomes another one.
    pub changed_effect: ChangedEffect,
}

impl ChangeRequestRule {
    /// So many people must approve the effect that a request has when it is applied.
    #[must_use]
    pub fn requiring(required_approvals: u32) -> Self {
        Self {
            required_approvals,
            changed_effect: ChangedEffect::Refuse,
        }
    }
}

/// What becomes of approvals of a change request whose effect is another one than was approved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ChangedEffect {
    /// They do not count: the request has to be approved again.
    #[default]
    Refuse,
    /// They count; whoever looks at the request is told.
    Warn,
}

impl ChangedEffect {
    /// Both of them.
    pub const ALL: [Self; 2] = [Self::Refuse, Self::Warn];

    /// The name under which it is stored and sent.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Refuse => "refuse",
            Self::Warn => "warn",
        }
    }

    /// The one of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }
}
