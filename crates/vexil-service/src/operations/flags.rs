//! Flags: created, edited, cloned, archived, revived, deleted.

use std::collections::BTreeSet;
use std::sync::Arc;

use vexil_admin_api::flag::{CloneFlag, FlagEdit, NewFlag};
use vexil_admin_api::flag_document::{FlagSummary, children};
use vexil_admin_api::patch::Operation;
use vexil_change_request::Change;
use vexil_client_api::json::Node;
use vexil_domain::{FeatureFlag, FlagName, FlagSettings, ProjectId, SettingsByEnvironment, Snapshot};

use super::direct::{EditScope, change_flag, change_flags, find_flag, find_live_flag};
use super::flag_upkeep::links_of_templates;
use super::patches::patched_in;
use crate::operations::Error;
use crate::operations::project_settings::check_new_flags;
use crate::operations::tags::{check_types, keep};
use crate::transaction::Transaction;

/// Creates a flag that is off everywhere.
pub fn create(tx: &mut Transaction<'_>, project: &ProjectId, new: &NewFlag) -> Result<FeatureFlag, Error> {
    check_project(&tx.snapshot, project)?;
    check_new_flags(tx, project, &[&new.name])?;
    make(tx, project, new)
}

/// Makes a flag whose project is there and takes it.
pub(crate) fn make(
    tx: &mut Transaction<'_>,
    project: &ProjectId,
    new: &NewFlag,
) -> Result<FeatureFlag, Error> {
    check_types(&tx.snapshot, &new.tags)?;
    for tag in &new.tags {
        keep(tx, tag);
    }
    let flag = FeatureFlag {
        tags: new.tags.clone(),
        links: links_of_templates(tx, project, &new.name),
        kind: new.kind.as_str().into(),
        description: new.description.clone(),
        impression_data: new.impression_data,
        stale: new.stale,
        archived_at: new.archived.then_some(tx.now),
        created_by: Some(tx.actor.clone()),
        ..FeatureFlag::new(new.name.clone(), project.clone(), tx.now)
    };
    add(tx, flag)
}

/// Creates a flag like another one, off everywhere, with the other's strategies and without its tags and links.
pub fn clone(
    tx: &mut Transaction<'_>,
    project: &ProjectId,
    name: &FlagName,
    like: &CloneFlag,
) -> Result<FeatureFlag, Error> {
    let original = find_live_flag(&tx.snapshot, project.as_str(), name.as_str())?.clone();
    check_new_flags(tx, project, &[&like.name])?;
    let mut environments = SettingsByEnvironment::new();
    for (environment, settings) in &original.environments {
        let mut settings = FlagSettings {
            enabled: false,
            ..FlagSettings::clone(settings)
        };
        for strategy in &mut settings.strategies {
            strategy.id = tx.random_strategy_id();
            if let Some(group) = strategy.parameters.get_mut("groupId")
                && like.replace_group_id
            {
                *group = like.name.to_string();
            }
        }
        environments.insert(environment.clone(), Arc::new(settings));
    }
    let flag = FeatureFlag {
        name: like.name.clone(),
        created_by: Some(tx.actor.clone()),
        created_at: tx.now,
        environments,
        tags: BTreeSet::new(),
        links: links_of_templates(tx, project, &like.name),
        completed: None,
        potentially_stale: false,
        ..original
    };
    add(tx, flag)
}

fn add(tx: &mut Transaction<'_>, flag: FeatureFlag) -> Result<FeatureFlag, Error> {
    check_free(&tx.snapshot, flag.name.as_str())?;
    tx.snapshot
        .flags
        .insert(flag.name.clone(), Arc::new(flag.clone()));
    Ok(flag)
}

/// Checks that there is a project.
pub(crate) fn check_project(snapshot: &Snapshot, project: &ProjectId) -> Result<(), Error> {
    if snapshot.projects.contains_key(project) {
        return Ok(());
    }
    Err(Error::NotFound(format!(
        "Active project with id {project} does not exist"
    )))
}

/// Checks that no flag, live or archived, has a name.
pub fn check_free(snapshot: &Snapshot, name: &str) -> Result<(), Error> {
    match snapshot.flags.get(name) {
        None => Ok(()),
        Some(flag) if flag.is_archived() => Err(Error::NameExists(
            "An archived flag with that name already exists".to_owned(),
        )),
        Some(_) => Err(Error::NameExists(
            "A flag with that name already exists".to_owned(),
        )),
    }
}

/// Replaces what a flag says of itself; archives or revives it where that is asked.
pub fn edit(
    tx: &mut Transaction<'_>,
    project: &ProjectId,
    name: &FlagName,
    edit: &FlagEdit,
) -> Result<FeatureFlag, Error> {
    let flag = find_flag(&tx.snapshot, project.as_str(), name.as_str())?;
    if edit.name.as_ref().is_some_and(|sent| sent != name.as_str()) {
        return Err(Error::invalid(
            "The name of a feature flag cannot be changed; clone the flag instead.",
        ));
    }
    let archived = flag.is_archived();
    if edit.archived == Some(false) && archived {
        revive(tx, std::slice::from_ref(name))?;
    }
    change(tx, name, |flag| {
        flag.kind = edit.kind.as_str().into();
        flag.description.clone_from(&edit.description);
        flag.stale = edit.stale;
        flag.impression_data = edit.impression_data;
    });
    if edit.archived == Some(true) && !archived {
        change_flag(tx, &EditScope::everywhere(project), name, Change::ArchiveFeature)?;
    }
    find_flag(&tx.snapshot, project.as_str(), name.as_str()).cloned()
}

/// Says of flags that they have, or have not, outlived their purpose. Names of no flag are passed over.
pub fn mark_stale(
    tx: &mut Transaction<'_>,
    project: &ProjectId,
    names: &[FlagName],
    stale: bool,
) -> Result<(), Error> {
    let names = in_project(&tx.snapshot, project, names)?;
    for name in &names {
        change(tx, name, |flag| flag.stale = stale);
    }
    Ok(())
}

/// The archived flags, of a project where one is named.
pub fn archived<'a>(
    snapshot: &'a Snapshot,
    project: Option<&'a ProjectId>,
) -> impl Iterator<Item = &'a FeatureFlag> {
    let flags = snapshot.flags.values().map(AsRef::as_ref);
    flags.filter(move |flag: &&FeatureFlag| {
        flag.is_archived() && project.is_none_or(|project| flag.project == *project)
    })
}

/// Those of some flags that have children which are not among them.
#[must_use]
pub fn with_children_left<'a>(snapshot: &Snapshot, names: &'a [FlagName]) -> Vec<&'a FlagName> {
    let has_child = |name: &&FlagName| children(snapshot, name).any(|child| !names.contains(&child.name));
    names.iter().filter(has_child).collect()
}

/// Whether archiving some flags takes away what one of them depends on, or what depends on one of them.
#[must_use]
pub fn lose_dependencies(snapshot: &Snapshot, names: &[FlagName]) -> bool {
    let has_parent = |name| {
        let flag = snapshot.flags.get(name);
        flag.is_some_and(|flag| !flag.is_archived() && !flag.dependencies.is_empty())
    };
    let mut names = names.iter();
    names.any(|name| has_parent(name) || children(snapshot, name).next().is_some())
}

/// What a patch changes of the document of a flag.
const PATCHED: &[&str] = &["description", "type", "stale", "impressionData", "archived"];

/// Edits what a flag says of itself by a patch of its document.
pub fn patch(
    tx: &mut Transaction<'_>,
    project: &ProjectId,
    name: &FlagName,
    patch: &[Operation],
) -> Result<FeatureFlag, Error> {
    let flag = find_flag(&tx.snapshot, project.as_str(), name.as_str())?;
    let document = patched_in(&FlagSummary::of(flag), patch, PATCHED)?;
    let changes = FlagEdit::read(&Node::root(&document, ""))?;
    edit(tx, project, name, &changes)
}

/// Archives a flag. An archived one stays as it is.
pub fn archive(tx: &mut Transaction<'_>, project: &ProjectId, name: &FlagName) -> Result<(), Error> {
    if find_flag(&tx.snapshot, project.as_str(), name.as_str())?.is_archived() {
        return Ok(());
    }
    change_flag(tx, &EditScope::everywhere(project), name, Change::ArchiveFeature)
}

/// Archives flags: all, or none. Names of no flag and archived flags are passed over.
pub fn archive_all(tx: &mut Transaction<'_>, project: &ProjectId, names: &[FlagName]) -> Result<(), Error> {
    let names = in_project(&tx.snapshot, project, names)?;
    let live = |name: &FlagName| {
        tx.snapshot
            .flags
            .get(name)
            .is_some_and(|flag| !flag.is_archived())
    };
    let changes: Vec<_> = names
        .into_iter()
        .filter(live)
        .map(|name| (name, Change::ArchiveFeature))
        .collect();
    change_flags(tx, &EditScope::everywhere(project), changes)
}

/// Revives flags: they are live again, and off everywhere. Live flags stay as they are.
pub(crate) fn revive(tx: &mut Transaction<'_>, names: &[FlagName]) -> Result<(), Error> {
    for name in names {
        if !tx.snapshot.flags.get(name).is_some_and(|flag| flag.is_archived()) {
            continue;
        }
        change(tx, name, |flag| {
            flag.archived_at = None;
            flag.completed = None;
            for settings in flag.environments.values_mut().filter(|settings| settings.enabled) {
                Arc::make_mut(settings).enabled = false;
            }
        });
    }
    Ok(())
}

/// Revives a flag, which must be there.
pub fn revive_one(tx: &mut Transaction<'_>, name: &FlagName) -> Result<(), Error> {
    if !tx.snapshot.flags.contains_key(name) {
        return Err(Error::NotFound(format!("There's no feature named \"{name}\".")));
    }
    revive(tx, std::slice::from_ref(name))
}

/// Revives flags of a project. Names of no flag are passed over.
pub fn revive_all(tx: &mut Transaction<'_>, project: &ProjectId, names: &[FlagName]) -> Result<(), Error> {
    check_project(&tx.snapshot, project)?;
    let names = in_project(&tx.snapshot, project, names)?;
    revive(tx, &names)
}

/// Deletes archived flags for good: all, or none. Names of no flag are passed over.
pub fn delete(tx: &mut Transaction<'_>, names: &[FlagName]) -> Result<(), Error> {
    for name in names {
        match tx.snapshot.flags.get(name) {
            Some(flag) if !flag.is_archived() => {
                return Err(Error::InvalidOperation(format!(
                    "The feature \"{name}\" is not archived. Archive it before you delete it."
                )));
            }
            Some(_) => drop(tx.snapshot.flags.remove(name)),
            None => {}
        }
    }
    Ok(())
}

/// Deletes archived flags of a project.
pub fn delete_all(tx: &mut Transaction<'_>, project: &ProjectId, names: &[FlagName]) -> Result<(), Error> {
    let names = in_project(&tx.snapshot, project, names)?;
    delete(tx, &names)
}

/// Those of the names that are flags, which must all be of one project.
fn in_project(snapshot: &Snapshot, project: &ProjectId, names: &[FlagName]) -> Result<Vec<FlagName>, Error> {
    let mut found = Vec::with_capacity(names.len());
    for name in names {
        let Some(flag) = snapshot.flags.get(name) else {
            continue;
        };
        if flag.project != *project {
            return Err(Error::InvalidOperation(format!(
                "The operation could not be completed. The feature \"{name}\" is in project \"{}\", not in \"{project}\".",
                flag.project
            )));
        }
        found.push(name.clone());
    }
    Ok(found)
}

fn change(tx: &mut Transaction<'_>, name: &FlagName, edit: impl FnOnce(&mut FeatureFlag)) {
    if let Some(flag) = tx.snapshot.flags.get_mut(name) {
        edit(Arc::make_mut(flag));
    }
}
