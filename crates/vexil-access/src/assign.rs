//! Giving access: nobody gives more than they have, but for the right to review, and that not to themselves.

use vexil_domain::{EnvironmentName, ProjectId};

use crate::{Permission, PermissionSet, Place, Rights, Role};

/// What may be given to others by whoever gives access, without having it: to review is for two.
const TO_OTHERS: PermissionSet =
    PermissionSet::of(&[Permission::ApproveChangeRequest, Permission::ApplyChangeRequest]);

/// Who gives something to whom.
#[derive(Debug, Clone, Copy)]
pub struct Assignment<'a> {
    /// The rights of whoever gives.
    pub giver: &'a Rights,
    /// Where.
    pub project: &'a ProjectId,
    /// Whether whoever gives is among those who get it, themselves or by a group that they are in.
    pub to_themselves: bool,
}

/// Why something may not be given.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("only who has {} in {} may give it{}", permission.name(), place(project, environment.as_ref()), if *to_themselves { " to themselves" } else { "" })]
pub struct Unassignable {
    /// What may not be given.
    pub permission: Permission,
    /// The project it would be given in.
    pub project: ProjectId,
    /// The environment it would be given in; `None` for all of them.
    pub environment: Option<EnvironmentName>,
    /// Whether it could be given to others.
    pub to_themselves: bool,
}

fn place(project: &ProjectId, environment: Option<&EnvironmentName>) -> String {
    Place::of(Some(project), environment).to_string()
}

impl Assignment<'_> {
    /// Whether a role may be given.
    ///
    /// # Errors
    ///
    /// The first permission of it that may not.
    pub fn check_role(&self, role: &Role) -> Result<(), Unassignable> {
        role.permissions()
            .into_iter()
            .try_for_each(|held| self.check(held.permission, held.environment.as_ref()))
    }

    /// Whether a permission may be given.
    ///
    /// # Errors
    ///
    /// When it may not.
    pub fn check(
        &self,
        permission: Permission,
        environment: Option<&EnvironmentName>,
    ) -> Result<(), Unassignable> {
        let place = Place::of(Some(self.project), environment);
        let is_for_others = TO_OTHERS.contains(permission);
        if self.giver.may(permission, place) || (is_for_others && !self.to_themselves) {
            return Ok(());
        }
        Err(Unassignable {
            permission,
            project: self.project.clone(),
            environment: environment.cloned(),
            to_themselves: is_for_others,
        })
    }
}
