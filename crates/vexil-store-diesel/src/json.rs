//! Lists and maps as JSON text, and numbers in their narrower types.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::DbError;

/// The JSON text of a value.
pub(crate) fn to_text<T: Serialize + ?Sized>(value: &T, what: &'static str) -> Result<String, DbError> {
    serde_json::to_string(value).map_err(|source| corrupt(what, source))
}

/// The value of a JSON text; `what` says what it should be.
pub(crate) fn from_text<T: DeserializeOwned>(text: &str, what: &'static str) -> Result<T, DbError> {
    serde_json::from_str(text).map_err(|source| corrupt(what, source))
}

/// The list of a JSON text, without room for more: what is read stays in memory, and seldom grows.
pub(crate) fn list_from_text<T: DeserializeOwned>(text: &str, what: &'static str) -> Result<Vec<T>, DbError> {
    let mut list: Vec<T> = from_text(text, what)?;
    list.shrink_to_fit();
    Ok(list)
}

/// A stored number in the type it came from.
pub(crate) fn narrow<T: TryFrom<i64>>(number: i64, what: &'static str) -> Result<T, DbError>
where
    T::Error: std::error::Error + Send + Sync + 'static,
{
    T::try_from(number).map_err(|source| corrupt(what, source))
}

/// What is there cannot be understood.
pub(crate) fn corrupt(
    what: &'static str,
    source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
) -> DbError {
    DbError::Corrupt {
        what,
        source: source.into(),
    }
}
