//! Environments: created, edited, put in order, removed.

use std::collections::BTreeMap;
use std::sync::Arc;

use vexil_domain::{Environment, EnvironmentName, Snapshot};
use vexil_wire::admin::environment::EnvironmentForm;

use super::audit::record_edits;
use crate::edit::Draft;
use crate::error::ApiError;

/// An environment, which must be there.
pub(crate) fn find<'a>(snapshot: &'a Snapshot, name: &str) -> Result<&'a Environment, ApiError> {
    let missing = || ApiError::NotFound(format!("Could not find environment with name: {name}"));
    snapshot
        .environments
        .get(name)
        .map(AsRef::as_ref)
        .ok_or_else(missing)
}

/// All environments, in their order.
pub(crate) fn in_order(snapshot: &Snapshot) -> Vec<&Environment> {
    let mut environments: Vec<&Environment> = snapshot.environments.values().map(AsRef::as_ref).collect();
    environments.sort_by_key(|environment| environment.sort_order);
    environments
}

/// Creates an environment, which no project uses yet.
pub(crate) fn create(
    draft: &mut Draft<'_>,
    name: &EnvironmentName,
    form: &EnvironmentForm,
) -> Result<Environment, ApiError> {
    if draft.snapshot.environments.contains_key(name) {
        return Err(ApiError::NameExists(
            "Environment with that name already exists.".to_owned(),
        ));
    }
    let last = draft
        .snapshot
        .environments
        .values()
        .map(|environment| environment.sort_order)
        .max();
    let environment = Environment {
        name: name.clone(),
        kind: String::new(),
        sort_order: last.map_or(1, |last| last.saturating_add(1)),
        enabled: true,
        protected: false,
        required_approvals: None,
    };
    put(draft, with(environment, form))
}

/// Replaces what the form says of an environment.
pub(crate) fn edit(
    draft: &mut Draft<'_>,
    name: &str,
    form: &EnvironmentForm,
) -> Result<Environment, ApiError> {
    let environment = find(&draft.snapshot, name)?.clone();
    put(draft, with(environment, form))
}

fn with(mut environment: Environment, form: &EnvironmentForm) -> Environment {
    if let Some(kind) = &form.kind {
        environment.kind.clone_from(kind);
    }
    if let Some(sort_order) = form.sort_order {
        environment.sort_order = sort_order;
    }
    if let Some(enabled) = form.enabled {
        environment.enabled = enabled;
    }
    if let Some(approvals) = form.required_approvals {
        environment.required_approvals = approvals;
    }
    environment
}

/// Takes an environment into use, or out of it.
pub(crate) fn set_enabled(draft: &mut Draft<'_>, name: &str, enabled: bool) -> Result<(), ApiError> {
    let environment = Environment {
        enabled,
        ..find(&draft.snapshot, name)?.clone()
    };
    put(draft, environment).map(drop)
}

/// Gives environments new places: all, or none.
pub(crate) fn reorder(
    draft: &mut Draft<'_>,
    places: &BTreeMap<EnvironmentName, i32>,
) -> Result<(), ApiError> {
    let earlier = draft.snapshot.clone();
    for (name, place) in places {
        let environment = Environment {
            sort_order: *place,
            ..find(&draft.snapshot, name.as_str())?.clone()
        };
        draft
            .snapshot
            .environments
            .insert(name.clone(), Arc::new(environment));
    }
    record_edits(draft, &earlier, None)
}

/// Removes an environment, with the settings of all flags in it, and with its tokens.
pub(crate) fn remove(draft: &mut Draft<'_>, name: &str) -> Result<(), ApiError> {
    let environment = find(&draft.snapshot, name)?;
    if environment.protected {
        return Err(ApiError::InvalidOperation(format!(
            "The environment \"{name}\" cannot be removed."
        )));
    }
    let name = environment.name.clone();
    let earlier = draft.snapshot.clone();
    draft.snapshot.environments.remove(&name);
    for project in draft.snapshot.projects.values_mut() {
        if project.environments.contains_key(&name) {
            Arc::make_mut(project).environments.remove(&name);
        }
    }
    for flag in draft.snapshot.flags.values_mut() {
        if flag.environments.contains_key(&name) {
            Arc::make_mut(flag).environments.remove(&name);
        }
    }
    super::users::revoke(draft, |grant| grant.environment.as_ref() == Some(&name));
    let of_environment = draft
        .world()
        .tokens
        .values()
        .filter(|token| token.environment.as_ref() == Some(&name));
    let tokens: Vec<_> = of_environment.map(|token| token.id).collect();
    for token in tokens {
        draft.remove_token(token);
    }
    record_edits(draft, &earlier, None)
}

fn put(draft: &mut Draft<'_>, environment: Environment) -> Result<Environment, ApiError> {
    let earlier = draft.snapshot.clone();
    draft
        .snapshot
        .environments
        .insert(environment.name.clone(), Arc::new(environment.clone()));
    record_edits(draft, &earlier, None)?;
    Ok(environment)
}
