//! What a feature-flag server needs of a database, a store in memory, and the suite every store
//! must pass.
//!
//! A [`Store`] keeps the configuration, change requests, API tokens, users, sessions, the audit log, usage
//! counts and the instances that registered. All methods block, take `&self` and may be called from any
//! number of threads.
//!
//! Edits go through [`ConfigurationStore::commit`]: one transaction that names the [`Revision`] it
//! was computed from and is refused, whole, when that is no longer the current one. What a method
//! has answered `Ok` is durable, in stores that outlive the process.
//!
//! A server reads everything once ([`ConfigurationStore::load`]) and from then on what changed
//! ([`ConfigurationStore::changes_since`]), so that several servers can follow each other on one
//! database.
//!
//! # What can be stored
//!
//! All stores refuse the same things, before anything is written: plain text (names, titles,
//! descriptions) with a NUL character, which PostgreSQL cannot hold, and keys (names and ids) of more
//! than [`MAX_KEY_BYTES`] bytes, which it cannot index. See [`Unstorable`]. Lists (constraints,
//! variants, parameters, payloads) can hold any text. Instants are kept to the microsecond; what is
//! finer is cut off, see [`to_the_microsecond`].
//!
//! # Cargo features
//!
//! * `conformance` (off by default): the suite, as the macro `store_conformance!`. For tests only.

mod access;
mod applications;
mod change_requests;
mod configuration;
#[cfg(feature = "conformance")]
pub mod conformance;
mod error;
mod events;
mod ids;
mod memory;
mod revision;
mod sign_ins;
mod storable;
mod tokens;
mod unstorable;
mod usage;
mod users;
mod write_all;

pub use access::{
    AccessTables, AccessWrites, FlagNaming, LinkTemplate, ProjectSettings, Setting, SignUpLink, SignUpLinkId,
};
pub use applications::{ApplicationStore, Instance, InstanceKey, Registration};
pub use change_requests::{ChangeRequestFilter, ChangeRequestStore};
pub use configuration::{
    Changes, Commit, ConfigurationStore, Counters, CredentialChanges, EnvironmentRevisions, FOLLOWED_COMMITS,
    Loaded,
};
pub use error::{CommitError, StoreError};
pub use events::{Event, EventFilter, EventId, EventStore, NewEvent, Page};
pub use ids::{ApiTokenId, PersonalTokenId};
pub use memory::MemoryStore;
pub use revision::{CommitId, Revision};
pub use sign_ins::{
    Link, LinkPurpose, LinkWrite, SecretHash, Session, SessionHolder, SessionWrite, SignInStore,
};
pub use storable::{check_usage_storable, to_the_microsecond};
pub use tokens::{ApiToken, TokenKind, TokenStore};
pub use unstorable::{MAX_KEY_BYTES, TextError, Unstorable};
pub use usage::{
    Appended, Applications, Folding, InboxSize, LastSeen, REPORT_KEYS_KEPT, ReportKey, Reported, ReportedBy,
    UsageBatch, UsageQuery, UsageStore, WriterId,
};
pub use users::{ExternalIdentity, Favorites, Feedback, PersonalToken, User, UserStore, UsersSeen};

/// Everything a server keeps. Implemented by whatever implements its parts.
pub trait Store:
    ConfigurationStore
    + ChangeRequestStore
    + TokenStore
    + UserStore
    + SignInStore
    + EventStore
    + UsageStore
    + ApplicationStore
    + Send
    + Sync
{
}

impl<T> Store for T where
    T: ConfigurationStore
        + ChangeRequestStore
        + TokenStore
        + UserStore
        + SignInStore
        + EventStore
        + UsageStore
        + ApplicationStore
        + Send
        + Sync
{
}
