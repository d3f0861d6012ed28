//! Strategy types: created, edited, deprecated, removed.

use std::sync::Arc;

use vexil_domain::{Snapshot, StrategyType};
use vexil_wire::admin::strategy_type::StrategyTypeForm;

use super::audit::record_edits;
use crate::edit::Draft;
use crate::error::ApiError;

/// A strategy type, which must be there.
pub(crate) fn find<'a>(snapshot: &'a Snapshot, name: &str) -> Result<&'a StrategyType, ApiError> {
    let missing = || ApiError::NotFound(format!("There is no strategy type \"{name}\"."));
    snapshot
        .strategy_types
        .get(name)
        .map(AsRef::as_ref)
        .ok_or_else(missing)
}

/// Creates a strategy type.
pub(crate) fn create(
    draft: &mut Draft<'_>,
    name: &str,
    form: &StrategyTypeForm,
) -> Result<StrategyType, ApiError> {
    if draft.snapshot.strategy_types.contains_key(name) {
        return Err(ApiError::NameExists(format!(
            "Strategy with name {name} already exist!"
        )));
    }
    let kind = StrategyType {
        name: name.to_owned(),
        display_name: None,
        description: form.description.clone().unwrap_or_default(),
        built_in: false,
        deprecated: false,
        parameters: form.parameters.clone(),
    };
    put(draft, kind.clone())?;
    Ok(kind)
}

/// Replaces what a strategy type says.
pub(crate) fn edit(draft: &mut Draft<'_>, name: &str, form: &StrategyTypeForm) -> Result<(), ApiError> {
    let kind = editable(&draft.snapshot, name)?;
    let description = form
        .description
        .clone()
        .unwrap_or_else(|| kind.description.clone());
    let kind = StrategyType {
        description,
        parameters: form.parameters.clone(),
        ..kind.clone()
    };
    put(draft, kind)
}

/// Says of a strategy type that people should, or should no longer, stop using it.
pub(crate) fn deprecate(draft: &mut Draft<'_>, name: &str, deprecated: bool) -> Result<(), ApiError> {
    let kind = StrategyType {
        deprecated,
        ..find(&draft.snapshot, name)?.clone()
    };
    put(draft, kind)
}

/// Removes a strategy type. Strategies of that type stay, and are strategies of an unknown type.
pub(crate) fn remove(draft: &mut Draft<'_>, name: &str) -> Result<(), ApiError> {
    editable(&draft.snapshot, name)?;
    let earlier = draft.snapshot.clone();
    draft.snapshot.strategy_types.remove(name);
    record_edits(draft, &earlier, None)
}

fn editable<'a>(snapshot: &'a Snapshot, name: &str) -> Result<&'a StrategyType, ApiError> {
    let kind = find(snapshot, name)?;
    if kind.built_in {
        return Err(ApiError::InvalidOperation(format!(
            "The strategy type \"{name}\" came with the server and cannot be changed. It can be deprecated."
        )));
    }
    Ok(kind)
}

fn put(draft: &mut Draft<'_>, kind: StrategyType) -> Result<(), ApiError> {
    let earlier = draft.snapshot.clone();
    draft
        .snapshot
        .strategy_types
        .insert(kind.name.clone(), Arc::new(kind));
    record_edits(draft, &earlier, None)
}
