//! The context fields that there are. They say what people may choose and decide nothing, so they stand among the
//! settings of the instance, one for each field that is not as it came with the server.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use vexil_admin_api::context_field::{ContextField, LegalValue, built_in};
use vexil_domain::ProjectId;
use vexil_store::Setting;

use crate::operations::Error;

/// What the names of the settings begin with that are context fields.
pub(crate) const PREFIX: &str = "context-field:";

/// The settings of the instance.
pub type Settings = BTreeMap<String, Arc<Setting>>;

/// A context field as it is kept.
#[derive(Serialize, Deserialize)]
struct Kept {
    description: Option<String>,
    stickiness: bool,
    sort_order: i32,
    legal_values: Vec<LegalValue>,
    /// In microseconds since 1970.
    created_at: Option<i64>,
    project: Option<String>,
}

/// All context fields, by name.
///
/// # Errors
///
/// When one that is kept cannot be read.
pub fn all(settings: &Settings) -> Result<BTreeMap<String, ContextField>, Error> {
    let mut fields: BTreeMap<String, ContextField> = built_in()
        .into_iter()
        .map(|field| (field.name.clone(), field))
        .collect();
    fields.extend(kept(settings)?);
    Ok(fields)
}

/// The context fields that are kept, by name.
pub(super) fn kept(settings: &Settings) -> Result<BTreeMap<String, ContextField>, Error> {
    let kept = settings.range(PREFIX.to_owned()..).map_while(|(key, setting)| {
        let name = key.strip_prefix(PREFIX)?;
        Some((name, setting))
    });
    kept.map(|(name, setting)| Ok((name.to_owned(), read(name, setting)?)))
        .collect()
}

/// Whether any context field is kept.
pub(super) fn has_own(settings: &Settings) -> bool {
    let mut from = settings.range(PREFIX.to_owned()..);
    from.next().is_some_and(|(name, _)| name.starts_with(PREFIX))
}

/// A context field, which must be there: one of a project is there for that project alone.
///
/// # Errors
///
/// When there is none.
pub fn find(settings: &Settings, name: &str) -> Result<ContextField, Error> {
    let missing = || Error::NotFound(format!("Could not find context field \"{name}\""));
    match settings.get(&key(name)) {
        Some(setting) => read(name, setting),
        None => built_in()
            .into_iter()
            .find(|field| field.name == name)
            .ok_or_else(missing),
    }
}

/// The name of the setting that is a context field.
pub(super) fn key(name: &str) -> String {
    format!("{PREFIX}{name}")
}

/// A context field as the text that is kept.
pub(super) fn stored(field: &ContextField) -> Result<String, Error> {
    let micros = |at: OffsetDateTime| i64::try_from(at.unix_timestamp_nanos() / 1000);
    let kept = Kept {
        description: field.description.clone(),
        stickiness: field.stickiness,
        sort_order: field.sort_order,
        legal_values: field.legal_values.clone(),
        created_at: field
            .created_at
            .map(micros)
            .transpose()
            .map_err(Error::internal)?,
        project: field.project.as_ref().map(ToString::to_string),
    };
    serde_json::to_string(&kept).map_err(Error::internal)
}

fn read(name: &str, setting: &Setting) -> Result<ContextField, Error> {
    let kept: Kept = serde_json::from_str(&setting.value).map_err(Error::internal)?;
    let instant = |micros: i64| OffsetDateTime::from_unix_timestamp_nanos(i128::from(micros) * 1000);
    Ok(ContextField {
        name: name.to_owned(),
        description: kept.description,
        stickiness: kept.stickiness,
        sort_order: kept.sort_order,
        legal_values: kept.legal_values,
        created_at: kept
            .created_at
            .map(instant)
            .transpose()
            .map_err(Error::internal)?,
        project: kept.project.map(ProjectId::from),
    })
}
