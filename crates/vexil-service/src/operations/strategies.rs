//! Activation strategies of a flag in an environment.

use vexil_admin_api::patch::Operation;
use vexil_admin_api::strategy::read_update;
use vexil_change_request::{Change, NewStrategy, StrategyPlace, StrategyUpdate};
use vexil_client_api::json::Node;
use vexil_domain::{ActivationStrategy, FeatureFlag, Snapshot};

use super::direct::{EditScope, change_flag, check_environment, find_live_flag};
use super::patches::patched_in;
use super::paths::{FlagEnvironmentPath, StrategyPath};
use super::same_name::check_same;
use crate::operations::Error;
use crate::transaction::Transaction;

/// A live flag, and an environment that its project uses.
pub fn find_flag<'a>(snapshot: &'a Snapshot, at: &FlagEnvironmentPath) -> Result<&'a FeatureFlag, Error> {
    let flag = find_live_flag(snapshot, at.project.as_str(), at.flag.as_str())?;
    check_environment(snapshot, &at.project, &at.environment, &at.flag)?;
    Ok(flag)
}

/// The strategies of a flag in an environment, in order.
pub fn list<'a>(snapshot: &'a Snapshot, at: &FlagEnvironmentPath) -> Result<&'a [ActivationStrategy], Error> {
    let settings = find_flag(snapshot, at)?.environments.get(&at.environment);
    Ok(settings.map_or(&[], |settings| &settings.strategies))
}

/// One strategy, which must be there.
pub fn find<'a>(snapshot: &'a Snapshot, path: &StrategyPath) -> Result<&'a ActivationStrategy, Error> {
    let StrategyPath { at, strategy: id } = path;
    let found = list(snapshot, at)?.iter().find(|strategy| strategy.id == *id);
    found.ok_or_else(|| Error::NotFound(format!("Could not find strategy with id={id}")))
}

/// Adds a strategy behind the others.
pub fn add(
    tx: &mut Transaction<'_>,
    at: &FlagEnvironmentPath,
    new: &NewStrategy,
) -> Result<ActivationStrategy, Error> {
    find_live_flag(&tx.snapshot, at.project.as_str(), at.flag.as_str())?;
    let path = StrategyPath {
        at: at.clone(),
        strategy: tx.random_strategy_id(),
    };
    let new = NewStrategy {
        id: Some(path.strategy.clone()),
        ..new.clone()
    };
    change(tx, at, Change::AddStrategy(new))?;
    find(&tx.snapshot, &path).cloned()
}

/// Gives strategies new places.
pub fn reorder(
    tx: &mut Transaction<'_>,
    at: &FlagEnvironmentPath,
    places: &[StrategyPlace],
) -> Result<(), Error> {
    find_flag(&tx.snapshot, at)?;
    change(tx, at, Change::ReorderStrategy(places.to_vec()))
}

/// Replaces what the update says of a strategy, which it may name.
pub fn replace(
    tx: &mut Transaction<'_>,
    path: &StrategyPath,
    update: &StrategyUpdate,
) -> Result<ActivationStrategy, Error> {
    find(&tx.snapshot, path)?;
    let said = Some(update.id.as_str()).filter(|id| !id.is_empty());
    check_same("id of a strategy", said, path.strategy.as_str())?;
    let update = StrategyUpdate {
        id: path.strategy.clone(),
        ..update.clone()
    };
    change(tx, &path.at, Change::UpdateStrategy(update))?;
    find(&tx.snapshot, path).cloned()
}

/// What a patch changes of the document of a strategy.
const PATCHED: &[&str] = &[
    "name",
    "title",
    "disabled",
    "parameters",
    "constraints",
    "segments",
    "variants",
];

/// Edits a strategy by a patch of its document.
pub fn patch(
    tx: &mut Transaction<'_>,
    path: &StrategyPath,
    patch: &[Operation],
) -> Result<ActivationStrategy, Error> {
    let document = patched_in(find(&tx.snapshot, path)?, patch, PATCHED)?;
    let update = read_update(path.strategy.clone(), &Node::root(&document, ""))?;
    replace(tx, path, &update)
}

/// Removes a strategy.
pub fn remove(tx: &mut Transaction<'_>, path: &StrategyPath) -> Result<(), Error> {
    find(&tx.snapshot, path)?;
    let id = path.strategy.clone();
    change(tx, &path.at, Change::DeleteStrategy { id })
}

fn change(tx: &mut Transaction<'_>, at: &FlagEnvironmentPath, change: Change) -> Result<(), Error> {
    let scope = EditScope::in_environment(&at.project, &at.environment);
    change_flag(tx, &scope, &at.flag, change)
}
