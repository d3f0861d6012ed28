//! The serving state: everything that requests read, of one revision, in memory and never changed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use vexil_access::UserId;
use vexil_client_api::client_delta::History;
use vexil_client_api::client_features::segments_used;
use vexil_domain::{
    EnvironmentName, EnvironmentSnapshot, FeatureFlag, SegmentId, Snapshot, SnapshotDelta, Write,
};
use vexil_engine::{Engine, Problem, Update, Warning};
use vexil_store::{AccessTables, ApiToken, ApiTokenId, Changes, Commit, Counters, Loaded, Revision, User};

use crate::accept_encoding::Coding;
use crate::entry_templates::Templates;
use crate::features_cache::{Answer, Answers, Form, Question, Scope, Source};
use crate::lanes::Rendering;
use crate::operations::Error;
use crate::proven_effects::ProvenEffects;
use crate::served_access::ServedAccess;
use crate::side_by_side::map_side_by_side;
use crate::tagged::FlagsByTag;
use crate::tokens_by_secret::{Tokens, tokens_after};
use crate::users::Users;

/// So many flags are compiled in less time than threads take to start, which also have memory of their own.
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

/// One environment, ready to be evaluated.
pub struct ServedEnvironment {
    /// Which environment this is.
    pub name: EnvironmentName,
    /// Its live flags and the segments.
    pub snapshot: Arc<EnvironmentSnapshot>,
    /// The same, compiled.
    pub engine: Engine,
    /// Which state of what SDKs are told this is: the sequence number of the last commit that changed it. The
    /// same on every server and after a restart; it never comes back with another content.
    pub revision: u64,
    /// What SDKs were told lately, so that they need not be told everything again.
    pub(crate) history: Arc<History>,
    /// What the client API answers, as far as it has been asked.
    pub(crate) answers: Answers,
    /// What the playground answers with, as far as it has been asked.
    pub(crate) templates: Arc<Templates>,
}

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

    /// What an environment that does not exist holds: every flag, off.
    pub(crate) fn unknown_environment(&self) -> &(Arc<EnvironmentSnapshot>, Engine) {
        self.unknown.get_or_init(|| {
            let snapshot = self.snapshot.in_environment(&"".into());
            let (engine, _) = Engine::compile(&snapshot);
            (Arc::new(snapshot), engine)
        })
    }

    /// Which flags have a tag.
    pub(crate) fn flags_by_tag(&self) -> &FlagsByTag {
        self.by_tag.get_or_init(|| FlagsByTag::of(&self.snapshot))
    }

    /// The serving state that a commit computed from this one leads to, before it is made. Notes in the commit
    /// where SDKs will be told something else. What the commit does not touch is shared.
    #[must_use]
    pub(crate) fn with(&self, commit: &mut Commit, snapshot: Snapshot) -> Self {
        let revision = self.revision.next(&commit.delta);
        let environments = self.stepped(&snapshot, &commit.delta, |_, known, changed| match known {
            Some(known) if !changed => known.revision,
            _ => revision.sequence,
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
        revision: impl Fn(&EnvironmentName, Option<&ServedEnvironment>, bool) -> u64,
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

/// Writes down what the engine could not understand. Custom strategies are no problem here: applications decide them.
fn tell(environment: &EnvironmentName, warnings: Vec<Warning>) {
    for warning in warnings {
        if !matches!(warning.problem, Problem::UnknownStrategy { .. }) {
            tracing::warn!(environment = environment.as_str(), "{warning}");
        }
    }
}

impl ServedEnvironment {
    fn new(name: &EnvironmentName, snapshot: EnvironmentSnapshot, revision: u64) -> Self {
        let (engine, warnings) = Engine::compile(&snapshot);
        tell(name, warnings);
        Self {
            name: name.clone(),
            snapshot: Arc::new(snapshot),
            engine,
            revision,
            history: Arc::new(History::new(revision)),
            answers: Answers::default(),
            templates: Arc::default(),
        }
    }

    /// The answer of the client API to one question.
    pub(crate) fn answer(&self, scope: Scope, form: Form, is_event: bool) -> Arc<Answer> {
        let question = Question {
            scope,
            form,
            is_event,
        };
        self.answers.get(question, &self.name, self.revision)
    }

    /// The text of an answer, made when it is first needed.
    ///
    /// # Errors
    ///
    /// When too many answers are being made already.
    pub(crate) async fn text(
        &self,
        rendering: Rendering<'_>,
        answer: &Arc<Answer>,
        coding: Coding,
    ) -> Result<Bytes, Error> {
        if let Some(text) = answer.made(coding) {
            return Ok(text);
        }
        let source = Source {
            snapshot: &self.snapshot,
            history: &self.history,
        };
        self.answers.make(rendering, answer, &source, coding).await
    }

    /// The environment after a change of the configuration; itself when nothing here has changed. `revision`
    /// says which revision it has, where SDKs are told something else and where they are not.
    fn after(self: &Arc<Self>, delta: &SnapshotDelta, revision: impl Fn(bool) -> u64) -> Arc<Self> {
        let update = self.update(delta);
        let revision = revision(self.tells(&update));
        if update.is_empty() && revision == self.revision {
            return Arc::clone(self);
        }
        let history = if revision == self.revision {
            Arc::clone(&self.history)
        } else {
            Arc::new(self.history.after(&self.snapshot, &update, revision))
        };
        if update.is_empty() {
            return Arc::new(Self {
                name: self.name.clone(),
                snapshot: Arc::clone(&self.snapshot),
                engine: self.engine.clone(),
                revision,
                history,
                answers: Answers::default(),
                templates: Arc::clone(&self.templates),
            });
        }
        let (engine, warnings) = self.engine.updated(&update);
        tell(&self.name, warnings);
        Arc::new(Self {
            name: self.name.clone(),
            snapshot: Arc::new(laid_over(&self.snapshot, &update)),
            engine,
            revision,
            history,
            answers: Answers::default(),
            templates: Arc::clone(&self.templates),
        })
    }

    /// Whether SDKs are told of an update: of every flag, but only of the segments that flags use.
    fn tells(&self, update: &Update) -> bool {
        if !update.flags.is_empty() {
            return true;
        }
        if update.segments.is_empty() {
            return false;
        }
        let flags = self.snapshot.flags.values();
        let used: BTreeSet<SegmentId> = flags.flat_map(|flag| segments_used(flag)).collect();
        update.segments.iter().any(|write| match write {
            Write::Upsert(segment) => used.contains(&segment.id),
            Write::Delete(id) => used.contains(id),
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
