//! Writes the answer, flag by flag.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use vexil_admin_api::playground::ResultForm;
use vexil_domain::{Context, EnvironmentFlag, EnvironmentName, Variant};
use vexil_engine::{Ambient, FlagId, Prepared, Verdicts};
use vexil_preview::Cursor;

use super::output::Output;
use super::reuse::{Answers, Contexts};
use super::{EnvironmentView, Question};

/// A question that is being answered.
pub(super) struct AnswerWriter<'a> {
    question: &'a Question,
    asked: Vec<AskedFlag<'a>>,
    /// Where each environment is among those asked about, by name, in the order of the question.
    places: Rc<[(&'a EnvironmentName, Vec<usize>)]>,
    contexts: Contexts<'a>,
    answers: Answers,
    verdicts: Verdicts,
}

/// An environment, with all contexts laid out where they are few, else with none.
struct AskedFlag<'a> {
    stage: &'a EnvironmentView,
    ambient: &'a Ambient<'a>,
    users: Vec<Prepared<'a>>,
}

impl<'a> AnswerWriter<'a> {
    /// `contexts` are those to lay out, for each environment.
    pub(super) fn new(
        question: &'a Question,
        ambient: &'a Ambient<'a>,
        contexts: &'a [Vec<Context>],
    ) -> Self {
        let asked = question.stages.iter().zip(contexts).map(|(stage, contexts)| {
            let users = contexts
                .iter()
                .map(|context| stage.engine.prepare(context, ambient));
            AskedFlag {
                stage,
                ambient,
                users: users.collect(),
            }
        });
        Self {
            question,
            asked: asked.collect(),
            places: places(&question.stages),
            contexts: Contexts::new(&question.terms.matrix),
            answers: Answers::default(),
            verdicts: Verdicts::default(),
        }
    }

    /// Writes one flag with its entries in all environments.
    pub(super) fn feature(&mut self, flag: &EnvironmentFlag, out: &mut Output<'_>) {
        out.text("{\"name\":");
        out.json(flag.name.as_str());
        out.text(",\"projectId\":");
        out.json(flag.project.as_str());
        out.text(",\"environments\":{");
        let stages = &self.question.stages;
        for (number, (name, places)) in self.places.clone().iter().enumerate() {
            if number > 0 {
                out.text(",");
            }
            out.json(name.as_str());
            out.text(":[");
            for (time, place) in places.iter().enumerate() {
                let same = stages.get(*place);
                if let Some(found) = same.and_then(|same| same.snapshot.flags.get(&flag.name)) {
                    self.entries(*place, found, time > 0, out);
                }
                if !out.open {
                    return;
                }
            }
            out.text("]");
        }
        out.text("}");
        if self.question.terms.form == ResultForm::Documented {
            out.text(",\"variants\":");
            out.json(&all_variants(flag, stages));
        }
        out.text("}");
    }

    /// Writes the entries of a flag in the environment at this place, one for each combination.
    fn entries(&mut self, place: usize, flag: &Arc<EnvironmentFlag>, follows: bool, out: &mut Output<'_>) {
        let (Some(asked), verdicts) = (self.asked.get(place), &mut self.verdicts) else {
            return;
        };
        let (question, stage) = (self.question, asked.stage);
        let Some(id) = stage.engine.flag(flag.name.as_str()) else {
            return;
        };
        let writer = stage.template(flag);
        self.answers.start(&question.terms.matrix, stage, id);
        let mut cursor = question.terms.matrix.first();
        let mut number = 0;
        loop {
            if number > 0 || follows {
                out.text(",");
            }
            writer.write_head(&mut out.buffer);
            self.contexts.write(number, &cursor, &mut out.buffer);
            self.answers.write(&cursor, &mut out.buffer, |cursor, buffer| {
                if asked.decide(id, number, cursor, verdicts) {
                    question.read(verdicts, flag, stage);
                    writer.write_tail(verdicts, question.terms.form, buffer);
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

/// Where each environment is, by name; one that was named twice is in two places.
fn places(stages: &[EnvironmentView]) -> Rc<[(&EnvironmentName, Vec<usize>)]> {
    let mut by_name: HashMap<&EnvironmentName, usize> = HashMap::new();
    let mut places: Vec<(&EnvironmentName, Vec<usize>)> = Vec::new();
    for (place, stage) in stages.iter().enumerate() {
        let number = *by_name.entry(&stage.name).or_insert(places.len());
        match places.get_mut(number) {
            Some((_, known)) => known.push(place),
            None => places.push((&stage.name, vec![place])),
        }
    }
    places.into()
}

impl AskedFlag<'_> {
    fn decide(&self, flag: FlagId, number: usize, cursor: &Cursor<'_>, verdicts: &mut Verdicts) -> bool {
        if let Some(user) = self.users.get(number) {
            return user.verdicts_by(flag, verdicts);
        }
        let context = cursor.context(self.stage.name.as_str());
        self.stage
            .engine
            .verdicts_by(flag, &context, self.ambient, verdicts)
    }
}

/// All variants that a flag has in the environments asked about, each name once, by name.
fn all_variants<'s>(flag: &EnvironmentFlag, stages: &'s [EnvironmentView]) -> Vec<&'s Variant> {
    let here = stages
        .iter()
        .filter_map(|stage| stage.snapshot.flags.get(&flag.name));
    let mut variants: Vec<&Variant> = here
        .flat_map(|flag| {
            let of_strategies = flag
                .settings
                .strategies
                .iter()
                .flat_map(|strategy| &strategy.variants);
            of_strategies.chain(&flag.settings.variants)
        })
        .collect();
    variants.sort_by(|a, b| a.name.cmp(&b.name));
    variants.dedup_by(|a, b| a.name == b.name);
    variants
}
