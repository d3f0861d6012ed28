//! Tells edits made since a change was proposed, which the change would overwrite.

use vexil_domain::{ActivationStrategy, FlagName};

use super::before::{Found, find};
use super::describe::{self, Properties};
use super::{Overlay, Place, Problem, settings};
use crate::{Before, Change, ChangeProblem, Difference, PlannedChange, ProblemCode};

/// What stands for a property that is not there.
const NOTHING: &str = "";
/// How many bytes of a property are told.
const LONGEST_TOLD: usize = 300;
/// How many edited properties of one thing are told.
const MOST_TOLD: usize = 20;

impl<'a> Overlay<'a> {
    /// Three-way: a property is stale where it is neither what it was nor what it would become.
    pub(super) fn compare_with_before(&mut self, planned: &'a PlannedChange) {
        let Some(then) = &planned.before else { return };
        let flag = planned.flag.as_ref();
        let Some(live) = find(self.base, self.scope, flag, &planned.change) else {
            return;
        };
        if live.is(then) {
            return;
        }
        let Some((code, was)) = self.properties(then, flag) else {
            return;
        };
        let becomes = self.proposed_properties(planned);
        let Some(is) = self.live_properties(live, planned) else {
            return;
        };
        let differences = differences(&was, is, becomes.as_ref());
        if differences.is_empty() {
            return;
        }
        let edits: Vec<String> = differences.iter().map(in_words).collect();
        let message = format!(
            "it was edited since the change was proposed: {}",
            edits.join("; ")
        );
        let last = self.problems.len();
        self.raise(self.at, planned, Problem::new(code, message));
        if let Some((
            _,
            ChangeProblem {
                differences: place, ..
            },
        )) = self.problems.get_mut(last)
        {
            *place = differences;
        }
    }

    fn properties(&self, value: &Before, flag: Option<&FlagName>) -> Option<(ProblemCode, Properties)> {
        Some(match value {
            Before::Enabled(on) => (ProblemCode::StaleEnabled, describe::enabled(*on)),
            Before::Strategy(strategy) => (ProblemCode::StaleStrategy, self.describe(strategy, flag?)),
            Before::Variants(variants) => (ProblemCode::StaleVariants, describe::all_variants(variants)),
            Before::Dependencies(all) => (ProblemCode::StaleDependencies, describe::dependencies(all)),
            Before::Segment(segment) => (ProblemCode::StaleSegment, describe::segment(segment)),
        })
    }

    /// What stands there now. Many changes of one thing describe it once.
    fn live_properties(&mut self, live: Found<'a>, planned: &'a PlannedChange) -> Option<&Properties> {
        let place = Place::of(planned)?;
        if !self.described.contains_key(&place) {
            let properties = match live {
                Found::Enabled(on) => describe::enabled(on),
                Found::Strategy(strategy) => self.describe(strategy, planned.flag.as_ref()?),
                Found::Variants(variants) => describe::all_variants(variants),
                Found::Dependencies(all) => describe::dependencies(all),
                Found::Segment(segment) => describe::segment(&describe::as_update(segment)),
            };
            self.described.insert(place, properties);
        }
        self.described.get(&place)
    }

    fn describe(&self, strategy: &ActivationStrategy, flag: &FlagName) -> Properties {
        let project = self.base.projects.get(&self.scope.project);
        let stickiness = project.map_or("default", |project| project.default_stickiness.name());
        describe::strategy(strategy, flag, stickiness)
    }

    /// What the change makes of its target; `None` where it takes it away.
    fn proposed_properties(&self, planned: &PlannedChange) -> Option<Properties> {
        let flag = planned.flag.as_ref();
        let flag_settings = flag.and_then(|flag| settings(&self.proposed, self.scope, flag));
        match &*planned.change {
            Change::UpdateEnabled(update) => Some(describe::enabled(update.enabled)),
            Change::UpdateStrategy(update) => {
                let mut strategies = flag_settings?.strategies.iter();
                let strategy = strategies.find(|strategy| strategy.id == update.id)?;
                Some(self.describe(strategy, flag?))
            }
            Change::PatchVariant { .. } => Some(describe::all_variants(&flag_settings?.variants)),
            Change::AddDependency(_) | Change::DeleteDependency { .. } => {
                let flag = self.proposed.flags.get(flag?)?;
                Some(describe::dependencies(&flag.dependencies))
            }
            Change::UpdateSegment(update) => Some(describe::segment(update)),
            _ => None,
        }
    }
}

fn differences(was: &Properties, is: &Properties, becomes: Option<&Properties>) -> Vec<Difference> {
    let mut names: Vec<&String> = was.keys().chain(is.keys()).collect();
    names.sort();
    names.dedup();
    let difference = |name: &String| {
        let (before, live) = (text_of(was, name), text_of(is, name));
        let proposed = becomes.map(|properties| text_of(properties, name));
        let edited = live != before && proposed != Some(live);
        edited.then(|| Difference {
            property: excerpt(name),
            before: excerpt(before),
            live: excerpt(live),
            proposed: proposed.map(excerpt),
        })
    };
    names.into_iter().filter_map(difference).take(MOST_TOLD).collect()
}

fn text_of<'a>(properties: &'a Properties, name: &str) -> &'a str {
    properties.get(name).map_or(NOTHING, String::as_str)
}

/// The text, cut where it is long: a change may be told of a thousand times over.
fn excerpt(text: &str) -> String {
    if text.len() <= LONGEST_TOLD {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(LONGEST_TOLD);
    format!("{}…", text.get(..end).unwrap_or_default())
}

fn in_words(difference: &Difference) -> String {
    let Difference {
        property,
        before,
        live,
        proposed,
    } = difference;
    match proposed {
        Some(proposed) => {
            format!("`{property}` was `{before}`, is now `{live}` and would become `{proposed}`")
        }
        None => format!("`{property}` was `{before}` and is now `{live}`"),
    }
}
