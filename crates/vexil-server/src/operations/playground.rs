//! The playground: every flag of some projects, in some environments, for every combination of
//! context values.
//!
//! The answer is written piece by piece while it is computed, so memory does not grow with it. A
//! flag is decided once for each distinct combination of the fields it reads.

mod output;
mod reuse;

use std::sync::Arc;

use time::OffsetDateTime;
use vexil_domain::{EnvironmentFlag, EnvironmentName, EnvironmentSnapshot, FlagName, ProjectId, Variant};
use vexil_engine::{Ambient, Engine, Explanation};
use vexil_preview::ContextMatrix;
use vexil_wire::playground::{EntryWriter, Projects, ResultForm};

use self::output::Output;
use self::reuse::{Answers, Contexts};
use crate::error::ApiError;
use crate::operations::unleash_reading::unleash_reading;
use crate::world::{World, laid_over};

/// An environment as the question finds it, current or proposed.
pub(crate) struct Stage {
    pub(crate) name: EnvironmentName,
    pub(crate) snapshot: EnvironmentSnapshot,
    pub(crate) engine: Engine,
}

impl Stage {
    /// The environment as it is. One that does not exist has every flag, off.
    pub(crate) fn current(world: &World, name: &EnvironmentName) -> Self {
        if let Some(known) = world.environment(name.as_str()) {
            return Self {
                name: name.clone(),
                snapshot: known.snapshot.clone(),
                engine: known.engine.clone(),
            };
        }
        let snapshot = world.snapshot.in_environment(name);
        let (engine, _) = Engine::compile(&snapshot);
        Self {
            name: name.clone(),
            snapshot,
            engine,
        }
    }

    /// The environment as `proposed` would make it; only what changes is compiled.
    pub(crate) fn proposed(world: &World, name: &EnvironmentName, proposed: &vexil_domain::Snapshot) -> Self {
        let current = Self::current(world, name);
        let Some(known) = world.environment(name.as_str()) else {
            return current;
        };
        let update = known.update(&proposed.since(&world.snapshot));
        let (engine, _) = current.engine.updated(&update);
        Self {
            snapshot: laid_over(&current.snapshot, &update),
            engine,
            ..current
        }
    }
}

/// One question, ready to be answered.
pub(crate) struct Question {
    pub(crate) stages: Vec<Stage>,
    pub(crate) projects: Projects,
    pub(crate) matrix: ContextMatrix,
    pub(crate) form: ResultForm,
    /// The time to evaluate at, where a context does not say one.
    pub(crate) now: OffsetDateTime,
    /// What chance is drawn from.
    pub(crate) seed: u64,
}

/// A flag that is shown, with its place in each environment.
struct Shown {
    name: FlagName,
    project: ProjectId,
    /// For each stage, the flag there.
    in_stages: Vec<Option<Arc<EnvironmentFlag>>>,
}

impl Question {
    /// Refuses a question that would cost more than `limit` evaluations, before anything is computed.
    pub(crate) fn check_size(&self, limit: u64) -> Result<(), ApiError> {
        let environments = self.stages.len() as u128;
        let flags = self.flags().len() as u128;
        let combinations = self.matrix.count();
        let product = environments.saturating_mul(flags).saturating_mul(combinations);
        // without flags nothing is evaluated, but the question is as large all the same
        if product.max(combinations) <= u128::from(limit) {
            return Ok(());
        }
        let product = if product == u128::MAX {
            "too many".to_owned()
        } else {
            product.to_string()
        };
        Err(ApiError::bad_data(format!(
            "Rejecting evaluation as it would generate {product} combinations exceeding {limit} limit. Please reduce the number of selected environments ({environments}), features ({flags}), context field combinations ({combinations})."
        )))
    }

    fn flags(&self) -> Vec<Shown> {
        let wanted = |flag: &EnvironmentFlag| match &self.projects {
            Projects::All => true,
            Projects::These(these) => these.contains(&flag.project),
        };
        let Some(first) = self.stages.first() else {
            return Vec::new();
        };
        let shown = first
            .snapshot
            .flags
            .values()
            .filter(|flag| wanted(flag))
            .map(|flag| Shown {
                name: flag.name.clone(),
                project: flag.project.clone(),
                in_stages: self
                    .stages
                    .iter()
                    .map(|stage| stage.snapshot.flags.get(&flag.name).cloned())
                    .collect(),
            });
        shown.collect()
    }

    /// Writes the answer, in pieces. Ends early when `sink` no longer takes any.
    ///
    /// `input` is the JSON text of what was asked, `warnings` that of what is to be warned of.
    pub(crate) fn answer(&self, input: &str, warnings: Option<&str>, sink: &mut dyn FnMut(Vec<u8>) -> bool) {
        let mut out = Output::new(sink);
        let contexts = Contexts::new(&self.matrix);
        out.text("{\"features\":[");
        for (place, flag) in self.flags().iter().enumerate() {
            if place > 0 {
                out.text(",");
            }
            self.feature(flag, &contexts, &mut out);
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
        let ambient = Ambient::new(self.now, self.seed);
        let mut follows = false;
        for stage in &self.stages {
            let context = self.matrix.first().context(stage.name.as_str());
            for flag in self
                .flags()
                .iter()
                .flat_map(|shown| shown.in_stages.first().cloned().flatten())
            {
                let Some(explanation) = stage.engine.explain(flag.name.as_str(), &context, &ambient) else {
                    continue;
                };
                if follows {
                    out.text(",");
                }
                follows = true;
                let writer = EntryWriter::new(&flag, stage.name.as_str(), &stage.snapshot, self.form);
                writer.write_simple(&self.read(explanation, &flag, stage), &mut out.buffer);
                out.flush_when_full();
            }
        }
        out.text("]}");
        out.flush();
    }

    fn read(&self, explanation: Explanation, flag: &EnvironmentFlag, stage: &Stage) -> Explanation {
        match self.form {
            ResultForm::Documented => explanation,
            ResultForm::Object => unleash_reading(explanation, flag, &stage.snapshot),
        }
    }

    fn feature(&self, flag: &Shown, contexts: &Contexts<'_>, out: &mut Output<'_>) {
        out.text("{\"name\":");
        out.json(flag.name.as_str());
        out.text(",\"projectId\":");
        out.json(flag.project.as_str());
        out.text(",\"environments\":{");
        let mut written: Vec<&EnvironmentName> = Vec::new();
        for stage in &self.stages {
            if written.contains(&&stage.name) {
                continue;
            }
            if !written.is_empty() {
                out.text(",");
            }
            written.push(&stage.name);
            out.json(stage.name.as_str());
            out.text(":[");
            let same = self
                .stages
                .iter()
                .zip(&flag.in_stages)
                .filter(|(other, _)| other.name == stage.name);
            for (time, (stage, found)) in same.enumerate() {
                if let Some(found) = found {
                    self.entries(stage, found, time > 0, contexts, out);
                }
            }
            out.text("]");
        }
        out.text("}");
        if self.form == ResultForm::Documented {
            out.text(",\"variants\":");
            out.json(&all_variants(flag));
        }
        out.text("}");
    }

    fn entries(
        &self,
        stage: &Stage,
        flag: &EnvironmentFlag,
        follows: bool,
        contexts: &Contexts<'_>,
        out: &mut Output<'_>,
    ) {
        let writer = EntryWriter::new(flag, stage.name.as_str(), &stage.snapshot, self.form);
        let Some(id) = stage.engine.flag(flag.name.as_str()) else {
            return;
        };
        let mut answers = Answers::new(&self.matrix, stage, id);
        let mut cursor = self.matrix.first();
        let mut number = 0;
        loop {
            if number > 0 || follows {
                out.text(",");
            }
            writer.write_head(&mut out.buffer);
            contexts.write(number, &cursor, &mut out.buffer);
            answers.write(&cursor, &mut out.buffer, |cursor, buffer| {
                let context = cursor.context(stage.name.as_str());
                let ambient = Ambient::new(self.now, self.seed);
                if let Some(explanation) = stage.engine.explain_by(id, &context, &ambient) {
                    writer.write_tail(&self.read(explanation, flag, stage), buffer);
                }
            });
            out.flush_when_full();
            number += 1;
            if !out.open || !cursor.advance() {
                return;
            }
        }
    }
}

/// All variants that a flag has in the environments asked about, each name once, by name.
fn all_variants(flag: &Shown) -> Vec<&Variant> {
    let settings = flag.in_stages.iter().flatten().map(|flag| &flag.settings);
    let mut variants: Vec<&Variant> = settings
        .flat_map(|settings| {
            settings
                .strategies
                .iter()
                .flat_map(|strategy| &strategy.variants)
                .chain(&settings.variants)
        })
        .collect();
    variants.sort_by(|a, b| a.name.cmp(&b.name));
    variants.dedup_by(|a, b| a.name == b.name);
    variants
}
