//! What can go wrong.

use std::error::Error;

use vexil_change_request::ChangeRequestId;
use vexil_metrics::Malformed;

use crate::{ApiTokenId, Revision, Unstorable};

/// Why a store could not do something.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// What was given cannot be stored anywhere. The caller's mistake.
    #[error("cannot be stored")]
    Unstorable(#[from] Unstorable),
    /// The database failed. Trying again later may help.
    #[error("the database failed while {doing}")]
    Backend {
        /// What was being done, such as `reading the configuration`.
        doing: &'static str,
        /// What the database said. Not for users: may hold SQL and paths.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// The database was asked to commit and did not answer. It may have done so, or not.
    #[error("the database did not say whether it committed while {doing}")]
    UnknownOutcome {
        /// What was being done.
        doing: &'static str,
        /// What went wrong instead. Not for users.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// The database has no room left. Nothing was changed.
    #[error("the database has no room left for {doing}")]
    Full {
        /// What was being done.
        doing: &'static str,
        /// What the database said. Not for users.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// The database takes nothing in: it is a standby, or was set to be read only. Nothing was changed.
    #[error("the database is read only, so there is no {doing}")]
    ReadOnly {
        /// What was being done.
        doing: &'static str,
        /// What the database said. Not for users.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// The database is damaged. Nothing was changed.
    #[error("the database is damaged, so there is no {doing}; put back a copy of it")]
    Damaged {
        /// What was being done.
        doing: &'static str,
        /// What the database said. Not for users.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// The database that was opened is no longer the one found at its place: the file was deleted
    /// or replaced. Nothing is written any more.
    #[error("the database file was deleted or replaced while it was open")]
    Moved,
    /// A later version has changed the tables. Nothing is written any more.
    #[error("a later version has changed the database (migration `{migration}`)")]
    Newer {
        /// The first migration that is not known here.
        migration: String,
    },
    /// The database holds something that this version does not understand.
    #[error("the database holds {what} that cannot be understood")]
    Corrupt {
        /// What it is, such as `a constraint list`.
        what: &'static str,
        /// Why it could not be read.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
}

impl From<Malformed> for StoreError {
    fn from(source: Malformed) -> Self {
        Self::Corrupt {
            what: "usage counts",
            source: source.into(),
        }
    }
}

/// Why an edit was refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CommitError {
    /// Another commit came first. Compute the edit anew from the current state.
    #[error("revision {expected} is out of date, the current one is {}", current.sequence)]
    Stale {
        /// What the edit was computed from.
        expected: u64,
        /// What the store is at.
        current: Revision,
    },
    /// The author has another pending change request in the same project and environment.
    #[error(
        "change request {} would be the author's second pending one in its project and environment",
        change_request.0
    )]
    SecondPending {
        /// The change request that was refused.
        change_request: ChangeRequestId,
    },
    /// Another token has the same secret.
    #[error("API token {} has the secret of another token", token.0)]
    SecretTaken {
        /// The token that was refused.
        token: ApiTokenId,
    },
    /// The store could not do it.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<Unstorable> for CommitError {
    fn from(problem: Unstorable) -> Self {
        Self::Store(problem.into())
    }
}
