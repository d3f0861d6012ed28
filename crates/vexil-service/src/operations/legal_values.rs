//! The values that a context field may have bind what constraints compare it with: those that an edit brings in.
//! What stood there before stays, so that whoever narrows a field keeps nobody from turning a flag off.

use std::collections::{BTreeMap, BTreeSet};

use vexil_client_api::json::Problems;
use vexil_domain::{
    ActivationStrategy, Constraint, FeatureFlag, Project, ProjectId, Snapshot, SnapshotDelta, Write,
};

use super::known_fields::{Settings, find, has_own};
use crate::operations::Error;

/// Refuses constraints that an edit brings in and that compare a field with a value that it may not have.
///
/// # Errors
///
/// Such values, with the field and the place: of very many the first, and how many more.
pub(crate) fn check(before: &Snapshot, delta: &SnapshotDelta, settings: &Settings) -> Result<(), Error> {
    if !has_own(settings) {
        return Ok(());
    }
    let mut rules = Rules::new(settings);
    for flag in written(&delta.flags) {
        let of_project = before.projects.get(&flag.project).map(AsRef::as_ref);
        let known = known(before.flags.get(&flag.name).map(AsRef::as_ref), of_project);
        let place = format!("the flag `{}`", flag.name);
        for strategy in strategies(flag) {
            rules.check(&strategy.constraints, &known, Some(&flag.project), &place);
        }
    }
    for project in written(&delta.projects) {
        let known = known(None, before.projects.get(&project.id).map(AsRef::as_ref));
        let place = format!("a default strategy of the project `{}`", project.id);
        for strategy in defaults(project) {
            rules.check(&strategy.constraints, &known, Some(&project.id), &place);
        }
    }
    for segment in written(&delta.segments) {
        let earlier = before.segments.get(&segment.id).into_iter();
        let known: Vec<&Constraint> = earlier.flat_map(|earlier| &earlier.constraints).collect();
        let place = format!("the segment `{}`", segment.name);
        rules.check(&segment.constraints, &known, segment.project.as_ref(), &place);
    }
    rules.finish()
}

/// Refuses one constraint, of no project, that compares a field with a value that it may not have.
///
/// # Errors
///
/// Such values: of very many the first, and how many more.
pub fn check_one(constraint: &Constraint, settings: &Settings) -> Result<(), Error> {
    let mut rules = Rules::new(settings);
    rules.check(std::slice::from_ref(constraint), &[], None, "the constraint");
    rules.finish()
}

/// What fields may be compared with, and what was.
struct Rules<'a> {
    settings: &'a Settings,
    /// The fields that were read, and what binds those that have values of their own.
    read: BTreeMap<String, Option<Legal>>,
    problems: Problems,
}

/// What a field may be compared with.
struct Legal {
    /// The project that this is for; `None` for all.
    project: Option<ProjectId>,
    values: BTreeSet<String>,
}

impl Legal {
    /// What binds constraints on a field of that name, if anything does.
    fn of(settings: &Settings, name: &str) -> Option<Self> {
        let field = find(settings, name).ok()?;
        let values: BTreeSet<String> = field.legal_values.into_iter().map(|legal| legal.value).collect();
        let project = field.project;
        (!values.is_empty()).then_some(Self { project, values })
    }
}

impl<'a> Rules<'a> {
    fn new(settings: &'a Settings) -> Self {
        Self {
            settings,
            read: BTreeMap::new(),
            problems: Problems::new(),
        }
    }

    /// Looks at constraints of a project, of which those that are `known` may stay.
    fn check(
        &mut self,
        constraints: &[Constraint],
        known: &[&Constraint],
        project: Option<&ProjectId>,
        place: &str,
    ) {
        for constraint in constraints.iter().filter(|one| !known.contains(one)) {
            let name = &constraint.context_name;
            let settings = self.settings;
            let legal = self.read.entry(name.clone());
            let legal = legal.or_insert_with(|| Legal::of(settings, name));
            // a field of a project is for that project alone
            let binds = |legal: &&mut Legal| legal.project.is_none() || legal.project.as_ref() == project;
            let Some(legal) = legal.as_mut().filter(binds) else {
                continue;
            };
            for value in constraint.values.iter().chain(&constraint.value) {
                if !legal.values.contains(value.trim()) {
                    let message = format!(
                        "`{value}` is not specified as a legal value of the context field `{name}`, in {place}."
                    );
                    self.problems.add("", message);
                }
            }
        }
    }

    fn finish(self) -> Result<(), Error> {
        self.problems.finish(Some(())).map_err(Error::from)
    }
}

fn written<K, V>(writes: &[Write<K, V>]) -> impl Iterator<Item = &V> {
    writes.iter().filter_map(|write| match write {
        Write::Upsert(value) => Some(value.as_ref()),
        Write::Delete(_) => None,
    })
}

fn strategies(flag: &FeatureFlag) -> impl Iterator<Item = &ActivationStrategy> {
    flag.environments
        .values()
        .flat_map(|settings| &settings.strategies)
}

fn defaults(project: &Project) -> impl Iterator<Item = &ActivationStrategy> {
    let rules = project.environments.values();
    rules.filter_map(|rules| rules.default_strategy.as_ref())
}

/// The constraints that stood at a flag before, and those that flags of its project get when they are turned on.
fn known<'a>(flag: Option<&'a FeatureFlag>, project: Option<&'a Project>) -> Vec<&'a Constraint> {
    let own = flag.into_iter().flat_map(strategies);
    let given = project.into_iter().flat_map(defaults);
    own.chain(given)
        .flat_map(|strategy| &strategy.constraints)
        .collect()
}
