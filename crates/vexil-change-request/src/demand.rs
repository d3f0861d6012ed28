//! What approvals must meet, as things stand.

use std::fmt;

use time::OffsetDateTime;
use vexil_domain::{Actor, ChangedEffect, Snapshot};

use crate::{
    Approval, ChangeRequest, InProject, Outcome, Reach, SignedEffect, clamp_approvals, effect_digest,
    overlay, reach, rule_at,
};

/// What a change request would do now, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effect {
    /// What comes of laying its changes over the snapshot.
    pub outcome: Outcome,
    /// What users would notice. An approval is for one.
    pub signed: SignedEffect,
    /// Where users would notice it, and the request's own environment.
    pub reach: Reach,
    /// How many approvals that needs by the rules of now: those of the strictest place, at least one.
    pub required_approvals: u32,
    /// Whether approvals of another effect count: where every rule that it meets says so.
    pub tolerates_change: bool,
    /// The places that stand under a rule now, and the request's own environment.
    pub under_review: Vec<InProject>,
}

impl ChangeRequest {
    /// What the request would do to `live`.
    #[must_use]
    pub fn effect(&self, live: &Snapshot, now: OffsetDateTime) -> Effect {
        let outcome = overlay(live, &self.scope(now), &self.changes);
        let own = (self.project.clone(), self.environment.clone());
        let mut reach = reach(live, &outcome.proposed);
        reach.flags.insert(own.clone());
        let rules = || reach.everywhere().filter_map(|place| rule_at(live, place));
        let most = rules().map(|rule| rule.required_approvals).max();
        let tolerates_change =
            most.is_some() && rules().all(|rule| rule.changed_effect == ChangedEffect::Warn);
        let ruled = reach
            .everywhere()
            .filter(|place| **place == own || rule_at(live, place).is_some());
        Effect {
            signed: SignedEffect::of(effect_digest(live, &outcome.proposed)),
            tolerates_change,
            required_approvals: clamp_approvals(most.unwrap_or(1)),
            under_review: ruled.cloned().collect(),
            reach,
            outcome,
        }
    }

    /// What was approved last, where it is another effect than that of now.
    #[must_use]
    pub fn approved_otherwise(&self, now: &SignedEffect) -> Option<&SignedEffect> {
        let mut signed = self
            .approvals
            .iter()
            .rev()
            .filter_map(|approval| approval.effect.as_ref());
        signed.next().filter(|signed| signed.digest != now.digest)
    }

    /// The approvals that count: for this effect, by people who may still approve.
    pub fn approvals_that_count<'a>(&'a self, demand: &'a Demand<'_>) -> impl Iterator<Item = &'a Approval> {
        self.approvals.iter().filter(|approval| {
            let signed = approval.effect.as_ref();
            let counts =
                signed.is_some_and(|signed| signed.digest == demand.effect.digest || demand.tolerates_change);
            counts && (demand.may_approve)(&approval.created_by)
        })
    }

    /// How many approvals are needed: the larger of what was asked for when the request was opened, and of
    /// what is asked for now.
    #[must_use]
    pub fn needed_approvals(&self, demand: &Demand<'_>) -> u32 {
        clamp_approvals(self.min_approvals.max(demand.required_approvals))
    }
}

/// What approvals must meet, as things stand.
#[derive(Clone, Copy)]
pub struct Demand<'a> {
    /// What applying the request would do now: an approval of something else does not count.
    pub effect: &'a SignedEffect,
    /// Whether an approval of another effect counts all the same.
    pub tolerates_change: bool,
    /// How many approvals the rules ask for now.
    pub required_approvals: u32,
    /// Whether somebody may approve the request now: an approval of somebody who may not does not count. The
    /// author may only where everything is allowed to the author.
    pub may_approve: &'a dyn Fn(&Actor) -> bool,
}

impl fmt::Debug for Demand<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Demand")
            .field("effect", &self.effect.digest)
            .field("required_approvals", &self.required_approvals)
            .finish_non_exhaustive()
    }
}
