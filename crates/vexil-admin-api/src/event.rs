//! The audit log.

use serde::Serialize;
use serde_json::value::RawValue;

use super::timestamp::Timestamp;

/// Something that was done.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EventDocument<'a> {
    /// Identifies the event; later ones have greater ids.
    pub id: i64,
    /// What was done, such as `feature-created`.
    #[serde(rename = "type")]
    pub kind: &'a str,
    /// Who did it.
    pub created_by: &'a str,
    /// When.
    pub created_at: Timestamp,
    /// Who did it, by id.
    pub created_by_user_id: i64,
    /// How things are afterwards.
    pub data: Option<&'a RawValue>,
    /// How things were before.
    pub pre_data: Option<&'a RawValue>,
    /// Tags; there are none.
    pub tags: [(); 0],
    /// The flag concerned, if it was one.
    pub feature_name: Option<&'a str>,
    /// The project concerned, if it was one.
    pub project: Option<&'a str>,
    /// The environment concerned, if it was one.
    pub environment: Option<&'a str>,
    /// What the events that were made together belong to.
    #[serde(flatten)]
    pub group: Option<EventGroup>,
}

/// Something that was done, as a search finds it.
#[derive(Debug, Serialize)]
pub struct FoundEvent<'a> {
    /// The event.
    #[serde(flatten)]
    pub event: EventDocument<'a>,
    /// What was done, in a few words.
    pub label: String,
    /// The same with who did it to what, as Markdown.
    pub summary: String,
}

/// What the events that were made together belong to.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EventGroup {
    /// The kind of group: `change-request`.
    pub group_type: &'static str,
    /// The group.
    pub group_id: String,
}
