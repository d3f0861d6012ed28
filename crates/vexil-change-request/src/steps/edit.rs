//! Adding, replacing and taking out changes.

use time::OffsetDateTime;
use vexil_domain::{SegmentId, Snapshot};

use super::setback::EDITED;
use crate::{
    Caller, ChangeId, ChangeRequest, Event, EventKind, PlannedChange, State, Step, StepError, before,
};

/// The most changes that a request can have.
pub const MOST_CHANGES: usize = 1000;
/// The most bytes that the changes of a request can take, about, with what they replace.
pub const MOST_REQUEST_BYTES: usize = 4 << 20;

impl ChangeRequest {
    /// Adds changes behind the others. Approvals are void after that, and a request that was
    /// approved goes back to review.
    ///
    /// # Errors
    ///
    /// When the request is not pending, `who` is not its author, or the request would become too large.
    pub fn add_changes(
        &self,
        changes: Vec<PlannedChange>,
        who: &Caller,
        now: OffsetDateTime,
    ) -> Result<Step, StepError> {
        self.check_editable("add a change", who)?;
        let added = changes.iter().map(|change| change.id);
        let events = added
            .map(|id| self.change_event(EventKind::ChangeAdded, id, who))
            .collect();
        let all: Vec<PlannedChange> = self.changes.iter().cloned().chain(changes).collect();
        check_size(&all)?;
        Ok(self.with_changes(all, events, who, now))
    }

    /// Puts another change in the place of one. Give it an id of its own. Approvals are void after that,
    /// and a request that was approved goes back to review.
    ///
    /// # Errors
    ///
    /// When the request is not pending, has no such change or would become too large, or `who` is not its
    /// author.
    pub fn edit_change(
        &self,
        id: ChangeId,
        replacement: PlannedChange,
        who: &Caller,
        now: OffsetDateTime,
    ) -> Result<Step, StepError> {
        self.check_editable("edit a change", who)?;
        let mut changes = self.changes.clone();
        let place = changes
            .iter_mut()
            .find(|change| change.id == id)
            .ok_or(StepError::ChangeMissing { id })?;
        let event = self.change_event(EventKind::ChangeEdited, replacement.id, who);
        *place = replacement;
        check_size(&changes)?;
        Ok(self.with_changes(changes, vec![event], who, now))
    }

    /// Takes a change out. Approvals are void after that, and a request that was approved goes back to
    /// review.
    ///
    /// # Errors
    ///
    /// When the request is not pending or has no such change, or `who` is not its author.
    pub fn discard_change(&self, id: ChangeId, who: &Caller, now: OffsetDateTime) -> Result<Step, StepError> {
        self.check_editable("discard a change", who)?;
        let mut changes = self.changes.clone();
        changes.retain(|change| change.id != id);
        if changes.len() == self.changes.len() {
            return Err(StepError::ChangeMissing { id });
        }
        let event = self.change_event(EventKind::ChangeDiscarded, id, who);
        Ok(self.with_changes(changes, vec![event], who, now))
    }

    /// Throws a draft away; the caller deletes it. Returns what happened.
    ///
    /// # Errors
    ///
    /// When the request is no draft, or `who` is neither its author nor an admin.
    pub fn discard(&self, who: &Caller) -> Result<Vec<Event>, StepError> {
        const STEP: &str = "discard the request";
        if self.state != State::Draft {
            return Err(StepError::WrongState {
                step: STEP,
                state: self.state,
            });
        }
        if !who.admin && !who.is_author(self) {
            return Err(StepError::NotAuthorOrAdmin { step: STEP });
        }
        Ok(vec![self.event(EventKind::Discarded, who)])
    }

    /// The same request, which has seen `live`: its changes remember what is there now. For
    /// somebody who schedules a request again although its targets were edited.
    #[must_use]
    pub fn refreshed(&self, live: &Snapshot, now: OffsetDateTime) -> Self {
        let scope = self.scope(now);
        let mut request = self.clone();
        for planned in &mut request.changes {
            planned.before = before(live, &scope, planned.flag.as_ref(), &planned.change);
        }
        request
    }

    /// Whether a change makes a strategy use the segment.
    #[must_use]
    pub fn uses_segment(&self, id: SegmentId) -> bool {
        self.changes
            .iter()
            .any(|planned| planned.change.segments_used().contains(&id))
    }

    fn check_editable(&self, step: &'static str, who: &Caller) -> Result<(), StepError> {
        if !self.state.is_pending() {
            return Err(StepError::WrongState {
                step,
                state: self.state,
            });
        }
        if !who.is_author(self) {
            return Err(StepError::NotAuthor { step });
        }
        Ok(())
    }

    fn with_changes(
        &self,
        changes: Vec<PlannedChange>,
        events: Vec<Event>,
        who: &Caller,
        now: OffsetDateTime,
    ) -> Step {
        let mut request = match self.state {
            State::Approved => self.entered(State::InReview, now),
            _ => self.clone(),
        };
        request.changes = changes;
        request.keep_approvals(Vec::new(), EDITED, &who.actor, now);
        Step { request, events }
    }
}

/// Refuses changes that are more than a request can have.
pub(super) fn check_size(changes: &[PlannedChange]) -> Result<(), StepError> {
    let given = changes.len();
    if given > MOST_CHANGES {
        return Err(StepError::TooManyChanges {
            given,
            most: MOST_CHANGES,
        });
    }
    let given = changes.iter().map(PlannedChange::weight).sum();
    if given > MOST_REQUEST_BYTES {
        return Err(StepError::RequestTooLarge {
            given,
            most: MOST_REQUEST_BYTES,
        });
    }
    Ok(())
}
