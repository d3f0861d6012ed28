//! The playground's answer: the one place that writes its members.
//!
//! It is written piece by piece, as flags are evaluated, so memory does not grow with it.

mod contexts;
mod output;
mod repeated;

use std::fmt;

use vexil_domain::{EnvironmentName, FlagName, ProjectId, Variant};
use vexil_engine::Verdicts;
use vexil_preview::{ContextMatrix, Cursor, Projection};

use super::entry::{EntryWriter, ResultForm};
use super::warnings::PlaygroundWarnings;
use contexts::Contexts;
use output::Output;
use repeated::Repeated;

/// Takes the pieces of an answer; says whether anybody still reads.
pub type PieceSink<'a> = dyn FnMut(Vec<u8>) -> bool + 'a;

/// Writes an answer about any number of environments and contexts:
/// `{"features": […], "input": …, "warnings"?: …}`.
///
/// For each flag, [`flag`](Self::flag); for each environment of it, [`environment`](Self::environment), for each time
/// that it was asked about, [`entries`](Self::entries) and an [`entry`](Self::entry) for each combination; then
/// [`end_flag`](Self::end_flag).
pub struct AnswerWriter<'a> {
    form: ResultForm,
    contexts: Contexts,
    repeated: Repeated,
    out: Output<'a>,
    /// Whether something was written already where the next goes, in the list or object that is open.
    flags: bool,
    environments: bool,
    entries: bool,
}

impl fmt::Debug for AnswerWriter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnswerWriter").finish_non_exhaustive()
    }
}

impl<'a> AnswerWriter<'a> {
    /// Begins an answer about the combinations of `matrix`.
    pub fn new(matrix: &ContextMatrix, form: ResultForm, sink: &'a mut PieceSink<'a>) -> Self {
        let mut out = Output::new(sink);
        out.text("{\"features\":[");
        Self {
            form,
            contexts: Contexts::new(matrix),
            repeated: Repeated::default(),
            out,
            flags: false,
            environments: false,
            entries: false,
        }
    }

    /// Whether anybody still reads. When nobody does, the rest need not be written.
    #[must_use]
    pub fn is_read(&self) -> bool {
        self.out.open
    }

    /// Begins a flag.
    pub fn flag(&mut self, name: &FlagName, project: &ProjectId) {
        self.out.comma(&mut self.flags);
        self.out.text("{\"name\":");
        self.out.json(name.as_str());
        self.out.text(",\"projectId\":");
        self.out.json(project.as_str());
        self.out.text(",\"environments\":{");
        self.environments = false;
    }

    /// Begins an environment of the flag.
    pub fn environment(&mut self, name: &EnvironmentName) {
        self.out.comma(&mut self.environments);
        self.out.json(name.as_str());
        self.out.text(":[");
        self.entries = false;
    }

    /// Begins the entries of one time that the environment was asked about. Those of combinations that have the same
    /// number in `projection` differ in nothing but their contexts.
    pub fn entries(&mut self, matrix: &ContextMatrix, projection: Option<Projection>) {
        self.repeated.start(matrix, projection);
    }

    /// Writes one entry: that of the combination `cursor`, the `number`th. `decide` evaluates the flag, unless an entry
    /// before says the same.
    pub fn entry<'v>(
        &mut self,
        template: &EntryWriter,
        number: usize,
        cursor: &Cursor<'_>,
        decide: impl FnOnce() -> Option<&'v Verdicts>,
    ) {
        self.out.comma(&mut self.entries);
        template.write_head(&mut self.out.buffer);
        self.contexts.write(number, cursor, &mut self.out.buffer);
        self.repeated.write(cursor, &mut self.out.buffer, |buffer| {
            if let Some(verdicts) = decide() {
                template.write_tail(verdicts, self.form, buffer);
            }
        });
        self.out.flush_when_full();
    }

    /// Ends an environment of the flag.
    pub fn end_environment(&mut self) {
        self.out.text("]");
    }

    /// Ends a flag. `variants` are those that it has anywhere, of which each name is written once, in order.
    pub fn end_flag<'v>(&mut self, variants: impl Iterator<Item = &'v Variant>) {
        self.out.text("}");
        if self.form == ResultForm::Documented {
            let mut variants: Vec<&Variant> = variants.collect();
            variants.sort_by(|a, b| a.name.cmp(&b.name));
            variants.dedup_by(|a, b| a.name == b.name);
            self.out.text(",\"variants\":");
            self.out.json(&variants);
        }
        self.out.text("}");
    }

    /// Ends the answer. `input` is the JSON text of what was asked.
    pub fn finish(mut self, input: &str, warnings: &PlaygroundWarnings) {
        self.out.text("],\"input\":");
        self.out.text(input);
        self.out.warnings(warnings);
        self.out.text("}");
        self.out.flush();
    }
}

/// Writes an answer about one environment and one context, in Unleash's older form:
/// `{"input": …, "features": […]}`.
pub struct SimpleAnswerWriter<'a> {
    form: ResultForm,
    out: Output<'a>,
    flags: bool,
}

impl fmt::Debug for SimpleAnswerWriter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SimpleAnswerWriter").finish_non_exhaustive()
    }
}

impl<'a> SimpleAnswerWriter<'a> {
    /// Begins an answer. `input` is the JSON text of what was asked.
    pub fn new(input: &str, form: ResultForm, sink: &'a mut PieceSink<'a>) -> Self {
        let mut out = Output::new(sink);
        out.text("{\"input\":");
        out.text(input);
        out.text(",\"features\":[");
        Self {
            form,
            out,
            flags: false,
        }
    }

    /// Writes a flag.
    pub fn flag(&mut self, template: &EntryWriter, verdicts: &Verdicts) {
        self.out.comma(&mut self.flags);
        template.write_simple(verdicts, self.form, &mut self.out.buffer);
        self.out.flush_when_full();
    }

    /// Ends the answer.
    pub fn finish(mut self, warnings: &PlaygroundWarnings) {
        self.out.text("]");
        self.out.warnings(warnings);
        self.out.text("}");
        self.out.flush();
    }
}
