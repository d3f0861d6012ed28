//! The playground: every flag of some projects, in some environments, for every combination of
//! context values.
//!
//! The answer is written piece by piece while it is computed, so memory does not grow with it. A
//! flag is decided once for each distinct combination of the fields it reads.

mod output;
mod reuse;
mod size;
mod writing;

use std::sync::Arc;

use time::OffsetDateTime;
use vexil_admin_api::playground::{EntryWriter, Projects, ResultForm};
use vexil_domain::{EnvironmentFlag, EnvironmentName, EnvironmentSnapshot};
use vexil_engine::{Ambient, Engine, Verdicts};
use vexil_preview::ContextMatrix;

use self::output::Output;
use self::reuse::contexts_to_lay_out;
use self::size::{Size, admits};
use self::writing::AnswerWriter;
use crate::config::Limits;
use crate::entry_templates::Templates;
use crate::operations::Error;
use crate::operations::unleash_reading::read_as_unleash;
use crate::serving_state::{ServingState, laid_over};

/// An environment as the question finds it, current or proposed.
pub(crate) struct EnvironmentView {
    pub(crate) name: EnvironmentName,
    pub(crate) snapshot: Arc<EnvironmentSnapshot>,
    pub(crate) engine: Engine,
    templates: Arc<Templates>,
}

impl EnvironmentView {
    /// The environment as it is. One that does not exist has every flag, off.
    pub(crate) fn current(serving: &ServingState, name: &EnvironmentName) -> Self {
        if let Some(known) = serving.environment(name.as_str()) {
            return Self {
                name: name.clone(),
                snapshot: Arc::clone(&known.snapshot),
                engine: known.engine.clone(),
                templates: Arc::clone(&known.templates),
            };
        }
        let snapshot = serving.snapshot.in_environment(name);
        let (engine, _) = Engine::compile(&snapshot);
        Self::new(name.clone(), snapshot, engine)
    }

    /// An environment on its own.
    pub(crate) fn new(name: EnvironmentName, snapshot: EnvironmentSnapshot, engine: Engine) -> Self {
        Self {
            name,
            snapshot: Arc::new(snapshot),
            engine,
            templates: Arc::default(),
        }
    }

    /// The environment as `proposed` would make it; only what changes is compiled.
    pub(crate) fn proposed(
        serving: &ServingState,
        name: &EnvironmentName,
        proposed: &vexil_domain::Snapshot,
    ) -> Self {
        let current = Self::current(serving, name);
        let Some(known) = serving.environment(name.as_str()) else {
            return current;
        };
        let update = known.update(&proposed.since(&serving.snapshot));
        let (engine, _) = current.engine.updated(&update);
        Self {
            snapshot: Arc::new(laid_over(&current.snapshot, &update)),
            engine,
            ..current
        }
    }

    /// The same under another name.
    fn renamed(&self, name: &EnvironmentName) -> Self {
        Self {
            name: name.clone(),
            snapshot: Arc::clone(&self.snapshot),
            engine: self.engine.clone(),
            templates: Arc::clone(&self.templates),
        }
    }

    /// The template for the entries of a flag that is here.
    fn template(&self, flag: &Arc<EnvironmentFlag>) -> Arc<EntryWriter> {
        self.templates.get(flag, self.name.as_str(), &self.snapshot)
    }
}

/// What is asked of the environments.
pub(crate) struct Terms {
    pub(crate) projects: Projects,
    pub(crate) matrix: ContextMatrix,
    pub(crate) form: ResultForm,
    /// The time to evaluate at, where a context does not say one.
    pub(crate) now: OffsetDateTime,
    /// What chance is drawn from.
    pub(crate) seed: u64,
}

/// One question, ready to be answered: there is none that would cost more than it may.
pub(crate) struct Question {
    stages: Vec<EnvironmentView>,
    terms: Terms,
}

impl Question {
    /// A question about environments as they are. Those that do not exist have every flag, off.
    ///
    /// # Errors
    ///
    /// When it would cost or answer more than it may; then nothing was computed for it.
    pub(crate) fn about_current(
        serving: &ServingState,
        names: &[EnvironmentName],
        terms: Terms,
        limits: &Limits,
    ) -> Result<Self, Error> {
        Size::of_current(serving, names, &terms.projects, &terms.matrix).check(limits)?;
        let mut missing: Option<EnvironmentView> = None;
        let mut view = |name: &EnvironmentName| match (&missing, serving.environment(name.as_str())) {
            (Some(missing), None) => missing.renamed(name),
            (_, known) => {
                let view = EnvironmentView::current(serving, name);
                if known.is_none() {
                    missing = Some(view.renamed(name));
                }
                view
            }
        };
        let stages = names.iter().map(&mut view).collect();
        Ok(Self { stages, terms })
    }

    /// A question about one environment.
    ///
    /// # Errors
    ///
    /// When it would cost or answer more than it may.
    pub(crate) fn about_one(stage: EnvironmentView, terms: Terms, limits: &Limits) -> Result<Self, Error> {
        Size::of_one(&stage.snapshot, &terms.projects, &terms.matrix).check(limits)?;
        Ok(Self {
            stages: vec![stage],
            terms,
        })
    }

    /// The flags that are asked about, as they are in the first environment.
    fn wanted(&self) -> impl Iterator<Item = &Arc<EnvironmentFlag>> {
        let first = self.stages.first().into_iter();
        let flags = first.flat_map(|stage| stage.snapshot.flags.values());
        flags.filter(|flag| admits(&self.terms.projects, flag))
    }

    /// Writes the answer, in pieces. Ends early when `sink` no longer takes any.
    ///
    /// `input` is the JSON text of what was asked, `warnings` that of what is to be warned of.
    pub(crate) fn answer(&self, input: &str, warnings: Option<&str>, sink: &mut dyn FnMut(Vec<u8>) -> bool) {
        let mut out = Output::new(sink);
        let ambient = Ambient::new(self.terms.now, self.terms.seed);
        let contexts: Vec<_> = self
            .stages
            .iter()
            .map(|stage| contexts_to_lay_out(&self.terms.matrix, stage, self.stages.len()))
            .collect();
        let mut writing = AnswerWriter::new(self, &ambient, &contexts);
        out.text("{\"features\":[");
        for (place, flag) in self.wanted().enumerate() {
            if place > 0 {
                out.text(",");
            }
            writing.feature(flag, &mut out);
            if !out.open {
                return;
            }
        }
        out.text("],\"input\":");
        out.text(input);
        if let Some(warnings) = warnings {
            out.text(",\"warnings\":");
            out.text(warnings);
        }
        out.text("}");
        out.flush();
    }

    /// Writes the answer to a question about one environment and one context, in Unleash's older form.
    pub(crate) fn answer_simple(&self, input: &str, sink: &mut dyn FnMut(Vec<u8>) -> bool) {
        let mut out = Output::new(sink);
        out.text("{\"input\":");
        out.text(input);
        out.text(",\"features\":[");
        let ambient = Ambient::new(self.terms.now, self.terms.seed);
        let mut verdicts = Verdicts::default();
        let mut follows = false;
        if let Some(stage) = self.stages.first() {
            let context = self.terms.matrix.first().context(stage.name.as_str());
            let user = stage.engine.prepare(&context, &ambient);
            for flag in self.wanted() {
                let id = stage.engine.flag(flag.name.as_str());
                if !id.is_some_and(|id| user.verdicts_by(id, &mut verdicts)) {
                    continue;
                }
                if follows {
                    out.text(",");
                }
                follows = true;
                self.read(&mut verdicts, flag, stage);
                let writer = stage.template(flag);
                writer.write_simple(&verdicts, self.terms.form, &mut out.buffer);
                out.flush_when_full();
            }
        }
        out.text("]}");
        out.flush();
    }

    fn read(&self, verdicts: &mut Verdicts, flag: &EnvironmentFlag, stage: &EnvironmentView) {
        match self.terms.form {
            ResultForm::Documented => {}
            ResultForm::Object => read_as_unleash(verdicts, flag, &stage.snapshot),
        }
    }
}
