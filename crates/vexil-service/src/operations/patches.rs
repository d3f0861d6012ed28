//! Documents edited by JSON Patch.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::{Map, Value};
use vexil_admin_api::patch::{Operation, apply_patch};
use vexil_client_api::json::Problems;

use super::Error;

/// The document of a value as a patch leaves it.
pub(super) fn patched(value: &impl Serialize, patch: &[Operation]) -> Result<Value, Error> {
    let document = serde_json::to_value(value).map_err(Error::internal)?;
    Ok(apply_patch(&document, patch)?)
}

/// The same, where no other members of the document may be changed than these: what a patch says of the others would be
/// passed over.
pub(super) fn patched_in(value: &impl Serialize, patch: &[Operation], open: &[&str]) -> Result<Value, Error> {
    let before = serde_json::to_value(value).map_err(Error::internal)?;
    let after = apply_patch(&before, patch)?;
    let names = |document: &Value| {
        document
            .as_object()
            .into_iter()
            .flat_map(Map::keys)
            .cloned()
            .collect()
    };
    let (mut names, others): (BTreeSet<String>, BTreeSet<String>) = (names(&before), names(&after));
    names.extend(others);
    let mut problems = Problems::new();
    for name in names.iter().filter(|name| !open.contains(&name.as_str())) {
        if before.get(name) != after.get(name) {
            let message = format!(
                "`/{name}` cannot be changed by a patch; there are: {}.",
                open.join(", ")
            );
            problems.add(format!("/{name}"), message);
        }
    }
    problems.finish(Some(after)).map_err(Error::from)
}
