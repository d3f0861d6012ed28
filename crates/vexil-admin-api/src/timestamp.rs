//! Instants as Unleash writes them: UTC, to the millisecond.

use serde::{Serialize, Serializer};
use time::format_description::BorrowedFormatItem;
use time::macros::format_description;
use time::{OffsetDateTime, UtcOffset};

const FORM: &[BorrowedFormatItem<'_>] =
    format_description!("[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]Z");

/// An instant that is written like `2026-11-27T23:28:53.278Z`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timestamp(pub OffsetDateTime);

impl From<OffsetDateTime> for Timestamp {
    fn from(instant: OffsetDateTime) -> Self {
        Self(instant)
    }
}

impl Timestamp {
    /// The text that is written for it.
    pub(crate) fn text(self) -> Result<String, time::error::Format> {
        self.0.to_offset(UtcOffset::UTC).format(FORM)
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.text().map_err(serde::ser::Error::custom)?;
        serializer.serialize_str(&text)
    }
}
