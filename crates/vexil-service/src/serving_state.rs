//! The serving state: everything that requests read, of one revision, in memory and never changed.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use vexil_access::UserId;
use vexil_domain::{
    EnvironmentName, EnvironmentRevision, EnvironmentSnapshot, Snapshot, SnapshotDelta, Write,
};
use vexil_engine::Engine;
use vexil_store::{AccessTables, ApiToken, ApiTokenId, Changes, Commit, Counters, Loaded, Revision, User};

use crate::proven_effects::ProvenEffects;
use crate::served_access::ServedAccess;
use crate::served_environment::ServedEnvironment;
use crate::side_by_side::map_side_by_side;
use crate::tagged::FlagsByTag;
use crate::tokens_by_secret::{Tokens, tokens_after};
use crate::users::Users;

/// So many flags are laid out by environment in less time than threads take to start, which also have memory of their own.
const FEW: usize = 2_000;

/// Everything that requests read, of one revision.
pub struct ServingState {
    /// Which revision this is.
    pub revision: Revision,
    /// The next ids.
    pub counters: Counters,
    /// The configuration.
    pub snapshot: Snapshot,
    /// The API tokens.
    pub tokens: Arc<Tokens>,
    /// The users.
    pub users: Users,
    /// Roles, groups and settings.
    pub access: Arc<ServedAccess>,
    environments: BTreeMap<EnvironmentName, Arc<ServedEnvironment>>,
    /// An environment that does not exist, once somebody has asked about one.
    unknown: OnceLock<(Arc<EnvironmentSnapshot>, Engine)>,
    /// Which flags have a tag, once somebody has asked for one.
    by_tag: OnceLock<FlagsByTag>,
    /// Effects that were proven already.
    pub(crate) proven: Arc<ProvenEffects>,
}

opaque!(ServingState);

/// What leads from one serving state to the next, but for the environments.
struct Step<'a> {
    revision: Revision,
    counters: Counters,
    snapshot: Snapshot,
    tokens: &'a [Write<ApiTokenId, ApiToken>],
    users: &'a [Write<UserId, User>],
    /// Roles, groups and settings, where any changed.
    access: Option<AccessTables>,
}

impl ServingState {
    /// The serving state of what was loaded.
    #[must_use]
    pub fn new(loaded: Loaded) -> Self {
        let Loaded {
            revision,
            counters,
            snapshot,
            environments: revisions,
            tokens,
            users,
            access,
        } = loaded;
        let build = |name: &EnvironmentName| {
            let revision = revisions.get(name).copied().unwrap_or_default();
            let environment = ServedEnvironment::new(name, snapshot.in_environment(name), revision);
            (name.clone(), Arc::new(environment))
        };
        let names = snapshot.environments.keys();
        let environments = if snapshot.flags.len() < FEW {
            names.map(build).collect()
        } else {
            let names: Vec<&EnvironmentName> = names.collect();
            map_side_by_side(&names, |name| build(name)).into_iter().collect()
        };
        let tokens = tokens.into_values().map(|token| (token.secret_hash, token));
        Self {
            revision,
            counters,
            tokens: Arc::new(tokens.collect()),
            users: Users::new(users),
            access: Arc::new(access.into()),
            environments,
            snapshot,
            unknown: OnceLock::new(),
            by_tag: OnceLock::new(),
            proven: Arc::default(),
        }
    }

    /// An environment by name.
    #[must_use]
    pub fn environment(&self, name: &str) -> Option<&Arc<ServedEnvironment>> {
        self.environments.get(name)
    }

    /// Lets go of large answers that nobody has read since the last call.
    pub(crate) fn let_go(&self) {
        for environment in self.environments.values() {
            environment.answers.let_go();
        }
    }

    /// What an environment that does not exist holds: every flag, off.
    pub(crate) fn unknown_environment(&self) -> &(Arc<EnvironmentSnapshot>, Engine) {
        self.unknown.get_or_init(|| {
            let snapshot = self.snapshot.in_environment(&"".into());
            let (engine, _) = Engine::compile(&snapshot);
            (Arc::new(snapshot), engine)
        })
    }

    /// Which flags have a tag.
    pub fn flags_by_tag(&self) -> &FlagsByTag {
        self.by_tag.get_or_init(|| FlagsByTag::of(&self.snapshot))
    }

    /// The serving state that a commit computed from this one leads to, before it is made. Notes in the commit
    /// where SDKs will be told something else. What the commit does not touch is shared.
    #[must_use]
    pub(crate) fn with(&self, commit: &mut Commit, snapshot: Snapshot) -> Self {
        let revision = self.revision.next(commit.id, &commit.delta);
        let environments = self.stepped(&snapshot, &commit.delta, |_, known, changed| match known {
            Some(known) if !changed => known.revision,
            _ => EnvironmentRevision {
                number: revision.sequence,
                mark: revision.mark,
            },
        });
        let is_new = |(name, environment): &(&EnvironmentName, &Arc<ServedEnvironment>)| {
            let known = self.environments.get(*name);
            known.is_none_or(|known| known.revision != environment.revision)
        };
        let changed = environments.iter().filter(is_new);
        commit.environments = changed.map(|(name, _)| name.clone()).collect();
        let step = Step {
            revision,
            counters: commit.counters,
            snapshot,
            tokens: &commit.tokens,
            users: &commit.users,
            access: (!commit.access.is_empty()).then(|| {
                let mut tables = self.access.tables.clone();
                tables.apply(&commit.access);
                tables
            }),
        };
        self.after(step, environments)
    }

    /// The serving state that changes made elsewhere lead to. What they do not touch is shared.
    #[must_use]
    pub(crate) fn following(&self, changes: &Changes) -> Self {
        let mut snapshot = self.snapshot.clone();
        snapshot.apply(&changes.delta);
        let environments = self.stepped(&snapshot, &changes.delta, |name, _, _| {
            changes.environments.get(name).copied().unwrap_or_default()
        });
        let step = Step {
            revision: changes.revision,
            counters: changes.counters,
            snapshot,
            tokens: &changes.credentials.tokens,
            users: &changes.credentials.users,
            access: changes.credentials.access.clone(),
        };
        self.after(step, environments)
    }

    /// All environments after a change of the configuration. `revision` says which revision one has, by name,
    /// as it was before, and whether SDKs are told something else.
    fn stepped(
        &self,
        snapshot: &Snapshot,
        delta: &SnapshotDelta,
        revision: impl Fn(&EnvironmentName, Option<&ServedEnvironment>, bool) -> EnvironmentRevision,
    ) -> BTreeMap<EnvironmentName, Arc<ServedEnvironment>> {
        let next = |name: &EnvironmentName| {
            let environment = match self.environments.get(name) {
                Some(known) => known.after(delta, |changed| revision(name, Some(known), changed)),
                None => {
                    let revision = revision(name, None, true);
                    Arc::new(ServedEnvironment::new(
                        name,
                        snapshot.in_environment(name),
                        revision,
                    ))
                }
            };
            (name.clone(), environment)
        };
        snapshot.environments.keys().map(next).collect()
    }

    fn after(&self, step: Step<'_>, environments: BTreeMap<EnvironmentName, Arc<ServedEnvironment>>) -> Self {
        Self {
            revision: step.revision,
            counters: step.counters,
            tokens: tokens_after(&self.tokens, step.tokens),
            users: self.users.after(step.users),
            access: match step.access {
                Some(tables) => Arc::new(tables.into()),
                None => Arc::clone(&self.access),
            },
            environments,
            snapshot: step.snapshot,
            unknown: OnceLock::new(),
            by_tag: OnceLock::new(),
            proven: Arc::clone(&self.proven),
        }
    }
}
