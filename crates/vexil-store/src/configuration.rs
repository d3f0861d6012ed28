//! The configuration, and how it is edited.

use vexil_change_request::{ChangeRequest, ChangeRequestId};
use vexil_domain::{Snapshot, SnapshotDelta, Write};

use crate::{ApiToken, ApiTokenId, CommitError, LinkWrite, NewEvent, SessionWrite, StoreError, User, UserId};

/// Which state of the store something belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Revision {
    /// How many commits there have been; 0 in a new store.
    pub sequence: u64,
    /// The `sequence` of the last commit that changed the configuration, 0 if there was none. What
    /// SDKs are told is a function of this.
    pub configuration: u64,
}

impl Revision {
    /// The revision that a commit with `delta` makes of this one.
    #[must_use]
    pub fn next(self, delta: &SnapshotDelta) -> Self {
        let sequence = self.sequence + 1;
        let configuration = if delta.is_empty() {
            self.configuration
        } else {
            sequence
        };
        Self {
            sequence,
            configuration,
        }
    }
}

/// The next id of each kind. Ids are never used twice, so these only grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Counters {
    /// The id of the next segment.
    pub segment: i64,
    /// The id of the next change request.
    pub change_request: i64,
    /// The id of the next change in a change request.
    pub change: i64,
    /// The id of the next comment on a change request.
    pub comment: i64,
    /// The id of the next API token.
    pub token: i64,
    /// The id of the next user.
    pub user: i64,
    /// The id of the next personal access token.
    pub personal_token: i64,
}

impl Default for Counters {
    /// All at 1: nothing was ever created.
    fn default() -> Self {
        Self {
            segment: 1,
            change_request: 1,
            change: 1,
            comment: 1,
            token: 1,
            user: 1,
            personal_token: 1,
        }
    }
}

/// The configuration with what is needed to edit it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Loaded {
    /// The state this is.
    pub revision: Revision,
    /// The next ids.
    pub counters: Counters,
    /// The configuration.
    pub snapshot: Snapshot,
}

/// One edit: everything in it happens, or nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Commit {
    /// The [`Revision::sequence`] it was computed from.
    pub expected: u64,
    /// The next ids afterwards.
    pub counters: Counters,
    /// What changes in the configuration.
    pub delta: SnapshotDelta,
    /// Change requests put or taken away.
    pub change_requests: Vec<Write<ChangeRequestId, ChangeRequest>>,
    /// API tokens put or taken away.
    pub tokens: Vec<Write<ApiTokenId, ApiToken>>,
    /// Users put or taken away, with their personal access tokens and grants.
    pub users: Vec<Write<UserId, User>>,
    /// Sessions that begin and end, in order.
    pub sessions: Vec<SessionWrite>,
    /// Links made and used up, in order.
    pub links: Vec<LinkWrite>,
    /// What goes to the audit log, in order.
    pub events: Vec<NewEvent>,
}

/// Keeps the configuration.
pub trait ConfigurationStore {
    /// Reads the whole configuration, as of one moment.
    ///
    /// # Errors
    ///
    /// When the database fails or holds what cannot be understood.
    fn load(&self) -> Result<Loaded, StoreError>;

    /// Reads which state the store is in. Cheap; also tells whether the database answers.
    ///
    /// # Errors
    ///
    /// When the database fails.
    fn revision(&self) -> Result<Revision, StoreError>;

    /// Carries out an edit and returns the revision it made: `expected` + 1.
    ///
    /// Values of the delta replace those of the same key; taking away what is not there is no
    /// error. A value's key is read from the value.
    ///
    /// # Errors
    ///
    /// Nothing has changed when it fails, except that after [`StoreError::Backend`] (a connection
    /// lost on commit) the outcome is unknown: read [`ConfigurationStore::revision`] again.
    /// [`CommitError::Stale`] when another commit came first. Of commits with the same `expected`
    /// exactly one wins.
    fn commit(&self, commit: &Commit) -> Result<Revision, CommitError>;
}
