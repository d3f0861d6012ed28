//! Lays changes over a snapshot: the only meaning of a change.

mod archive;
mod before;
mod dependencies;
mod describe;
mod duplicates;
mod flags;
mod normalise;
mod place;
mod rollout;
mod segments;
mod stale;
mod strategies;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use vexil_domain::{
    Dependents, FeatureFlag, FlagName, FlagSettings, Segment, SegmentId, Snapshot, StrategyId,
};

use crate::validate::Problem;
use crate::{
    Change, ChangeId, ChangeProblem, DefaultChange, Outcome, PlannedChange, ProblemCode, Scope, Target,
    UpdateEnabled,
};

use describe::Properties;
use place::Place;

pub use before::before;

/// Lays `changes` over `base`, in their order, and tells what stands against them.
///
/// Pure: equal arguments give equal outcomes, and `base` stays as it is. What no change touches is
/// shared with `base`, not copied. A change that cannot be made is left out of the outcome and
/// named by an [`ChangeProblem`]; all problems are found, not just the first.
///
/// Three things wait until all changes are made, so that their order within the request does not
/// matter: flags are archived and segments removed once it is known what still needs them, and each
/// flag whose switch or strategies were changed is normalised once. A flag that was asked to be on
/// gets its disabled strategies enabled, where that was asked too; if it has no enabled strategy then, it
/// gets the default strategy of its project's environment, else one for everybody. A flag that was not
/// asked to be on or off and lost its last enabled strategy here is turned off.
///
/// Added strategies get the id `cr{request}-{change}`; without [`Scope::request`] the id in
/// [`crate::NewStrategy`], else `direct{change}`. Default strategies add `-default` to that.
#[must_use]
pub fn overlay<'a>(base: &'a Snapshot, scope: &'a Scope, changes: &'a [PlannedChange]) -> Outcome {
    let mut overlay = Overlay {
        base,
        scope,
        proposed: base.clone(),
        switched: BTreeMap::new(),
        edited: BTreeSet::new(),
        archiving: BTreeMap::new(),
        removing: BTreeMap::new(),
        dependents: None,
        described: BTreeMap::new(),
        updated_segments: BTreeMap::new(),
        defaults: Vec::new(),
        problems: Vec::new(),
        at: 0,
    };
    for (at, planned) in changes.iter().enumerate() {
        overlay.at = at;
        overlay.make(planned);
    }
    overlay.settle_archives(changes);
    overlay.settle_segments(changes);
    overlay.normalise(changes);
    overlay.note_duplicates(changes);
    let mut problems = overlay.problems;
    problems.sort_by_key(|(at, _)| *at);
    Outcome {
        proposed: overlay.proposed,
        defaults: overlay.defaults,
        problems: problems.into_iter().map(|(_, problem)| problem).collect(),
    }
}

/// The work in progress. Numbers called `at` are places in the list of changes.
struct Overlay<'a> {
    base: &'a Snapshot,
    scope: &'a Scope,
    proposed: Snapshot,
    switched: BTreeMap<FlagName, (usize, UpdateEnabled)>,
    edited: BTreeSet<FlagName>,
    /// The flags to archive, with the changes that ask for it.
    archiving: BTreeMap<FlagName, Vec<usize>>,
    /// The segments to remove, with the changes that ask for it.
    removing: BTreeMap<SegmentId, Vec<usize>>,
    dependents: Option<Dependents>,
    /// What was found edited, as text, so that many changes of one thing describe it once.
    described: BTreeMap<Place<'a>, Properties>,
    /// What each update of a segment made of it, by the place of the change.
    updated_segments: BTreeMap<SegmentId, Vec<(usize, Arc<Segment>)>>,
    defaults: Vec<DefaultChange>,
    problems: Vec<(usize, ChangeProblem)>,
    at: usize,
}

/// What is wrong with the content of a change, which was checked when the change was read.
fn content(planned: &PlannedChange) -> Vec<Problem> {
    planned.change.problems().to_vec()
}

type Made = Result<(), Vec<Problem>>;

fn refuse<T>(code: ProblemCode, message: impl Into<String>) -> Result<T, Vec<Problem>> {
    Err(vec![Problem::new(code, message)])
}

impl<'a> Overlay<'a> {
    fn make(&mut self, planned: &'a PlannedChange) {
        if let Err(refused) = self.make_change(planned) {
            for why in refused {
                self.raise(self.at, planned, why);
            }
            return;
        }
        self.compare_with_before(planned);
    }

    fn make_change(&mut self, planned: &PlannedChange) -> Made {
        match &*planned.change {
            Change::UpdateSegment(update) => return self.update_segment(update, planned),
            Change::DeleteSegment { id } => return self.remove_segment(*id),
            Change::Unsupported { action, .. } => {
                let message = format!("the action `{action}` is not supported; discard the change to go on");
                return refuse(ProblemCode::ActionUnsupported, message);
            }
            _ => {}
        }
        let Some(flag) = &planned.flag else {
            return refuse(
                ProblemCode::TargetMissing,
                "the change does not say which flag it is for",
            );
        };
        self.check_is_meant(flag, planned)?;
        if matches!(*planned.change, Change::ArchiveFeature) {
            return self.archive(flag);
        }
        self.check_live(flag)?;
        match &*planned.change {
            Change::AddDependency(dependency) => {
                self.check_is_meant(&dependency.parent, planned)?;
                self.add_dependency(flag, dependency)
            }
            Change::DeleteDependency { parent } => self.remove_dependencies(flag, parent.as_ref()),
            _ => {
                self.check_environment()?;
                self.make_in_environment(flag, planned)
            }
        }
    }

    fn make_in_environment(&mut self, flag: &FlagName, planned: &PlannedChange) -> Made {
        match &*planned.change {
            Change::UpdateEnabled(update) => self.switch(flag, *update),
            Change::PatchVariant { variants } => self.replace_variants(flag, variants, planned),
            Change::AddStrategy(new) => self.add_strategy(flag, new, planned),
            Change::UpdateStrategy(update) => self.update_strategy(flag, update, planned),
            Change::DeleteStrategy { id } => self.remove_strategy(flag, id, planned),
            Change::ReorderStrategy(places) => self.reorder(flag, places),
            _ => Ok(()),
        }
    }

    fn raise(&mut self, at: usize, planned: &PlannedChange, why: Problem) {
        let problem = ChangeProblem {
            change: planned.id,
            action: planned.change.action().to_owned(),
            target: target(planned),
            code: why.code,
            message: why.message,
            path: why.path,
            differences: Vec::new(),
        };
        self.problems.push((at, problem));
    }

    /// A change of a request is for the flag that had the name when it was proposed, and for no later one.
    fn check_is_meant(&self, name: &FlagName, planned: &PlannedChange) -> Made {
        let flag = self.proposed.flags.get(name);
        match flag {
            Some(flag) if self.scope.request.is_some() && flag.created_at > planned.created_at => refuse(
                ProblemCode::FlagMissing,
                format!(
                    "the flag `{name}` was deleted after the change was proposed, and another one was made under \
                     its name; discard the change and propose it anew"
                ),
            ),
            _ => Ok(()),
        }
    }

    fn check_live(&self, name: &FlagName) -> Made {
        let project = &self.scope.project;
        let Some(flag) = self.proposed.flags.get(name) else {
            let message = format!("there is no flag `{name}` in project `{project}`");
            return refuse(ProblemCode::FlagMissing, message);
        };
        if flag.project != *project {
            let message = format!(
                "the flag `{name}` is in project `{}`, not in `{project}`",
                flag.project
            );
            return refuse(ProblemCode::FlagMoved, message);
        }
        let archiving = self.archiving.contains_key(name);
        if flag.is_archived() || archiving {
            let message = format!("the flag `{name}` is archived; revive it first");
            return refuse(ProblemCode::FlagArchived, message);
        }
        Ok(())
    }

    fn check_environment(&self) -> Made {
        let Scope {
            project, environment, ..
        } = self.scope;
        let used = self
            .proposed
            .projects
            .get(project)
            .is_some_and(|project| project.environments.contains_key(environment));
        if used {
            return Ok(());
        }
        let message = format!("the project `{project}` does not use the environment `{environment}`");
        refuse(ProblemCode::EnvironmentMissing, message)
    }

    fn flag_mut(&mut self, name: &FlagName) -> Option<&mut FeatureFlag> {
        self.proposed.flags.get_mut(name).map(Arc::make_mut)
    }

    fn settings_mut(&mut self, name: &FlagName) -> Option<&mut FlagSettings> {
        let flag = self.proposed.flags.get_mut(name).map(Arc::make_mut)?;
        let settings = flag
            .environments
            .get_or_insert_with(self.scope.environment.clone(), Arc::default);
        Some(Arc::make_mut(settings))
    }

    fn new_strategy_id(&self, change: ChangeId) -> StrategyId {
        match self.scope.request {
            Some(request) => format!("cr{request}-{change}").into(),
            None => format!("direct{change}").into(),
        }
    }
}

/// The settings of a flag in the scope's environment; `None` where it has none.
fn settings<'s>(snapshot: &'s Snapshot, scope: &Scope, name: &FlagName) -> Option<&'s FlagSettings> {
    let flag = snapshot.flags.get(name)?;
    flag.environments.get(&scope.environment).map(Arc::as_ref)
}

fn target(planned: &PlannedChange) -> Target {
    match (planned.change.segment(), &planned.flag) {
        (Some(segment), _) => Target::Segment(segment),
        (None, Some(flag)) => Target::Flag(flag.clone()),
        (None, None) => Target::Unknown,
    }
}
