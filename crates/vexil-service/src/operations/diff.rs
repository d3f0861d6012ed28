//! The difference that changes make: both sides compared, and one cell of it explained.

use std::collections::HashSet;

use serde::Serialize;
use serde_json::{Map, Value, json};
use time::OffsetDateTime;
use vexil_admin_api::playground::{
    DiffAnswer, DiffQuestion, ExplainQuestion, PlaygroundWarnings, explanation_document, outcome_document,
    transition_name,
};
use vexil_admin_api::timestamp::Timestamp;
use vexil_budget::Budget;
use vexil_domain::{Context, FlagName, ProjectId};
use vexil_engine::Ambient;
use vexil_preview::{
    Comparison, ContextMatrix, Covers, DifferenceError, Side, Suggestion, SuggestionBounds, Transition,
    affected_flags, outcome,
};

use super::environment_view::EnvironmentView;
use super::not_understood::{not_understood, told};
use crate::operations::Error;

/// An environment as it is and as it would be.
pub struct BeforeAfter {
    /// As it is.
    pub before: EnvironmentView,
    /// As it would be.
    pub after: EnvironmentView,
    /// The project whose flags are shown; others are only where they change.
    pub project: ProjectId,
    /// Other environments that the same change reaches, as they are and as they would be: where everything that it
    /// does is asked for.
    pub elsewhere: Vec<[EnvironmentView; 2]>,
}

opaque!(BeforeAfter);

impl BeforeAfter {
    /// These warnings, with what was not understood on either side: of the flags that can differ, and of all flags
    /// of a side that was given.
    #[must_use]
    pub fn warned(&self, affected: &[FlagName], warnings: &PlaygroundWarnings) -> PlaygroundWarnings {
        let sides = [("before", &self.before), ("after", &self.after)].map(|(name, side)| {
            let own = match &side.warnings {
                Some(known) => known.to_vec(),
                None => not_understood(&side.snapshot, affected),
            };
            (Some(name), own)
        });
        PlaygroundWarnings {
            not_understood: told(sides),
            ..warnings.clone()
        }
    }
}

/// Time and chance, the same on both sides.
#[derive(Clone, Copy)]
pub struct Draw {
    /// The time to evaluate at, where a context does not say one.
    pub now: OffsetDateTime,
    /// What chance is drawn from.
    pub seed: u64,
}

opaque!(Draw);

/// The answer, with what the caller says of the question before it.
#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    head: &'a Map<String, Value>,
    draw: Value,
    #[serde(flatten)]
    answer: DiffAnswer<'a>,
    /// How many regions of the exact effect the combinations tried reach.
    #[serde(skip_serializing_if = "Option::is_none")]
    covers: Option<Value>,
    #[serde(skip_serializing_if = "PlaygroundWarnings::is_empty")]
    warnings: PlaygroundWarnings,
}

impl BeforeAfter {
    pub(crate) fn comparison(&self, draw: Draw) -> Comparison<'_> {
        comparison([&self.before, &self.after], draw)
    }

    /// The flags that can differ.
    #[must_use]
    pub fn affected(&self) -> Vec<FlagName> {
        affected_flags(&self.before.snapshot, &self.after.snapshot)
    }

    /// How many of the project's flags cannot differ.
    pub(crate) fn unaffected(&self, affected: &[FlagName]) -> usize {
        let flags = self.before.snapshot.flags.values();
        flags
            .filter(|flag| flag.project == self.project && affected.binary_search(&flag.name).is_err())
            .count()
    }

    /// Answers the question as JSON text, at the expense of `budget`; `limit` bounds the evaluations.
    pub fn diff(
        &self,
        question: &DiffQuestion,
        draw: Draw,
        limit: u64,
        budget: &Budget,
        head: &Map<String, Value>,
        warnings: &PlaygroundWarnings,
    ) -> Result<String, Error> {
        let comparison = self.comparison(draw);
        let flags = self.affected();
        let suggestion = if question.suggest || question.population.is_some() {
            comparison.suggest(&flags, SuggestionBounds::default(), budget)?
        } else {
            Suggestion::default()
        };
        let matrix = matrix(question, &suggestion);
        let difference = comparison
            .difference(&flags, &matrix, limit, budget)
            .map_err(refused)?;
        let impact = question
            .population
            .map(|population| {
                comparison.impact(&flags, population, &question.matrix, &suggestion, limit, budget)
            })
            .transpose()
            .map_err(refused)?;
        let movements = comparison.movements(&flags, budget)?;
        let answer = DiffAnswer {
            difference: &difference,
            unaffected: self.unaffected(&flags),
            movements: &movements,
            suggestion: question.suggest.then_some(&suggestion),
            impact: impact.as_ref(),
        };
        // what the rest of the budget does not last for is left out
        let own = Budget::stopped_by(budget.left() / 2, budget.stop().clone());
        let covers = comparison.covers(&flags, &matrix, &own).ok().map(covers_document);
        let draw = json!({ "seed": draw.seed, "now": Timestamp(draw.now) });
        let document = Document {
            head,
            draw,
            answer,
            covers,
            warnings: self.warned(&flags, warnings),
        };
        serde_json::to_string(&document).map_err(Error::internal)
    }

    /// For how many of these contexts anything changes, in all and by flag, at the expense of `budget`.
    pub fn hits(&self, contexts: &[Context], draw: Draw, budget: &Budget) -> Result<Value, Error> {
        let comparison = self.comparison(draw);
        let flags = self.affected();
        budget.spend_product(&[contexts.len(), flags.len(), 2])?;
        let mut by_flag = vec![0_usize; flags.len()];
        let mut changed = 0;
        for context in contexts {
            let mut context = context.clone();
            context.environment = Some(comparison.environment.to_owned());
            let mut is_hit = false;
            for (flag, hits) in flags.iter().zip(&mut by_flag) {
                let name = flag.as_str();
                let was = outcome(comparison.before, name, &context, &comparison.ambient);
                let is = outcome(comparison.after, name, &context, &comparison.ambient);
                if Transition::of(&was, &is) != Transition::Unchanged {
                    *hits += 1;
                    is_hit = true;
                }
            }
            changed += usize::from(is_hit);
        }
        let by_flag = flags.iter().zip(by_flag).filter(|(_, hits)| *hits > 0);
        let features: Vec<Value> = by_flag
            .map(|(flag, hits)| json!({ "name": flag.as_str(), "changed": hits }))
            .collect();
        Ok(json!({ "contexts": contexts.len(), "changed": changed, "features": features }))
    }

    /// Explains one cell on both sides, at the expense of `budget`.
    pub fn explain(&self, question: &ExplainQuestion, draw: Draw, budget: &Budget) -> Result<Value, Error> {
        let comparison = self.comparison(draw);
        let diff = &question.diff;
        let suggestion = if diff.suggest {
            comparison.suggest(&self.affected(), SuggestionBounds::default(), budget)?
        } else {
            Suggestion::default()
        };
        let matrix = matrix(diff, &suggestion);
        let count = matrix.count();
        let cell = question.combination.unwrap_or_default();
        let cursor = matrix.at(cell).ok_or_else(|| {
            Error::invalid(format!(
                "There is no combination {cell}: there are {count}, counted from 0."
            ))
        })?;
        if question.combination.is_none() && count > 1 {
            return Err(Error::invalid(format!(
                "There are {count} combinations; say which one is to be explained by its number in `combination`."
            )));
        }
        let context = cursor.context(comparison.environment);
        let flag = question.flag.as_str();
        let sides = [(&self.before, comparison.before), (&self.after, comparison.after)];
        if sides
            .iter()
            .all(|(stage, _)| !stage.snapshot.flags.contains_key(flag))
        {
            return Err(Error::NotFound(format!(
                "There is no feature named \"{flag}\", before or after."
            )));
        }
        let [was, is] = sides.map(|(_, side)| outcome(side, flag, &context, &comparison.ambient));
        let [before, after] =
            sides.map(|(stage, side)| explained(stage, side, flag, &context, &comparison.ambient));
        let set = cursor.values().filter(|(_, value)| !value.is_empty());
        let context: Map<String, Value> = set.map(|(name, value)| (name.to_owned(), json!(value))).collect();
        Ok(json!({
            "flag": flag,
            "context": context,
            "draw": { "seed": draw.seed, "now": Timestamp(draw.now) },
            "change": transition_name(Transition::of(&was, &is)),
            "before": before,
            "after": after,
        }))
    }
}

/// One environment, as it is and as it would be.
pub(super) fn comparison([before, after]: [&EnvironmentView; 2], draw: Draw) -> Comparison<'_> {
    Comparison {
        before: side(before),
        after: side(after),
        environment: before.name.as_str(),
        ambient: Ambient::new(draw.now, draw.seed),
    }
}

pub(super) fn side(stage: &EnvironmentView) -> Side<'_> {
    Side {
        snapshot: &stage.snapshot,
        engine: &stage.engine,
    }
}

/// The values asked for, and those suggested where they are wanted.
fn matrix(question: &DiffQuestion, suggestion: &Suggestion) -> ContextMatrix {
    let mut matrix = question.matrix.clone();
    if !question.suggest {
        return matrix;
    }
    for field in &suggestion.fields {
        let asked = question.matrix.field(&field.name);
        let mut values = asked.map(|asked| asked.values.clone()).unwrap_or_default();
        let known: HashSet<&str> = asked
            .into_iter()
            .flat_map(|asked| &asked.values)
            .map(String::as_str)
            .collect();
        let new = field
            .values
            .iter()
            .filter(|value| !known.contains(value.as_str()));
        values.extend(new.cloned());
        matrix.set(&field.name, values);
    }
    matrix
}

fn explained(
    stage: &EnvironmentView,
    side: Side<'_>,
    flag: &str,
    context: &Context,
    ambient: &Ambient<'_>,
) -> Value {
    let mut document = outcome_document(&outcome(side, flag, context, ambient));
    let found = stage
        .snapshot
        .flags
        .get(flag)
        .zip(stage.engine.explain(flag, context, ambient));
    if let (Some((flag, explanation)), Some(members)) = (found, document.as_object_mut()) {
        members.insert("text".to_owned(), json!(explanation.to_string()));
        members.insert("explanation".to_owned(), explanation_document(&explanation, flag));
    }
    document
}

fn refused(error: DifferenceError) -> Error {
    match error {
        DifferenceError::Exhausted(error) => error.into(),
        error => Error::invalid(format!(
            "Rejecting the comparison: {error}. Ask with fewer values of the fields named, or raise the limit."
        )),
    }
}

/// How many regions the combinations tried reach, as a document.
fn covers_document(covers: Covers) -> Value {
    json!({
        "regions": covers.regions,
        "covered": covers.covered,
        "complete": covers.complete,
    })
}
