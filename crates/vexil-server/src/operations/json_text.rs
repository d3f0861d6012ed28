//! JSON that somebody sent as text.

use serde_json::Value;

use crate::operations::Error;

/// Parses JSON text.
pub(crate) fn parse(text: &[u8]) -> Result<Value, Error> {
    serde_json::from_slice(text)
        .map_err(|error| Error::invalid(format!("The request body is no valid JSON: {error}.")))
}
