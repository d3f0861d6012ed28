//! Direct edits: changes that take effect at once. They mean what the same changes mean in a change request.

use vexil_access::{Permission, Place, Rights, UserId};
use vexil_change_request::{Change, ChangeId, PlannedChange, Scope};
use vexil_domain::{EnvironmentName, FeatureFlag, FlagName, ProjectId, Snapshot};

use crate::operations::Error;
use crate::principal::Principal;
use crate::transaction::Transaction;

/// Who edits, and whether they may do so where changes go through change requests.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WriteAccess {
    skips_change_requests: bool,
    /// Whose grants count, besides.
    user: Option<UserId>,
}

impl From<&Principal> for WriteAccess {
    fn from(who: &Principal) -> Self {
        Self {
            skips_change_requests: who.is_admin(),
            user: who.user.as_ref().map(|user| user.id),
        }
    }
}

/// The permission that lets somebody edit where changes go through change requests.
const SKIP: &str = Permission::SkipChangeRequest.name();

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

    /// Whether a user was granted to edit here at once. What concerns all environments needs a
    /// grant for all of them.
    fn may_be_skipped_by(&self, rights: &Rights) -> bool {
        let place = Place::of(Some(&self.project), self.environment.as_ref());
        rights.may(Permission::SkipChangeRequest, place)
    }

    fn has_change_requests(&self, snapshot: &Snapshot) -> bool {
        let Some(project) = snapshot.projects.get(&self.project) else {
            return false;
        };
        let mut rules = project.environments.iter();
        rules.any(|(name, rules)| {
            rules.change_requests.is_some() && self.environment.as_ref().is_none_or(|here| here == name)
        })
    }
}

impl WriteAccess {
    /// Refuses the edit where changes go through change requests, unless the editor may skip them.
    pub(crate) fn check(self, snapshot: &Snapshot, place: &EditScope) -> Result<(), Error> {
        if !self.skips_change_requests && place.has_change_requests(snapshot) {
            return Err(Error::missing_permission(SKIP));
        }
        Ok(())
    }

    /// The editor with what the user was granted at a place.
    fn granted(self, tx: &Transaction<'_>, place: &EditScope) -> Self {
        let serving = tx.serving();
        let user = self.user.and_then(|id| serving.users.get(id));
        let rights = user.map(|user| serving.access.directory.rights(user.holder()));
        let granted = rights.is_some_and(|rights| place.may_be_skipped_by(&rights));
        Self {
            skips_change_requests: self.skips_change_requests || granted,
            ..self
        }
    }

    /// Makes changes of flags: all of them, or none.
    pub(crate) fn change_flags(
        self,
        tx: &mut Transaction<'_>,
        place: &EditScope,
        changes: impl IntoIterator<Item = (FlagName, Change)>,
    ) -> Result<(), Error> {
        let changes = changes.into_iter().map(|(flag, change)| (Some(flag), change));
        self.make(tx, place, changes)
    }

    /// Makes one change of a flag.
    pub(crate) fn change_flag(
        self,
        tx: &mut Transaction<'_>,
        place: &EditScope,
        flag: &FlagName,
        change: Change,
    ) -> Result<(), Error> {
        self.make(tx, place, [(Some(flag.clone()), change)])
    }

    /// Makes one change of a segment.
    pub(crate) fn change_segment(
        self,
        tx: &mut Transaction<'_>,
        owner: &ProjectId,
        change: Change,
    ) -> Result<(), Error> {
        self.make(tx, &EditScope::everywhere(owner), [(None, change)])
    }

    fn make(
        self,
        tx: &mut Transaction<'_>,
        place: &EditScope,
        changes: impl IntoIterator<Item = (Option<FlagName>, Change)>,
    ) -> Result<(), Error> {
        self.granted(tx, place).check(&tx.snapshot, place)?;
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
pub(crate) fn find_flag<'a>(
    snapshot: &'a Snapshot,
    project: &str,
    name: &str,
) -> Result<&'a FeatureFlag, Error> {
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
pub(crate) fn find_live_flag<'a>(
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

#[cfg(test)]
mod tests;
