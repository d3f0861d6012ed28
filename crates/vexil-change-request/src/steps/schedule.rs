//! Schedules: setting them, and what comes of them.

use time::OffsetDateTime;

use super::review::APPLY;
use crate::Step;
use crate::{Caller, ChangeRequest, Demand, Event, EventKind, Schedule, ScheduleStatus, State, StepError};

impl ChangeRequest {
    pub(super) fn schedule(
        &self,
        at: OffsetDateTime,
        who: &Caller,
        demand: &Demand<'_>,
        now: OffsetDateTime,
    ) -> Result<Step, StepError> {
        if !who.may_apply() {
            return Err(StepError::NoPermission {
                step: "schedule it",
                permission: APPLY,
            });
        }
        if at <= now {
            return Err(StepError::ScheduleInPast { at });
        }
        self.check_approved(demand)?;
        let mut request = self.entered(State::Scheduled, now);
        request.schedule = Some(Schedule {
            scheduled_at: at,
            scheduled_by: who.actor.clone(),
            status: ScheduleStatus::Pending,
        });
        let event = Event {
            scheduled_at: Some(at),
            ..self.event(EventKind::Scheduled, who)
        };
        Ok(Step {
            request,
            events: vec![event],
        })
    }

    /// Applies the request because its time has come, in the name of whoever scheduled it. The
    /// caller lays the changes over the present snapshot and stores both together, or neither. `scheduler`
    /// is that person with what is allowed to that person now.
    ///
    /// # Errors
    ///
    /// [`StepError::NotDue`] unless a pending schedule's time has come; else when the person may not apply it
    /// any more, or approvals do not count any more.
    pub fn apply_scheduled(
        &self,
        scheduler: &Caller,
        demand: &Demand<'_>,
        now: OffsetDateTime,
    ) -> Result<Step, StepError> {
        let schedule = self.waiting().filter(|schedule| schedule.is_due(now));
        let schedule = schedule.ok_or(StepError::NotDue)?;
        if !scheduler.may_apply() {
            return Err(StepError::NoPermission {
                step: "apply it",
                permission: APPLY,
            });
        }
        self.check_approved(demand)?;
        let success = self.schedule_event(EventKind::ScheduledApplicationSuccess, schedule, None);
        let applied = Event {
            kind: EventKind::Applied,
            ..success.clone()
        };
        Ok(Step {
            request: self.entered(State::Applied, now),
            events: vec![success, applied],
        })
    }

    /// Records that the request could not be applied at its time.
    ///
    /// # Errors
    ///
    /// [`StepError::NotDue`] unless a pending schedule's time has come.
    pub fn fail_scheduled(&self, reason: &str, now: OffsetDateTime) -> Result<Step, StepError> {
        let schedule = self.waiting().filter(|schedule| schedule.is_due(now));
        let schedule = schedule.ok_or(StepError::NotDue)?;
        let status = ScheduleStatus::Failed {
            reason: reason.to_owned(),
        };
        let kind = EventKind::ScheduledApplicationFailure;
        Ok(self.with_status(schedule, status, kind, reason))
    }

    /// Takes the request out of the queue, since applying it would overwrite newer edits or cannot
    /// succeed; see [`crate::Outcome::suspension`].
    ///
    /// # Errors
    ///
    /// [`StepError::NotDue`] unless the request waits for its time.
    pub fn suspend(&self, reason: &str) -> Result<Step, StepError> {
        let schedule = self.waiting().ok_or(StepError::NotDue)?;
        let status = ScheduleStatus::Suspended {
            reason: reason.to_owned(),
        };
        let kind = EventKind::ScheduleSuspended;
        Ok(self.with_status(schedule, status, kind, reason))
    }

    /// Whether it waits for its time, at which it will be applied.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.waiting().is_some()
    }

    /// The schedule, where it waits for its time.
    fn waiting(&self) -> Option<&Schedule> {
        let schedule = self
            .schedule
            .as_ref()
            .filter(|_| self.state == State::Scheduled)?;
        (schedule.status == ScheduleStatus::Pending).then_some(schedule)
    }

    fn with_status(
        &self,
        schedule: &Schedule,
        status: ScheduleStatus,
        kind: EventKind,
        reason: &str,
    ) -> Step {
        let mut request = self.clone();
        request.schedule = Some(Schedule {
            status,
            ..schedule.clone()
        });
        let event = self.schedule_event(kind, schedule, Some(reason));
        Step {
            request,
            events: vec![event],
        }
    }

    fn schedule_event(&self, kind: EventKind, schedule: &Schedule, reason: Option<&str>) -> Event {
        Event {
            scheduled_at: Some(schedule.scheduled_at),
            reason: reason.map(str::to_owned),
            ..Event::new(kind, self.id, schedule.scheduled_by.clone())
        }
    }
}
