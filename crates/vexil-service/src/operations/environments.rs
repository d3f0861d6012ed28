//! Environments: created, edited, put in order, removed.

use std::collections::BTreeMap;
use std::sync::Arc;

use vexil_admin_api::environment::EnvironmentForm;
use vexil_domain::{Environment, EnvironmentName, Snapshot};

use super::same_name::check_same;
use crate::operations::Error;
use crate::transaction::Transaction;

/// An environment, which must be there.
pub fn find<'a>(snapshot: &'a Snapshot, name: &str) -> Result<&'a Environment, Error> {
    let missing = || Error::NotFound(format!("Could not find environment with name: {name}"));
    snapshot
        .environments
        .get(name)
        .map(AsRef::as_ref)
        .ok_or_else(missing)
}

/// All environments, in their order.
pub fn in_order(snapshot: &Snapshot) -> Vec<&Environment> {
    let mut environments: Vec<&Environment> = snapshot.environments.values().map(AsRef::as_ref).collect();
    environments.sort_by_key(|environment| environment.sort_order);
    environments
}

/// Checks that no environment has a name.
pub fn check_free(snapshot: &Snapshot, name: &EnvironmentName) -> Result<(), Error> {
    if snapshot.environments.contains_key(name) {
        return Err(Error::NameExists(
            "Environment with that name already exists.".to_owned(),
        ));
    }
    Ok(())
}

/// Creates an environment, which no project uses yet.
pub fn create(
    tx: &mut Transaction<'_>,
    name: &EnvironmentName,
    form: &EnvironmentForm,
) -> Result<Environment, Error> {
    check_free(&tx.snapshot, name)?;
    let last = tx
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
    Ok(put(tx, with(environment, form)?))
}

/// Replaces what the form says of an environment.
pub fn edit(tx: &mut Transaction<'_>, name: &str, form: &EnvironmentForm) -> Result<Environment, Error> {
    let environment = find(&tx.snapshot, name)?.clone();
    check_same("name of an environment", form.name.as_deref(), name)?;
    Ok(put(tx, with(environment, form)?))
}

fn with(mut environment: Environment, form: &EnvironmentForm) -> Result<Environment, Error> {
    if form
        .protected
        .is_some_and(|protected| protected != environment.protected)
    {
        return Err(Error::invalid(
            "Whether an environment is protected cannot be changed. Which changes need approvals is set for each project.",
        ));
    }
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
    Ok(environment)
}

/// Takes an environment into use, or out of it.
pub fn set_enabled(tx: &mut Transaction<'_>, name: &str, enabled: bool) -> Result<(), Error> {
    let environment = Environment {
        enabled,
        ..find(&tx.snapshot, name)?.clone()
    };
    put(tx, environment);
    Ok(())
}

/// Gives environments new places: all, or none.
pub fn reorder(tx: &mut Transaction<'_>, places: &BTreeMap<EnvironmentName, i32>) -> Result<(), Error> {
    for (name, place) in places {
        let environment = Environment {
            sort_order: *place,
            ..find(&tx.snapshot, name.as_str())?.clone()
        };
        tx.snapshot
            .environments
            .insert(name.clone(), Arc::new(environment));
    }
    Ok(())
}

/// Removes an environment, with the settings of all flags in it, and with its tokens.
pub fn remove(tx: &mut Transaction<'_>, name: &str) -> Result<(), Error> {
    let environment = find(&tx.snapshot, name)?;
    if environment.protected {
        return Err(Error::InvalidOperation(format!(
            "The environment \"{name}\" cannot be removed."
        )));
    }
    let name = environment.name.clone();
    tx.snapshot.environments.remove(&name);
    for project in tx.snapshot.projects.values_mut() {
        let known = &**project;
        if known.environments.contains_key(&name) || known.left_environments.contains_key(&name) {
            let project = Arc::make_mut(project);
            project.environments.remove(&name);
            project.left_environments.remove(&name);
        }
    }
    for flag in tx.snapshot.flags.values_mut() {
        if flag.environments.contains_key(&name) {
            Arc::make_mut(flag).environments.remove(&name);
        }
    }
    super::ties::environment_goes(tx, &name)
}

fn put(tx: &mut Transaction<'_>, environment: Environment) -> Environment {
    tx.snapshot
        .environments
        .insert(environment.name.clone(), Arc::new(environment.clone()));
    environment
}
