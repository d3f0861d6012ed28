//! Strategy types: created, edited, deprecated, removed.

use std::sync::Arc;

use vexil_admin_api::strategy_type::StrategyTypeForm;
use vexil_domain::{Snapshot, StrategyType};

use super::same_name::check_same;
use crate::operations::Error;
use crate::transaction::Transaction;

/// A strategy type, which must be there.
pub fn find<'a>(snapshot: &'a Snapshot, name: &str) -> Result<&'a StrategyType, Error> {
    let missing = || Error::NotFound(format!("There is no strategy type \"{name}\"."));
    snapshot
        .strategy_types
        .get(name)
        .map(AsRef::as_ref)
        .ok_or_else(missing)
}

/// Creates a strategy type.
pub fn create(tx: &mut Transaction<'_>, name: &str, form: &StrategyTypeForm) -> Result<StrategyType, Error> {
    if tx.snapshot.strategy_types.contains_key(name) {
        return Err(Error::NameExists(format!(
            "Strategy with name {name} already exist!"
        )));
    }
    let kind = StrategyType {
        name: name.to_owned(),
        display_name: None,
        title: form.title.clone().flatten(),
        description: form.description.clone().unwrap_or_default(),
        built_in: false,
        deprecated: false,
        parameters: form.parameters.clone(),
    };
    put(tx, kind.clone())?;
    Ok(kind)
}

/// Replaces what a strategy type says.
pub fn edit(tx: &mut Transaction<'_>, name: &str, form: &StrategyTypeForm) -> Result<(), Error> {
    let kind = editable(&tx.snapshot, name)?;
    check_same("name of a strategy type", form.name.as_deref(), name)?;
    let description = form
        .description
        .clone()
        .unwrap_or_else(|| kind.description.clone());
    let title = form.title.clone().unwrap_or_else(|| kind.title.clone());
    let kind = StrategyType {
        title,
        description,
        parameters: form.parameters.clone(),
        ..kind.clone()
    };
    put(tx, kind)
}

/// Says of a strategy type that people should, or should no longer, stop using it.
pub fn deprecate(tx: &mut Transaction<'_>, name: &str, deprecated: bool) -> Result<(), Error> {
    let kind = StrategyType {
        deprecated,
        ..find(&tx.snapshot, name)?.clone()
    };
    put(tx, kind)
}

/// Removes a strategy type. Strategies of that type stay, and are strategies of an unknown type.
pub fn remove(tx: &mut Transaction<'_>, name: &str) -> Result<(), Error> {
    editable(&tx.snapshot, name)?;
    tx.snapshot.strategy_types.remove(name);
    Ok(())
}

fn editable<'a>(snapshot: &'a Snapshot, name: &str) -> Result<&'a StrategyType, Error> {
    let kind = find(snapshot, name)?;
    if kind.built_in {
        return Err(Error::InvalidOperation(format!(
            "The strategy type \"{name}\" came with the server and cannot be changed. It can be deprecated."
        )));
    }
    Ok(kind)
}

fn put(tx: &mut Transaction<'_>, kind: StrategyType) -> Result<(), Error> {
    tx.snapshot
        .strategy_types
        .insert(kind.name.clone(), Arc::new(kind));
    Ok(())
}
