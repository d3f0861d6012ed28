//! Tells edits made since a change was proposed, which the change would overwrite.

use vexil_domain::{ActivationStrategy, FlagName};

use super::describe::{self, Properties};
use super::{Overlay, Refused, before, settings};
use crate::{Before, Change, Difference, Issue, IssueCode, PlannedChange};

/// What stands for a property that is not there.
const NOTHING: &str = "";

impl Overlay<'_> {
    /// Three-way: a property is stale where it is neither what it was nor what it would become.
    pub(super) fn compare_with_before(&mut self, planned: &PlannedChange) {
        let Some(then) = &planned.before else { return };
        let flag = planned.flag.as_ref();
        let Some(live) = before(self.base, self.scope, flag, &planned.change) else {
            return;
        };
        let Some((code, was)) = self.properties(then, flag) else {
            return;
        };
        let Some((same, is)) = self.properties(&live, flag) else {
            return;
        };
        if code != same {
            return;
        }
        let becomes = self.proposed_properties(planned);
        let differences = differences(&was, &is, becomes.as_ref());
        if differences.is_empty() {
            return;
        }
        let edits: Vec<String> = differences.iter().map(in_words).collect();
        let message = format!(
            "it was edited since the change was proposed: {}",
            edits.join("; ")
        );
        let issue_at = self.issues.len();
        self.raise(self.at, planned, Refused::new(code, message));
        if let Some((
            _,
            Issue {
                differences: place, ..
            },
        )) = self.issues.get_mut(issue_at)
        {
            *place = differences;
        }
    }

    fn properties(&self, value: &Before, flag: Option<&FlagName>) -> Option<(IssueCode, Properties)> {
        Some(match value {
            Before::Enabled(on) => (IssueCode::StaleEnabled, describe::enabled(*on)),
            Before::Strategy(strategy) => (IssueCode::StaleStrategy, self.describe(strategy, flag?)),
            Before::Variants(variants) => (IssueCode::StaleVariants, describe::all_variants(variants)),
            Before::Dependencies(all) => (IssueCode::StaleDependencies, describe::dependencies(all)),
            Before::Segment(segment) => (IssueCode::StaleSegment, describe::segment(segment)),
        })
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
        match &planned.change {
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
        let text = |all: &Properties| all.get(name).map_or(NOTHING, String::as_str).to_owned();
        let (before, live, proposed) = (text(was), text(is), becomes.map(text));
        let edited = live != before && proposed.as_ref() != Some(&live);
        edited.then(|| Difference {
            property: name.clone(),
            before,
            live,
            proposed,
        })
    };
    names.into_iter().filter_map(difference).collect()
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
