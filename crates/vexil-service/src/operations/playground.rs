//! The playground: every flag of some projects, in some environments, for every combination of context values.
//!
//! Flags are evaluated one after the other, each once for each distinct combination of the fields it reads. What comes
//! of it goes to an [`AnswerWriter`], which alone knows how it is written.

mod size;

use std::collections::HashMap;
use std::sync::Arc;

use time::OffsetDateTime;
use vexil_admin_api::playground::{
    AnswerWriter, PieceSink, PlaygroundWarnings, Projects, ResultForm, SimpleAnswerWriter,
};
use vexil_change_request::{ChangeRequest, Outcome, overlay};
use vexil_domain::{Context, EnvironmentFlag, EnvironmentName, Variant};
use vexil_engine::{Ambient, FlagId, Prepared, Verdicts};
use vexil_preview::{ContextMatrix, Cursor, Projection};

use self::size::{Size, admits, may_be_laid_out};
use super::change_requests::blocked;
use super::environment_view::EnvironmentView;
use super::unleash_reading::read_as_unleash;
use crate::limits::Limits;
use crate::operations::Error;
use crate::serving_state::ServingState;

/// How a question is to be answered.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// In which form the results are told.
    pub form: ResultForm,
    /// The time to evaluate at, where a context does not say one.
    pub now: OffsetDateTime,
    /// What chance is drawn from.
    pub seed: u64,
}

/// One question, ready to be answered: there is none that would cost more than it may.
pub struct Question {
    views: Vec<EnvironmentView>,
    projects: Projects,
    matrix: ContextMatrix,
    settings: Settings,
}

opaque!(Question);

impl Question {
    /// About some environments as they are.
    ///
    /// # Errors
    ///
    /// When it would cost or answer more than it may; then nothing was made for it.
    pub fn current(
        serving: &ServingState,
        environments: &[EnvironmentName],
        projects: Projects,
        matrix: ContextMatrix,
        settings: Settings,
        limits: &Limits,
    ) -> Result<Self, Error> {
        Size::of_current(serving, environments, &projects, &matrix).check(limits)?;
        let views = environments
            .iter()
            .map(|name| EnvironmentView::current(serving, name));
        Ok(Self {
            views: views.collect(),
            projects,
            matrix,
            settings,
        })
    }

    /// About the environment of a change request, as if it were applied; and what comes of applying it.
    ///
    /// # Errors
    ///
    /// When it would cost or answer more than it may, which is told before a change is made as far as it can be; or when
    /// the request cannot be applied.
    pub fn proposed(
        serving: &ServingState,
        request: &ChangeRequest,
        matrix: ContextMatrix,
        settings: Settings,
        limits: &Limits,
    ) -> Result<(Self, Outcome), Error> {
        let projects = Projects::These(vec![request.project.clone()]);
        let environment = std::slice::from_ref(&request.environment);
        Size::of_current(serving, environment, &projects, &matrix).check(limits)?;
        let outcome = preview(serving, request, settings.now)?;
        let view = EnvironmentView::proposed(serving, &request.environment, &outcome.proposed);
        Size::of_proposed(&view.snapshot, &projects, &matrix).check(limits)?;
        let question = Self {
            views: vec![view],
            projects,
            matrix,
            settings,
        };
        Ok((question, outcome))
    }

    /// Answers. Ends early when nobody reads any more. `input` is the JSON text of what was asked.
    pub fn answer(&self, input: &str, warnings: &PlaygroundWarnings, sink: &mut PieceSink<'_>) {
        let ambient = Ambient::new(self.settings.now, self.settings.seed);
        let laid_out: Vec<_> = self
            .views
            .iter()
            .map(|view| (view, contexts_to_lay_out(&self.matrix, view, self.views.len())))
            .collect();
        let mut places: HashMap<&EnvironmentName, usize> = HashMap::new();
        let mut asked: Vec<(&EnvironmentName, Vec<AskedView<'_>>)> = Vec::new();
        for (view, contexts) in &laid_out {
            let prepared = contexts
                .iter()
                .map(|context| view.engine.prepare(context, &ambient));
            let one = AskedView {
                view,
                ambient: &ambient,
                prepared: prepared.collect(),
            };
            // an environment that is named twice is answered twice, under one name
            let place = *places.entry(&view.name).or_insert(asked.len());
            match asked.get_mut(place) {
                Some((_, times)) => times.push(one),
                None => asked.push((&view.name, vec![one])),
            }
        }
        let mut verdicts = Verdicts::default();
        let mut answer = AnswerWriter::new(&self.matrix, self.settings.form, sink);
        for flag in self.wanted() {
            answer.flag(&flag.name, &flag.project);
            for (name, times) in &asked {
                answer.environment(name);
                for one in times {
                    self.entries(one, flag, &mut verdicts, &mut answer);
                }
                if !answer.is_read() {
                    return;
                }
                answer.end_environment();
            }
            answer.end_flag(self.views.iter().flat_map(|view| variants(view, flag)));
        }
        answer.finish(input, &self.warned(warnings));
    }

    /// The warnings, with the constraints of the flags that were asked about and could not be understood.
    fn warned(&self, warnings: &PlaygroundWarnings) -> PlaygroundWarnings {
        let mut warnings = warnings.clone();
        let mut seen: Vec<&EnvironmentName> = Vec::new();
        for view in &self.views {
            if seen.contains(&&view.name) {
                continue;
            }
            seen.push(&view.name);
            let flags = self.wanted().map(|flag| &flag.name);
            let unreadable = flags.flat_map(|flag| view.unreadable(flag));
            warnings.unreadable_constraints.extend(unreadable);
        }
        warnings
    }

    /// Answers in Unleash's older form: about one environment and one context.
    pub fn answer_simple(&self, input: &str, sink: &mut PieceSink<'_>) {
        let ambient = Ambient::new(self.settings.now, self.settings.seed);
        let mut answer = SimpleAnswerWriter::new(input, self.settings.form, sink);
        let mut verdicts = Verdicts::default();
        if let Some(view) = self.views.first() {
            let context = self.matrix.first().context(view.name.as_str());
            let user = view.engine.prepare(&context, &ambient);
            for flag in self.wanted() {
                let id = view.engine.flag(flag.name.as_str());
                if id.is_some_and(|id| user.verdicts_by(id, &mut verdicts)) {
                    self.read(&mut verdicts, flag, view);
                    answer.flag(&view.template(flag), &verdicts);
                }
            }
        }
        answer.finish(&self.warned(&PlaygroundWarnings::default()));
    }

    /// The entries of a flag in one environment, one for each combination.
    fn entries(
        &self,
        asked: &AskedView<'_>,
        flag: &EnvironmentFlag,
        verdicts: &mut Verdicts,
        answer: &mut AnswerWriter<'_>,
    ) {
        let view = asked.view;
        let found = view.snapshot.flags.get(&flag.name);
        let Some((flag, id)) = found.zip(view.engine.flag(flag.name.as_str())) else {
            return;
        };
        let template = view.template(flag);
        answer.entries(&self.matrix, self.projection(view, id));
        let mut cursor = self.matrix.first();
        for number in 0.. {
            answer.entry(&template, number, &cursor, || {
                if !asked.decide(id, number, &cursor, verdicts) {
                    return None;
                }
                self.read(verdicts, flag, view);
                Some(&*verdicts)
            });
            if !answer.is_read() || !cursor.advance() {
                return;
            }
        }
    }

    /// Which combinations a flag cannot tell apart.
    fn projection(&self, view: &EnvironmentView, flag: FlagId) -> Option<Projection> {
        if self.matrix.count() <= 1 {
            return None;
        }
        let reads = view.engine.reads(flag);
        Projection::new(&self.matrix, |field| reads.contains(&field))
    }

    /// The flags that are asked about, as they are in the first environment.
    fn wanted(&self) -> impl Iterator<Item = &Arc<EnvironmentFlag>> {
        let first = self.views.first().into_iter();
        let flags = first.flat_map(|view| view.snapshot.flags.values());
        flags.filter(|flag| admits(&self.projects, flag))
    }

    fn read(&self, verdicts: &mut Verdicts, flag: &EnvironmentFlag, view: &EnvironmentView) {
        match self.settings.form {
            ResultForm::Documented => {}
            ResultForm::Object => read_as_unleash(verdicts, flag, &view.snapshot),
        }
    }
}

/// The configuration with a change request applied. Nothing is kept of it.
pub fn preview(
    serving: &ServingState,
    request: &ChangeRequest,
    now: OffsetDateTime,
) -> Result<Outcome, Error> {
    if request.state.is_closed() {
        return Err(Error::invalid(format!(
            "Change request {} is {} and cannot be previewed; only open ones can: Draft, In review, Approved, Scheduled.",
            request.id, request.state
        )));
    }
    let outcome = overlay(&serving.snapshot, &request.scope(now), &request.changes);
    match blocked(request, &outcome) {
        Some(error) => Err(error),
        None => Ok(outcome),
    }
}

/// An environment that is asked about, with all contexts laid out where they are few, else with none.
struct AskedView<'a> {
    view: &'a EnvironmentView,
    ambient: &'a Ambient<'a>,
    prepared: Vec<Prepared<'a>>,
}

impl AskedView<'_> {
    fn decide(&self, flag: FlagId, number: usize, cursor: &Cursor<'_>, verdicts: &mut Verdicts) -> bool {
        if let Some(user) = self.prepared.get(number) {
            return user.verdicts_by(flag, verdicts);
        }
        let context = cursor.context(self.view.name.as_str());
        let engine = &self.view.engine;
        engine.verdicts_by(flag, &context, self.ambient, verdicts)
    }
}

/// The contexts of all combinations, where they are few enough to be laid out; else none.
fn contexts_to_lay_out(matrix: &ContextMatrix, view: &EnvironmentView, views: usize) -> Vec<Context> {
    let fields = view.engine.fields().len().max(matrix.fields().len());
    if !may_be_laid_out(matrix, fields, views) {
        return Vec::new();
    }
    let mut cursor = matrix.first();
    let mut contexts = Vec::new();
    loop {
        contexts.push(cursor.context(view.name.as_str()));
        if !cursor.advance() {
            return contexts;
        }
    }
}

/// All variants that a flag has in an environment.
fn variants<'a>(view: &'a EnvironmentView, flag: &EnvironmentFlag) -> impl Iterator<Item = &'a Variant> {
    let here = view.snapshot.flags.get(&flag.name).into_iter();
    here.flat_map(|flag| {
        let strategies = flag.settings.strategies.iter();
        strategies
            .flat_map(|strategy| &strategy.variants)
            .chain(&flag.settings.variants)
    })
}
