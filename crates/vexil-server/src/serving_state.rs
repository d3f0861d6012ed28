//! The serving state: everything that requests read, of one revision, in memory and never changed.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use time::OffsetDateTime;
use vexil_domain::{EnvironmentName, EnvironmentSnapshot, FeatureFlag, Snapshot, SnapshotDelta, Write};
use vexil_engine::{Engine, Update};
use vexil_store::{ApiToken, Commit, Counters, Loaded, Revision, User};

use crate::entry_templates::Templates;
use crate::features_cache::Answers;
use crate::principal::hash_secret;
use crate::users::Users;

/// Tokens by the hash of their secret.
pub type Tokens = HashMap<[u8; 32], Arc<ApiToken>>;

/// Everything that requests read, of one revision.
pub struct ServingState {
    /// Which revision this is.
    pub revision: Revision,
    /// The next ids.
    pub counters: Counters,
    /// The configuration.
    pub snapshot: Snapshot,
    /// The API tokens.
    pub tokens: Tokens,
    /// The users.
    pub users: Users,
    environments: BTreeMap<EnvironmentName, Arc<ServedEnvironment>>,
}

/// One environment, ready to be evaluated.
pub struct ServedEnvironment {
    /// Which environment this is.
    pub name: EnvironmentName,
    /// Its live flags and the segments.
    pub snapshot: Arc<EnvironmentSnapshot>,
    /// The same, compiled.
    pub engine: Engine,
    /// The sequence number of the last commit that changed something here.
    pub revision: u64,
    /// What the client API answers, as far as it has been asked.
    pub(crate) answers: Answers,
    /// What the playground answers with, as far as it has been asked.
    pub(crate) templates: Arc<Templates>,
}

impl ServingState {
    /// The serving state of what was loaded.
    #[must_use]
    pub fn new(loaded: Loaded, tokens: Vec<ApiToken>, users: Vec<User>) -> Self {
        let Loaded {
            revision,
            counters,
            snapshot,
        } = loaded;
        let build = |name: &EnvironmentName| {
            let environment =
                ServedEnvironment::new(name, snapshot.in_environment(name), revision.configuration);
            (name.clone(), Arc::new(environment))
        };
        let environments = snapshot.environments.keys().map(build).collect();
        let tokens = tokens
            .into_iter()
            .map(|token| (token.secret_hash, Arc::new(token)))
            .collect();
        Self {
            revision,
            counters,
            tokens,
            users: Users::new(users),
            environments,
            snapshot,
        }
    }

    /// An environment by name.
    #[must_use]
    pub fn environment(&self, name: &str) -> Option<&Arc<ServedEnvironment>> {
        self.environments.get(name)
    }

    /// The API token with this secret, if it is known and has not expired.
    #[must_use]
    pub fn token(&self, secret: &str, now: OffsetDateTime) -> Option<&Arc<ApiToken>> {
        let token = self.tokens.get(&hash_secret(secret));
        token.filter(|token| token.expires_at.is_none_or(|end| now < end))
    }

    /// The serving state after a commit. What the commit does not touch is shared.
    #[must_use]
    pub fn after(&self, revision: Revision, snapshot: Snapshot, commit: &Commit) -> Self {
        let delta = snapshot.since(&self.snapshot);
        let next = |name: &EnvironmentName| {
            let environment = match self.environments.get(name) {
                Some(known) => known.after(&delta, revision.sequence),
                None => Arc::new(ServedEnvironment::new(
                    name,
                    snapshot.in_environment(name),
                    revision.sequence,
                )),
            };
            (name.clone(), environment)
        };
        let environments = snapshot.environments.keys().map(next).collect();
        let mut known = self.tokens.clone();
        for put in &commit.tokens {
            match put {
                Write::Upsert(token) => {
                    known.retain(|_, other| other.id != token.id);
                    known.insert(token.secret_hash, Arc::clone(token));
                }
                Write::Delete(id) => known.retain(|_, token| token.id != *id),
            }
        }
        let users = self.users.after(&commit.users);
        Self {
            revision,
            counters: commit.counters,
            tokens: known,
            users,
            environments,
            snapshot,
        }
    }
}

impl ServedEnvironment {
    fn new(name: &EnvironmentName, snapshot: EnvironmentSnapshot, revision: u64) -> Self {
        let (engine, warnings) = Engine::compile(&snapshot);
        for warning in warnings {
            tracing::warn!(environment = name.as_str(), "{warning}");
        }
        Self {
            name: name.clone(),
            snapshot: Arc::new(snapshot),
            engine,
            revision,
            answers: Answers::default(),
            templates: Arc::default(),
        }
    }

    /// The environment after a change of the configuration; itself when nothing here has changed.
    fn after(self: &Arc<Self>, delta: &SnapshotDelta, revision: u64) -> Arc<Self> {
        let update = self.update(delta);
        if update.flags.is_empty() && update.segments.is_empty() {
            return Arc::clone(self);
        }
        let (engine, warnings) = self.engine.updated(&update);
        for warning in warnings {
            tracing::warn!(environment = self.name.as_str(), "{warning}");
        }
        Arc::new(Self {
            name: self.name.clone(),
            snapshot: Arc::new(laid_over(&self.snapshot, &update)),
            engine,
            revision,
            answers: Answers::default(),
            templates: Arc::clone(&self.templates),
        })
    }

    /// What a change of the configuration means here.
    pub fn update(&self, delta: &SnapshotDelta) -> Update {
        let flags = delta
            .flags
            .iter()
            .filter_map(|put| self.flag_update(put))
            .collect();
        Update {
            flags,
            segments: delta.segments.clone(),
        }
    }

    fn flag_update(
        &self,
        put: &Write<vexil_domain::FlagName, FeatureFlag>,
    ) -> Option<Write<vexil_domain::FlagName, vexil_domain::EnvironmentFlag>> {
        let (name, flag) = match put {
            Write::Upsert(flag) if flag.is_archived() => (&flag.name, None),
            Write::Upsert(flag) => (&flag.name, Some(flag.in_environment(&self.name))),
            Write::Delete(name) => (name, None),
        };
        match (self.snapshot.flags.get(name), flag) {
            (None, None) => None,
            (Some(_), None) => Some(Write::Delete(name.clone())),
            (Some(known), Some(flag)) if **known == flag => None,
            (_, Some(flag)) => Some(Write::Upsert(Arc::new(flag))),
        }
    }
}

/// The environment as an update leaves it.
#[must_use]
pub(crate) fn laid_over(snapshot: &EnvironmentSnapshot, update: &Update) -> EnvironmentSnapshot {
    let mut snapshot = snapshot.clone();
    for put in &update.flags {
        match put {
            Write::Upsert(flag) => drop(snapshot.flags.insert(flag.name.clone(), Arc::clone(flag))),
            Write::Delete(name) => drop(snapshot.flags.remove(name)),
        }
    }
    for put in &update.segments {
        match put {
            Write::Upsert(segment) => drop(snapshot.segments.insert(segment.id, Arc::clone(segment))),
            Write::Delete(id) => drop(snapshot.segments.remove(id)),
        }
    }
    snapshot
}
