//! Moments in a file of proofs: nanoseconds since 1970-01-01T00:00:00Z, as text.

use serde::de::Error as _;
use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};
use time::OffsetDateTime;

pub(crate) fn serialize<S: Serializer>(
    moment: &Option<OffsetDateTime>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let text = moment.map(|moment| moment.unix_timestamp_nanos().to_string());
    text.serialize(serializer)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<OffsetDateTime>, D::Error> {
    let Some(text) = Option::<String>::deserialize(deserializer)? else {
        return Ok(None);
    };
    let moment = text.parse::<i128>().ok();
    let moment = moment.and_then(|nanos| OffsetDateTime::from_unix_timestamp_nanos(nanos).ok());
    moment
        .map(Some)
        .ok_or_else(|| D::Error::custom(format!("`{text}` is no number of nanoseconds")))
}
