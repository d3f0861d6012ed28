//! Reviews: asking, approving, rejecting, withdrawing, applying.

use time::OffsetDateTime;
use vexil_domain::Actor;

use crate::Step;
use crate::{
    Approval, Caller, ChangeRequest, ChangedWords, Demand, Event, EventKind, ScheduleStatus, State, StepError,
};

/// The permission to approve and reject.
pub(super) const APPROVE: &str = "APPROVE_CHANGE_REQUEST";
/// The permission to apply and schedule.
pub(super) const APPLY: &str = "APPLY_CHANGE_REQUEST";

impl ChangeRequest {
    /// Whether `who` could bring the request nearer to its end now, by approving or applying it.
    #[must_use]
    pub fn is_actionable_by(&self, who: &Caller) -> bool {
        match self.state {
            State::InReview => self.check_approvable(who, &self.approvals).is_ok(),
            State::Approved => self.check_applicable(who).is_ok(),
            _ => false,
        }
    }

    pub(super) fn send_to_review(&self, who: &Caller, now: OffsetDateTime) -> Result<Step, StepError> {
        if !who.is_author(self) {
            return Err(StepError::NotAuthor {
                step: "send it to review",
            });
        }
        self.check_not_empty()?;
        Ok(Step {
            request: self.entered(State::InReview, now),
            events: vec![self.event(EventKind::SentToReview, who)],
        })
    }

    /// Asks for reviews again, of what will not be applied by itself. Earlier approvals are void.
    pub(super) fn review_again(&self, who: &Caller, now: OffsetDateTime) -> Result<Step, StepError> {
        if !who.is_author(self) && !who.may_apply() {
            return Err(StepError::NoPermission {
                step: "send it to review again",
                permission: APPLY,
            });
        }
        let mut request = self.entered(State::InReview, now);
        let reason = match self.schedule.as_ref().map(|schedule| &schedule.status) {
            Some(ScheduleStatus::Suspended { reason }) => format!("its schedule was suspended: {reason}"),
            Some(ScheduleStatus::Failed { reason }) => {
                format!("it could not be applied at its time: {reason}")
            }
            Some(ScheduleStatus::Pending) | None => "it was sent to review again".to_owned(),
        };
        request.keep_approvals(Vec::new(), &reason, &who.actor, now);
        Ok(Step {
            request,
            events: vec![self.event(EventKind::SentToReview, who)],
        })
    }

    /// Approvals that do not count any more are dropped.
    pub(super) fn approve(
        &self,
        who: &Caller,
        demand: &Demand<'_>,
        now: OffsetDateTime,
    ) -> Result<Step, StepError> {
        let mut approvals: Vec<Approval> = self.approvals_that_count(demand).cloned().collect();
        self.check_approvable(who, &approvals)?;
        approvals.push(Approval {
            effect: Some(demand.effect.clone()),
            ..opinion(who, now)
        });
        let enough = approvals.len() >= self.needed_approvals(demand) as usize;
        let mut request = if enough {
            self.entered(State::Approved, now)
        } else {
            self.clone()
        };
        let reason = self.why_set_back(demand);
        request.keep_approvals(approvals, &reason, &who.actor, now);
        let mut events = vec![self.event(EventKind::ApprovalAdded, who)];
        if enough {
            events.push(self.event(EventKind::Approved, who));
        }
        Ok(Step { request, events })
    }

    /// Before the approval is complete, those who approve may reject; after it, those who apply may
    /// too; and an author may reject what was scheduled, since nothing else withdraws it.
    pub(super) fn reject(&self, who: &Caller, now: OffsetDateTime) -> Result<Step, StepError> {
        let allowed = match self.state {
            State::InReview => who.may_approve(),
            State::Approved => who.may_approve() || who.may_apply(),
            _ => who.may_apply() || who.is_author(self),
        };
        if !allowed {
            return Err(StepError::NoPermission {
                step: "reject it",
                permission: if self.state == State::InReview {
                    APPROVE
                } else {
                    APPLY
                },
            });
        }
        let mut request = self.entered(State::Rejected, now);
        request.rejections.push(opinion(who, now));
        Ok(Step {
            request,
            events: vec![self.event(EventKind::Rejected, who)],
        })
    }

    pub(super) fn cancel(&self, who: &Caller, now: OffsetDateTime) -> Result<Step, StepError> {
        if !who.admin && !who.is_author(self) {
            return Err(StepError::NotAuthorOrAdmin { step: "cancel it" });
        }
        Ok(Step {
            request: self.entered(State::Cancelled, now),
            events: vec![self.event(EventKind::Cancelled, who)],
        })
    }

    /// The request withdrawn because what it is for goes; `None` where it is closed already.
    #[must_use]
    pub fn cancelled_because(&self, reason: &str, by: &Actor, now: OffsetDateTime) -> Option<Step> {
        if self.state.is_closed() {
            return None;
        }
        let event = Event {
            reason: Some(reason.to_owned()),
            ..Event::new(EventKind::Cancelled, self.id, by.clone())
        };
        Some(Step {
            request: self.entered(State::Cancelled, now),
            events: vec![event],
        })
    }

    pub(super) fn apply(
        &self,
        who: &Caller,
        demand: &Demand<'_>,
        now: OffsetDateTime,
    ) -> Result<Step, StepError> {
        self.check_applicable(who)?;
        if let Some(ScheduleStatus::Suspended { reason }) = self.schedule.as_ref().map(|one| &one.status) {
            return Err(StepError::Suspended {
                reason: reason.clone(),
            });
        }
        self.check_approved(demand)?;
        Ok(Step {
            request: self.entered(State::Applied, now),
            events: vec![self.event(EventKind::Applied, who)],
        })
    }

    /// What becomes of an approved request whose approvals do not count any more, because its effect, the
    /// rules or the people have changed: it goes back to review, with the approvals that still count. One
    /// that waits for its time is suspended instead. `None` while enough of them count, and for requests
    /// that were never approved.
    #[must_use]
    pub fn fall_back(&self, demand: &Demand<'_>, by: &Actor, now: OffsetDateTime) -> Option<Step> {
        let why = self.check_approved(demand).err()?.to_string();
        match self.state {
            State::Scheduled if self.is_waiting() => self.suspend(&why).ok(),
            State::Approved | State::Scheduled => {
                let mut request = self.entered(State::InReview, now);
                let kept = self.approvals_that_count(demand).cloned().collect();
                request.set_back(kept, &self.why_set_back(demand), by, now);
                let event = Event {
                    reason: Some(why),
                    ..Event::new(EventKind::SentToReview, self.id, by.clone())
                };
                Some(Step {
                    request,
                    events: vec![event],
                })
            }
            _ => None,
        }
    }

    pub(super) fn check_approved(&self, demand: &Demand<'_>) -> Result<(), StepError> {
        let counted = self.approvals_that_count(demand).count();
        let needed = self.needed_approvals(demand);
        if counted >= needed as usize {
            return Ok(());
        }
        let of_effect = |approval: &Approval| {
            let signed = approval.effect.as_ref();
            signed.is_some_and(|signed| signed.digest == demand.effect.digest)
        };
        let changed = !self.approvals.iter().any(of_effect);
        let approved = self.approved_otherwise(demand.effect).filter(|_| changed);
        Err(StepError::NotApproved {
            counted,
            needed,
            changed: changed.then(|| ChangedWords::new(approved, demand.effect)),
        })
    }

    fn check_approvable(&self, who: &Caller, approvals: &[Approval]) -> Result<(), StepError> {
        if !who.may_approve() {
            return Err(StepError::NoPermission {
                step: "approve it",
                permission: APPROVE,
            });
        }
        if who.is_author(self) && !who.admin {
            return Err(StepError::OwnRequest);
        }
        let mut approvals = approvals.iter();
        if approvals.any(|approval| approval.created_by.id == who.actor.id) {
            return Err(StepError::AlreadyApproved);
        }
        self.check_not_empty()
    }

    fn check_applicable(&self, who: &Caller) -> Result<(), StepError> {
        if !who.may_apply() {
            return Err(StepError::NoPermission {
                step: "apply it",
                permission: APPLY,
            });
        }
        self.check_not_empty()
    }

    fn check_not_empty(&self) -> Result<(), StepError> {
        if self.changes.is_empty() {
            Err(StepError::NoChanges)
        } else {
            Ok(())
        }
    }
}

fn opinion(who: &Caller, now: OffsetDateTime) -> Approval {
    Approval {
        created_by: who.actor.clone(),
        created_at: now,
        effect: None,
    }
}
