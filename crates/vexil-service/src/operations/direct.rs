//! Direct edits: changes that take effect at once. They mean what the same changes mean in a change request. Whether somebody may
//! make them is judged by where they take effect, when the transaction ends.

use vexil_change_request::{Change, ChangeId, PlannedChange, Scope};
use vexil_domain::{EnvironmentName, FeatureFlag, FlagName, ProjectId, Snapshot};

use crate::operations::Error;
use crate::transaction::Transaction;

/// Where a direct edit takes effect.
#[derive(Debug, Clone)]
pub(crate) struct EditScope {
    project: ProjectId,
    /// `None` for all environments at once.
    environment: Option<EnvironmentName>,
}

impl EditScope {
    /// One environment of a project.
    pub(crate) fn in_environment(project: &ProjectId, environment: &EnvironmentName) -> Self {
        Self {
            project: project.clone(),
            environment: Some(environment.clone()),
        }
    }

    /// All environments of a project.
    pub(crate) fn everywhere(project: &ProjectId) -> Self {
        Self {
            project: project.clone(),
            environment: None,
        }
    }
}

/// Makes changes of flags: all of them, or none.
pub(crate) fn change_flags(
    tx: &mut Transaction<'_>,
    place: &EditScope,
    changes: impl IntoIterator<Item = (FlagName, Change)>,
) -> Result<(), Error> {
    let changes = changes.into_iter().map(|(flag, change)| (Some(flag), change));
    make(tx, place, changes)
}

/// Makes one change of a flag.
pub(crate) fn change_flag(
    tx: &mut Transaction<'_>,
    place: &EditScope,
    flag: &FlagName,
    change: Change,
) -> Result<(), Error> {
    make(tx, place, [(Some(flag.clone()), change)])
}

/// Makes one change of a segment.
pub(crate) fn change_segment(
    tx: &mut Transaction<'_>,
    owner: &ProjectId,
    change: Change,
) -> Result<(), Error> {
    make(tx, &EditScope::everywhere(owner), [(None, change)])
}

fn make(
    tx: &mut Transaction<'_>,
    place: &EditScope,
    changes: impl IntoIterator<Item = (Option<FlagName>, Change)>,
) -> Result<(), Error> {
    let scope = Scope {
        project: place.project.clone(),
        environment: place.environment.clone().unwrap_or_else(|| "".into()),
        request: None,
        now: tx.now,
    };
    let first_id = tx.counters.change;
    let earlier = tx.snapshot.clone();
    let planned: Vec<_> = changes
        .into_iter()
        .map(|(flag, change)| plan(tx, flag, change))
        .collect();
    tx.apply(&scope, &planned)?;
    if tx.snapshot.since(&earlier).is_empty() {
        tx.counters.change = first_id;
    }
    Ok(())
}

fn plan(tx: &mut Transaction<'_>, flag: Option<FlagName>, change: Change) -> PlannedChange {
    let id = ChangeId(tx.counters.change);
    tx.counters.change += 1;
    PlannedChange {
        id,
        flag,
        change: change.into(),
        before: None,
        created_by: tx.actor.clone(),
        created_at: tx.now,
    }
}

/// A flag of a project, live or archived, which must be there.
pub fn find_flag<'a>(snapshot: &'a Snapshot, project: &str, name: &str) -> Result<&'a FeatureFlag, Error> {
    match snapshot.flags.get(name) {
        Some(flag) if flag.project.as_str() == project => Ok(flag),
        Some(flag) => Err(Error::NotFound(format!(
            "There's no feature named \"{name}\" in project \"{project}\", but there's a feature with that name in project \"{}\"",
            flag.project
        ))),
        None => Err(Error::no_flag(name, project)),
    }
}

/// A live flag of a project, which must be there.
pub fn find_live_flag<'a>(
    snapshot: &'a Snapshot,
    project: &str,
    name: &str,
) -> Result<&'a FeatureFlag, Error> {
    let flag = find_flag(snapshot, project, name)?;
    if flag.is_archived() {
        let message = format!("The feature \"{name}\" is archived. Revive it first.");
        return Err(Error::NotFound(message));
    }
    Ok(flag)
}

/// Checks that a project uses an environment.
pub(crate) fn check_environment(
    snapshot: &Snapshot,
    project: &ProjectId,
    environment: &EnvironmentName,
    flag: &FlagName,
) -> Result<(), Error> {
    let used = snapshot
        .projects
        .get(project)
        .is_some_and(|project| project.environments.contains_key(environment));
    if used {
        return Ok(());
    }
    Err(Error::NotFound(format!(
        "Could not find environment {environment} for feature: {flag}"
    )))
}
