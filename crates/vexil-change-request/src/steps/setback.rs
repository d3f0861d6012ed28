//! What a request keeps of approvals that went.

use time::OffsetDateTime;
use vexil_domain::Actor;

use crate::{Approval, ChangeRequest, Demand, Setback};

/// Why all approvals go when changes are added, replaced or taken out.
pub(super) const EDITED: &str = "what is asked was edited after that";

impl ChangeRequest {
    /// Keeps these approvals alone, and notes it where others go.
    pub(super) fn keep_approvals(
        &mut self,
        kept: Vec<Approval>,
        reason: &str,
        by: &Actor,
        now: OffsetDateTime,
    ) {
        if self.approvals.iter().any(|approval| !kept.contains(approval)) {
            self.set_back(kept, reason, by, now);
        } else {
            self.approvals = kept;
        }
    }

    /// Keeps these approvals alone, and notes which went and why; or, where none goes, that they do not suffice.
    pub(super) fn set_back(&mut self, kept: Vec<Approval>, reason: &str, by: &Actor, now: OffsetDateTime) {
        let mut gone = std::mem::replace(&mut self.approvals, kept);
        gone.retain(|approval| !self.approvals.contains(approval));
        self.setback = Some(Setback {
            at: now,
            by: by.clone(),
            reason: reason.to_owned(),
            approvals: gone,
        });
    }

    /// Why approvals do not suffice: each reason that there is.
    pub(super) fn why_set_back(&self, demand: &Demand<'_>) -> String {
        let is_other = |approval: &Approval| {
            let signed = approval.effect.as_ref();
            signed.is_none_or(|signed| signed.digest != demand.effect.digest)
        };
        let mut reasons = Vec::new();
        if !demand.tolerates_change && self.approvals.iter().any(is_other) {
            reasons.push("what it would do has become something else".to_owned());
        }
        let mut approvers = self.approvals.iter().map(|approval| &approval.created_by);
        if let Some(gone) = approvers.find(|who| !(demand.may_approve)(who)) {
            reasons.push(format!("{} may not approve it any more", gone.name));
        }
        let needed = self.needed_approvals(demand);
        if self.approvals.len() < needed as usize {
            reasons.push(format!("{needed} approvals are needed now"));
        }
        reasons.join("; ")
    }
}
