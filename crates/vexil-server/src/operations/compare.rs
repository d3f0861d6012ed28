//! Two environments, or two states, as the two sides of a comparison.
//!
//! Strategies have ids of their own in each environment. What is left to chance is drawn by id, so both
//! sides get ids by place: equal flags are then equal, chance included.

use std::collections::BTreeSet;
use std::sync::Arc;

use time::OffsetDateTime;
use vexil_admin_api::playground::{ComparedSide, TwoSides};
use vexil_domain::{EnvironmentName, EnvironmentSnapshot, FlagName, FlagSettings, ProjectId, Snapshot};
use vexil_engine::Engine;

use super::Error;
use super::diff::BeforeAfter;
use super::environment_view::EnvironmentView;
use super::given_state;

/// What a question names, each an environment of the instance or a state that comes with it. Of one project, where that is said, with
/// the parents of its flags.
///
/// # Errors
///
/// There is no such environment, or a state is not understood.
pub(crate) fn asked(
    snapshot: &Snapshot,
    sides: &TwoSides,
    now: OffsetDateTime,
) -> Result<BeforeAfter, Error> {
    let side = |place: &str, side: &ComparedSide| {
        let (name, all) = match side {
            ComparedSide::Environment(name) => {
                if !snapshot.environments.contains_key(name) {
                    return Err(Error::NotFound(format!(
                        "There is no environment named \"{name}\"."
                    )));
                }
                (name.clone(), snapshot.in_environment(name))
            }
            ComparedSide::State {
                document,
                environment,
            } => given_state::read(document, environment.as_ref().map(EnvironmentName::as_str), now)
                .map_err(|error| Error::invalid(format!("`{place}.state`: {error}")))?
                .side(),
        };
        Ok(match &sides.project {
            Some(project) => (name, of_project(all, project)),
            None => (name, all),
        })
    };
    Ok(two(
        side("before", &sides.before)?,
        side("after", &sides.after)?,
        sides.project.clone(),
    ))
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
pub(crate) fn two(
    (before_name, before): (EnvironmentName, EnvironmentSnapshot),
    (after_name, after): (EnvironmentName, EnvironmentSnapshot),
    project: Option<ProjectId>,
) -> BeforeAfter {
    let view = |name: EnvironmentName, snapshot: EnvironmentSnapshot| {
        let snapshot = numbered(snapshot);
        let (engine, _) = Engine::compile(&snapshot);
        EnvironmentView::new(name, snapshot, engine)
    };
    BeforeAfter {
        before: view(before_name, before),
        after: view(after_name, after),
        project: project.unwrap_or_else(|| "default".into()),
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
