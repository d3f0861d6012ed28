//! Two environments, or two states, as the two sides of a comparison.
//!
//! Strategies have ids of their own in each environment. What is left to chance is drawn by id, so both
//! sides get ids by place: equal flags are then equal, chance included.

use std::collections::BTreeSet;
use std::sync::Arc;

use time::OffsetDateTime;
use vexil_admin_api::playground::{ComparedSide, TwoSides};
use vexil_domain::{EnvironmentName, EnvironmentSnapshot, FlagName, FlagSettings, ProjectId, Snapshot};

use super::Error;
use super::diff::BeforeAfter;
use super::environment_view::EnvironmentView;
use super::given_state;

/// What a question names, each an environment of the instance or a state that comes with it. Of one project, where that is said, with
/// the parents of its flags.
///
/// # Errors
///
/// There is no such environment or project, or a state is not understood.
pub fn asked(snapshot: &Snapshot, sides: &TwoSides, now: OffsetDateTime) -> Result<BeforeAfter, Error> {
    let sides = [("before", &sides.before), ("after", &sides.after)];
    let [before, after] = sides.map(|(place, flags)| found(snapshot, place, &flags.side, now));
    let (before, after) = (before?, after?);
    let projects = sides.map(|(_, flags)| flags.project.as_ref());
    for project in projects.into_iter().flatten() {
        let own = projects.iter().zip([&before, &after]);
        let mut own = own.filter(|(named, _)| **named == Some(project));
        if !own.any(|(_, found)| found.projects.contains(project)) {
            return Err(Error::NotFound(format!("There is no project \"{project}\".")));
        }
    }
    let side = |found: Found, project: Option<&ProjectId>| match project {
        Some(project) => (found.name, of_project(found.all, project)),
        None => (found.name, found.all),
    };
    let [first, second] = projects;
    Ok(two(side(before, first), side(after, second), first.cloned()))
}

/// One side with all of its flags.
struct Found {
    name: EnvironmentName,
    all: EnvironmentSnapshot,
    projects: BTreeSet<ProjectId>,
}

fn found(snapshot: &Snapshot, place: &str, side: &ComparedSide, now: OffsetDateTime) -> Result<Found, Error> {
    let projects = |snapshot: &Snapshot| snapshot.projects.keys().cloned().collect();
    match side {
        ComparedSide::Environment(name) if snapshot.environments.contains_key(name) => Ok(Found {
            name: name.clone(),
            all: snapshot.in_environment(name),
            projects: projects(snapshot),
        }),
        ComparedSide::Environment(name) => Err(Error::NotFound(format!(
            "There is no environment named \"{name}\"."
        ))),
        ComparedSide::State {
            document,
            environment,
        } => {
            let environment = environment.as_ref().map(EnvironmentName::as_str);
            let state = given_state::read(document, environment, now)
                .map_err(|error| Error::invalid(format!("`{place}.state`: {error}")))?;
            let (name, all) = state.side();
            let projects = projects(&state.snapshot);
            Ok(Found { name, all, projects })
        }
    }
}

/// The flags of a project, and those that they depend on.
fn of_project(mut all: EnvironmentSnapshot, project: &ProjectId) -> EnvironmentSnapshot {
    let own = all.flags.values().filter(|flag| flag.project == *project);
    let parents: BTreeSet<FlagName> = own
        .flat_map(|flag| {
            flag.dependencies
                .iter()
                .map(|dependency| dependency.parent.clone())
        })
        .collect();
    all.flags
        .retain(|name, flag| flag.project == *project || parents.contains(name));
    all
}

/// Two states.
#[must_use]
pub fn two(
    (before_name, before): (EnvironmentName, EnvironmentSnapshot),
    (after_name, after): (EnvironmentName, EnvironmentSnapshot),
    project: Option<ProjectId>,
) -> BeforeAfter {
    let view =
        |name: EnvironmentName, snapshot: EnvironmentSnapshot| EnvironmentView::new(name, numbered(snapshot));
    BeforeAfter {
        before: view(before_name, before),
        after: view(after_name, after),
        project: project.unwrap_or_else(|| "default".into()),
        elsewhere: Vec::new(),
    }
}

/// The same with the place of each strategy as its id.
fn numbered(mut snapshot: EnvironmentSnapshot) -> EnvironmentSnapshot {
    for flag in snapshot.flags.values_mut() {
        let mut settings = FlagSettings::clone(&flag.settings);
        let enabled = settings
            .strategies
            .iter_mut()
            .filter(|strategy| !strategy.disabled);
        for (place, strategy) in enabled.enumerate() {
            strategy.id = place.to_string().into();
        }
        Arc::make_mut(flag).settings = Arc::new(settings);
    }
    snapshot
}
