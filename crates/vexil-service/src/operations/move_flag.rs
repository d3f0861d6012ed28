//! Moving a flag to another project.

use std::collections::BTreeSet;
use std::sync::Arc;

use vexil_access::Permission;
use vexil_domain::{FeatureFlag, FlagName, FlagSettings, Project, ProjectId, Snapshot};
use vexil_store::ChangeRequestFilter;

use super::direct::find_live_flag;
use super::project_settings::check_new_flags;
use super::segments::open_filter;
use super::{Error, projects};
use crate::permission::Place;
use crate::principal::Principal;
use crate::transaction::Transaction;

/// Moves a live flag with all that it is to another project. Where it is already, it stays.
///
/// What would come apart is refused: everybody gets of the flag what they got before, as far as their tokens are for
/// the project that it is in then. Whether whoever moves it may do so past the change requests of both projects is
/// judged when the transaction ends.
pub fn move_flag(
    tx: &mut Transaction<'_>,
    who: &Principal,
    from: &ProjectId,
    name: &FlagName,
    to: &ProjectId,
) -> Result<(), Error> {
    let flag = find_live_flag(&tx.snapshot, from.as_str(), name.as_str())?.clone();
    let target = projects::find(&tx.snapshot, to.as_str())?;
    who.demand_in(&[Permission::MoveFeature], &Place::of_project(to))?;
    if from == to {
        return Ok(());
    }
    check_ties(&tx.snapshot, &flag)?;
    check_environments(&flag, target)?;
    check_segments(&tx.snapshot, &flag, to)?;
    check_requests(tx, name)?;
    check_new_flags(tx, to, &[name])?;
    let moved = FeatureFlag {
        project: to.clone(),
        ..flag
    };
    tx.snapshot.flags.insert(name.clone(), Arc::new(moved));
    Ok(())
}

fn refused(name: &FlagName, why: &str) -> Error {
    Error::InvalidOperation(format!("The feature \"{name}\" cannot be moved: {why}"))
}

/// Flags depend on flags of their own project. Archived ones may come back, and depend on it still.
fn check_ties(snapshot: &Snapshot, flag: &FeatureFlag) -> Result<(), Error> {
    let name = &flag.name;
    if let Some(dependency) = flag.dependencies.first() {
        return Err(refused(
            name,
            &format!(
                "it depends on \"{}\". Remove the dependency first.",
                dependency.parent
            ),
        ));
    }
    let depends = |other: &&Arc<FeatureFlag>| other.dependencies.iter().any(|one| one.parent == *name);
    if let Some(child) = snapshot.flags.values().find(depends) {
        return Err(refused(
            name,
            &format!("\"{}\" depends on it. Remove the dependency first.", child.name),
        ));
    }
    Ok(())
}

/// What the flag is in an environment must be seen, and be under the rules, where it comes to.
fn check_environments(flag: &FeatureFlag, target: &Project) -> Result<(), Error> {
    let none = FlagSettings::default();
    let set = flag
        .environments
        .iter()
        .filter(|(_, settings)| ***settings != none);
    let foreign: Vec<&str> = set
        .filter(|(name, _)| !target.environments.contains_key(*name))
        .map(|(name, _)| name.as_str())
        .collect();
    if foreign.is_empty() {
        return Ok(());
    }
    Err(refused(
        &flag.name,
        &format!(
            "it is configured in {}, and the project \"{}\" does not use that. Add the environment to the project, or remove what the flag has there.",
            foreign.join(", "),
            target.id
        ),
    ))
}

/// A segment of a project is for the flags of that project.
fn check_segments(snapshot: &Snapshot, flag: &FeatureFlag, to: &ProjectId) -> Result<(), Error> {
    let strategies = flag
        .environments
        .values()
        .flat_map(|settings| &settings.strategies);
    let used: BTreeSet<_> = strategies.flat_map(|strategy| &strategy.segments).collect();
    let segments = used.into_iter().filter_map(|id| snapshot.segments.get(id));
    let of_others = segments.filter(|segment| segment.project.as_ref().is_some_and(|owner| owner != to));
    let names: Vec<_> = of_others.map(|segment| format!("\"{}\"", segment.name)).collect();
    if names.is_empty() {
        return Ok(());
    }
    Err(refused(
        &flag.name,
        &format!(
            "it uses the segments {} of a project. Give them to all projects first, or take them out of its strategies.",
            names.join(", ")
        ),
    ))
}

/// A change request is one of a project, under its rules.
fn check_requests(tx: &Transaction<'_>, name: &FlagName) -> Result<(), Error> {
    let requests = tx.change_requests(&ChangeRequestFilter {
        flag: Some(name.clone()),
        ..open_filter()
    })?;
    if requests.items.is_empty() {
        return Ok(());
    }
    let ids: Vec<_> = requests
        .items
        .iter()
        .map(|request| format!("#{}", request.id.0))
        .collect();
    Err(Error::Conflict(format!(
        "The feature \"{name}\" cannot be moved while change requests are open that change it: {}. Apply or cancel them first.",
        ids.join(", ")
    )))
}
