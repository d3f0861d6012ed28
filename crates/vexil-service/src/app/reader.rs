//! The store as handlers and operations have it: to read.

use std::collections::{BTreeMap, BTreeSet};

use time::OffsetDateTime;
use vexil_access::UserId;
use vexil_change_request::{ChangeRequest, ChangeRequestId};
use vexil_domain::FlagName;
use vexil_metrics::Rows;
use vexil_store::{
    ApiTokenId, ChangeRequestFilter, Event, EventFilter, Instance, LastSeen, Link, Loaded, Page, Reported,
    ReportedBy, Revision, SecretHash, Session, Store, StoreError, UsageQuery, UsersSeen,
};

/// A store that can be read and not written. Each method says what the store's own of the same name does, and fails
/// when that does.
#[derive(Clone, Copy)]
pub struct Reader<'a>(&'a dyn Store);

opaque!(Reader<'_>);

macro_rules! reads {
    ($($(#[$doc:meta])* $name:ident($($argument:ident: $kind:ty),*) -> $answer:ty;)*) => {
        impl<'a> Reader<'a> {
            pub(super) fn new(store: &'a dyn Store) -> Self {
                Self(store)
            }

            $(
                $(#[$doc])*
                ///
                /// # Errors
                ///
                /// When the store fails.
                pub fn $name(&self, $($argument: $kind),*) -> Result<$answer, StoreError> {
                    self.0.$name($($argument),*)
                }
            )*
        }
    };
}

reads! {
    /// Everything that is served.
    load() -> Loaded;
    /// Which state the store is in.
    revision() -> Revision;
    /// Whether the store can be relied on.
    check() -> ();
    /// A change request.
    change_request(id: ChangeRequestId) -> Option<ChangeRequest>;
    /// Change requests, the newest first.
    change_requests(filter: &ChangeRequestFilter) -> Page<ChangeRequest>;
    /// The audit log, the newest first.
    events(filter: &EventFilter) -> Page<Event>;
    /// The counts of flags.
    usage(wanted: &UsageQuery) -> Rows;
    /// The counts of flags, and which applications reported them.
    usage_and_applications(wanted: &UsageQuery) -> (Rows, BTreeSet<String>);
    /// Which applications reported which flags.
    reported_by(whose: &Reported) -> Vec<ReportedBy>;
    /// When flags were last reported, by environment.
    last_seen(flags: Option<&[FlagName]>) -> LastSeen;
    /// The applications that have reported.
    reporting_applications() -> BTreeSet<String>;
    /// The applications that have registered.
    registered_applications() -> BTreeSet<String>;
    /// The instances of applications that registered.
    instances(applications: &[String]) -> Vec<Instance>;
    /// When tokens were last used.
    tokens_seen() -> BTreeMap<ApiTokenId, OffsetDateTime>;
    /// When users and their tokens were last seen.
    users_seen() -> UsersSeen;
    /// A session.
    session(secret: SecretHash) -> Option<Session>;
    /// The sessions of a user.
    sessions_of(user: UserId) -> Vec<Session>;
    /// A link that signs somebody in.
    link(secret: SecretHash) -> Option<Link>;
}
