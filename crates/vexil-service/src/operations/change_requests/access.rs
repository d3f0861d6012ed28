//! Who asks, what they may do where, and finding what they ask about.

use std::sync::Arc;

use vexil_access::{Permission, Place, Rights};
use vexil_change_request::{Caller, ChangeRequest, ChangeRequestId, Permissions};
use vexil_domain::{Actor, EnvironmentName, Project, ProjectEnvironment, ProjectId, Snapshot};

use super::missing::{no_project, no_request};
use crate::operations::Error;
use crate::principal::Principal;
use crate::transaction::Transaction;

/// Somebody who works with change requests.
#[derive(Debug, Clone)]
pub struct Identity {
    /// Who it is.
    pub(crate) actor: Actor,
    /// Whether every rule about who may do what is waived.
    pub(crate) admin: bool,
    /// What they may do where; `None` for nothing.
    pub(crate) rights: Option<Arc<Rights>>,
}

impl From<&Principal> for Identity {
    fn from(who: &Principal) -> Self {
        Self {
            actor: who.actor.clone(),
            admin: who.is_admin(),
            rights: Some(Arc::clone(&who.rights)),
        }
    }
}

impl Identity {
    /// What they may do in an environment of a project.
    pub(crate) fn caller(&self, project: &ProjectId, environment: &EnvironmentName) -> Caller {
        let granted = |permission| {
            let place = Place::Environment(project, environment);
            let rights = self.rights.as_ref();
            rights.is_some_and(|rights| rights.may(permission, place))
        };
        Caller {
            actor: self.actor.clone(),
            admin: self.admin,
            permissions: Permissions {
                approve: self.admin || granted(Permission::ApproveChangeRequest),
                apply: self.admin || granted(Permission::ApplyChangeRequest),
            },
        }
    }

    /// What they may do with a change request.
    pub(crate) fn caller_for(&self, request: &ChangeRequest) -> Caller {
        self.caller(&request.project, &request.environment)
    }
}

/// A project, which must be there.
pub fn find_project<'a>(snapshot: &'a Snapshot, project: &ProjectId) -> Result<&'a Arc<Project>, Error> {
    snapshot.projects.get(project).ok_or_else(|| no_project(project))
}

/// The settings of a project in an environment, which it must use.
pub(crate) fn find_environment<'a>(
    snapshot: &'a Snapshot,
    project: &ProjectId,
    environment: &EnvironmentName,
) -> Result<&'a ProjectEnvironment, Error> {
    let missing = || {
        Error::NotFound(format!(
            "Could not find environment \"{environment}\" in project \"{project}\""
        ))
    };
    find_project(snapshot, project)?
        .environments
        .get(environment)
        .ok_or_else(missing)
}

/// A change request of a project, which must be there.
pub(crate) fn find_request(
    tx: &Transaction<'_>,
    project: &ProjectId,
    id: ChangeRequestId,
) -> Result<ChangeRequest, Error> {
    let found = tx.change_request(id)?;
    found
        .filter(|request| request.project == *project)
        .ok_or_else(|| no_request(id, project))
}
