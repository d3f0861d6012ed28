//! Who may do what: what a route demands, and the one check of it.

use vexil_access::{Directory, Permission, RoleId, Scope};
use vexil_change_request::InProject;
use vexil_domain::{EnvironmentName, ProjectId};

use crate::operations::Error;
use crate::operations::change_requests::no_project;
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
    /// A token of an SDK of either kind.
    AnySdk,
    /// Somebody who may use the administration API: to read, to preview, to take part in change requests,
    /// whose own rules say more.
    SignedIn,
    /// Who holds any one of these permissions.
    Holds(&'static [Permission]),
}

/// The least root role that is let in, of the three that every instance has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LeastRole {
    /// Looks, and proposes changes.
    Viewer,
    /// Edits flags and what belongs to them.
    Editor,
    /// Does everything.
    Admin,
}

impl Access {
    /// The least root role that is let in, in projects that are open; `None` where root roles do not count.
    #[must_use]
    pub fn least_role(&self) -> Option<LeastRole> {
        match self {
            Self::Open | Self::Client | Self::Frontend | Self::AnySdk => None,
            Self::SignedIn => Some(LeastRole::Viewer),
            Self::Holds(permissions) => permissions.iter().map(|one| least_role(*one)).min(),
        }
    }
}

/// The least root role that holds a permission in projects that are open.
fn least_role(permission: Permission) -> LeastRole {
    let directory = Directory::default();
    let holds = |role| {
        let role = directory.role(role);
        role.is_some_and(|role| role.held_in(None).contains(permission))
    };
    if holds(RoleId::VIEWER) {
        LeastRole::Viewer
    } else if holds(RoleId::EDITOR) {
        LeastRole::Editor
    } else {
        LeastRole::Admin
    }
}

/// Where something is done.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    /// The project; `None` for what concerns none.
    pub project: Option<ProjectId>,
    /// The environment; `None` for what concerns all, or none.
    pub environment: Option<EnvironmentName>,
}

impl From<&InProject> for Place {
    fn from((project, environment): &InProject) -> Self {
        Self {
            project: Some(project.clone()),
            environment: Some(environment.clone()),
        }
    }
}

impl Place {
    /// A project, all its environments at once.
    #[must_use]
    pub fn of_project(project: &ProjectId) -> Self {
        Self {
            project: Some(project.clone()),
            environment: None,
        }
    }

    fn borrowed(&self) -> vexil_access::Place<'_> {
        vexil_access::Place::of(self.project.as_ref(), self.environment.as_ref())
    }
}

impl Principal {
    /// Whether they may do something in a place.
    pub(crate) fn may(&self, permission: Permission, place: &Place) -> bool {
        self.rights.may(permission, place.borrowed())
    }

    /// Whether a project is there for them.
    pub(crate) fn sees(&self, project: &ProjectId) -> bool {
        self.rights.sees(project)
    }

    /// Refuses who holds none of these permissions in a place, naming them.
    pub fn demand(&self, any: &[Permission], place: &Place) -> Result<(), Error> {
        if any.iter().any(|permission| self.may(*permission, place)) {
            return Ok(());
        }
        Err(missing(any))
    }

    /// The same in a project, which must be there for them.
    pub fn demand_in(&self, any: &[Permission], place: &Place) -> Result<(), Error> {
        self.demand_sight(place)?;
        self.demand(any, place)
    }

    /// Answers as if a project were not there to whom it is not there for.
    pub fn demand_sight(&self, place: &Place) -> Result<(), Error> {
        match &place.project {
            Some(project) if !self.sees(project) => Err(no_project(project)),
            _ => Ok(()),
        }
    }

    /// Lets somebody in where a route does not say which project it is about: who holds any one of these
    /// permissions for the whole instance, or in any project. What is done asks again when it knows where.
    pub fn demand_somewhere(&self, any: &[Permission]) -> Result<(), Error> {
        let may = |permission: &Permission| match permission.scope() {
            Scope::Instance => self.may(*permission, &Place::default()),
            Scope::Project | Scope::Environment => self.rights.may_somewhere(*permission),
        };
        if any.iter().any(may) {
            return Ok(());
        }
        Err(missing(any))
    }
}

fn missing(any: &[Permission]) -> Error {
    let names: Vec<&str> = any.iter().map(|permission| permission.name()).collect();
    Error::missing_permissions(&names)
}
