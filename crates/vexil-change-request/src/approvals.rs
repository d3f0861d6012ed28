//! How many people must approve.

use vexil_domain::{EnvironmentName, Project};

/// The number of approvals within what is possible, 1 to 10.
#[must_use]
pub fn clamp_approvals(asked: u32) -> u32 {
    asked.clamp(1, 10)
}

/// How many approvals a request needs that is opened now: what the project asks for in the
/// environment, 1 where nothing is configured.
#[must_use]
pub fn required_approvals(project: &Project, environment: &EnvironmentName) -> u32 {
    let rule = project
        .environments
        .get(environment)
        .and_then(|rules| rules.change_requests);
    rule.map_or(1, |rule| clamp_approvals(rule.required_approvals))
}
