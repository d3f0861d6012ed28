//! Who takes a step, and what that person may do.

use vexil_domain::Actor;

use crate::ChangeRequest;

/// What a person may do with change requests of one project and environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Permissions {
    /// Approve and reject (`APPROVE_CHANGE_REQUEST`).
    pub approve: bool,
    /// Apply and schedule (`APPLY_CHANGE_REQUEST`).
    pub apply: bool,
}

/// Who takes a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The person or token.
    pub actor: Actor,
    /// Whether everything is allowed, approving one's own request included.
    pub admin: bool,
    /// What is allowed in the request's project and environment.
    pub permissions: Permissions,
}

impl Caller {
    pub(crate) fn is_author(&self, request: &ChangeRequest) -> bool {
        self.actor.id == request.created_by.id
    }

    pub(crate) fn may_approve(&self) -> bool {
        self.admin || self.permissions.approve
    }

    pub(crate) fn may_apply(&self) -> bool {
        self.admin || self.permissions.apply
    }
}
