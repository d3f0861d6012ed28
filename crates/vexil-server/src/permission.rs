//! Who may do what: what a route demands, what a root role holds, and the one check of it.

use std::collections::BTreeSet;

use vexil_change_request::InProject;
use vexil_domain::{EnvironmentName, ProjectId};
use vexil_store::{Permission, RootRole};

use crate::operations::Error;
use crate::principal::Principal;

/// Who may call a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Anybody, known or not.
    Open,
    /// A token of a backend SDK.
    Client,
    /// A token of a frontend SDK.
    Frontend,
    /// Somebody who may use the administration API: to read, to preview, to take part in change requests,
    /// whose own rules say more.
    SignedIn,
    /// Who holds any one of these permissions.
    Holds(&'static [Permission]),
}

impl Access {
    /// The least root role that is let in; `None` where root roles do not count.
    #[must_use]
    pub fn least_role(&self) -> Option<RootRole> {
        match self {
            Self::Open | Self::Client | Self::Frontend => None,
            Self::SignedIn => Some(RootRole::Viewer),
            Self::Holds(permissions) => permissions.iter().map(|one| least_role(*one)).max(),
        }
    }
}

/// The least root role that holds a permission everywhere.
fn least_role(permission: Permission) -> RootRole {
    match permission {
        Permission::Admin
        | Permission::ApproveChangeRequest
        | Permission::ApplyChangeRequest
        | Permission::SkipChangeRequest => RootRole::Admin,
        _ => RootRole::Editor,
    }
}

/// The permissions that a root role holds in all projects, as people are told of them.
pub(crate) fn role_permissions(role: RootRole) -> BTreeSet<&'static str> {
    if role == RootRole::Admin {
        return BTreeSet::from([Permission::Admin.name()]);
    }
    let held = Permission::ALL.iter().filter(|one| role <= least_role(**one));
    held.map(|permission| permission.name()).collect()
}

/// Where something is done: what grants are looked up by.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Place {
    /// The project; `None` for what concerns none.
    pub(crate) project: Option<ProjectId>,
    /// The environment; `None` for what concerns all, or none.
    pub(crate) environment: Option<EnvironmentName>,
}

impl From<&InProject> for Place {
    fn from((project, environment): &InProject) -> Self {
        Self {
            project: Some(project.clone()),
            environment: Some(environment.clone()),
        }
    }
}

impl Principal {
    /// Whether they may do something in a place: by their root role, or by a grant there.
    pub(crate) fn may(&self, permission: Permission, place: &Place) -> bool {
        let granted = || {
            let (user, project) = self.user.as_ref().zip(place.project.as_ref())?;
            user.is_granted(permission, project, place.environment.as_ref())
                .then_some(())
        };
        self.role <= least_role(permission) || granted().is_some()
    }

    /// Refuses who holds none of these permissions in a place, naming them.
    pub(crate) fn demand(&self, any: &[Permission], place: &Place) -> Result<(), Error> {
        if any.iter().any(|permission| self.may(*permission, place)) {
            return Ok(());
        }
        let names: Vec<&str> = any.iter().map(|permission| permission.name()).collect();
        Err(Error::missing_permissions(&names))
    }
}
