//! The audit log.

use time::OffsetDateTime;
use vexil_change_request::ChangeRequestId;
use vexil_domain::{Actor, ActorId, EnvironmentName, FlagName, ProjectId};

use crate::StoreError;

/// Identifies an event. Later events have greater ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventId(pub i64);

/// Something that was done, as it goes into the audit log with a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEvent {
    /// What was done, such as `feature-created`.
    pub kind: String,
    /// When.
    pub created_at: OffsetDateTime,
    /// By whom.
    pub actor: Actor,
    /// The project concerned, if it was one.
    pub project: Option<ProjectId>,
    /// The environment concerned, if it was one.
    pub environment: Option<EnvironmentName>,
    /// The flag concerned, if it was one.
    pub flag: Option<FlagName>,
    /// How things are afterwards, as JSON text.
    pub data: Option<String>,
    /// How things were before, as JSON text.
    pub pre_data: Option<String>,
    /// The change request concerned, or through which it was done.
    pub change_request: Option<ChangeRequestId>,
}

/// Something that was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Identifies the event.
    pub id: EventId,
    /// What was done.
    pub event: NewEvent,
}

/// Which events to read. The default is every one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EventFilter {
    /// One of these; empty for all.
    pub ids: Vec<EventId>,
    /// Of one of these kinds; empty for all.
    pub kinds: Vec<String>,
    /// Of one of these projects; empty for all, with or without one.
    pub projects: Vec<ProjectId>,
    /// Of one of these environments; empty for all, with or without one.
    pub environments: Vec<EnvironmentName>,
    /// Of one of these flags; empty for all, with or without one.
    pub flags: Vec<FlagName>,
    /// By one of these actors; empty for all.
    pub actors: Vec<ActorId>,
    /// Of one of these change requests; empty for all, with or without one.
    pub change_requests: Vec<ChangeRequestId>,
    /// What was or is contains one of these texts, in whatever case of ASCII letters; empty for all. Databases may take
    /// more letters for alike.
    pub texts: Vec<String>,
    /// At this instant or later.
    pub from: Option<OffsetDateTime>,
    /// Before this instant.
    pub before: Option<OffsetDateTime>,
    /// Leaves out so many of the newest.
    pub offset: u64,
    /// At most so many; `None` for all.
    pub limit: Option<u64>,
}

/// Some of the items asked for, and how many there are without offset and limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    /// The items.
    pub items: Vec<T>,
    /// How many there are in all.
    pub total: u64,
}

/// Keeps the audit log. Events get in by [`crate::ConfigurationStore::commit`] alone.
pub trait EventStore {
    /// Reads events, the newest (greatest id) first.
    ///
    /// # Errors
    ///
    /// When the database fails.
    fn events(&self, filter: &EventFilter) -> Result<Page<Event>, StoreError>;
}
