//! Context fields are added, edited and removed.

use vexil_admin_api::context_field::{ContextField, ContextFieldForm, LegalValue, MOST_VALUES, built_in};
use vexil_domain::{ActivationStrategy, ProjectId};

use super::change_requests::find_project;
use super::known_fields::{Settings, find, kept, key, stored};
use super::same_name::check_same;
use super::segments::count_uses;
use super::sign_on::put_setting;
use crate::operations::Error;
use crate::transaction::Transaction;

/// How many fields there are at most beside those that came with the server.
const MOST: usize = 500;

/// Where a context field is sought.
#[derive(Debug, Clone, Copy)]
pub struct FieldPlace<'a> {
    /// The project that it must be of; `None` for any field.
    pub project: Option<&'a ProjectId>,
    /// Its name.
    pub name: &'a str,
}

/// Checks that no context field has a name.
///
/// # Errors
///
/// When one has.
pub fn check_free(settings: &Settings, name: &str) -> Result<(), Error> {
    if find(settings, name).is_ok() {
        let message = "A context field with that name already exist";
        return Err(Error::NameExists(message.to_owned()));
    }
    Ok(())
}

/// Adds a context field, of a project or for all.
///
/// # Errors
///
/// When the name is taken, the project is not there, or there are too many fields.
pub fn create(
    tx: &mut Transaction<'_>,
    name: &str,
    form: &ContextFieldForm,
    project: Option<&ProjectId>,
) -> Result<ContextField, Error> {
    let settings = tx.access().tables.settings;
    check_free(&settings, name)?;
    if let Some(project) = project {
        find_project(&tx.snapshot, project)?;
    }
    if kept(&settings)?.len() >= MOST {
        let message = format!("There are {MOST} context fields; no more can be added.");
        return Err(Error::InvalidOperation(message));
    }
    let field = ContextField {
        name: name.to_owned(),
        description: form.description.clone(),
        stickiness: form.stickiness,
        sort_order: form.sort_order,
        legal_values: form.legal_values.clone(),
        created_at: Some(tx.now),
        project: project.cloned(),
    };
    put(tx, &field)?;
    Ok(field)
}

/// Replaces what a context field says; its description stays where none is said.
///
/// # Errors
///
/// When it is not there, or is to get another name or project.
pub fn edit(tx: &mut Transaction<'_>, place: FieldPlace<'_>, form: &ContextFieldForm) -> Result<(), Error> {
    let field = editable(tx, place)?;
    check_same("name of a context field", form.name.as_deref(), &field.name)?;
    if form.project.is_some() && form.project != field.project {
        return Err(Error::invalid(
            "The project of a context field cannot be changed.",
        ));
    }
    let field = ContextField {
        description: form.description.clone().or(field.description),
        stickiness: form.stickiness,
        sort_order: form.sort_order,
        legal_values: form.legal_values.clone(),
        ..field
    };
    put(tx, &field)
}

/// Removes a context field that no live flag has a constraint on.
///
/// # Errors
///
/// When it is not there, came with the server, or is in use.
pub fn remove(tx: &mut Transaction<'_>, place: FieldPlace<'_>) -> Result<(), Error> {
    let field = editable(tx, place)?;
    if built_in().iter().any(|own| own.name == field.name) {
        let message = format!(
            "The context field \"{}\" came with the server and cannot be removed. It can be changed.",
            field.name
        );
        return Err(Error::InvalidOperation(message));
    }
    let (_, flags) = count_uses(&tx.snapshot, |strategy| is_about(strategy, &field.name));
    if flags > 0 {
        let message = "This context field is in use by existing flags. To delete it, first remove its usage from all flags.";
        return Err(Error::Conflict(message.to_owned()));
    }
    put_setting(tx, &key(&field.name), None);
    Ok(())
}

/// Adds a value that a field may have, or says anew what it stands for.
///
/// # Errors
///
/// When the field is not there, or has too many.
pub fn put_value(tx: &mut Transaction<'_>, place: FieldPlace<'_>, value: &LegalValue) -> Result<(), Error> {
    let mut field = editable(tx, place)?;
    match field.legal_values.iter_mut().find(|own| own.value == value.value) {
        Some(own) => own.clone_from(value),
        None => field.legal_values.push(value.clone()),
    }
    if field.legal_values.len() > MOST_VALUES {
        let message = format!("A context field has at most {MOST_VALUES} values.");
        return Err(Error::InvalidOperation(message));
    }
    put(tx, &field)
}

/// Takes away a value that a field may have. One that it may not have is no error.
///
/// # Errors
///
/// When the field is not there.
pub fn take_value(tx: &mut Transaction<'_>, place: FieldPlace<'_>, value: &str) -> Result<(), Error> {
    let mut field = editable(tx, place)?;
    if !field.legal_values.iter().any(|own| own.value == value) {
        return Ok(());
    }
    field.legal_values.retain(|own| own.value != value);
    put(tx, &field)
}

/// Whether a strategy has a constraint on a field.
#[must_use]
pub fn is_about(strategy: &ActivationStrategy, field: &str) -> bool {
    let mut constraints = strategy.constraints.iter();
    constraints.any(|constraint| constraint.context_name == field)
}

/// A field that is to be changed: through a project, one of its own.
fn editable(tx: &Transaction<'_>, place: FieldPlace<'_>) -> Result<ContextField, Error> {
    let field = find(&tx.access().tables.settings, place.name)?;
    match place.project {
        Some(project) if field.project.as_ref() != Some(project) => Err(Error::NotFound(format!(
            "Could not find context field {} in project {project}",
            place.name
        ))),
        _ => Ok(field),
    }
}

fn put(tx: &mut Transaction<'_>, field: &ContextField) -> Result<(), Error> {
    put_setting(tx, &key(&field.name), Some(stored(field)?));
    Ok(())
}
