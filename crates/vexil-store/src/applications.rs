//! Applications, as their instances register them.

use std::collections::BTreeSet;

use time::OffsetDateTime;
use vexil_domain::EnvironmentName;

use crate::StoreError;

/// Identifies one running instance of an application.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InstanceKey {
    /// The application.
    pub application: String,
    /// The environment it runs in.
    pub environment: EnvironmentName,
    /// What the instance calls itself.
    pub instance: String,
}

/// What an instance says of itself when it starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registration {
    /// Who it is.
    pub key: InstanceKey,
    /// The SDK and its version, such as `unleash-client-node:6.1.0`.
    pub sdk_version: Option<String>,
    /// The strategy types it can evaluate, in its order.
    pub strategies: Vec<String>,
    /// When it started, where it said so.
    pub started: Option<OffsetDateTime>,
    /// How often it reports usage, in milliseconds, where it said so.
    pub interval: Option<u32>,
    /// When it was last heard of.
    pub seen_at: OffsetDateTime,
}

impl Registration {
    /// Takes over what a later registration of the same instance says. What it leaves out stays known;
    /// when it was seen never goes back.
    pub fn update(&mut self, later: &Self) {
        if later.sdk_version.is_some() {
            self.sdk_version.clone_from(&later.sdk_version);
        }
        if !later.strategies.is_empty() {
            self.strategies.clone_from(&later.strategies);
        }
        self.started = later.started.or(self.started);
        self.interval = later.interval.or(self.interval);
        self.seen_at = self.seen_at.max(later.seen_at);
    }
}

/// An instance that has registered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instance {
    /// What it last said of itself.
    pub registration: Registration,
    /// When it was first heard of.
    pub first_seen: OffsetDateTime,
}

/// Keeps the instances that registered. Those of an environment go with the commit that removes it.
pub trait ApplicationStore {
    /// Notes registrations, in one transaction. One of a known instance adds to what it said before,
    /// see [`Registration::update`]. Several of one instance count in their order.
    ///
    /// # Errors
    ///
    /// When the database fails, or a name cannot be stored; then none is noted.
    fn register(&self, registrations: &[Registration]) -> Result<(), StoreError>;

    /// Reads the instances of applications, by key.
    ///
    /// # Errors
    ///
    /// When the database fails.
    fn instances(&self, applications: &[String]) -> Result<Vec<Instance>, StoreError>;

    /// The names of all applications of which an instance registered.
    ///
    /// # Errors
    ///
    /// When the database fails.
    fn registered_applications(&self) -> Result<BTreeSet<String>, StoreError>;

    /// Forgets the instances last heard of before `before` and returns how many there were.
    ///
    /// # Errors
    ///
    /// When the database fails; then none is forgotten.
    fn purge_instances(&self, before: OffsetDateTime) -> Result<u64, StoreError>;
}
