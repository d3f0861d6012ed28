//! The configuration: read whole once, followed by what changed, and edited.

use std::collections::BTreeMap;
use std::sync::Arc;

use time::OffsetDateTime;
use vexil_access::{RoleId, UserId};
use vexil_change_request::{ChangeRequest, ChangeRequestId};
use vexil_domain::{EnvironmentName, EnvironmentRevision, Snapshot, SnapshotDelta, Write};

use crate::write_all::write_all;
use crate::{
    AccessTables, AccessWrites, ApiToken, ApiTokenId, CommitError, LinkWrite, NewEvent, SessionWrite,
    StoreError, User,
};
use crate::{CommitId, Revision};

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
    /// The id of the next custom role.
    pub role: i64,
    /// The id of the next group.
    pub group: i64,
    /// The id of the next link for signing up.
    pub sign_up_link: i64,
}

impl Default for Counters {
    /// All at 1, roles behind the built-in ones: nothing was ever created.
    fn default() -> Self {
        Self {
            segment: 1,
            change_request: 1,
            change: 1,
            comment: 1,
            token: 1,
            user: 1,
            personal_token: 1,
            role: RoleId::LAST_BUILT_IN.0 + 1,
            group: 1,
            sign_up_link: 1,
        }
    }
}

/// The revision of what SDKs are told in each environment: sequence and mark of the last commit that
/// changed it, see [`Commit::environments`].
pub type EnvironmentRevisions = BTreeMap<EnvironmentName, EnvironmentRevision>;

/// Everything that a server keeps in memory, as of one moment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Loaded {
    /// The state this is.
    pub revision: Revision,
    /// The next ids.
    pub counters: Counters,
    /// The configuration.
    pub snapshot: Snapshot,
    /// What SDKs are told has these revisions. An environment that is missing here has 0 without a mark.
    pub environments: EnvironmentRevisions,
    /// The API tokens.
    pub tokens: BTreeMap<ApiTokenId, Arc<ApiToken>>,
    /// The users, with their personal access tokens, roles and grants.
    pub users: BTreeMap<UserId, Arc<User>>,
    /// Roles, groups and settings.
    pub access: AccessTables,
}

/// What turns an earlier state into a later one: the present value of everything that commits in
/// between touched, or that it is gone.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Changes {
    /// The mark of the commit that they come after, where the store still knows it. Where it is not the
    /// one of the earlier state, they do not lead from that: then [`ConfigurationStore::load`].
    pub since: Option<u32>,
    /// The later state.
    pub revision: Revision,
    /// The next ids.
    pub counters: Counters,
    /// What changed in the configuration.
    pub delta: SnapshotDelta,
    /// The revisions of all environments, changed or not.
    pub environments: EnvironmentRevisions,
    /// Who may come in, as far as that changed.
    pub credentials: CredentialChanges,
}

/// What changed of those who may come in.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CredentialChanges {
    /// The [`Revision::sequence`] that these changes lead to.
    pub sequence: u64,
    /// API tokens that are new, changed or gone.
    pub tokens: Vec<Write<ApiTokenId, ApiToken>>,
    /// Users that are new, changed or gone.
    pub users: Vec<Write<UserId, User>>,
    /// Roles, groups and settings, all of them, where any is new, changed or gone.
    pub access: Option<AccessTables>,
}

impl Loaded {
    /// Applies changes that were read for the state that this is.
    pub fn apply(&mut self, changes: &Changes) {
        self.revision = changes.revision;
        self.counters = changes.counters;
        self.snapshot.apply(&changes.delta);
        self.environments.clone_from(&changes.environments);
        write_all(&mut self.tokens, &changes.credentials.tokens, |token| token.id);
        write_all(&mut self.users, &changes.credentials.users, |user| user.id);
        if let Some(access) = &changes.credentials.access {
            self.access.clone_from(access);
        }
    }
}

/// One edit: everything in it happens, or nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Commit {
    /// Tells it from all others.
    pub id: CommitId,
    /// The [`Revision::sequence`] it was computed from.
    pub expected: u64,
    /// The [`Revision::mark`] of that.
    pub expected_mark: u32,
    /// The next ids afterwards.
    pub counters: Counters,
    /// What changes in the configuration.
    pub delta: SnapshotDelta,
    /// The environments where SDKs are told something else from now on.
    pub environments: Vec<EnvironmentName>,
    /// Change requests put or taken away.
    pub change_requests: Vec<Write<ChangeRequestId, ChangeRequest>>,
    /// API tokens put or taken away.
    pub tokens: Vec<Write<ApiTokenId, ApiToken>>,
    /// Users put or taken away, with their personal access tokens, roles and grants.
    pub users: Vec<Write<UserId, User>>,
    /// Roles, groups and settings put or taken away.
    pub access: AccessWrites,
    /// Sessions that begin and end, in order.
    pub sessions: Vec<SessionWrite>,
    /// Links made and used up, in order.
    pub links: Vec<LinkWrite>,
    /// What goes to the audit log, in order.
    pub events: Vec<NewEvent>,
}

/// How many commits back a store can tell what changed.
pub const FOLLOWED_COMMITS: u64 = 10_000;

/// Keeps the configuration, and with it who may come in.
pub trait ConfigurationStore {
    /// Reads everything that a server keeps in memory, as of one moment.
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

    /// Checks that what is committed now would be found again: that the database answers, is still
    /// the one that was opened, has room, and was not changed by a later version. Cheap enough to
    /// ask every second.
    ///
    /// # Errors
    ///
    /// What stands in the way.
    fn check(&self) -> Result<(), StoreError>;

    /// The time by the clock of the database, which all who share it have in common; `None` where it has
    /// none but the machine's.
    ///
    /// # Errors
    ///
    /// When the database fails.
    fn clock(&self) -> Result<Option<OffsetDateTime>, StoreError> {
        Ok(None)
    }

    /// Brings everything that was committed to where a copy of the database has it, for whoever is
    /// about to end. Stores whose databases see to that themselves have nothing to do.
    ///
    /// # Errors
    ///
    /// When the database fails. What was committed is there none the less.
    fn checkpoint(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Reads what changed since a [`Revision::sequence`], as of one moment. Costs what changed, not
    /// what there is. `None` when the store cannot tell: more than [`FOLLOWED_COMMITS`] lie in
    /// between, or the store never was at that sequence; then [`ConfigurationStore::load`].
    ///
    /// # Errors
    ///
    /// When the database fails or holds what cannot be understood.
    fn changes_since(&self, sequence: u64) -> Result<Option<Changes>, StoreError>;

    /// The part of [`ConfigurationStore::changes_since`] that says who may come in. Costs the same
    /// however much else changed.
    ///
    /// # Errors
    ///
    /// When the database fails or holds what cannot be understood.
    fn credentials_since(&self, sequence: u64) -> Result<Option<CredentialChanges>, StoreError>;

    /// Carries out an edit and returns the revision it made: `expected` + 1.
    ///
    /// Values of the delta replace those of the same key; taking away what is not there is no
    /// error. A value's key is read from the value.
    ///
    /// # Errors
    ///
    /// Nothing has changed when it fails, except that after [`StoreError::UnknownOutcome`] (a
    /// connection lost on commit) it may have: [`ConfigurationStore::was_committed`] tells.
    /// [`CommitError::Stale`] when another commit came first, or the one before was another. Of commits with the same `expected`
    /// exactly one wins.
    fn commit(&self, commit: &Commit) -> Result<Revision, CommitError>;

    /// Waits until nobody else can commit, calls `edit`, and carries out what it gives; others
    /// wait meanwhile. `edit` may read from the store. `None` when it gives nothing.
    ///
    /// For edits that others keep overtaking. It is they who wait, so `edit` should be quick.
    ///
    /// # Errors
    ///
    /// As for [`ConfigurationStore::commit`]; [`CommitError::Stale`] only when `edit` did not
    /// start from the present state.
    fn commit_in_turn(
        &self,
        edit: &mut dyn FnMut() -> Option<Commit>,
    ) -> Result<Option<Revision>, CommitError>;

    /// Whether a commit that was answered [`StoreError::UnknownOutcome`] was carried out. Waits for
    /// commits under way: what was not carried out by then will not be.
    ///
    /// # Errors
    ///
    /// When the database fails; then it is still unknown.
    fn was_committed(&self, commit: &Commit) -> Result<bool, StoreError>;
}
