//! One environment, as requests read it.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use vexil_client_api::client_delta::History;
use vexil_client_api::client_features::segments_used;
use vexil_domain::{
    EnvironmentName, EnvironmentRevision, EnvironmentSnapshot, FeatureFlag, SegmentId, SnapshotDelta, Write,
};
use vexil_engine::{Engine, Problem, Update, Warning};

use crate::coding::Coding;
use crate::entry_templates::Templates;
use crate::features_cache::{Answer, Answers, Form, Question, Scope, Source};
use crate::lanes::Rendering;
use crate::operations::Error;

/// One environment, ready to be evaluated.
pub struct ServedEnvironment {
    /// Which environment this is.
    pub name: EnvironmentName,
    /// Its live flags and the segments.
    pub snapshot: Arc<EnvironmentSnapshot>,
    /// The same, compiled, once something has been evaluated here.
    engine: OnceLock<Engine>,
    /// Which state of what SDKs are told this is: the sequence number of the last commit that changed it. The
    /// same on every server and after a restart, and never with another content, even where the database was put
    /// back to an earlier state.
    pub revision: EnvironmentRevision,
    /// What SDKs were told lately, so that they need not be told everything again.
    pub history: Arc<History>,
    /// What the client API answers, as far as it has been asked.
    pub(crate) answers: Answers,
    /// What the playground answers with, as far as it has been asked.
    pub(crate) templates: Arc<Templates>,
}

opaque!(ServedEnvironment);

/// Writes down what the engine could not understand. Custom strategies are no problem here: applications decide them.
fn tell(environment: &EnvironmentName, warnings: Vec<Warning>) {
    for warning in warnings {
        if !matches!(warning.problem, Problem::UnknownStrategy { .. }) {
            tracing::warn!(environment = environment.as_str(), "{warning}");
        }
    }
}

impl ServedEnvironment {
    pub(crate) fn new(
        name: &EnvironmentName,
        snapshot: EnvironmentSnapshot,
        revision: EnvironmentRevision,
    ) -> Self {
        Self {
            name: name.clone(),
            snapshot: Arc::new(snapshot),
            engine: OnceLock::new(),
            revision,
            history: Arc::new(History::new(revision)),
            answers: Answers::default(),
            templates: Arc::default(),
        }
    }

    /// The live flags and the segments, compiled. Server SDKs evaluate on their own: where nobody else asks,
    /// this is never made. Later revisions are made from it, by what changed.
    #[must_use]
    pub fn engine(&self) -> &Engine {
        self.engine.get_or_init(|| {
            let (engine, warnings) = Engine::compile(&self.snapshot);
            tell(&self.name, warnings);
            engine
        })
    }

    /// The answer of the client API to one question.
    pub fn answer(&self, scope: Scope, form: Form, is_event: bool) -> Arc<Answer> {
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
    pub async fn text(
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
    pub(crate) fn after(
        self: &Arc<Self>,
        delta: &SnapshotDelta,
        revision: impl Fn(bool) -> EnvironmentRevision,
    ) -> Arc<Self> {
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
        let engine = self.engine.get().map(|known| {
            let (engine, warnings) = known.updated(&update);
            tell(&self.name, warnings);
            engine
        });
        Arc::new(Self {
            name: self.name.clone(),
            snapshot: Arc::new(laid_over(&self.snapshot, &update)),
            engine: engine.map(OnceLock::from).unwrap_or_default(),
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
    update.apply(&mut snapshot);
    snapshot
}

#[cfg(test)]
mod tests;
