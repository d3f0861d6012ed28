//! Events: what happened to a change request, for the audit log.

use time::OffsetDateTime;
use vexil_domain::Actor;

use crate::{ChangeId, ChangeRequestId};

/// Something that happened to a change request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// What happened.
    pub kind: EventKind,
    /// To which request.
    pub request: ChangeRequestId,
    /// To which of its changes, where it happened to one.
    pub change: Option<ChangeId>,
    /// Who did it; for a scheduled apply, who had scheduled it.
    pub by: Actor,
    /// When the request will be applied, where it was scheduled.
    pub scheduled_at: Option<OffsetDateTime>,
    /// Why, where a schedule failed or was suspended, or the server took the step.
    pub reason: Option<String>,
    /// The titles before and after, where it got another one.
    pub retitled: Option<Retitled>,
}

/// Another title.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retitled {
    /// The title until then, where there was one.
    pub from: Option<String>,
    /// The title from then on; `None` where it was taken away.
    pub to: Option<String>,
}

impl Event {
    /// That this happened to a request, and nothing more.
    pub(crate) fn new(kind: EventKind, request: ChangeRequestId, by: Actor) -> Self {
        Self {
            kind,
            request,
            change: None,
            by,
            scheduled_at: None,
            reason: None,
            retitled: None,
        }
    }
}

macro_rules! event_kinds {
    ($($(#[$doc:meta])* $variant:ident = $text:literal),+ $(,)?) => {
        /// What happened to a change request.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum EventKind {
            $($(#[$doc])* $variant,)+
        }

        impl EventKind {
            /// Every kind.
            pub const ALL: &'static [EventKind] = &[$(EventKind::$variant),+];

            /// The name in the audit log.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)+
                }
            }
        }
    };
}

event_kinds! {
    /// It was opened.
    Created = "change-request-created",
    /// The draft was thrown away.
    Discarded = "change-request-discarded",
    /// Its author asked for reviews.
    SentToReview = "change-request-sent-to-review",
    /// Somebody approved it.
    ApprovalAdded = "change-request-approval-added",
    /// Enough people have approved it.
    Approved = "change-request-approved",
    /// Somebody rejected it.
    Rejected = "change-request-rejected",
    /// It was withdrawn.
    Cancelled = "change-request-cancelled",
    /// Its changes were made.
    Applied = "change-request-applied",
    /// It was scheduled, or scheduled again.
    Scheduled = "change-request-scheduled",
    /// It will not be applied at its time.
    ScheduleSuspended = "change-request-schedule-suspended",
    /// Its changes were made at the set time.
    ScheduledApplicationSuccess = "change-request-scheduled-application-success",
    /// Its changes could not be made at the set time.
    ScheduledApplicationFailure = "change-request-scheduled-application-failure",
    /// The rules of a project in an environment were changed.
    ConfigurationUpdated = "change-request-configuration-updated",
    /// It got another title.
    TitleUpdated = "change-request-title-updated",
    /// Other people were asked to review it.
    RequestedApproversUpdated = "change-request-requested-approvers-updated",
    /// A change was added.
    ChangeAdded = "change-added",
    /// A change was replaced.
    ChangeEdited = "change-edited",
    /// A change was taken out.
    ChangeDiscarded = "change-discarded",
}
