//! Where direct edits are refused, and how many approvals changes need there.

use std::sync::Arc;

use vexil_admin_api::change_requests::{RuleCommand, RuleDocument};
use vexil_change_request::clamp_approvals;
use vexil_domain::{ChangeRequestRule, EnvironmentName, Project, ProjectId, Snapshot};

use super::access::{find_environment, find_project};
use crate::operations::Error;
use crate::transaction::Transaction;

/// The rules of a project, one for each of its environments.
pub fn rules_of(snapshot: &Snapshot, project: &ProjectId) -> Result<Vec<RuleDocument>, Error> {
    let project = find_project(snapshot, project)?;
    Ok(RuleDocument::all(project, snapshot))
}

/// Sets the rule of a project in one environment.
pub fn set_rule(
    tx: &mut Transaction<'_>,
    project: &ProjectId,
    environment: &EnvironmentName,
    command: RuleCommand,
) -> Result<(), Error> {
    let earlier = find_environment(&tx.snapshot, project, environment)?.change_requests;
    let known = tx.snapshot.environments.get(environment);
    let usual = known.and_then(|environment| environment.required_approvals);
    let rule = command.enabled.then(|| ChangeRequestRule {
        required_approvals: command
            .required_approvals
            .or(earlier.map(|rule| rule.required_approvals))
            .or(usual)
            .map_or(1, clamp_approvals),
        changed_effect: command
            .changed_effect
            .or(earlier.map(|rule| rule.changed_effect))
            .unwrap_or_default(),
    });
    if rule == earlier {
        return Ok(());
    }
    if let Some(found) = tx.snapshot.projects.get_mut(project) {
        let found: &mut Project = Arc::make_mut(found);
        if let Some(settings) = found.environments.get_mut(environment) {
            settings.change_requests = rule;
        }
    }
    Ok(())
}
