//! The steps of a change request, from draft to applied.
//!
//! ```text
//!   Draft ──▶ In review ──▶ Approved ──▶ Scheduled ──▶ Applied
//!                 │   ▲         │  │          │  ▲ │
//!                 │   └─ edits ─┘  └─▶ Applied│  └─┘ scheduled again
//!                 └───▶ Rejected ◀────────────┘
//!    Cancelled ◀── In review, Approved
//! ```
//!
//! Approved and Scheduled go back to In review when approvals do not count any more.

mod edit;
mod review;
mod schedule;
mod setback;
mod talk;

use time::OffsetDateTime;
use vexil_domain::{EnvironmentName, ProjectId};

use crate::{
    Caller, ChangeId, ChangeRequest, ChangeRequestId, Demand, Event, EventKind, PlannedChange, Scope, State,
    Step, StepError, clamp_approvals,
};

pub use edit::{MOST_CHANGES, MOST_REQUEST_BYTES};
pub use talk::{MOST_COMMENT_CHARACTERS, MOST_EARLIER_TITLES, MOST_REVIEWERS, MOST_TITLE_CHARACTERS};

/// A state to go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transition {
    /// Ask for reviews.
    InReview,
    /// Approve; with enough approvals the request becomes [`State::Approved`].
    Approved,
    /// Apply now.
    Applied,
    /// Reject, for good.
    Rejected,
    /// Withdraw, for good.
    Cancelled,
    /// Apply later, also at another time than was set before.
    Scheduled {
        /// When.
        at: OffsetDateTime,
    },
}

impl Transition {
    /// The transition to a state, with the time to apply at where that is [`State::Scheduled`].
    /// `None` for [`State::Draft`], to which nothing goes back.
    ///
    /// # Errors
    ///
    /// [`StepError::NoScheduleTime`] when the time is missing.
    pub fn to_state(to: State, at: Option<OffsetDateTime>) -> Result<Option<Self>, StepError> {
        Ok(Some(match to {
            State::Draft => return Ok(None),
            State::InReview => Self::InReview,
            State::Approved => Self::Approved,
            State::Applied => Self::Applied,
            State::Rejected => Self::Rejected,
            State::Cancelled => Self::Cancelled,
            State::Scheduled => Self::Scheduled {
                at: at.ok_or(StepError::NoScheduleTime)?,
            },
        }))
    }

    /// The state it goes to.
    #[must_use]
    pub fn state(self) -> State {
        match self {
            Self::InReview => State::InReview,
            Self::Approved => State::Approved,
            Self::Applied => State::Applied,
            Self::Rejected => State::Rejected,
            Self::Cancelled => State::Cancelled,
            Self::Scheduled { .. } => State::Scheduled,
        }
    }
}

/// What a new change request starts from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// Identifies the request.
    pub id: ChangeRequestId,
    /// The project whose flags and segments are changed.
    pub project: ProjectId,
    /// The environment in which they are changed.
    pub environment: EnvironmentName,
    /// How many people must approve; see [`required_approvals`](crate::required_approvals).
    pub min_approvals: u32,
}

impl ChangeRequest {
    /// Opens a request as a draft. Whether its author has another pending one in the same project
    /// and environment is for the caller to see to.
    ///
    /// # Errors
    ///
    /// When the request would be too large.
    pub fn open(
        opening: Opening,
        changes: Vec<PlannedChange>,
        who: &Caller,
        now: OffsetDateTime,
    ) -> Result<Step, StepError> {
        edit::check_size(&changes)?;
        let request = Self {
            id: opening.id,
            title: None,
            project: opening.project,
            environment: opening.environment,
            min_approvals: clamp_approvals(opening.min_approvals),
            state: State::Draft,
            changes,
            approvals: Vec::new(),
            rejections: Vec::new(),
            comments: Vec::new(),
            requested_reviewers: Vec::new(),
            created_by: who.actor.clone(),
            created_at: now,
            state_timestamps: [(State::Draft, now)].into(),
            schedule: None,
            setback: None,
            earlier_titles: Vec::new(),
        };
        let mut events = vec![request.event(EventKind::Created, who)];
        for change in &request.changes {
            events.push(request.change_event(EventKind::ChangeAdded, change.id, who));
        }
        Ok(Step { request, events })
    }

    /// Goes to another state. For [`Transition::Applied`] the caller lays the changes over the
    /// present snapshot and stores both together, or neither.
    ///
    /// # Errors
    ///
    /// When there is no way from the present state, or `who` may not go it; [`StepError::NotApproved`] when
    /// approvals that were given do not count any more, see [`ChangeRequest::fall_back`].
    pub fn transition(
        &self,
        to: Transition,
        who: &Caller,
        demand: &Demand<'_>,
        now: OffsetDateTime,
    ) -> Result<Step, StepError> {
        match (self.state, to) {
            (State::Draft, Transition::InReview) => self.send_to_review(who, now),
            (State::Scheduled, Transition::InReview) if !self.is_waiting() => self.review_again(who, now),
            (State::InReview, Transition::Approved) => self.approve(who, demand, now),
            (State::InReview | State::Approved | State::Scheduled, Transition::Rejected) => {
                self.reject(who, now)
            }
            (State::InReview | State::Approved, Transition::Cancelled) => self.cancel(who, now),
            (State::Approved | State::Scheduled, Transition::Applied) => self.apply(who, demand, now),
            (State::Approved | State::Scheduled, Transition::Scheduled { at }) => {
                self.schedule(at, who, demand, now)
            }
            (from, to) => Err(StepError::NoWay { from, to: to.state() }),
        }
    }

    /// Where its changes apply.
    #[must_use]
    pub fn scope(&self, now: OffsetDateTime) -> Scope {
        Scope {
            project: self.project.clone(),
            environment: self.environment.clone(),
            request: Some(self.id),
            now,
        }
    }

    /// The same request in another state.
    fn entered(&self, state: State, now: OffsetDateTime) -> Self {
        let mut request = self.clone();
        request.state = state;
        request.state_timestamps.insert(state, now);
        if state != State::Scheduled {
            request.schedule = None;
        }
        request
    }

    fn event(&self, kind: EventKind, who: &Caller) -> Event {
        Event::new(kind, self.id, who.actor.clone())
    }

    fn change_event(&self, kind: EventKind, change: ChangeId, who: &Caller) -> Event {
        Event {
            change: Some(change),
            ..self.event(kind, who)
        }
    }
}
