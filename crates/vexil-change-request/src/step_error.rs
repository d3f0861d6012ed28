//! Refusals: why a step cannot be taken.

use std::fmt;

use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::{ChangeId, ErrorKind, SignedEffect, State};

/// Why a step of a change request cannot be taken. Nothing is changed then.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// The step is for the author alone.
    #[error("only the author of the change request may {step}")]
    NotAuthor {
        /// What was tried.
        step: &'static str,
    },
    /// The step is for the author, or for admins.
    #[error("only the author of the change request or an admin may {step}")]
    NotAuthorOrAdmin {
        /// What was tried.
        step: &'static str,
    },
    /// The step needs a permission.
    #[error("{permission} is needed in this project and environment to {step}")]
    NoPermission {
        /// What was tried.
        step: &'static str,
        /// The permission's name.
        permission: &'static str,
    },
    /// Somebody tried to approve a request of their own.
    #[error("nobody can approve a change request of their own; ask somebody else to")]
    OwnRequest,
    /// One approval a person.
    #[error("you have approved this change request already")]
    AlreadyApproved,
    /// Not enough of the approvals count: they were for another effect, or were given by people who may not
    /// approve any more, or the rules ask for more.
    #[error(
        "{counted} of the {needed} approvals that are needed count{}; it has to be approved again",
        .changed.as_ref().map(ToString::to_string).unwrap_or_default()
    )]
    NotApproved {
        /// How many count.
        counted: usize,
        /// How many are needed.
        needed: u32,
        /// What was approved and what it would do now, where no approval is for that.
        changed: Option<ChangedWords>,
    },
    /// The effect is another one than the caller had read.
    #[error("what it would do has changed since you read it (now: {now}); read it again")]
    EffectMoved {
        /// What it would do now, in words.
        now: String,
    },
    /// The changes are others than the caller had read.
    #[error("what is asked has changed since you read it; read it again")]
    ChangesMoved,
    /// There is no way between two states.
    #[error("a change request cannot go from {from} to {to}")]
    NoWay {
        /// The present state.
        from: State,
        /// The state asked for.
        to: State,
    },
    /// The step is not for requests in this state.
    #[error("a change request that is {state} cannot be changed like this: {step}")]
    WrongState {
        /// What was tried.
        step: &'static str,
        /// The present state.
        state: State,
    },
    /// There is nothing to review or to apply.
    #[error("the change request has no changes; add one first")]
    NoChanges,
    /// There is no such change in the request.
    #[error("the change request has no change {id}")]
    ChangeMissing {
        /// What was asked for.
        id: ChangeId,
    },
    /// The request would have too many changes.
    #[error("a change request can have at most {most} changes, not {given}; open another for the rest")]
    TooManyChanges {
        /// How many there would be.
        given: usize,
        /// How many there may be.
        most: usize,
    },
    /// The request would be too large, what its changes replace included.
    #[error(
        "the changes of a request, with what they replace, can take at most {most} bytes, not {given}; open another for the rest"
    )]
    RequestTooLarge {
        /// How many bytes it would take, about.
        given: usize,
        /// How many it may take.
        most: usize,
    },
    /// A schedule needs a time.
    #[error("`scheduledAt` is needed to schedule a change request")]
    NoScheduleTime,
    /// A schedule needs a time that is still to come.
    #[error("a change request can only be scheduled for the future, not for {}", rfc_3339(*at))]
    ScheduleInPast {
        /// The time asked for.
        at: OffsetDateTime,
    },
    /// The schedule was suspended.
    #[error("the change request was suspended ({reason}); schedule it again or reject it")]
    Suspended {
        /// Why.
        reason: String,
    },
    /// The time has not come, or there is no schedule that waits for it.
    #[error("the change request is not due")]
    NotDue,
    /// A comment is empty or too long.
    #[error("a comment must have 1 to {most} characters, not {given}")]
    CommentLength {
        /// How many there are, blanks at the ends left out.
        given: usize,
        /// How many there may be.
        most: usize,
    },
    /// A title is too long.
    #[error("a title must have at most {most} characters, not {given}")]
    TitleLength {
        /// How many there are, blanks at the ends left out.
        given: usize,
        /// How many there may be.
        most: usize,
    },
    /// Too many people are asked for a review.
    #[error("at most {most} people can be asked for a review, not {given}")]
    TooManyReviewers {
        /// How many were named.
        given: usize,
        /// How many may be.
        most: usize,
    },
}

/// What was approved and what a request would do now, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedWords {
    /// What was approved; `None` where nothing is known of it.
    pub approved: Option<String>,
    /// What it would do now.
    pub now: String,
}

impl ChangedWords {
    pub(crate) fn new(approved: Option<&SignedEffect>, now: &SignedEffect) -> Self {
        Self {
            approved: approved.map(|signed| signed.words.clone()),
            now: now.words.clone(),
        }
    }
}

/// Such as `: what it would do has changed since it was approved (approved: …; now: …)`.
impl fmt::Display for ChangedWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(": what it would do has changed since it was approved")?;
        match self.approved.as_deref().filter(|words| !words.is_empty()) {
            Some(approved) => write!(f, " (approved: {approved}; now: {})", self.now),
            None if self.now.is_empty() => Ok(()),
            None => write!(f, " (now: {})", self.now),
        }
    }
}

/// The time as it is sent, which people can send again; as it is otherwise known where that has no form for it.
fn rfc_3339(at: OffsetDateTime) -> String {
    at.format(&Rfc3339).unwrap_or_else(|_| at.to_string())
}

impl StepError {
    /// Of which sort the refusal is, for whoever must answer a request.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::NotAuthor { .. }
            | Self::NotAuthorOrAdmin { .. }
            | Self::NoPermission { .. }
            | Self::OwnRequest => ErrorKind::Forbidden,
            Self::ChangeMissing { .. } => ErrorKind::Missing,
            Self::AlreadyApproved
            | Self::NotApproved { .. }
            | Self::EffectMoved { .. }
            | Self::ChangesMoved
            | Self::NotDue => ErrorKind::Conflict,
            Self::NoWay { .. }
            | Self::WrongState { .. }
            | Self::NoChanges
            | Self::Suspended { .. }
            | Self::TooManyChanges { .. }
            | Self::RequestTooLarge { .. }
            | Self::NoScheduleTime
            | Self::ScheduleInPast { .. }
            | Self::CommentLength { .. }
            | Self::TitleLength { .. }
            | Self::TooManyReviewers { .. } => ErrorKind::Invalid,
        }
    }

    /// A short name that does not change, for machines.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotAuthor { .. } => "not_author",
            Self::NotAuthorOrAdmin { .. } => "not_author_or_admin",
            Self::NoPermission { .. } => "no_permission",
            Self::OwnRequest => "own_request",
            Self::AlreadyApproved => "already_approved",
            Self::NotApproved { .. } => "not_approved",
            Self::EffectMoved { .. } => "effect_moved",
            Self::ChangesMoved => "changes_moved",
            Self::NoWay { .. } => "no_way",
            Self::WrongState { .. } => "wrong_state",
            Self::NoChanges => "no_changes",
            Self::ChangeMissing { .. } => "change_missing",
            Self::TooManyChanges { .. } => "too_many_changes",
            Self::RequestTooLarge { .. } => "request_too_large",
            Self::NoScheduleTime => "no_schedule_time",
            Self::ScheduleInPast { .. } => "schedule_in_past",
            Self::Suspended { .. } => "suspended",
            Self::NotDue => "not_due",
            Self::CommentLength { .. } => "comment_length",
            Self::TitleLength { .. } => "title_length",
            Self::TooManyReviewers { .. } => "too_many_reviewers",
        }
    }
}
