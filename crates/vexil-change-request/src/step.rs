//! What a step makes of a change request.

use crate::{ChangeRequest, Event, clamp_approvals};

/// What a step makes of a change request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The request after the step.
    pub request: ChangeRequest,
    /// What happened, in order.
    pub events: Vec<Event>,
}

impl Step {
    /// The same step, after which at least so many people must approve.
    #[must_use]
    pub fn requiring(mut self, approvals: u32) -> Self {
        self.request.min_approvals = clamp_approvals(self.request.min_approvals.max(approvals));
        self
    }
}
