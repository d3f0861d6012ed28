//! Documents edited by JSON Patch.

use serde::Serialize;
use serde_json::Value;
use vexil_admin_api::patch::{Operation, apply_patch};

use super::Error;

/// The document of a value as a patch leaves it.
pub(super) fn patched(value: &impl Serialize, patch: &[Operation]) -> Result<Value, Error> {
    let document = serde_json::to_value(value).map_err(Error::internal)?;
    Ok(apply_patch(&document, patch)?)
}
