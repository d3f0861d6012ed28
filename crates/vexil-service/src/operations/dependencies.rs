//! Dependencies of flags on other flags.

use std::collections::BTreeSet;

use vexil_admin_api::flag_document::children;
use vexil_change_request::Change;
use vexil_domain::{Dependency, FeatureFlag, FlagName, ProjectId, Snapshot};

use super::direct::{EditScope, change_flag, find_live_flag};
use super::paths::FlagPath;
use crate::operations::Error;
use crate::transaction::Transaction;

/// Makes a flag depend on a parent.
pub fn add(tx: &mut Transaction<'_>, child: &FlagPath, dependency: &Dependency) -> Result<(), Error> {
    find_live_flag(&tx.snapshot, child.project.as_str(), child.flag.as_str())?;
    let parent = tx.snapshot.flags.get(&dependency.parent);
    if parent.is_none_or(|parent| parent.is_archived()) {
        let message = format!("No active feature {} exists", dependency.parent);
        return Err(Error::InvalidOperation(message));
    }
    change(tx, child, Change::AddDependency(dependency.clone()))
}

/// Takes away one parent of a flag, or all.
pub fn remove(tx: &mut Transaction<'_>, child: &FlagPath, parent: Option<&FlagName>) -> Result<(), Error> {
    find_live_flag(&tx.snapshot, child.project.as_str(), child.flag.as_str())?;
    let parent = parent.cloned();
    change(tx, child, Change::DeleteDependency { parent })
}

fn change(tx: &mut Transaction<'_>, child: &FlagPath, change: Change) -> Result<(), Error> {
    change_flag(tx, &EditScope::everywhere(&child.project), &child.flag, change)
}

/// The flags that a flag could depend on: the live ones of its project that depend on none themselves.
/// A flag that is a parent cannot depend on any.
#[must_use]
pub fn candidates<'a>(snapshot: &'a Snapshot, child: &'a FlagPath) -> Vec<&'a FlagName> {
    let is_flag = snapshot.flags.contains_key(&child.flag);
    if !is_flag || children(snapshot, &child.flag).next().is_some() {
        return Vec::new();
    }
    let candidates =
        live(snapshot, &child.project).filter(|flag| flag.name != child.flag && flag.dependencies.is_empty());
    candidates.map(|flag| &flag.name).collect()
}

/// The names of all variants that a flag can have, in any environment.
#[must_use]
pub fn variant_names<'a>(snapshot: &'a Snapshot, flag: &FlagPath) -> BTreeSet<&'a str> {
    let known = snapshot.flags.get(&flag.flag);
    let known = known.filter(|known| known.project == flag.project);
    let variants = known.into_iter().flat_map(|flag| flag.variants());
    variants.map(|variant| variant.name.as_str()).collect()
}

/// Whether any live flag of a project depends on another.
#[must_use]
pub fn exist(snapshot: &Snapshot, project: &ProjectId) -> bool {
    live(snapshot, project).any(|flag| !flag.dependencies.is_empty())
}

fn live<'a>(snapshot: &'a Snapshot, project: &'a ProjectId) -> impl Iterator<Item = &'a FeatureFlag> {
    let flags = snapshot.flags.values().map(AsRef::as_ref);
    flags.filter(move |flag: &&FeatureFlag| flag.project == *project && !flag.is_archived())
}
