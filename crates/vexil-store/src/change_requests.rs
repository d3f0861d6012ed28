//! Change requests.

use vexil_change_request::{ChangeRequest, ChangeRequestId, State};
use vexil_domain::{ActorId, EnvironmentName, FlagName, ProjectId, SegmentId};

use crate::{Page, StoreError};

/// Which change requests to read. The default is every one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ChangeRequestFilter {
    /// Of this project.
    pub project: Option<ProjectId>,
    /// Of this environment.
    pub environment: Option<EnvironmentName>,
    /// In one of these states; empty for all.
    pub states: Vec<State>,
    /// By this author.
    pub created_by: Option<ActorId>,
    /// With this person among those asked to review.
    pub requested_reviewer: Option<ActorId>,
    /// With a change to this flag.
    pub flag: Option<FlagName>,
    /// With a change to this segment, or to a strategy that it gives this segment.
    pub segment: Option<SegmentId>,
    /// Leaves out so many of the newest.
    pub offset: u64,
    /// At most so many; `None` for all.
    pub limit: Option<u64>,
}

/// Keeps change requests. They are put and taken away by [`crate::ConfigurationStore::commit`].
pub trait ChangeRequestStore {
    /// Reads one change request.
    ///
    /// # Errors
    ///
    /// When the database fails.
    fn change_request(&self, id: ChangeRequestId) -> Result<Option<ChangeRequest>, StoreError>;

    /// Reads change requests, the newest (greatest id) first.
    ///
    /// # Errors
    ///
    /// When the database fails.
    fn change_requests(&self, filter: &ChangeRequestFilter) -> Result<Page<ChangeRequest>, StoreError>;
}
